/**
 * Confirmation of commands that may have been executed without an answer: the driver queries the device and never
 * retransmits blindly, because a device of this family executes every frame that it receives (sheet 2.4). The queries
 * are in probes.ts. Commands that seem to have been refused are confirmed too: NACK and RETRY are single bytes. A
 * damaged ACK looks like them, a stray one may precede an ACK that is late or lost, and after a doubled first byte the
 * device answers NACK and then finds the good frame. For a line of text no query distinguishes all this from a true
 * refusal: its outcome stays unknown.
 */
import { createAskConfirmed, type Probe as ProbeOf } from '../link/ask-confirmed.ts'
import { waitUntilReady } from './pings.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

export { isUnknown } from '../link/ask-confirmed.ts'

export type Probe<Seen> = ProbeOf<WireC, Seen>

export const askConfirmed = createAskConfirmed<WireC>({ ready: ({ link }) => waitUntilReady(link, true), isSameDevice })

/** Returns whether the same device is connected: another device knows nothing about the first one's commands. */
async function isSameDevice({ withoutStartup, facts: { identity } }: DeviceC): Promise<boolean> {
  const { values } = await withoutStartup.ask('deviceNumbers', {})
  return values?.serial === identity.serialNumber && values.memory === identity.fiscalMemoryNumber
}
