/**
 * Filter for everything that is sent to a device. It decodes the bytes as the device would, and the declaration of the
 * command determines what they change. No list of probes, no state path and no mistake in one can therefore send more
 * than the user agreed to.
 */
import type { Port } from '../../drivers/link/port.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { factsFor, greatestChange } from '../../drivers/wire/probe.ts'
import { covers, type Depth, type Questionnaire } from '../../drivers/wire/questionnaire.ts'

export interface Consent {
  readonly depth: Depth
  /** True if the daily closing may be sent too. */
  readonly z: boolean
}

/**
 * Consent that a frame requires. `closing`: consent to the daily closing; `never`: the frame is not sent to a real
 * device.
 */
export type NeededConsent = Depth | 'closing' | 'never'

/**
 * Returns the consent that the frame requires in this edition and in the other editions of the family: the most
 * consequential reading counts.
 */
export function consentNeededFor(
  frame: Uint8Array,
  q: Questionnaire,
  otherEditions: readonly Questionnaire[],
): NeededConsent {
  const request = q.readRequest(frame)
  if (!request) return q.isHarmless?.(frame) ? 'read' : 'never'
  const command = q.catalogue.find(request.code, request.data)
  // A number that no family has, and that the protocol itself reports as unknown.
  if (!command) return q.unknown.includes(request.code) ? 'read' : 'never'
  const { data } = request
  const changes = [
    greatestChange(command, data, q.page),
    ...otherEditions.flatMap(({ catalogue, page }) => {
      const other = catalogue.find(request.code, data)
      return (other && factsFor(other, data, page)?.changes) ?? []
    }),
  ]
  if (changes.includes('memory')) {
    const isClosing = factsFor(command, data, q.page)?.runsAs === 'reportZ'
    return isClosing ? 'closing' : 'never'
  }
  return changes.includes('day') ? 'fiscal' : changes.includes('paper') ? 'print' : 'read'
}

export const admits = ({ depth, z }: Consent, needed: NeededConsent): boolean => {
  if (needed === 'never') return false
  return needed === 'closing' ? z && depth === 'fiscal' : covers(depth, needed)
}

/** Bytes without consent, because of a mistake in the rig: none of them was sent. */
export class NotAgreed extends Error {}

/** Returns the port behind the filter. Frames are assembled as the device does it, across the borders of writes. */
export function portBehindFilter(
  port: Port,
  q: Questionnaire,
  otherEditions: readonly Questionnaire[],
  consent: Consent,
): Port {
  const deframer = new Deframer(q.framesToDevice)
  return {
    byteMs: port.byteMs,
    async write(bytes) {
      for (const event of deframer.push(bytes)) {
        if (event.kind !== 'frame') continue
        const needed = consentNeededFor(event.bytes, q, otherEditions)
        if (!admits(consent, needed)) throw new NotAgreed(`a frame that needs ${needed} was not sent`)
      }
      await port.write(bytes)
    },
    close: () => port.close(),
  }
}
