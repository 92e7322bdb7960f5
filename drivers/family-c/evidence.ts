import { askNumbers, askPresent, openReceiptOf } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import {
  type DaySums,
  type DeviceNumbers,
  type Evidence,
  type EvidenceSource,
  UNREPORTED_DAY,
} from '../model/printer.ts'
import { documentOf, journalOf } from './journal.ts'
import { closedReceipt } from './queries-and-reports.ts'
import { lastDocument, reported } from './reported-values.ts'
import type { DeviceC } from './session.ts'
import { type RememberedFacts, transactionStatus } from './state.ts'
import type { WireC } from './wire.ts'

export const evidence = (session: Session<WireC>, remembered: RememberedFacts): EvidenceSource => ({
  evidence: ({ thorough = false, of } = {}) =>
    askPresent(
      session,
      numbersOf,
      async (device) => ({
        open: openReceiptOf(await transactionStatus(device, remembered)),
        lastDocument: await lastDocument(device),
        lastReceipt: await closedReceipt(device, thorough),
        lastZ: (await device.ask('lastZ', {})).values?.number ?? null,
        day: thorough ? await dayOf(device) : UNREPORTED_DAY,
      }),
      of,
    ),
  numbers: () => askNumbers(session, numbersOf),
  documentOf: (number) => session.queryReportedDevice((device) => documentOf(device, number)),
  linesOf: (number) => session.queryReportedDevice((device) => journalOf(device, number)),
  daySums: () => session.look(daySums),
})

async function numbersOf(device: DeviceC): Promise<DeviceNumbers> {
  const { serial, memory } = reported(await device.ask('deviceNumbers', {}), 'its counters')
  return { serialNumber: serial, fiscalMemoryNumber: memory }
}

async function daySums(device: DeviceC): Promise<DaySums> {
  const registers = async (option: '1' | '4' | '6') =>
    (await device.askUnlessRefused('any', 'dayRegisters', { option }))?.values
  const sums = (await device.askUnlessRefused('any', 'daySums', {}))?.values
  const counted = await registers('1')
  const received = await registers('4')
  const change = await registers('6')
  const { cashIn, cashOut } = await dayOf(device)
  const counts = counted?.option === '1' ? counted : undefined
  const amounts = ({ count, sum }: { readonly count: number; readonly sum: number }) => ({
    count,
    amount: Math.abs(sum),
  })
  return {
    turnovers: sums?.turnover ?? null,
    total: sums?.total ?? null,
    payments:
      received?.option === '4' && change?.option === '6'
        ? received.payments.map((amount, paymentMode) => ({
            paymentMode,
            amount: amount - (change.payments[paymentMode] ?? 0),
          }))
        : null,
    receipts: counts?.customers ?? null,
    discounts: counts ? amounts(counts.discounts) : null,
    surcharges: counts ? amounts(counts.surcharges) : null,
    voids: counts ? amounts(counts.corrections) : null,
    cashIn,
    cashOut,
  }
}

async function dayOf(device: DeviceC): Promise<Evidence['day']> {
  const registers = async (option: '1' | '2' | '3') =>
    (await device.askUnlessRefused('any', 'dayRegisters', { option }))?.values
  const customers = await registers('1')
  const cashIn = await registers('2')
  const cashOut = await registers('3')
  return {
    turnover: (await device.askUnlessRefused('any', 'daySums', {}))?.values?.total ?? null,
    receipts: customers?.option === '1' ? customers.customers : null,
    cashIn: cashIn?.option === '2' ? cashIn.sum : null,
    cashOut: cashOut?.option === '3' ? Math.abs(cashOut.sum) : null,
  }
}
