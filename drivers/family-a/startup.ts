import type { DriverSettings } from '../family.ts'
import { DeviceError } from '../model/errors.ts'
import type { DeviceIdentity } from '../model/printer.ts'
import { type Edition, editionOf, USUAL_COLUMNS } from './capabilities.ts'
import type { Session } from './session.ts'

/** What a driver asks before anything else: sheet 6.14, "service start". */

/** What the start-up finds out about the device. */
export interface Found {
  readonly identity: DeviceIdentity
  readonly edition: Edition
  readonly columns: number
  readonly decimals: number
  /** The name says that it is an emulator, so the house layouts may be read. */
  readonly emulated: boolean
}

/** 74 twice with different numbers (sheet 2.6), 90 TAB, 255 PrintColumns, 255 DecimalPoint, 50. */
export async function findOut(session: Session, settings: DriverSettings): Promise<Found> {
  // The first number may by chance be that of the last command of somebody else: then an old answer comes, which the
  // link passes over as not ours. The second one settles it.
  try {
    await session.ask('status', {})
  } catch (problem) {
    const kind = problem instanceof DeviceError ? problem.problem.kind : undefined
    if (kind !== 'noAnswer' && kind !== 'lineNoise') throw problem
  }
  await session.ask('status', {})
  const { values: info } = await session.ask('deviceInfo', { form: 'tabs', checksum: false })
  const columns = await readParameter(session, 'PrintColumns')
  const decimals = await readParameter(session, 'DecimalPoint')
  await session.askUnless(['invalidCommand', 'noVatRates'], 'taxRates', {})
  if (decimals === '0') {
    throw new DeviceError({
      kind: 'unsupported',
      why: 'The device works without decimals; it must be set to two before it can be used.',
    })
  }
  return {
    identity: {
      family: 'A',
      model: info.model,
      firmware: info.firmware,
      serialNumber: info.serialNumber,
      fiscalMemoryNumber: info.fiscalMemoryNumber,
    },
    edition: editionOf(settings) ?? (/RO$/.test(info.firmware) ? 'ro' : 'bg'),
    columns: Number(columns) || USUAL_COLUMNS,
    decimals: decimals === undefined ? 2 : Number(decimals),
    emulated: /emulator/i.test(info.model),
  }
}

/** A parameter of 255; undefined: the device does not know it. */
export async function readParameter(session: Session, name: string): Promise<string | undefined> {
  const unknown = ['invalidCommand', 'valueField1', 'notFound', 'invalidSyntax'] as const
  const answer = await session.askUnless(unknown, 'parameter', { name, index: 0 })
  return answer?.values.form === 'value' ? answer.values.value : undefined
}
