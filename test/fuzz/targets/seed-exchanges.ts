/** Requests of a driver and the responses of an emulated device, as seeds for the targets of both sides. */
import { openPrinter } from '../../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../../drivers/model/clock.ts'
import { DeviceError } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../../drivers/model/printer.ts'
import { START, startPrinter } from '../../support/rig.ts'
import { MESSAGES } from './messages.ts'

const sold = { plu: 1, quantity: 1000, void: false } as const

async function receipt(printer: FiscalPrinter, invoice: boolean): Promise<void> {
  const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
  await printer.openFiscal({ operator, pointOfSale: 1, invoice })
  await printer.sellArticle({ ...sold, adjustment: { kind: 'discount', percent: 1000 } })
  await printer.printFiscalText({ text: 'thanks', bold: true })
  await printer.subtotal({ print: true, display: true })
  await printer.transactionStatus()
  await printer.pay({ mode: 0 })
  await printer.closeFiscal()
}

/** Operations of a driver, each in the parts of one request. */
export const WORK: readonly ((printer: FiscalPrinter) => Promise<unknown>)[] = [
  (printer) => printer.connect(),
  (printer) => receipt(printer, false),
  (printer) => printer.evidence({ thorough: true }),
  async (printer) => {
    await printer.reportZ()
    return printer.archivedZ(1)
  },
  async (printer) => {
    const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
    await printer.openNonFiscal(operator)
    await printer.printNonFiscalText({ text: 'Hello', height: 'double' })
    await printer.printSeparatingLine(2)
    await printer.cancelNonFiscal()
  },
  (printer) => printer.transactionStatus(),
  async (printer) => [await printer.lastDocument(), await printer.lastReportZ?.(), await printer.lastReceipt?.()],
  async (printer) => [await printer.taxRates?.(), await printer.article?.(1), await printer.article?.(99)],
  async (printer) => [await printer.daySums?.(), await printer.documentOf?.(1)],
  async (printer) => {
    await receipt(printer, true)
    return printer.copyLastReceipt()
  },
  async (printer) => {
    const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
    await printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
    await printer.sell({
      name: 'Bread',
      taxCode: 2,
      price: 115,
      quantity: 1000,
      department: 1,
      unit: 'pcs',
      void: false,
    })
    await printer.pay({ mode: 1, amount: 5 })
    await printer.cancelFiscal()
  },
  async (printer) => [await printer.reportX(), await printer.moveCash?.(500, { code: 1, password: '0000' })],
  async (printer) => [
    await printer.displayLine(1, 'Hello'),
    await printer.clearDisplay(),
    await printer.openDrawer?.(),
  ],
  (printer) => printer.printBarcode({ type: 4, data: 'https://example.com', qrSize: 4 }),
]

export interface Talk {
  readonly questions: readonly Buffer[]
  readonly answers: readonly Buffer[]
}

/**
 * Executes all of `WORK` on one device. Resolves to the driver's requests and the device's responses for each entry.
 */
export async function talksOf(family: Family, profile: string): Promise<readonly Talk[]> {
  const messages = MESSAGES[family]
  if (!messages) throw new Error(`no messages of family ${family}`)
  const clock = new SimulatedClock(START)
  const device = startPrinter({ family, profile, clock })
  const talks: { questions: Buffer[]; answers: Buffer[] }[] = []
  const printer = openPrinter(
    { family, device: device.emulator.path },
    {
      ...{ binding: device.emulator.binding, clock, random: () => 0.5 },
      trace({ direction, bytes }) {
        const of = direction === 'toDevice' ? messages.ofQuestion(bytes) : messages.ofAnswer(bytes)
        if (of) talks.at(-1)?.[direction === 'toDevice' ? 'questions' : 'answers'].push(of)
      },
    },
  )
  for (const work of WORK) {
    talks.push({ questions: [], answers: [] })
    await simulate(clock, work(printer)).catch((error: unknown) => {
      if (!(error instanceof DeviceError)) throw error
    })
  }
  await printer.disconnect()
  await device.close()
  return talks
}
