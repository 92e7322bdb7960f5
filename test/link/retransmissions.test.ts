/** Retransmissions of the link are reported with the response or the failure of the operation that caused them. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import type { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { startPrinter } from '../support/rig.ts'

const CASH = { mode: 0 }

async function on<T>(family: 'A' | 'B' | 'C', plan: readonly Rule[], play: (printer: FiscalPrinter) => Promise<T>) {
  const clock = new SimulatedClock(Date.UTC(2026, 5, 1))
  const printer = startPrinter({ family, clock, plan }).driver()
  const opening = { operator: { code: 1, password: printer.capabilities.defaultPassword(1) }, pointOfSale: 1 }
  return simulate(
    clock,
    (async () => {
      await printer.openFiscal({ ...opening, invoice: false })
      await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
      return play(printer)
    })(),
  )
}

const lost = (command: string, times: number): readonly Rule[] => [
  { at: 'link.toHost', on: command, times, do: 'drop' },
]

const isRepeated = ({ retransmitted }: { readonly retransmitted: boolean }): boolean => retransmitted

describe.each(['A', 'B'] as const)('family %s', (family) => {
  it('reports the retransmission of a payment whose answer was lost, but of no other operation', async () => {
    const retransmitted = await on(family, lost('payment', 1), async (printer) => [
      await printer.subtotal({ print: false, display: false }).then(isRepeated),
      await printer.pay(CASH).then(isRepeated),
      await printer.closeFiscal().then(isRepeated),
    ])
    expect(retransmitted).toEqual([false, true, false])
  })

  it('reports the retransmission of a close whose answer was lost', async () => {
    const retransmitted = await on(family, lost('closeFiscal', 1), async (printer) => {
      await printer.pay(CASH)
      return isRepeated(await printer.closeFiscal())
    })
    expect(retransmitted).toBe(true)
  })

  it('reports the retransmission with the failure if no retransmission was answered', async () => {
    const problem = await on(family, lost('payment', 9), (printer) =>
      printer.pay(CASH).catch((error: DeviceError) => error),
    )
    expect(problem).toMatchObject({ problem: { kind: 'outcomeUnknown' }, retransmitted: true })
  })

  it.each([150, 600])(
    'treats bytes that look like refusals as one refusal, and accepts the answer %i ms later',
    async (delayMs) => {
      const late: readonly Rule[] = [
        { at: 'link.toHost', on: 'payment', times: 1, do: { delayMs } },
        { at: 'link.toHost', on: 'payment', times: 1, do: { noise: '\x15\x15\x15' } },
      ]
      const text = await on(family, late, async (printer) => {
        await printer.pay(CASH)
        return (await printer.closeFiscal()).receiptNumber
      })
      expect(Number(text)).toBeGreaterThan(0)
    },
  )

  it('leaves the outcome of a payment unknown that seemed to be refused every time', async () => {
    const refusals: readonly Rule[] = [{ at: 'link.toHost', on: 'payment', times: 3, do: 'refuse' }]
    const result = await on(family, refusals, async (printer) => {
      const problem = await printer.pay(CASH).catch((error: DeviceError) => error)
      return { problem, closed: (await printer.closeFiscal()).receiptNumber }
    })
    expect(result).toMatchObject({ problem: { problem: { kind: 'outcomeUnknown' } }, closed: expect.any(String) })
  })

  it('does not count a repeated query', async () => {
    const retransmitted = await on(family, lost('transactionStatus', 1), async (printer) => {
      await printer.transactionStatus()
      return isRepeated(await printer.pay(CASH))
    })
    expect(retransmitted).toBe(false)
  })
})

it('family C queries the outcome and retransmits no command of a receipt', async () => {
  const retransmitted = await on('C', lost('payment', 1), async (printer) => [
    await printer.pay(CASH).then(isRepeated),
    await printer.closeFiscal().then(isRepeated),
  ])
  expect(retransmitted).toEqual([false, false])
})
