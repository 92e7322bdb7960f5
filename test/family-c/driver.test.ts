/** The driver of family C on the emulated device, through the real link (sheet 6). */
import { describe, expect, it } from 'vitest'
import type { FiscalPrinter } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorOptions } from '../../emulator/emulator.ts'
import type { CommandPoint, Injector } from '../../emulator/faults/points.ts'
import { noFaults } from '../support/no-faults.ts'
import { problemOf } from '../support/problems.ts'
import { startPrinter } from '../support/rig.ts'
import { START } from './talk.ts'

interface Driven {
  readonly emulator: Emulator
  readonly printer: FiscalPrinter
  run<T>(operation: Promise<T>): Promise<T>
}

function driven(options: Partial<EmulatorOptions> = {}): Driven {
  const clock = new SimulatedClock(START)
  const device = startPrinter({ family: 'C', clock, ...options })
  return {
    emulator: device.emulator,
    printer: device.driver({}, { random: () => 0 }),
    run: (operation) => simulate(clock, operation),
  }
}

const dropOnce = (point: CommandPoint, name: string): Pick<EmulatorOptions, 'faults'> => {
  let armed = true
  const command: Injector['command'] = (at, asked) => {
    if (!armed || at !== point || asked !== name) return {}
    armed = false
    return { drop: true }
  }
  return { faults: () => ({ ...noFaults, watches: (at) => at === point, command }) }
}

const OPERATOR = { code: 1, password: '0000' }
const OPENING = { operator: OPERATOR, pointOfSale: 24, invoice: false }
const BREAD = { name: 'Bread', taxCode: 2, price: 250, quantity: 2000, department: 0, unit: '', void: false } as const

describe.each(['c4', 'c6', 'cr'])('the driver on %s', (profile) => {
  it('detects the device', async () => {
    const { printer, run } = driven({ profile })
    expect(await run(printer.connect())).toMatchObject({
      family: 'C',
      serialNumber: 'ZK123456',
      fiscalMemoryNumber: '50123456',
    })
    expect(printer.capabilities.passwordLength.exact).toBe(profile === 'c6' ? 6 : 4)
  })

  it('sells, adjusts, pays in two ways and closes, and the Z report contains these amounts', async () => {
    const { printer, run } = driven({ profile })
    await run(printer.openFiscal(OPENING))
    await run(printer.sell({ ...BREAD, department: 2, adjustment: { kind: 'discount', percent: 1000 } }))
    await run(printer.sell({ ...BREAD, quantity: 1000, department: 2, void: true }))
    await run(
      printer.sellArticle({ plu: 7, quantity: 2000, void: false, adjustment: { kind: 'surcharge', amount: 50 } }),
    )
    expect(await run(printer.subtotal({ print: true, display: true }))).toMatchObject({ text: '7.50' })
    expect(await run(printer.transactionStatus())).toMatchObject({
      isOpen: true,
      kind: 'Fiscal',
      total: 750,
      paid: 0,
      remaining: 750,
    })
    await run(printer.pay({ mode: 1, amount: 300 }))
    expect(await run(printer.transactionStatus())).toMatchObject({ paid: 300, remaining: 450 })
    await run(printer.pay({ mode: 0, amount: 1000 }))
    expect(await run(printer.closeFiscal())).toMatchObject({ receiptNumber: '1', raw: '' })
    expect(await run(printer.copyLastReceipt())).toMatchObject({ receiptNumber: '1', raw: '' })
    expect(await run(printer.moveCash?.(2000, OPERATOR) ?? Promise.reject())).toMatchObject({ text: '' })
    await run(printer.reportX())
    expect(await run(printer.reportZ())).toMatchObject({ text: '1;14-07-2025' })
    const z = await run(printer.archivedZ(1))
    expect(z).toMatchObject({
      number: 1,
      firstReceipt: 1,
      lastReceipt: 1,
      receiptsCount: 1,
      total: 750,
      discounts: { count: 1, amount: 50 },
      surcharges: { count: 1, amount: 50 },
      voids: { count: 1, amount: 250 },
      cashIn: 2000,
      cashOut: 0,
    })
    expect(z?.dateTime).toMatch(/^2025-07-14T09:0/)
    expect(z?.taxes[1]).toEqual({ taxCode: 2, letter: 'B', rate: 2000, turnover: 200, tax: 33 })
    // The report omits unused classes, here E to H.
    expect(z?.taxes[5]).toEqual({ taxCode: 6, letter: 'F', rate: null, turnover: 0, tax: 0 })
    expect(z?.payments?.slice(0, 2)).toEqual([
      { paymentMode: 0, amount: 450 },
      { paymentMode: 1, amount: 300 },
    ])
    expect(await run(printer.archivedZ(2))).toBeUndefined()
  })

  it('opens an invoice with the data of a customer', async () => {
    const { emulator, printer, run } = driven({ profile })
    await run(
      printer.openFiscal({
        ...OPENING,
        invoice: true,
        customer: { taxNumber: 'RO123', name: 'Firma', address: 'Str. 1' },
      }),
    )
    expect(await run(printer.transactionStatus())).toMatchObject({ kind: 'Invoice' })
    const receipt = emulator.device.receipt
    expect(receipt?.kind === 'fiscal' && receipt.fiscal.customer).toMatchObject({
      taxNumber: 'RO123',
      name: 'Firma',
      address: 'Str. 1',
    })
  })
})

