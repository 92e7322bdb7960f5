/** Random days of a device from a seed. Texts and names imitate the totals on paper. */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { DEVICES } from './devices.ts'

type Draw = (below: number) => number

export function randomDevice({ family, profile }: (typeof DEVICES)[number], seed: number, days: number): FiscalDevice {
  const throwDice = seededRandom(seed)
  const draw: Draw = (below) => Math.floor(throwDice() * below)
  const clock = new SimulatedClock(Date.parse('2026-07-14T08:00:00Z'))
  const { device, reset } = createEmulator({ family, profile, clock, store: new PlainStore() })
  lookLikeTotals(device, draw)
  for (let day = 0; day <= days; day++) {
    for (let deed = draw(9); deed > 0; deed--) {
      doSomething(device, draw)
      clock.advance(draw(600_000))
    }
    if (day === days) break
    if (draw(30) === 0) device.resetRam()
    if (draw(40) === 0) reset({ keep: 'fiscalMemory' })
    if (!device.clockSet) device.setClock(device.localTime())
    device.reportZ({ onPaper: draw(4) > 0 })
    if (draw(8) === 0) device.registers.setTaxRates(device.registers.taxRates.with(0, 500 + draw(2_000)) as never)
    if (draw(12) === 0) device.registers.writeHeader([lie(device, draw)])
    clock.advance(36_000_000)
  }
  return device
}

function lie({ profile }: FiscalDevice, draw: Draw): string {
  const { words } = profile.paper
  const [total, amount] = [[words.total, words.subtotal, words.cashIn, words.cashOut, words.reportZ][draw(5)], '9.99']
  return draw(2) === 0 ? `${total} ${amount}` : `${total}${' '.repeat(5 + draw(20))}${amount}`
}

function lookLikeTotals(device: FiscalDevice, draw: Draw): void {
  const { registers } = device
  for (const index of registers.header.keys()) if (draw(2) === 0) registers.setHeader(index, lie(device, draw))
  for (const index of registers.footer.keys()) if (draw(2) === 0) registers.setFooter(index, lie(device, draw))
  for (const { mode } of registers.payments) if (draw(2) === 0) registers.setPayment(mode, { name: lie(device, draw) })
}

function doSomething(device: FiscalDevice, draw: Draw): void {
  const { foreignPayment } = device.profile
  const mode = foreignPayment !== undefined && draw(3) === 0 ? foreignPayment : 0
  switch (draw(12)) {
    case 0:
    case 1:
      device.cashInOut({ direction: 'in', amount: draw(90_000), mode, text: [lie(device, draw)] })
      return
    case 2:
      device.cashInOut({ direction: 'out', amount: draw(5_000), mode })
      return
    case 3:
      device.openNonFiscal()
      device.printText({ text: lie(device, draw) })
      device.closeNonFiscal()
      return
    case 4:
      device.reportX()
      return
    case 5:
      device.copyLastReceipt()
      return
    case 6:
      device.printMemoryReport(1, device.counters.lastZ, draw(2) === 0)
      return
    case 7:
      device.printReport('service', [{ text: lie(device, draw) }])
      return
    default:
      receipt(device, draw)
  }
}

function receipt(device: FiscalDevice, draw: Draw): void {
  const kind = draw(5) === 0 ? 'reversal' : 'sale'
  const original = { document: 1, at: device.localTime(), fiscalMemoryNumber: device.profile.fiscalMemoryNumber }
  const opening = { kind, invoice: draw(5) === 0, operator: 1, pointOfSale: 1 } as const
  device.openFiscal(kind === 'sale' ? opening : { ...opening, reason: 'refund', original })
  for (let rows = 1 + draw(4); rows > 0; rows--) sell(device, draw)
  if (draw(3) === 0) {
    const adjustment = draw(2) === 0 ? { percent: 1 + draw(2_000) } : { amount: 1 + draw(100) }
    const size = draw(2) === 0 ? 'discount' : 'surcharge'
    device.subtotal({ print: draw(2) === 0, display: false, adjustment: { kind: size, ...adjustment } })
  }
  if (draw(8) === 0) device.cancelFiscal()
  const modes = device.registers.payments.map(({ mode }) => mode)
  if (draw(3) === 0) device.pay({ mode: modes[draw(modes.length)] ?? 0, amount: 1 + draw(300) })
  if (draw(3) === 0) device.pay({ mode: 0, amount: 1 + draw(50_000) })
  if (device.receipt) device.pay({ mode: 0 })
  if (device.receipt) device.pay({ mode: 1 })
  device.setCustomer({ fields: ['1'], taxNumber: 'RO1', name: lie(device, draw), address: 'Street' } as never)
  device.closeFiscal()
  if (device.receipt) device.cancelFiscal()
}

function sell(device: FiscalDevice, draw: Draw): void {
  if (draw(4) === 0) device.printText({ text: lie(device, draw) })
  if (draw(4) === 0) {
    device.sellArticle({ plu: 1 + draw(10), quantity: 1 + draw(5_000), void: draw(6) === 0 })
    return
  }
  const [name, taxCode] = [draw(2) === 0 ? lie(device, draw) : `Bread ${draw(3)}`, (1 + draw(8)) as TaxCode]
  const sale = { name, taxCode, price: 1 + draw(2_000), quantity: 1 + draw(4_000), void: false }
  const kind = draw(2) === 0 ? 'discount' : 'surcharge'
  device.sell(draw(3) === 0 ? { ...sale, adjustment: { kind, percent: 1 + draw(5_000) } } : sale)
  if (draw(4) === 0) device.sell({ ...sale, void: true })
}
