import { describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { Call, Reply } from '../../scenarios/simulation/client.ts'
import { World } from '../../scenarios/simulation/world.ts'

interface Trouble extends Rule {
  readonly powerBackMs?: number
}

const lost = (on: string, times: number, skip = 0): Trouble => ({ at: 'link.toHost', on, skip, times, do: 'drop' })
/** The power returns while the link still retransmits, so the retransmission is executed again. */
const cut = (on: string, skip = 0): Trouble => ({
  ...{ at: 'command.after', on, skip, times: 1, do: 'powerCut' },
  powerBackMs: 300,
})

/** The fault is triggered during the last call. The earlier calls succeed. */
async function answerTo(device: string, { powerBackMs, ...rule }: Trouble, ...calls: readonly Call[]): Promise<string> {
  const [family, profile] = device.split(' ') as [Family, string | undefined]
  const world = new World({
    ...{ family, seed: 1, slow: false },
    ...(profile !== undefined && { profile }),
    ...(powerBackMs !== undefined && { powerBackMs }),
  })
  const send = ({ path, body }: Call): Promise<Reply> => world.request(path, body)
  try {
    for (const call of calls.slice(0, -1)) expect(await send(call), call.path).toMatchObject({ status: 200 })
    world.emulator.faults.add(rule)
    const { status, message } = await send(calls.at(-1) as Call)
    expect(world.troubles).toEqual([])
    return status === 200 ? '200' : `${status} ${message}`
  } finally {
    await world.close()
  }
}

const call = (path: string, body?: object): Call => ({ path, body })
const operator = (family: string) => ({ OperatorCode: 1, OperatorPassword: family === 'B' ? '1' : '0000' })
const opening = (family: string) =>
  call('/open-fiscal-receipt', { ...operator(family), PointOfSaleNumber: 1, Invoice: false })
const free = (TaxCode: number, Price: number) => ({
  ...{ ProductName: `X${TaxCode}`, TaxCode, Price, Department: 0, Unit: 'pcs', Quantity: 1 },
})

describe('a percentage of several tax groups, which a device applies to each of them', () => {
  const one = (kind: 'discount' | 'surcharge') => ({
    ...{ Print: true, DiscountType: kind === 'discount' ? 2 : 1, DiscountValue: 1 },
  })
  const step = (family: string, prices: readonly number[], kind: 'discount' | 'surcharge') => [
    opening(family),
    ...prices.map((price, at) => call('/register-free-sale', free(at + 1, price))),
    call('/subtotal', one(kind)),
  ]
  const unproven = /^424 Outcome unknown: the state of the device does not show whether this step was executed;/
  const NOTHING_OFF = [0.4, 0.4, 0.4, 0.4]
  const LESS_OFF = [0.4, 0.4, 0.4, 0.6]

  it.each(['A', 'C'])('is unconfirmed on family %s if it amounts to 0.00 and its answer is lost', async (family) => {
    expect(await answerTo(family, lost('subtotal', 3), ...step(family, NOTHING_OFF, 'discount'))).toMatch(unproven)
  })

  it('is recognized as duplicated on family A if it amounts to less and is applied twice', async () => {
    expect(await answerTo('A', cut('subtotal'), ...step('A', LESS_OFF, 'discount'))).toMatch(unproven)
    const items = LESS_OFF.map((price, at) => ({ Type: 0, FreeSale: free(at + 1, price) }))
    const whole = call('/print-fiscal-receipt', { ReceiptItems: items, Subtotal: one('discount') })
    expect(await answerTo('A', cut('subtotal'), whole)).toMatch(
      /^424 The device did not respond at first and may have executed a command twice: .* The receipt was cancelled\.$/,
    )
  })

  it('is recognized as applied once on family A if it amounts to more', async () => {
    expect(await answerTo('A', lost('subtotal', 1), ...step('A', [0.5, 0.5, 0.5, 0.5], 'surcharge'))).toMatch(unproven)
  })

  it('is proven on family A by the sum of a single group', async () => {
    const calls = [opening('A'), call('/register-free-sale', free(1, 2)), call('/subtotal', one('discount'))]
    expect(await answerTo('A', lost('subtotal', 1), ...calls)).toBe('200')
    expect(await answerTo('A', cut('subtotal'), ...calls)).toMatch(/executed this step twice/)
    expect(await answerTo('A', { ...lost('subtotal', 6), at: 'link.toDevice' }, ...calls)).toMatch(
      /The device did not execute the command/,
    )
  })
})

it.each(['A', 'B'])('family %s: a payment of a receipt of 0.00 cannot be proven by a sum', async (family) => {
  const bread = (more: object) => call('/register-plu-sale', { PluNumber: 1, Quantity: 1, ...more })
  const pay = call('/payment', { PaymentMode: 0, Amount: 5 })
  expect(await answerTo(family, lost('payment', 3), opening(family), bread({}), bread({ Void: true }), pay)).toMatch(
    /^424 Outcome unknown:/,
  )
})

describe('lines of text that look equal on paper are distinguished', () => {
  const JOE = ['Thank you for shopping', 'Thank you for shopping at Joe']
  const AVENUE = [1, 2].map((number) => `Our shop: Great Long Avenue of Liberty number ${number}`)
  const receipt = (texts: readonly string[]) =>
    call('/print-fiscal-receipt', {
      ReceiptItems: [
        ...texts.map((Message) => ({ Type: 2, Text: { Message } })),
        { Type: 1, PluSale: { PluNumber: 1, Quantity: 1 } },
      ],
    })
  const devices = ['A bg', 'B b8', 'B b5']

  it.each(devices)(
    '%s: one line is the beginning of another, or several lines are cut to the same letters',
    async (device) => {
      for (const texts of [JOE, AVENUE])
        for (const skip of [0, 1]) {
          expect(await answerTo(device, lost('fiscalText', 1, skip), receipt(texts)), texts[skip]).toBe('200')
          expect(await answerTo(device, cut('fiscalText', skip), receipt(texts)), texts[skip]).toMatch(
            /^424 Completed as receipt 1: .* printed a line of text twice; items and payments are correct\.$/,
          )
        }
    },
  )

  it.each(devices)('%s: one line of dashes is below the line of the device', async (device) => {
    for (const length of [38, 42]) {
      const dashes = receipt(['-'.repeat(length)])
      expect(await answerTo(device, lost('fiscalText', 1), dashes)).toBe('200')
      expect(await answerTo(device, cut('fiscalText'), dashes)).toMatch(
        /^424 Completed as receipt 1: A line of text .* may/,
      )
    }
  })
})

describe('a slip that is marked as void, and could not be closed', () => {
  const calls = (family: string) => [
    call('/open-non-fiscal-receipt', operator(family)),
    call('/print-non-fiscal-text', { Message: 'Hello' }),
    call('/cancel-non-fiscal-receipt'),
  ]
  const PERHAPS = 'The line that marks the receipt as void may already be printed on it.'

  it.each(['A', 'B', 'C'])('is reported to the next request that finds the slip open, on family %s', async (family) => {
    const lostClose: Trouble = { ...lost('closeNonFiscal', 6), at: 'link.toDevice' }
    const refused: Trouble = { at: 'command.before', on: 'closeNonFiscal', times: 6, do: 'refuse' }
    expect(await answerTo(family, lostClose, ...calls(family))).toMatch(
      new RegExp(`^424 The device .* ${PERHAPS} The receipt is still open\\.$`),
    )
    expect(await answerTo(family, refused, ...calls(family))).toMatch(
      new RegExp(`^400 The device rejected the command: .* ${PERHAPS}$`),
    )
  })

  it.each(['A', 'B', 'C'])('is not reported by a cancel if no slip is open, on family %s', async (family) => {
    const cancel = call('/cancel-non-fiscal-receipt')
    expect(await answerTo(family, lost('closeNonFiscal', 1), cancel)).not.toContain('as void')
    expect(await answerTo(family, lost('closeNonFiscal', 1), opening(family), cancel)).not.toContain('as void')
  })
})

it.each([
  ['A', 'THIS DOCUMENT IS VOID'],
  ['B', '*** VOID ***'],
])(
  'family %s: a slip with its own void line is printed, although the answers to its close are lost',
  async (family, line) => {
    const slip = call('/print-non-fiscal-receipt', { ReceiptItems: [{ Type: 0, Text: { Message: line } }] })
    expect(await answerTo(family, lost('closeNonFiscal', 4), slip)).toBe('200')
  },
)
