/**
 * Filters everything that is sent to a device. The filter decodes the bytes as the device would, and determines their
 * effect from the declaration of the command. A mistake in a probe or in a path therefore cannot send more than the
 * user agreed to.
 */
import type { Port } from '../../drivers/link/port.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { factsFor, greatestChange } from '../../drivers/wire/passport-probes.ts'
import { covers, type Depth, type Questionnaire } from '../../drivers/wire/questionnaire.ts'

export interface Consent {
  readonly depth: Depth
  readonly z: boolean
}

/** `closing`: the frame needs consent to the daily closing. `never`: the frame must not be sent to a real device. */
export type NeededConsent = Depth | 'closing' | 'never'

/** Returns the greatest consent that the frame requires in any edition of the family. */
export function consentNeededFor(
  frame: Uint8Array,
  q: Questionnaire,
  otherEditions: readonly Questionnaire[],
): NeededConsent {
  const request = q.readRequest(frame)
  if (!request) return q.isHarmless?.(frame) ? 'read' : 'never'
  const command = q.catalogue.find(request.code, request.data)
  // The family reports such a command as unknown.
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

export class NotAgreed extends Error {}

/**
 * Returns a port that rejects frames without consent. Like the device, the port assembles frames from several writes.
 */
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
