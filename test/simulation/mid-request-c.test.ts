/**
 * Another program prints on a device of family C during a request, at the moment when a frame of the request or its
 * response is lost. This wire protocol retransmits nothing, so the driver queries the outcome of the command, and must
 * not mistake the other program's work for its own.
 */
import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { World } from '../../scenarios/simulation/world.ts'

type Reply = Awaited<ReturnType<World['request']>>
type OutsideAction = (device: FiscalDevice) => void

const PROFILES = ['c4', 'c6', 'cr']
const SALE = { PluNumber: 2, Quantity: 7 }
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: SALE }] }
const LONG = 'An article with a very long name that does not fit in the field'

interface TwoPrograms {
  readonly world: World
  readonly device: FiscalDevice
  readonly ask: (path: string, body?: object, key?: string) => Promise<Reply>
  readonly open: () => Promise<Reply>
}

async function at(profile: string, run: (stand: TwoPrograms) => Promise<void>): Promise<void> {
  const world = new World({ family: 'C', profile, seed: 1, slow: false, onSqlite: false })
  const ask: TwoPrograms['ask'] = (path, body, key) => world.request(path, body, key)
  const password = profile === 'c6' ? '000000' : '0000'
  const opening = { OperatorCode: 1, OperatorPassword: password, PointOfSaleNumber: 1, Invoice: false }
  try {
    await run({ world, device: world.emulator.device, ask, open: () => ask('/open-fiscal-receipt', opening) })
    expect(world.troubles).toEqual([])
  } finally {
    await world.close()
  }
}

/** The other program acts shortly after the command or its response is lost. */
function lose({ world, device }: TwoPrograms, on: string, what: 'command' | 'answer', deed: OutsideAction): void {
  world.emulator.faults.add({ at: what === 'command' ? 'link.toDevice' : 'link.toHost', on, times: 1, do: 'drop' })
  let isDue = true
  world.onEvent = ({ type }) => {
    if (type !== 'fault' || !isDue) return
    isDue = false
    world.clock.after(100, () => deed(device))
  }
}

const opens: OutsideAction = (device) => {
  device.openFiscal({ kind: 'sale', invoice: false, operator: 2, pointOfSale: 1 })
}
const sells: OutsideAction = (device) => {
  device.sellArticle({ plu: 2, quantity: 7000, void: false })
}
const cancels: OutsideAction = (device) => {
  device.cancelFiscal()
}
const all =
  (...deeds: readonly OutsideAction[]): OutsideAction =>
  (device) => {
    for (const deed of deeds) deed(device)
  }
const rowsOf = ({ receipt }: FiscalDevice): number => (receipt?.kind === 'fiscal' ? receipt.fiscal.rows.length : 0)
const kindsOf = (device: FiscalDevice) => device.documents().map(({ kind }) => kind)

