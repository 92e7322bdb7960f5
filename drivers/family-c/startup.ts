import type { DeviceClient, StartupClient } from '../link/protocol-adapter.ts'
import { DeviceError } from '../model/errors.ts'
import { TRAINING_NOTE } from '../model/refusals.ts'
import { USUAL_COLUMNS } from './capabilities.ts'
import { editionOf } from './edition.ts'
import { assertNoLoop, PING_MS } from './pings.ts'
import type { Edition } from './protocol/edition.ts'
import { GS_WIDTHS, readWidths } from './protocol/unframed.ts'
import type { FactsC, WireC } from './wire.ts'

/**
 * Sends the start-up queries: the pings 03h 04h and 09h, the commands 20h, 21h, 60h, 71h (only if the setting names no
 * edition), and 1Dh 49h for the width.
 */
export async function readStartupFacts(device: StartupClient<WireC>, configured: Edition | undefined): Promise<FactsC> {
  await assertNoLoop(device.link)
  const { values: state } = await device.ask('status', {})
  if (state && !state.flags.has('fiscalised')) device.link.note(TRAINING_NOTE)
  const { values: info } = await device.ask('deviceInfo', {})
  const { values: numbers } = await device.ask('deviceNumbers', {})
  if (!info || !numbers) throw new DeviceError({ kind: 'notThisFamily', why: 'it does not report its model' })
  if (!configured) device.useEdition(editionOf((await device.ask('lastDocument', {})).text))
  const { model, firmware } = info
  return {
    identity: { model, firmware, serialNumber: numbers.serial, fiscalMemoryNumber: numbers.memory },
    columns: (await columnsOf(device)) ?? USUAL_COLUMNS,
  }
}

const SILENCE: readonly string[] = ['noAnswer', 'stillBusy', 'lineNoise']

async function columnsOf({ link }: DeviceClient<WireC>): Promise<number | undefined> {
  try {
    const { frames } = await link.ask(GS_WIDTHS, { name: 'widths', firstByteMs: PING_MS, totalMs: 3 * PING_MS })
    const [answer] = frames
    return answer?.kind === 'widths' ? readWidths(answer.data)?.line : undefined
  } catch (problem) {
    if (problem instanceof DeviceError && SILENCE.includes(problem.problem.kind)) return undefined
    throw problem
  }
}
