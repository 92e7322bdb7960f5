/**
 * Sends a command that must not be executed twice. If the answer is lost, `askConfirmed` queries whether the device
 * executed the command. It sends the command again only if the device certainly did not.
 */
import { DeviceError, isOutcomeUnknown } from '../model/errors.ts'
import type { Device, DeviceClient, NameOf, ResultOf, WireTypes } from './protocol-adapter.ts'

export interface Probe<W extends WireTypes, Seen> {
  look(device: DeviceClient<W>): Promise<Seen>
  wasDone(before: Seen, after: Seen, device: DeviceClient<W>): boolean | undefined | Promise<boolean | undefined>
}

type ConfirmedCommand<W extends WireTypes, Name extends NameOf<W>, Seen> = {
  readonly before: Seen
} & (
  | (ResultOf<W, Name> & { readonly isAnswerLost: false })
  | { readonly values: undefined; readonly text: ''; readonly status: undefined; readonly isAnswerLost: true }
)

interface AskConfirmedOptions<W extends WireTypes> {
  ready?(device: Device<W>): Promise<unknown>
  isSameDevice(device: Device<W>): Promise<boolean>
}

const TRIES = 3

export const createAskConfirmed = <W extends WireTypes>(options: AskConfirmedOptions<W>) =>
  async function askConfirmed<Name extends NameOf<W>, Seen>(
    device: Device<W>,
    name: Name,
    values: W['requests'][Name],
    probe: Probe<W, Seen>,
  ): Promise<ConfirmedCommand<W, Name, Seen>> {
    const before = await probe.look(device.withoutStartup)
    for (let attempt = 1; ; attempt++) {
      try {
        return { ...(await device.withoutStartup.ask(name, values)), before, isAnswerLost: false }
      } catch (problem) {
        if (!isOutcomeUnknown(problem)) throw problem
        const done = await reconcile(problem, device, probe, before, options)
        if (done === undefined) throw problem
        if (done) return { values: undefined, text: '', status: undefined, before, isAnswerLost: true }
        if (attempt >= TRIES) throw new DeviceError({ kind: 'lineNoise', why: `${name} does not reach the device` })
      }
    }
  }

async function reconcile<W extends WireTypes, Seen>(
  unknown: DeviceError,
  device: Device<W>,
  probe: Probe<W, Seen>,
  before: Seen,
  { ready, isSameDevice }: AskConfirmedOptions<W>,
): Promise<boolean | undefined> {
  const { link, withoutStartup } = device
  try {
    if (!link.isOpen) await link.open()
    await ready?.(device)
    if (!(await isSameDevice(device))) return undefined
    const done = await probe.wasDone(before, await probe.look(withoutStartup), withoutStartup)
    // If the line was not held without interruption, another program may have executed the command or changed the
    // state.
    return device.isHeld ? done : undefined
  } catch (problem) {
    // The outcome remains unknown if the device does not answer the query or refuses it. The first problem is then more
    // informative.
    throw problem instanceof DeviceError ? unknown : problem
  }
}