describe.each(PROFILES)('on %s', (profile) => {
  it('if an opening is lost and the other program opens and sells, the service does not change that receipt', () =>
    at(profile, async (stand) => {
      lose(stand, 'openFiscal', 'command', all(opens, sells))
      expect((await stand.ask('/print-fiscal-receipt', RECEIPT)).status).not.toBe(200)
      expect([rowsOf(stand.device), kindsOf(stand.device)]).toEqual([1, []])
    }))

  it('if an opening is lost and the other program opens and sells in one step, the service does not change that receipt', () =>
    at(profile, async (stand) => {
      lose(stand, 'openFiscal', 'command', all(opens, sells))
      expect((await stand.open()).message).toMatch(/^Outcome unknown:/)
    }))

  it('if the answer to an opening is lost without another program, the receipt belongs to the service', () =>
    at(profile, async (stand) => {
      lose(stand, 'openFiscal', 'answer', () => {})
      expect(await stand.ask('/print-fiscal-receipt', RECEIPT)).toMatchObject({ status: 200, data: '1' })
    }))

  it.each([
    ['sale', 'saleByPlu', RECEIPT],
    ['discount', 'subtotal', { ...RECEIPT, Subtotal: { DiscountType: 2, DiscountValue: 10 } }],
    ['payment', 'payment', RECEIPT],
  ])(
    'if a %s is lost and the other program begins its own receipt, the service does not change that receipt',
    (_, on, receipt) =>
      at(profile, async (stand) => {
        const pays: OutsideAction = (device) => void device.pay({ mode: 1, amount: 500 })
        lose(stand, on, 'command', all(cancels, opens, sells, on === 'payment' ? pays : () => {}))
        expect((await stand.ask('/print-fiscal-receipt', receipt)).status).not.toBe(200)
        expect([rowsOf(stand.device), kindsOf(stand.device)]).toEqual([1, ['cancelled']])
      }),
  )

  it('if a payment is lost and the other program pays another amount, the payments are distinguished', () =>
    at(profile, async (stand) => {
      await stand.open()
      await stand.ask('/register-plu-sale', SALE)
      lose(stand, 'payment', 'command', (device) => void device.pay({ mode: 1, amount: 500 }))
      expect((await stand.ask('/payment', { PaymentMode: 1, Amount: 1 })).status).not.toBe(200)
    }))

  it('if the answer to a payment is lost without another program, the receipt is reported as paid', () =>
    at(profile, async (stand) => {
      await stand.open()
      await stand.ask('/register-plu-sale', SALE)
      for (const payment of [
        { PaymentMode: 1, Amount: 1 },
        { PaymentMode: 1, Amount: 2 },
        { PaymentMode: 0, Amount: 20 },
      ]) {
        lose(stand, 'payment', 'answer', () => {})
        expect((await stand.ask('/payment', payment)).status).toBe(200)
      }
      expect((await stand.ask('/close-fiscal-receipt')).status).toBe(200)
    }))

  it('if the close of a receipt is not answered and the other program cancels it, it is reported as cancelled', () =>
    at(profile, async (stand) => {
      await stand.open()
      await stand.ask('/register-plu-sale', SALE)
      lose(stand, 'closeFiscal', 'answer', cancels)
      const { status, message } = await stand.ask('/close-fiscal-receipt')
      expect([status, kindsOf(stand.device)]).toEqual([424, ['cancelled']])
      expect(message).toMatch(/The receipt was cancelled\.$/)
    }))

  it('a receipt of 0.00 whose article has the name of a cancelled one is printed once', () =>
    at(profile, async ({ world, device, ask }) => {
      const FreeSale = { ProductName: 'CANCELLED', TaxCode: 1, Price: 1.5, Department: 0, Unit: 'pcs', Quantity: 2 }
      const receipt = {
        ReceiptItems: [{ Type: 0, FreeSale }],
        Subtotal: { DiscountType: 2, DiscountValue: 100 },
      }
      world.onEvent = ({ type }) => {
        if (type !== 'fault') return
        world.onEvent = undefined
        world.emulator.faults.add({ at: 'link.toHost', times: 500, do: 'drop' })
      }
      world.emulator.faults.add({ at: 'command.after', on: 'closeFiscal', times: 1, do: 'drop' })
      expect((await ask('/print-fiscal-receipt', receipt, 'k')).status).toBe(424)
      world.emulator.faults.clear()
      await world.wait(60_000)
      expect(await ask('/print-fiscal-receipt', receipt, 'k')).toMatchObject({ status: 200, data: '1' })
      expect(kindsOf(device)).toEqual(['fiscal'])
    }))

  it('an X report below a header with a rule is printed once', () =>
    at(profile, async (stand) => {
      const { world, device, ask } = stand
      device.registers.setHeader(0, 'CORNER SHOP')
      device.registers.setHeader(1, '='.repeat(device.profile.lineWidth))
      await ask('/print-fiscal-receipt', RECEIPT)
      world.emulator.faults.add({ at: 'link.toHost', on: 'reportX', times: 1, do: 'drop' })
      expect((await ask('/report-x')).status).toBe(200)
      expect(kindsOf(device)).toEqual(['fiscal', 'x'])
    }))

  it('a payment of one receipt is not reported for another, if the device reports no payments', () =>
    at(profile, async ({ world, device, ask, open }) => {
      world.emulator.faults.add({ at: 'command.before', on: 'receiptPayments', do: 'refuse' })
      await open()
      await ask('/register-plu-sale', SALE)
      await ask('/payment', { PaymentMode: 1, Amount: 1 })
      const status = async () => (await ask('/status-of-the-fiscal-transaction')).data
      expect(await status()).toMatchObject({ ReceiptNumber: '1', Paid: 1, Remaining: 9.5 })
      device.pay({ mode: 0 })
      device.closeFiscal()
      all(opens, sells)(device)
      device.pay({ mode: 1, amount: 500 })
      expect(await status()).toMatchObject({ ReceiptNumber: '2', Paid: null, Remaining: null })
    }))
})

