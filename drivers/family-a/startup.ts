import type { DeviceClient, StartupClient } from '../link/protocol-adapter.ts'
import { DeviceError } from '../model/errors.ts'
import { TRAINING_NOTE } from '../model/refusals.ts'
import { USUAL_COLUMNS } from './capabilities.ts'
import { editionOf, USUAL_EDITION } from './edition.ts'
import type { Diagnostic } from './protocol/commands/queries.ts'
import { EDITION, type Edition } from './protocol/edition.ts'
import type { FactsA, WireA } from './wire.ts'

/**
 * Sends the start-up queries (sheet 6.14, "service start"): commands 74, 74 again under another number (2.6), 90, 76,
 * 255, 50.
 */
export async function readStartupFacts(device: StartupClient<WireA>, configured: Edition | undefined): Promise<FactsA> {
  // The first frame number may equal the last number of another program. The device then repeats its answer to that
  // program's command. The second command 74 has another number, so its answer decides.
  try {
    await device.ask('status', {})
  } catch (problem) {
    const kind = problem instanceof DeviceError ? problem.problem.kind : undefined
    if (kind !== 'noAnswer' && kind !== 'lineNoise' && kind !== 'refused') throw problem
  }
  // Devices that lack command 74 can be used, because every answer contains the status.
  const status = await device.askUnlessRefused('any', 'status', {})
  if (status && !status.status.flags.has('fiscalised')) device.link.note(TRAINING_NOTE)
  const { values: info } = await device.ask('deviceInfo', { form: 'tabs', checksum: false })
  await settleEdition(device, configured, info.firmware)
  const columns = await readParameter(device, 'PrintColumns')
  const decimals = await readParameter(device, 'DecimalPoint')
  await device.askUnlessRefused(['invalidCommand', 'noVatRates'], 'taxRates', {})
  if (decimals === '0') {
    const why = 'The device is set to amounts without decimals: set it to two decimals before use.'
    throw new DeviceError({ kind: 'unsupported', why })
  }
  const { model, firmware } = info
  return {
    identity: {
      model,
      firmware,
      serialNumber: info.serialNumber.trim(),
      fiscalMemoryNumber: await memoryNumber(device, info),
    },
    columns: Number(columns) || USUAL_COLUMNS,
    emulated: /emulator/i.test(model),
  }
}

/** Resolves to the number of the fiscal memory. Devices of the edition ro report it only in command 123 (sheet 9.1). */
async function memoryNumber(device: StartupClient<WireA>, { fiscalMemoryNumber }: Diagnostic): Promise<string> {
  if (fiscalMemoryNumber !== undefined) return fiscalMemoryNumber
  const details = (await device.askUnlessRefused('any', 'deviceDetails', { option: 'identity' }))?.values
  return details?.form === 'identity' ? details.fiscalMemoryNumber : ''
}

/**
 * Determines the edition from the setting or the firmware, and verifies it by the number of fields in the answer to
 * command 76 (sheet 9.3); without setting and firmware name, that number decides. An answer parsed in the wrong edition
 * would have wrong amounts.
 */
async function settleEdition(device: StartupClient<WireA>, configured: Edition | undefined, firmware: string) {
  const knownEdition = configured ?? editionOf(firmware)
  const expected = knownEdition ?? USUAL_EDITION
  if (await speaks(device, expected)) return
  const other = expected.name === 'bg' ? EDITION.ro : EDITION.bg
  // The device answers in neither form. This query throws the error that describes its answer.
  if (!(await speaks(device, other))) {
    device.useEdition(expected)
    await device.ask('transactionStatus', {})
  }
  if (!knownEdition) return
  const cause = configured
    ? `The setting \`profile\` is ${knownEdition.name}`
    : `The firmware ${firmware} says ${knownEdition.name}`
  const why = `${cause}, but the device responds like the edition ${other.name}: set \`profile: ${other.name}\` if that is correct.`
  throw new DeviceError({ kind: 'unsupported', why })
}

async function speaks(device: StartupClient<WireA>, edition: Edition): Promise<boolean> {
  device.useEdition(edition)
  try {
    // A device that lacks command 76 counts as one of the edition.
    await device.askUnlessRefused(['invalidCommand'], 'transactionStatus', {})
    return true
  } catch (problem) {
    if (problem instanceof DeviceError && problem.problem.kind === 'notThisFamily') return false
    throw problem
  }
}

export async function readParameter(device: DeviceClient<WireA>, name: string): Promise<string | undefined> {
  const unknown = ['invalidCommand', 'valueField1', 'notFound', 'invalidSyntax'] as const
  const answer = await device.askUnlessRefused(unknown, 'parameter', { name, index: 0 })
  return answer?.values.form === 'value' ? answer.values.value : undefined
}
