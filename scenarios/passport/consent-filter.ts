import type { Port } from '../../drivers/link/port.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { factsFor, mostChanged } from '../../drivers/wire/probe.ts'
import { covers, type Depth, type Questionnaire } from '../../drivers/wire/questionnaire.ts'

/**
 * What may reach a device. The bytes themselves are read as the device would read them, and the declaration of the command
 * in them says what it changes; so no list of probes, no way and no mistake in one can send more than was agreed to.
 */

export interface Consent {
  readonly depth: Depth
  /** The closure of the day may be sent too. */
  readonly z: boolean
}

/** What a frame needs. `closing`: the consent to the closure; `never`: it is not sent to anybody's device. */
export type Needed = Depth | 'closing' | 'never'

/** How the frame is read by the edition that is asked, and by the others of its family: the heaviest reading counts. */
export function neededFor(frame: Uint8Array, q: Questionnaire, others: readonly Questionnaire[]): Needed {
  const request = q.readRequest(frame)
  if (!request) return q.isHarmless?.(frame) ? 'read' : 'never'
  const command = q.catalogue.find(request.code, request.data)
  // A number that no family has, and that is told by the wire itself.
  if (!command) return q.unknown.includes(request.code) ? 'read' : 'never'
  const { data } = request
  const changes = [
    mostChanged(command, data, q.page),
    ...others.flatMap(({ catalogue, page }) => {
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

export const admits = ({ depth, z }: Consent, needed: Needed): boolean => {
  if (needed === 'never') return false
  return needed === 'closing' ? z && depth === 'fiscal' : covers(depth, needed)
}

/** Bytes that were not agreed to. A mistake of ours: nothing of them was sent. */
export class NotAgreed extends Error {}

/** The port with the gate in front. Frames are put together as the device does it, over the borders of writes. */
export function guarded(port: Port, q: Questionnaire, others: readonly Questionnaire[], consent: Consent): Port {
  const deframer = new Deframer(q.hears)
  return {
    byteMs: port.byteMs,
    async write(bytes) {
      for (const event of deframer.push(bytes)) {
        if (event.kind !== 'frame') continue
        const needed = neededFor(event.bytes, q, others)
        if (!admits(consent, needed)) throw new NotAgreed(`a frame that needs ${needed} was not sent`)
      }
      await port.write(bytes)
    },
    close: () => port.close(),
  }
}
