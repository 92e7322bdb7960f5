/**
 * Confirms commands that may have been executed without an answer: a device of this family executes every frame that it
 * receives (sheet 2.4), so the driver queries the device (probes.ts) instead of retransmitting. Apparent refusals are
 * confirmed too, because NACK and RETRY are single bytes: a damaged ACK looks like them, a stray byte may precede a late
 * ACK, and a device answers NACK to a doubled first byte before it finds the valid frame. No query shows whether a line
 * of text was printed, so its outcome remains unknown.
 */
import { createAskConfirmed, type Probe as ProbeOf } from '../link/ask-confirmed.ts'
import { waitUntilReady } from './pings.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

export type Probe<Seen> = ProbeOf<WireC, Seen>

export const askConfirmed = createAskConfirmed<WireC>({ ready: ({ link }) => waitUntilReady(link, true), isSameDevice })

/**
 * Resolves to whether the same device is connected: another device does not show whether the first one executed the
 * command.
 */
async function isSameDevice({ withoutStartup, facts: { identity } }: DeviceC): Promise<boolean> {
  const { values } = await withoutStartup.ask('deviceNumbers', {})
  return values?.serial === identity.serialNumber && values.memory === identity.fiscalMemoryNumber
}
