/**
 * Confirms commands that may have been executed without an answer. A device of this family executes every frame that it
 * receives (sheet 2.4), so the driver queries the device (probes.ts) instead of retransmitting. Apparent refusals are
 * confirmed too: NACK and RETRY are single bytes, so a damaged ACK may look like one, and a stray byte may precede a
 * late ACK. No query shows whether a line of text was printed, so the outcome of such a line remains unknown.
 */
import { createAskConfirmed, type Probe as ProbeOf } from '../link/ask-confirmed.ts'
import { waitUntilReady } from './pings.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

export type Probe<Seen> = ProbeOf<WireC, Seen>

export const askConfirmed = createAskConfirmed<WireC>({ ready: ({ link }) => waitUntilReady(link, true), isSameDevice })

/**
 * Resolves to whether the same device is still connected. The state of another device says nothing about the command.
 */
async function isSameDevice({ withoutStartup, facts: { identity } }: DeviceC): Promise<boolean> {
  const { values } = await withoutStartup.ask('deviceNumbers', {})
  return values?.serial === identity.serialNumber && values.memory === identity.fiscalMemoryNumber
}
