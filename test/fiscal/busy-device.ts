/**
 * A device with records of every kind: days with all contents of receipts, changed rates, a RAM reset, a service
 * technician's test.
 */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { type AuditTables, type MemoryFile, memoryFileOf } from '../../emulator/fiscal/audit-file.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { OpenFiscal, Sale } from '../../emulator/fiscal/types/receipt.ts'
import { DEVICES } from './devices.ts'

export { DEVICES }

const START = Date.parse('2026-07-14T09:00:00Z')

export const fileOf = (device: FiscalDevice): MemoryFile => memoryFileOf(device.snapshot().tables as AuditTables)

function did<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`)
  return outcome.value
}

const sale = (change: Partial<Sale> = {}): Sale => ({
  ...{ name: 'Bread', taxCode: 1, price: 250, quantity: 1_500, void: false },
  ...change,
})

const opening = (change: Partial<OpenFiscal> = {}): OpenFiscal => ({
  ...{ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 },
  ...change,
})

function dayOf(device: FiscalDevice, clock: SimulatedClock, number: number): void {
  const { profile } = device
  const code = profile.profile === 'ro' ? 1 : 2
  did(device.cashInOut({ direction: 'in', amount: 50_000 + number }))
  did(device.openFiscal(opening()))
  did(device.sell(sale()))
  did(
    device.sell(
      sale({
        taxCode: code as Sale['taxCode'],
        price: 999,
        quantity: 2_000,
        adjustment: { kind: 'discount', percent: 1_000 },
      }),
    ),
  )
  did(device.sell(sale({ name: 'Milk', adjustment: { kind: 'surcharge', percent: 500 } })))
  did(device.sell(sale()))
  did(device.sell(sale({ void: true })))
  did(device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 300 } }))
  did(device.pay({ mode: 1, amount: 500 }))
  did(device.pay({ mode: 0, amount: 10_000 }))
  did(device.closeFiscal())
  did(device.openFiscal(opening({ invoice: true })))
  did(device.sellArticle({ plu: 1, quantity: 3_000, void: false }))
  did(device.pay({ mode: 0 }))
  device.setCustomer({ fields: ['1'], taxNumber: 'RO1', name: 'ACME', address: 'Street' } as never)
  did(device.closeFiscal())
  did(device.openFiscal(opening()))
  did(device.sell(sale({ name: 'Gone' })))
  did(device.cancelFiscal())
  const original = { document: 2, at: '2026-07-14T09:00:00', fiscalMemoryNumber: profile.fiscalMemoryNumber }
  did(device.openFiscal(opening({ kind: 'reversal', reason: 'refund', original })))
  did(device.sell(sale({ price: 100, quantity: 1_000 })))
  did(device.pay({ mode: 0 }))
  did(device.closeFiscal())
  if (profile.foreignPayment !== undefined) {
    did(device.cashInOut({ direction: 'in', amount: 700, mode: profile.foreignPayment }))
    did(device.cashInOut({ direction: 'out', amount: 300, mode: profile.foreignPayment }))
  }
  did(device.openNonFiscal())
  did(device.printText({ text: 'a slip' }))
  did(device.closeNonFiscal())
  did(device.copyLastReceipt())
  did(device.cashInOut({ direction: 'out', amount: 1_000 }))
  did(device.reportX())
  clock.advance(60_000)
  did(device.reportZ())
  clock.advance(3_600_000)
}

/** The last day is open. */
export function busyDevice({ family, profile }: (typeof DEVICES)[number]): FiscalDevice {
  const clock = new SimulatedClock(START)
  const { device, reset } = createEmulator({ family, profile, clock, data: 'memory' })
  dayOf(device, clock, 1)
  did(
    device.registers.setTaxRates(device.registers.taxRates.with(0, 700) as unknown as typeof device.registers.taxRates),
  )
  dayOf(device, clock, 2)
  did(device.registers.writeHeader(['OTHER SHOP']))
  did(device.openFiscal(opening()))
  device.resetRam()
  did(device.setClock(device.localTime()))
  did(device.reportZ())
  device.registers.setInvoiceRange({ start: 1, end: 999 })
  dayOf(device, clock, 4)
  reset({ keep: 'fiscalMemory' })
  dayOf(device, clock, 5)
  did(device.cashInOut({ direction: 'in', amount: 1_234 }))
  const other = createEmulator({ family, profile, clock, data: 'memory' }).device
  dayOf(other, clock, 1)
  other.restore(device.snapshot(), 'tester')
  did(other.openFiscal(opening()))
  did(other.sell(sale({ name: 'Last' })))
  did(other.pay({ mode: 0, amount: 1_000 }))
  did(other.closeFiscal())
  return other
}
