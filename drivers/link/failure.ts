import { CHECK_PRINTER, DeviceError, type DeviceProblem } from '../model/errors.ts'
import type { Failure } from './exchange.ts'

export const ECHO: DeviceProblem = {
  kind: 'notThisFamily',
  why: 'it echoes the bytes it receives, like a loopback plug or a modem with echo enabled',
}

/**
 * The device has already received this sequence number with another command. The session sends the query again with the
 * next number.
 */
export class SequenceNumberTaken extends DeviceError {}

export type PortTraffic = 'nothing' | 'nonsense' | 'sense'

export const problemOfSilence = (traffic: PortTraffic): DeviceProblem =>
  traffic === 'nonsense'
    ? {
        kind: 'notThisFamily',
        why: 'it sends bytes that are not valid responses; check the configured family and baud rate',
      }
    : { kind: 'noAnswer' }

type ReportedFailure = Exclude<Failure, 'number taken'>

export function unknownOutcome(why: ReportedFailure, name: string): DeviceProblem {
  return {
    kind: 'outcomeUnknown',
    what: UNKNOWN[why],
    command: name,
    ...(why === 'too long' && { look: CHECK_PRINTER }),
  }
}

export function problemOf(why: ReportedFailure, traffic: PortTraffic, portLost: DeviceProblem): DeviceProblem {
  switch (why) {
    case 'no answer':
      return problemOfSilence(traffic)
    case 'too long':
      return traffic === 'nonsense' ? problemOfSilence(traffic) : { kind: 'stillBusy' }
    case 'refused frame':
    case 'damaged answer':
    case 'broken stream':
    case 'flood':
      return { kind: 'lineNoise', why: FAILURE_TEXTS[why] }
    case 'echo':
      return ECHO
    case 'port closed':
      return portLost
  }
}

const FAILURE_TEXTS = {
  'no answer': 'the device did not respond',
  'too long': 'the device did not finish in time',
  'refused frame': 'the device rejected every frame as damaged',
  'damaged answer': 'the response was damaged',
  'broken stream': 'the response was incomplete',
  flood: 'the response exceeded the maximum length',
  'port closed': 'the connection was lost',
} satisfies Partial<Record<ReportedFailure, string>>

/** Texts for commands that the device may have executed. They do not say that the device refused the command. */
const UNKNOWN: Record<ReportedFailure, string> = {
  ...FAILURE_TEXTS,
  'refused frame': 'the device reported nothing except that the frame was damaged',
  echo: 'only the bytes of the request came back',
}
