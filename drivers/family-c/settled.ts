import type { Asking, ToldBy } from '../link/speech.ts'
import { DeviceError } from '../model/errors.ts'
import { untilReady } from './pings.ts'
import type { CommandName } from './protocol/index.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

/**
 * A command that may have been carried out although no answer came is settled by asking the device, never by repeating it
 * blindly: a device of this family carries out every frame that it hears (sheet 2.4). What tells stands in probes.ts.
 * So is one that seems to have been refused: NACK and RETRY are single bytes. A damaged ACK looks like them, a stray one
 * may come before an ACK that is late or lost, and behind a doubled first byte the device says NACK and then finds the
 * good frame. Of a line of text nothing tells all this from a true refusal: it stays unknown.
 */

/** What of the device's own words tells whether a command was carried out. */
export interface Probe<Seen> {
  look(device: Asking<WireC>): Promise<Seen>
  /** Undefined: what the device says does not decide. */
  wasDone(before: Seen, after: Seen, device: Asking<WireC>): boolean | undefined | Promise<boolean | undefined>
}

type Settled<Name extends CommandName, Seen> = ToldBy<WireC, Name> & {
  /** What the device said before the command. */
  readonly before: Seen
}

const SETTLE_TRIES = 3

/**
 * As `ask`; when the answer is lost or is a refusal of the frame, `probe` tells whether the command was carried out. It is
 * written again only where that is certainly not so; where nothing decides, the outcome is told as unknown.
 */
export async function askOnce<Name extends CommandName, Seen>(
  device: DeviceC,
  name: Name,
  values: WireC['requests'][Name],
  probe: Probe<Seen>,
): Promise<Settled<Name, Seen>> {
  const before = await probe.look(device.atOnce)
  for (let attempt = 1; ; attempt++) {
    try {
      return { ...(await device.atOnce.ask(name, values)), before }
    } catch (problem) {
      if (!isUnknown(problem)) throw problem
      const done = await settle(problem, device, probe, before)
      if (done === undefined) throw problem
      if (done) return { values: undefined, text: '', status: undefined, before }
      if (attempt >= SETTLE_TRIES)
        throw new DeviceError({ kind: 'lineNoise', why: `${name} does not reach the device` })
    }
  }
}

export const isUnknown = (problem: unknown): problem is DeviceError =>
  problem instanceof DeviceError && problem.problem.kind === 'outcomeUnknown'

async function settle<Seen>(
  unknown: DeviceError,
  device: DeviceC,
  probe: Probe<Seen>,
  before: Seen,
): Promise<boolean | undefined> {
  const { link, atOnce } = device
  try {
    if (!link.isOpen) await link.open()
    await untilReady(link, true)
    if (!(await isSameDevice(device))) return undefined
    const done = await probe.wasDone(before, await probe.look(atOnce), atOnce)
    // If somebody else had the line meanwhile, another program may have done it, and have changed what would tell.
    return device.isHeld ? done : undefined
  } catch (problem) {
    // Still silent, or it refuses to tell: the outcome stays unknown, which says more than that.
    throw problem instanceof DeviceError ? unknown : problem
  }
}

/** Another device, connected in the meantime, knows nothing of what the first one did. */
async function isSameDevice({ atOnce, facts: { identity } }: DeviceC): Promise<boolean> {
  const { values } = await atOnce.ask('deviceNumbers', {})
  return values?.serial === identity.serialNumber && values.memory === identity.fiscalMemoryNumber
}
