import type { DeviceClient } from '../link/protocol-adapter.ts'
import { DeviceError } from '../model/errors.ts'
import type { ReceiptState } from './protocol/commands/registers.ts'
import type { StatusName } from './protocol/status.ts'
import type { WireC } from './wire.ts'

type AskingC = DeviceClient<WireC>

/**
 * Returns the values of an answer. A device may acknowledge a query without data. That is not a value: an empty status
 * would mean that no receipt is open. Throws DeviceError.
 */
export function reported<Values>({ values }: { readonly values: Values | undefined }, what: string): Values {
  if (values === undefined) throw new DeviceError({ kind: 'notThisFamily', why: `it does not report ${what}` })
  return values
}

export const flagsOf = async (device: AskingC): Promise<ReadonlySet<StatusName>> =>
  reported(await device.ask('status', {}), 'its status').flags

export async function stateOf(device: AskingC): Promise<{ readonly state: ReceiptState; readonly text: string }> {
  const answer = await device.ask('transactionStatus', {})
  return { state: reported(answer, 'the state of the receipt'), text: answer.text }
}

export const lastDocument = async (device: AskingC): Promise<number> =>
  reported(await device.ask('lastDocument', {}), 'the number of the last document').document

export const lastZ = async (device: AskingC): Promise<number> =>
  reported(await device.ask('lastZ', {}), 'the number of the last Z report').number
