import type { ToldBy } from '../link/speech.ts'
import { DeviceError } from '../model/errors.ts'
import { untilReady } from './pings.ts'
import type { CommandName } from './protocol/index.ts'
import type { DeviceC, WireC } from './session.ts'

/**
 * A command that may have been carried out although no answer came is settled by reading 72h, 71h or 20h, never by
 * repeating it blindly: a device of this family carries out every frame that it hears (sheet 2.4).
 */

/** What tells whether a command was carried out: the open receipt, the last document's number, or what is open. */
export type Probe = 'transactionStatus' | 'lastDocument' | 'status'

const SETTLE_TRIES = 3

/** As `ask`; when the answer is lost, `probe` tells whether the command was carried out. */
export async function askOnce<Name extends CommandName>(
  device: DeviceC,
  name: Name,
  values: WireC['requests'][Name],
  probe: Probe,
): Promise<ToldBy<WireC, Name>> {
  const before = await lookAt(device, probe)
  for (let attempt = 1; ; attempt++) {
    try {
      return await device.atOnce.ask(name, values)
    } catch (problem) {
      if (!(problem instanceof DeviceError) || problem.problem.kind !== 'outcomeUnknown') throw problem
      const after = await lookAfter(problem, device, probe)
      if (after !== before) return { values: undefined, text: '', status: undefined }
      if (attempt >= SETTLE_TRIES)
        throw new DeviceError({ kind: 'lineNoise', why: `${name} does not reach the device` })
    }
  }
}

async function lookAt({ atOnce }: DeviceC, probe: Probe): Promise<string> {
  // A power cut marks the open receipt (sheet 4.14, 72h) and is no sign that a command was carried out.
  if (probe === 'transactionStatus')
    return JSON.stringify({ ...(await atOnce.ask(probe, {})).values, powerDown: false })
  if (probe === 'lastDocument') return (await atOnce.ask(probe, {})).text
  const { values } = await atOnce.ask('status', {})
  const { text } = await atOnce.ask('lastDocument', {})
  return `${values?.flags.has('fiscalOpen')} ${values?.flags.has('nonFiscalOpen')} ${text}`
}

async function lookAfter(unknown: DeviceError, device: DeviceC, probe: Probe): Promise<string> {
  try {
    if (!device.link.isOpen) await device.link.open()
    await untilReady(device.link, true)
    return await lookAt(device, probe)
  } catch (problem) {
    // Still silent: the outcome stays unknown, which says more than "no answer".
    if (problem instanceof DeviceError && problem.problem.kind !== 'refused') throw unknown
    throw problem
  }
}
