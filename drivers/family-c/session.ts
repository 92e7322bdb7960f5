import type { DriverSettings } from '../family.ts'
import type { Answer, Device, DeviceClient, ProtocolAdapter, Verdict } from '../link/protocol-adapter.ts'
import type { Link, LinkRules } from '../link/types.ts'
import { cannotPrint, DeviceError, type DeviceProblem, refusal } from '../model/errors.ts'
import type { Condition } from '../model/printer.ts'
import { trimEndOf } from '../model/trim-end.ts'
import { codePage } from '../wire/charset.ts'
import { conditionsOf } from '../wire/status.ts'
import { configuredEdition, USUAL_EDITION } from './edition.ts'
import { PING_MS, READY_MS, waitUntilReady } from './pings.ts'
import { isFailure, type Nibbles, nibbleCode, nibbleMeaning } from './protocol/errors.ts'
import { type DeviceFrame, deviceShape, endsStream, NACK, RETRY, writeFrame } from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { type StatusName, status } from './protocol/status.ts'
import { PING_STATE, readPing } from './protocol/unframed.ts'
import { readStartupFacts } from './startup.ts'
import type { WireC } from './wire.ts'

export const linkRules: LinkRules<DeviceFrame> = {
  shape: deviceShape,
  // After a NACK, a frame is sent up to three times more. A command that must not be executed twice is confirmed
  // instead (confirmed-command.ts).
  writes: 4,
  firstByteMs: 3_000,
  gapMs: PING_MS,
  totalMs: 15_000,
  refusedByte: NACK,
  laterByte: { byte: RETRY, pauseMs: 100 },
  // A device without paper answers only pings (sheet 2.5, 5).
  waiting: {
    ask: PING_STATE,
    isWaiting: (byte) => {
      const state = readPing(byte)
      return state?.busy && state.noPaper
    },
  },
  // The device executes a retransmitted frame again (sheet 2.4), so the driver queries the outcome.
  afterSilence: 'give up',
  matches(answer, request) {
    switch (answer.kind) {
      case 'widths':
        return request[0] === 0x1d
      case 'ack':
        return answer.number === request[2]
      case 'message':
        return answer.number === request[2] && answer.code === request[3]
    }
  },
  isNotYet: (byte, request) => request.length === 1 && request[0] === PING_STATE && readPing(byte)?.busy === true,
}

export type DeviceC = Device<WireC>

export const FIRST_NUMBER = 0x20
const LAST_NUMBER = 0x9f
/** Unused number. Readers of a stream stop at the first 40h, and lines have the number of the request (sheet 4.15). */
const SKIPPED_NUMBER = 0x40

const nextNumber = (before: number): number => {
  const next = before >= LAST_NUMBER ? FIRST_NUMBER : before + 1
  return next === SKIPPED_NUMBER ? next + 1 : next
}

export const protocolAdapter = (settings: DriverSettings, link: Link<DeviceFrame>): ProtocolAdapter<WireC> => ({
  number: { before: () => LAST_NUMBER, next: nextNumber },
  edition: configuredEdition(settings) ?? USUAL_EDITION,
  page: (edition) => codePage(edition.codePage),
  command: (name, edition) => catalogueOf(edition.name).byName[name],
  // The device sends nothing until it has executed the command.
  times: ({ limitMs }, streams) => {
    if (streams) return { totalMs: READY_MS }
    return limitMs === undefined ? {} : { totalMs: limitMs, firstByteMs: limitMs }
  },
  ready: () => waitUntilReady(link),
  write: writeFrame,
  read(frame, { name }) {
    if (frame.kind === 'message') return { data: frame.data, status: undefined }
    if (frame.kind === 'ack') return { data: undefined, status: frame }
    throw new DeviceError({ kind: 'notThisFamily', why: `its response to ${name} is not a frame` })
  },
  judge: ({ status }, _command, device) => judge(status, device),
  conditions: ({ data }, { name }) =>
    name === 'status' && data !== undefined ? conditionsOf(STATUS, status.read(data)) : undefined,
  text: (decoded) => trimEndOf(decoded, '; ').trimStart(),
  isLast: (frame, streams) => !streams || endsStream(frame),
  lines(frame, page) {
    if (frame.kind === 'ack') return undefined
    return endsStream(frame) ? [] : [page.decode(frame.data).trimEnd()]
  },
  readStartupFacts: (device) => readStartupFacts(device, configuredEdition(settings)),
})

const STATUS: readonly (readonly [StatusName, Condition])[] = [
  ['paperNearEnd', 'paperNearlyOut'],
  ['noPaper', 'paperOut'],
  ['overheated', 'overheated'],
  ['clockNotSet', 'clockNotSet'],
  ['memoryNearFull', 'fiscalMemoryNearlyFull'],
  ['memoryFull', 'fiscalMemoryFull'],
  ['journalNearFull', 'journalNearlyFull'],
  ['journalFull', 'journalFull'],
]

const NO_PRINTING = 1
const OVERHEATED_ERROR = 12
const POWER_CUT = 13

async function judge(status: Answer<WireC>['status'], device: DeviceClient<WireC>): Promise<Verdict> {
  if (!status || !isFailure(status)) return undefined
  switch (status.device) {
    case POWER_CUT:
      // The device reports this error once after a power cut. Reading the status clears it, and the command can be sent
      // again.
      await device.ask('status', {})
      return 'again'
    case NO_PRINTING:
      return whyNotPrinting(device)
    case OVERHEATED_ERROR:
      return cannotPrint('overheated')
    default:
      return refusalOf(status)
  }
}

/**
 * Resolves to the reason why the device cannot print. Error 31h does not contain the reason; command 66h and the ping
 * do (sheet 4.1).
 */
async function whyNotPrinting(device: DeviceClient<WireC>): Promise<DeviceProblem> {
  const flags = (await device.askUnlessRefused('any', 'printerStatus', {}))?.values?.flags
  if (flags?.has('coverOpen')) return cannotPrint('coverOpen')
  if (flags?.has('paperEnd')) return cannotPrint('noPaper')
  const state = await waitUntilReady(device.link)
  return cannotPrint(flags === undefined || state?.noPaper ? 'noPaper' : 'mechanism')
}

export function refusalOf(nibbles: Nibbles): DeviceProblem {
  const { key, text } = nibbleMeaning(nibbles)
  return refusal(nibbleCode(nibbles), key, text)
}
