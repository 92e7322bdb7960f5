import type { DeviceClient } from '../link/protocol-adapter.ts'
import { askNumbers, askPresent, openReceiptOf } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import {
  type DaySums,
  type DeviceNumbers,
  type EvidenceSource,
  UNREPORTED_DAY,
  UNREPORTED_SUMS,
} from '../model/printer.ts'
import { groupSums } from './archive.ts'
import { documentOf, journalOf } from './journal.ts'
import { closedReceipt, transactionStatus } from './queries-and-reports.ts'
import type { DeviceB } from './session.ts'
import type { WireB } from './wire.ts'

export async function numbersOf(device: DeviceB): Promise<DeviceNumbers> {
  const { serialNumber = '', fiscalMemoryNumber = '' } = (await device.ask('deviceInfo', { checksum: 'skip' })).values
  return { serialNumber, fiscalMemoryNumber }
}

export const evidence = (session: Session<WireB>): EvidenceSource => ({
  evidence: ({ thorough = false, of } = {}) =>
    askPresent(session, numbersOf, (device) => evidenceOf(device, thorough), of),
  numbers: () => askNumbers(session, numbersOf),
  documentOf: (number) => session.queryReportedDevice((device) => documentOf(device, number)),
  linesOf: (number) => session.queryReportedDevice((device) => journalOf(device, 'all', number)),
  daySums: () => session.look(daySums),
})

export const lastZ = async (device: DeviceClient<WireB>): Promise<number> =>
  (await device.ask('dayPayments', { all: false })).values.zNumber

async function evidenceOf(device: DeviceB, thorough: boolean) {
  const open = openReceiptOf(await transactionStatus(device))
  const { sums, zNumber, nextDocument } = (await device.ask('dayPayments', { all: false })).values
  return {
    open,
    lastDocument: nextDocument - 1,
    lastReceipt: await closedReceipt(device, thorough),
    lastZ: zNumber,
    // The turnover is the sum of the payments less change. No answer contains the number of receipts or the cash
    // movements.
    day: { ...UNREPORTED_DAY, turnover: sums.reduce((all, sum) => all + sum, 0) },
  }
}

/**
 * Resolves to the sums of the commands 65 and 110 (sheet 10.6). Discounts, surcharges and voids exist only per
 * operator, not as totals.
 */
async function daySums(device: DeviceB): Promise<DaySums> {
  const turnovers = groupSums(device.facts, (await device.ask('daySums', { sums: 'gross' })).values)
  const { sums: paid } = (await device.ask('dayPayments', { all: false })).values
  return {
    ...UNREPORTED_SUMS,
    turnovers,
    total: turnovers.reduce((all, sum) => all + sum, 0),
    payments: paid.map((amount, paymentMode) => ({ paymentMode, amount })),
  }
}
