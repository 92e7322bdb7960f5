import type { DriverSettings } from '../family.ts'
import type { Answer, Device, ProtocolAdapter, Verdict } from '../link/protocol-adapter.ts'
import type { LinkRules } from '../link/types.ts'
import { type DeviceProblem, refusal } from '../model/errors.ts'
import type { Condition } from '../model/printer.ts'
import { codePage } from '../wire/charset.ts'
import type { AnyCommand } from '../wire/command.ts'
import { conditionsOf } from '../wire/status.ts'
import { configuredEdition, USUAL_EDITION } from './edition.ts'
import { answersWithoutCode, answerText, readCoded } from './protocol/answer.ts'
import { type ErrorKey, errorOf } from './protocol/errors.ts'
import {
  answers,
  type DeviceFrame,
  deviceShape,
  encodeHostFrame,
  FIRST_SEQ,
  isOfNumber,
  LAST_SEQ,
  NAK,
  nextSeq,
  SYN,
} from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { type Flags, type StatusFlag, status } from './protocol/status.ts'
import { readStartupFacts } from './startup.ts'
import type { WireA } from './wire.ts'

export const linkRules: LinkRules<DeviceFrame> = {
  shape: deviceShape,
  writes: 3,
  firstByteMs: 500,
  gapMs: 1_000,
  totalMs: 15_000,
  busyByte: SYN,
  refusedByte: NAK,
  // The device recognizes a retransmission by its SEQ and answers it from memory.
  afterSilence: 'repeat',
  matches: answers,
  isOfNumber,
}

export type DeviceA = Device<WireA>

export function protocolAdapter(settings: DriverSettings): ProtocolAdapter<WireA> {
  const named = settings.options?.['codePage'] ?? 'cp1251'
  const page = codePage(/^cp125[012]$/.test(named) ? named : 'cp1251')
  return {
    number: {
      before: () => FIRST_SEQ + Math.floor(settings.random() * (LAST_SEQ - FIRST_SEQ + 1)),
      next: nextSeq,
    },
    edition: configuredEdition(settings) ?? USUAL_EDITION,
    page: () => page,
    command: (name, edition) => catalogueOf(edition.name).byName[name],
    write: (seq, code, data) => encodeHostFrame({ seq, code, data }),
    read,
    judge,
    conditions: ({ status: { flags } }) => conditionsOf(CONDITIONS, flags),
    text: answerText,
    readStartupFacts: (device) => readStartupFacts(device, configuredEdition(settings)),
  }
}

function read(frame: DeviceFrame, command: AnyCommand, request: string): Answer<WireA> {
  const flags = status.read(frame.status)
  if (answersWithoutCode(command.code, request) && !/^-?\d+\t/.test(frame.data)) {
    return { data: frame.data, status: { code: 0, flags } }
  }
  const coded = readCoded(frame.data)
  // Every answer contains the status, so the data of command 74 may be short or missing.
  if (command.name === 'status' && request === '' && (coded?.code ?? 0) === 0 && !isRefusing(flags)) {
    return { data: undefined, status: { code: 0, flags } }
  }
  const [number] = (coded && errorOf(coded.code)?.field) ?? []
  const field = number === undefined ? undefined : command.request.nameOfField?.(request, number)
  return { data: coded ? coded.rest : frame.data, status: { code: coded?.code, flags, field } }
}

function judge({ data, status: { code, flags, field } }: Answer<WireA>): Verdict {
  if (code !== undefined) return code === 0 ? undefined : refusedWith(code, field)
  if (data === '') return withoutCode(flags)
  // Another national edition answers P or F in place of the code (sheet 9).
  const why = /^[PF](,|\t|$)/.test(data ?? '')
    ? 'it responds like another national edition, which is not supported'
    : 'its response does not begin with a code'
  return { kind: 'notThisFamily', why }
}

const CONDITIONS: readonly (readonly [StatusFlag, Condition])[] = [
  ['paperLow', 'paperNearlyOut'],
  ['noPaper', 'paperOut'],
  ['coverOpen', 'coverOpen'],
  ['mechanismFailure', 'mechanism'],
  ['clockNotSet', 'clockNotSet'],
  ['memoryNearlyFull', 'fiscalMemoryNearlyFull'],
  ['memoryFull', 'fiscalMemoryFull'],
  ['journalNearlyFull', 'journalNearlyFull'],
  ['journalFull', 'journalFull'],
]

const CANNOT_PRINT: Partial<Record<ErrorKey, 'noPaper' | 'coverOpen' | 'mechanism' | 'overheated'>> = {
  noPaper: 'noPaper',
  mechPaperEnd: 'noPaper',
  coverOpen: 'coverOpen',
  mechCoverOpen: 'coverOpen',
  printerFailure: 'mechanism',
  cutter: 'mechanism',
  noPrinter: 'mechanism',
  headHot: 'overheated',
}

/** `field`: the name of the field that the code counts, if the layout of the command has it. */
function refusedWith(code: number, field: string | undefined): DeviceProblem {
  const entry = errorOf(code)
  const condition = entry && CANNOT_PRINT[entry.key]
  if (condition !== undefined) return { kind: 'cannotPrint', condition }
  const { key = 'unlisted', meaning = 'a code that the manual does not list', field: named } = entry ?? {}
  const isNamed = named !== undefined && field !== undefined
  return refusal(code, key, isNamed ? `field ${named[0]} of the command (${field}) ${named[1]}` : meaning)
}

const isRefusing = (flags: Flags): boolean => REFUSING.some(([flag]) => flags.has(flag))

const REFUSING: readonly (readonly [flag: StatusFlag, code: number])[] = [
  ['unknownCommand', -112_000],
  ['memoryFull', -100_114],
  ['memoryDamaged', -100_101],
  ['memoryAccessError', -100_101],
  ['notPermitted', -112_002],
  ['overflow', -112_003],
  ['syntaxError', -112_001],
]

/**
 * Returns the problem of an empty answer from its status bits. The device did not send the code in `REFUSING`, so the
 * problem names the status bit instead.
 */
function withoutCode(flags: Flags): DeviceProblem {
  if (flags.has('noPaper')) return { kind: 'cannotPrint', condition: 'noPaper' }
  if (flags.has('coverOpen')) return { kind: 'cannotPrint', condition: 'coverOpen' }
  if (flags.has('mechanismFailure')) return { kind: 'cannotPrint', condition: 'mechanism' }
  const [flag, code = 0] = REFUSING.find(([one]) => flags.has(one)) ?? []
  if (flag === undefined)
    return { kind: 'notThisFamily', why: 'its response is empty, and its status reports no failure' }
  const place = status.bits.find(({ name }) => name === flag)
  const { key = flag, meaning = flag } = errorOf(code) ?? {}
  return refusal(`status bit ${place?.byte}.${place?.bit}`, key, meaning)
}