describe('an article whose name does not fit into the sale', () => {
  const sale = (more: object = {}) => ({
    ...{ ProductName: LONG, TaxCode: 1, Price: 1.5, Department: 0, Unit: 'pcs', Quantity: 1 },
    ...more,
  })
  const nameOn = ({ openPaper }: FiscalDevice): boolean => JSON.stringify(openPaper?.operations).includes('An article')

  it.each([
    ['is sold at 0.00', { Price: 0 }, /amount of the sale is 0\.00/],
    ['has a total of 0.00', { Price: 0.01, Quantity: 0.4 }, /amount of the sale is 0\.00/],
    ['has a total that is too large', { Price: 9_999_999.99, Quantity: 900 }, /exceeds the device's limit/],
    ['is reduced to 0.00', { DiscountType: 2, DiscountValue: 100 }, /amount of the sale is 0\.00/],
  ])('is refused before its name is printed if it %s', (_, more, message) =>
    at('c4', async ({ device, ask, open }) => {
      await open()
      const answer = await ask('/register-free-sale', sale(more))
      expect([answer.status, nameOn(device)]).toEqual([400, false])
      expect(answer.message).toMatch(message)
    }),
  )

  it('is refused before its name is printed if it makes the receipt too large', () =>
    at('c4', async ({ device, ask, open }) => {
      await open()
      await ask('/register-free-sale', sale({ ProductName: 'Big', Price: 9_999_999.99 }))
      const answer = await ask('/register-free-sale', sale())
      expect([answer.status, nameOn(device)]).toEqual([400, false])
    }))

  it('that is refused by the device is reported with its printed name', () =>
    at('c4', async ({ world, device, ask, open }) => {
      await open()
      world.emulator.faults.add({ at: 'command.before', on: 'sale', times: 1, do: 'refuse' })
      const { status, message } = await ask('/register-free-sale', sale())
      expect([status, nameOn(device)]).toEqual([400, true])
      expect(message).toMatch(
        /^The device rejected the command: .* Nothing was sold, but lines with the name of the article are/,
      )
    }))

  it('whose name may be printed, but whose answer is lost, is reported with that doubt', () =>
    at('c4', async ({ world, ask, open }) => {
      await open()
      world.emulator.faults.add({ at: 'link.toHost', on: 'fiscalText', times: 1, do: 'drop' })
      const { status, message } = await ask('/register-free-sale', sale())
      expect(status).toBe(424)
      expect(message).toMatch(/^Lines with the name of the article may be on the receipt, and the device did not/)
    }))

  it('that does not reach the device after its name is reported with the printed name', () =>
    at('c4', async ({ world, ask, open }) => {
      await open()
      world.emulator.faults.add({ at: 'link.toDevice', on: 'sale', times: 9, do: 'drop' })
      const { status, message } = await ask('/register-free-sale', sale())
      expect(status).toBe(424)
      expect(message).toMatch(
        /^Lines with the name of the article are on the receipt, and the device stopped responding/,
      )
    }))
})
