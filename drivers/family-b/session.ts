import type { DriverSettings } from '../family.ts'
import type { Answer, Device, ProtocolAdapter, Verdict } from '../link/protocol-adapter.ts'
import type { LinkRules } from '../link/types.ts'
import { DeviceError, refusal } from '../model/errors.ts'
import type { Condition } from '../model/printer.ts'
import { trimEndOf } from '../model/trim-end.ts'
import type { Facts } from '../wire/command.ts'
import { conditionsOf } from '../wire/status.ts'
import { configuredEdition, pageOf } from './edition.ts'
import { readStreamedLine } from './protocol/commands/stream.ts'
import { errorMeaning } from './protocol/errors.ts'
import {
  answerShape,
  FIRST_SEQUENCE,
  type HostFrame,
  LAST_SEQUENCE,
  LINE_TAKEN,
  NAK,
  SYN,
  writeRequest,
} from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { readStatus, type Status, type StatusName } from './protocol/status.ts'
import { readStartupFacts } from './startup.ts'
import type { WireB } from './wire.ts'

/** Link rules of family B (sheet 5.2). Only the time of 500 ms is published. */
export const linkRules: LinkRules<HostFrame> = {
  shape: answerShape,
  writes: 3,
  firstByteMs: 500,
  gapMs: 500,
  totalMs: 30_000,
  busyByte: SYN,
  refusedByte: NAK,
  afterSilence: 'repeat',
  // If paper runs out inside a document, the device sends SYN until a new roll is loaded (sheet 13), and answers
  // nothing else.
  waiting: 'busy',
  isOfNumber,
  matches: (answer, request) =>
    answer.kind === 'line' || (isOfNumber(answer, request) && answer.command === request[3]),
}

function isOfNumber(answer: HostFrame, request: Uint8Array): boolean {
  return answer.kind !== 'line' && answer.seq === request[2]
}

export type DeviceB = Device<WireB>

export const protocolAdapter = (settings: DriverSettings): ProtocolAdapter<WireB> => ({
  number: {
    before: () => FIRST_SEQUENCE + Math.floor(settings.random() * (LAST_SEQUENCE - FIRST_SEQUENCE + 1)),
    next: (before) => (before >= LAST_SEQUENCE ? FIRST_SEQUENCE : before + 1),
  },
  edition: configuredEdition(settings),
  page: pageOf,
  command: (name, edition) => catalogueOf(edition).byName[name],
  write: (seq, command, data) => writeRequest({ seq, command, data }),
  read(frame) {
    if (frame.kind === 'answer') return { data: frame.data, status: readStatus(frame.status) }
    throw new DeviceError({ kind: 'lineNoise', why: 'a line of a report arrived instead of a response' })
  },
  judge,
  conditions: ({ status: { flags } }) => conditionsOf(CONDITIONS, flags),
  text: (decoded) => trimEndOf(decoded, ','),
  // A line that no query requested belongs to an earlier stream.
  isLast: ({ kind }) => kind === 'answer',
  lineAcknowledgement: Uint8Array.of(LINE_TAKEN),
  lines(frame, page) {
    if (frame.kind === 'answer') return undefined
    const line = readStreamedLine(frame.text, page)
    return line === undefined ? [] : [line]
  },
  readStartupFacts,
})

const CONDITIONS: readonly (readonly [StatusName, Condition])[] = [
  ['paperLow', 'paperNearlyOut'],
  ['paperOut', 'paperOut'],
  ['mechanismError', 'coverOrMechanism'],
  ['clockNotSet', 'clockNotSet'],
  ['fiscalMemoryNearlyFull', 'fiscalMemoryNearlyFull'],
  ['fiscalMemoryFull', 'fiscalMemoryFull'],
  ['journalNearlyFull', 'journalNearlyFull'],
  ['journalMissing', 'journalFull'],
]

const CHANNELS: readonly (readonly [StatusName, string, string, string])[] = [
  ['invalidCommand', '0.1', 'invalidCommand', 'it does not know the command'],
  ['syntaxError', '0.0', 'syntaxError', 'it cannot read the data of the command'],
  ['wrongPassword', '1.6', 'wrongPassword', 'the password is wrong'],
  ['notAllowedNow', '1.1', 'notAllowedNow', 'the command is not allowed in this state'],
]

const NOT_NOW = 20

/** Returns the cause of error 20, which says only that the command is not possible now. */
function conditionOf(
  flags: Status['flags'],
  { changes, prints, allowedIn, needs }: Facts,
): readonly [key: string, meaning: string] | undefined {
  const isOpening = allowedIn === 'opening' || allowedIn === 'betweenReceipts'
  if (flags.has('clockNotSet') && changes === 'day' && isOpening) return ['clockNotSet', 'the clock is not set']
  // Only commands of the display change `paper` without printing or needing a mode.
  if (flags.has('noDisplay') && changes === 'paper' && !prints && needs === undefined)
    return ['noDisplay', 'no customer display is connected']
  return undefined
}

function judge({ status: { flags, error } }: Answer<WireB>, facts: Facts): Verdict {
  // If the answer contains the paper flag (bit 0 of byte 2), a command that prints was not executed (sheet 13).
  if (facts.prints) {
    if (flags.has('paperOut')) return { kind: 'cannotPrint', condition: 'noPaper' }
    // An open cover sets this flag too.
    if (flags.has('mechanismError')) return { kind: 'cannotPrint', condition: 'coverOrMechanism' }
  }
  const condition = error === NOT_NOW ? conditionOf(flags, facts) : undefined
  if (condition) return refusal(error, ...condition)
  if (error !== 0) {
    const { key, meaning } = errorMeaning(error)
    return refusal(error, key, meaning)
  }
  const channel = CHANNELS.find(([flag]) => flags.has(flag))
  return channel && refusal(channel[1], channel[2], channel[3])
}
