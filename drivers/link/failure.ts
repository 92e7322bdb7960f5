import { CHECK_PRINTER, DeviceError, type DeviceProblem } from '../model/errors.ts'
import type { Failure } from './exchange.ts'

/** What a failed exchange means for the one who asked. */

export const ECHO: DeviceProblem = {
  kind: 'notThisFamily',
  why: 'it echoes the bytes it receives, like a loopback plug or a modem with echo enabled',
}

/** A question under a number that the device has had before, of another command: it may be asked under the next. */
export class SequenceNumberTaken extends DeviceError {}

/** What the port has brought since it was opened. */
export type PortTraffic = 'nothing' | 'nonsense' | 'sense'

export const problemOfSilence = (heard: PortTraffic): DeviceProblem =>
  heard === 'nonsense'
    ? {
        kind: 'notThisFamily',
        why: 'it sends bytes that are not valid responses; check the configured family and baud rate',
      }
    : { kind: 'noAnswer' }

/** What the caller is told of; the session asks again where a number is taken. */
type ReportedFailure = Exclude<Failure, 'number taken'>

/** A fiscal command that the device may have carried out. */
export function unknownOutcome(why: ReportedFailure, name: string): DeviceProblem {
  return {
    kind: 'outcomeUnknown',
    what: UNKNOWN[why],
    command: name,
    ...(why === 'too long' && { look: CHECK_PRINTER }),
  }
}

export function problemOf(why: ReportedFailure, heard: PortTraffic, portLost: DeviceProblem): DeviceProblem {
  switch (why) {
    case 'no answer':
      return problemOfSilence(heard)
    case 'too long':
      return heard === 'nonsense' ? problemOfSilence(heard) : { kind: 'stillBusy' }
    case 'refused frame':
    case 'damaged answer':
    case 'broken stream':
    case 'flood':
      return { kind: 'lineNoise', why: SAID[why] }
    case 'echo':
      return ECHO
    case 'port closed':
      return portLost
  }
}

const SAID = {
  'no answer': 'the device did not respond',
  'too long': 'the device did not finish in time',
  'refused frame': 'the device rejected every frame as damaged',
  'damaged answer': 'the response was damaged',
  'broken stream': 'the response was incomplete',
  flood: 'the response exceeded the maximum length',
  'port closed': 'the connection was lost',
} satisfies Partial<Record<ReportedFailure, string>>

/** Of what the device may have carried out it is not said that it refused it. */
const UNKNOWN: Record<ReportedFailure, string> = {
  ...SAID,
  'refused frame': 'the device only rejected the frame as damaged',
  echo: 'nothing came back but our own bytes',
}
