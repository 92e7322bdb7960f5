import { createAskConfirmed, type Probe as ProbeOf } from '../link/ask-confirmed.ts'
import { untilReady } from './pings.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

export { isUnknown } from '../link/ask-confirmed.ts'

/**
 * A command that may have been carried out although no answer came is settled by asking the device, never by repeating it
 * blindly: a device of this family carries out every frame that it hears (sheet 2.4). What tells stands in probes.ts.
 * So is one that seems to have been refused: NACK and RETRY are single bytes. A damaged ACK looks like them, a stray one
 * may come before an ACK that is late or lost, and behind a doubled first byte the device says NACK and then finds the
 * good frame. Of a line of text nothing tells all this from a true refusal: it stays unknown.
 */

export type Probe<Seen> = ProbeOf<WireC, Seen>

export const askConfirmed = createAskConfirmed<WireC>({ ready: ({ link }) => untilReady(link, true), isSameDevice })

/** Another device, connected in the meantime, knows nothing of what the first one did. */
async function isSameDevice({ withoutStartup, facts: { identity } }: DeviceC): Promise<boolean> {
  const { values } = await withoutStartup.ask('deviceNumbers', {})
  return values?.serial === identity.serialNumber && values.memory === identity.fiscalMemoryNumber
}
