import type { Asking, FoundOut, Starting } from '../link/speech.ts'
import { DeviceError } from '../model/errors.ts'
import { USUAL_COLUMNS } from './capabilities.ts'
import { type Edition, editionOf } from './edition.ts'
import type { WireA } from './session.ts'

/** What a driver asks before anything else: sheet 6.14, "service start". */

export interface FactsA extends FoundOut {
  readonly columns: number
  /** The name says that it is an emulator, so the house layouts may be read. */
  readonly emulated: boolean
}

/** 74 twice with different numbers (sheet 2.6), 90 TAB, 255 PrintColumns, 255 DecimalPoint, 50. */
export async function findOut(device: Starting<WireA>, configured: Edition | undefined): Promise<FactsA> {
  // The first number may by chance be that of the last command of somebody else: then an old answer comes, which the
  // link passes over as not ours. The second one settles it.
  try {
    await device.ask('status', {})
  } catch (problem) {
    const kind = problem instanceof DeviceError ? problem.problem.kind : undefined
    if (kind !== 'noAnswer' && kind !== 'lineNoise') throw problem
  }
  await device.ask('status', {})
  const { values: info } = await device.ask('deviceInfo', { form: 'tabs', checksum: false })
  const columns = await readParameter(device, 'PrintColumns')
  const decimals = await readParameter(device, 'DecimalPoint')
  await device.askUnless(['invalidCommand', 'noVatRates'], 'taxRates', {})
  if (decimals === '0') {
    const why = 'The device works without decimals; it must be set to two before it can be used.'
    throw new DeviceError({ kind: 'unsupported', why })
  }
  device.speak(configured ?? editionOf(info.firmware))
  const { model, firmware, serialNumber, fiscalMemoryNumber } = info
  return {
    identity: { model, firmware, serialNumber, fiscalMemoryNumber },
    columns: Number(columns) || USUAL_COLUMNS,
    emulated: /emulator/i.test(model),
  }
}

/** A parameter of 255; undefined: the device does not know it. */
export async function readParameter(device: Asking<WireA>, name: string): Promise<string | undefined> {
  const unknown = ['invalidCommand', 'valueField1', 'notFound', 'invalidSyntax'] as const
  const answer = await device.askUnless(unknown, 'parameter', { name, index: 0 })
  return answer?.values.form === 'value' ? answer.values.value : undefined
}
