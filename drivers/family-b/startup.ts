import type { StartupClient } from '../link/protocol-adapter.ts'
import { DeviceError } from '../model/errors.ts'
import { TRAINING_NOTE } from '../model/refusals.ts'
import { editionOf } from './edition.ts'
import type { FactsB, WireB } from './wire.ts'

const TAX_GROUPS = 4
const COMMENT_WIDTH = 10

/**
 * Sends the start-up queries (sheet 5.4 and 14). Command 74 is sent twice, with different frame numbers, because the
 * first answer may be a stored answer to another program. The commands 90, 128 and 97 follow.
 */
export async function readStartupFacts(device: StartupClient<WireB>): Promise<FactsB> {
  await device.askUnlessRefused('any', 'status', {})
  const { status } = await device.ask('status', {})
  if (!status.flags.has('fiscalised')) device.link.note(TRAINING_NOTE)
  const info = await device.ask('deviceInfo', { checksum: 'calculate' })
  const { constants } = (await device.ask('constants', {})).values
  await device.ask('taxRates', {})
  const { firmware, country, serialNumber = '', fiscalMemoryNumber = '' } = info.values
  device.useEdition(editionOf(country))
  const number = (constant: number): number => {
    const value = constants[constant - 1] ?? ''
    return /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : 0
  }
  const groups = number(TAX_GROUPS)
  if (groups < 1 || groups > 8) {
    throw new DeviceError({ kind: 'notThisFamily', why: `it reports ${constants[TAX_GROUPS - 1] ?? 'no'} tax groups` })
  }
  return {
    identity: { ...modelAndVersion(firmware), serialNumber, fiscalMemoryNumber },
    groups,
    commentWidth: number(COMMENT_WIDTH),
  }
}

/**
 * Splits the firmware text, which has four tokens separated by blanks, or three if model and version are one token
 * (sheet 2).
 */
function modelAndVersion(firmware: string): { readonly model: string; readonly firmware: string } {
  const [first = '', second = '', ...rest] = firmware.split(' ')
  if (rest.length >= 2) return { model: first, firmware: second }
  const dash = first.indexOf('-')
  return dash < 0
    ? { model: first, firmware: second }
    : { model: first.slice(0, dash), firmware: first.slice(dash + 1) }
}