describe('before a command, the driver checks that', () => {
  it('text for the other kind of receipt is refused and prints nothing', async () => {
    const { emulator, printer, run } = driven()
    await run(printer.openNonFiscal(OPERATOR))
    expect(await problemOf(run(printer.printFiscalText({ text: 'x' })))).toMatchObject({
      kind: 'refused',
      code: '36/32',
    })
    await run(printer.printNonFiscalText({ text: 'hello' }))
    await run(printer.cancelNonFiscal())
    expect(emulator.device.documents()[0]?.text.join('\n')).toContain('THIS DOCUMENT IS VOID')
    await run(printer.openFiscal(OPENING))
    expect(await problemOf(run(printer.printNonFiscalText({ text: 'x' })))).toMatchObject({
      kind: 'refused',
      code: '34/32',
    })
    expect(await problemOf(run(printer.cancelNonFiscal()))).toMatchObject({ kind: 'refused', code: '34/32' })
  })

  it('a cancel after a payment is refused, because 39h would pay the remaining amount', async () => {
    const { emulator, printer, run } = driven()
    await run(printer.openFiscal(OPENING))
    await run(printer.sell(BREAD))
    await run(printer.pay({ mode: 0, amount: 100 }))
    expect(await problemOf(run(printer.cancelFiscal()))).toMatchObject({ kind: 'refused', code: '35/32' })
    expect(emulator.device.receipt).not.toBe(null)
  })

  it('a payment other than cash above the remaining amount is refused before it is sent', async () => {
    const { printer, run } = driven()
    await run(printer.openFiscal(OPENING))
    await run(printer.sell(BREAD))
    expect(await problemOf(run(printer.pay({ mode: 1, amount: 501 })))).toMatchObject({
      kind: 'badValue',
      field: 'amount',
    })
    await run(printer.pay({ mode: 1, amount: 500 }))
    expect(await run(printer.closeFiscal())).toMatchObject({ receiptNumber: '1' })
  })

  it('a barcode that the device lacks is refused before any byte is sent', async () => {
    const { printer, run } = driven()
    expect(await problemOf(run(printer.printBarcode({ type: 2, data: '123456789012' })))).toMatchObject({
      kind: 'unsupported',
      why: expect.stringMatching(/^NotSupportedException:/),
    })
  })

  it('a non-fiscal receipt has an operator', async () => {
    const { printer, run } = driven()
    expect(await problemOf(run(printer.openNonFiscal()))).toMatchObject({ kind: 'badValue', field: 'operator' })
  })

  it('a long name is wrapped into lines of text before the sale', async () => {
    const { emulator, printer, run } = driven()
    await run(printer.openFiscal(OPENING))
    await run(printer.sell({ ...BREAD, name: 'A loaf of bread of the best flour, baked this morning in our own oven' }))
    const receipt = emulator.device.receipt
    const name = receipt?.kind === 'fiscal' ? receipt.fiscal.rows[0]?.name : undefined
    expect(name).toBe('baked this morning in our own oven')
  })

  it('text for the display has 20 symbols, padded or cut', async () => {
    const { emulator, printer, run } = driven()
    await run(printer.displayLine(1, 'ж'.repeat(25)))
    await run(printer.displayLine(2, 'ok'))
    expect(emulator.device.display.lines.map((line) => line.trimEnd())).toEqual(['ж'.repeat(20), 'ok'])
  })
})

describe('after a failure on the line or at the device,', () => {
  it.each(['openFiscal', 'sale', 'payment', 'closeFiscal', 'reportZ'])(
    'a command whose answer was lost is executed once: %s',
    async (lost) => {
      const { emulator, printer, run } = driven(dropOnce('command.after', lost))
      await run(printer.openFiscal(OPENING))
      await run(printer.sell(BREAD))
      await run(printer.pay({ mode: 0 }))
      expect((await run(printer.closeFiscal())).receiptNumber).toBe('1')
      await run(printer.reportZ())
      expect(emulator.device.counters.lastZ).toBe(1)
      expect(emulator.device.memory.lastZ).toMatchObject({ number: 1, total: 500, receiptsCount: 1 })
    },
  )

  it.each(['openFiscal', 'sale', 'payment', 'closeFiscal', 'reportZ'])(
    'a command whose request was lost is sent again: %s',
    async (lost) => {
      const { emulator, printer, run } = driven(dropOnce('command.before', lost))
      await run(printer.openFiscal(OPENING))
      await run(printer.sell(BREAD))
      await run(printer.pay({ mode: 0 }))
      await run(printer.closeFiscal())
      await run(printer.reportZ())
      expect(emulator.device.memory.lastZ).toMatchObject({ number: 1, total: 500, receiptsCount: 1 })
    },
  )

  it.each([
    ['missing paper', (emulator: Emulator) => emulator.setPaper('out'), 'noPaper'],
    ['an open cover', (emulator: Emulator) => emulator.setCover(true), 'coverOpen'],
  ] as const)('%s is reported as the reason', async (_, harm, condition) => {
    const { emulator, printer, run } = driven()
    await run(printer.connect())
    harm(emulator)
    expect(await problemOf(run(printer.openFiscal(OPENING)))).toEqual({ kind: 'cannotPrint', condition })
  })

  it('the driver reads the status after a power cut in a receipt, and retransmits the command', async () => {
    const { emulator, printer, run } = driven()
    await run(printer.openFiscal(OPENING))
    await run(printer.sell(BREAD))
    emulator.setPower(false)
    emulator.setPower(true)
    await run(printer.pay({ mode: 0 }))
    expect(await run(printer.closeFiscal())).toMatchObject({ receiptNumber: '1' })
  })

  it('a device that is switched off does not answer', async () => {
    const { emulator, printer, run } = driven()
    emulator.setPower(false)
    expect(await problemOf(run(printer.connect()))).toMatchObject({ kind: 'noAnswer' })
  })
})
