/**
 * Bytes that look like a refusal of a frame (NACK, RETRY): a damaged ACK, noise before a late ACK, a frame with an
 * extra byte, and a true refusal. The device executes every frame that it receives without damage (sheet C 2.4), so the
 * command is executed once, or the driver reports an unknown outcome and it was executed at most once.
 */
import { describe, expect, it } from 'vitest'
import type { FiscalPrinter } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { startPrinter } from '../support/rig.ts'
import { START } from './talk.ts'

type Trouble = readonly Rule[]

const ANSWER = { at: 'link.toHost', times: 1 } as const
const FRAME = { at: 'link.toDevice', times: 1 } as const
const FLIPPED: Rule = { ...ANSWER, do: { flip: 3 } }
const busy = (busyMs: number): Rule => ({ at: 'command.before', times: 1, do: { busyMs } })
/** A delay of the next frame, after which a retransmission would arrive later than the ACK of the first frame. */
const NEXT_LATE: Rule = { ...FRAME, skip: 1, do: { delayMs: 20 } }
const late = (delayMs: number, byte: string): Trouble => [
  { ...ANSWER, do: { delayMs } },
  { ...ANSWER, do: { noise: byte } },
]

const LOOKS_REFUSED: readonly (readonly [name: string, trouble: Trouble])[] = [
  ['an ACK with a flipped bit', [FLIPPED]],
  ['an ACK with a flipped bit, its bytes 150 ms apart', [FLIPPED, { ...ANSWER, do: { slowMs: 150 } }]],
  ['an ACK with a flipped bit, its bytes 450 ms apart', [FLIPPED, { ...ANSWER, do: { slowMs: 450 } }]],
  ['a stray RETRY and an ACK 150 ms late', late(150, '\x0e')],
  ['a stray NACK and an ACK 150 ms late', late(150, '\x15')],
  ['a stray NACK and an ACK 700 ms late', late(700, '\x15')],
  ['a stray 02h before a command that takes 110 ms', [{ ...FRAME, do: { noise: '\x02' } }, busy(110), NEXT_LATE]],
  ['a stray 02h before a command that takes 900 ms', [{ ...FRAME, do: { noise: '\x02' } }, busy(900)]],
  ['a doubled 02h before a command that takes 110 ms', [{ ...FRAME, do: 'duplicate', byte: 0 }, busy(110), NEXT_LATE]],
  ['a NACK instead of the ACK', [{ ...ANSWER, do: 'refuse' }]],
]

const sell = (printer: FiscalPrinter) => printer.sellArticle({ plu: 1, quantity: 1000, void: false })
const print = (printer: FiscalPrinter) => printer.printFiscalText({ text: 'ONCE' })
const sales = ({ receipt }: FiscalDevice): number => (receipt?.kind === 'fiscal' ? receipt.fiscal.rows.length : 0)
const lines = ({ openPaper }: FiscalDevice): number =>
  openPaper?.operations.filter((one) => JSON.stringify(one).includes('ONCE')).length ?? 0

/** `questions` is the number of queries before the command, which determines its message number. */
async function meeting(
  trouble: Trouble,
  command: 'saleByPlu' | 'fiscalText',
  questions = 0,
): Promise<{ readonly problem: unknown; readonly count: number }> {
  const clock = new SimulatedClock(START)
  const plan = trouble.map((rule) => ({ ...rule, on: command }))
  const rig = startPrinter({ family: 'C', clock, plan })
  const printer = rig.driver()
  const problem = await simulate(
    clock,
    (async () => {
      await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
      for (let count = 0; count < questions; count++) await printer.taxRates?.()
      const kind = await (command === 'saleByPlu' ? sell : print)(printer).then(
        () => undefined,
        (error: unknown) => (error instanceof DeviceError ? error.problem.kind : error),
      )
      // Bytes on their way to the device arrive before this query.
      await printer.transactionStatus()
      return kind
    })(),
  )
  const { device } = rig.emulator
  const count = command === 'saleByPlu' ? sales(device) : lines(device)
  await rig.close()
  return { problem, count }
}

describe('a sale', () => {
  it.each(LOOKS_REFUSED)('is executed once after a fault of its acknowledgement: %s', async (_, trouble) => {
    expect(await meeting(trouble, 'saleByPlu')).toEqual({ problem: undefined, count: 1 })
  })

  // The remainder of the damaged ACK of number 49h looks like a valid frame: 49 30 30 CS CS 0A.
  it('is executed once under every message number if one bit of its ACK is flipped', async () => {
    const results = []
    for (let questions = 24; questions < 40; questions++) results.push(await meeting([FLIPPED], 'saleByPlu', questions))
    expect(results).toEqual(results.map(() => ({ problem: undefined, count: 1 })))
  })

  it.each([1, 2])('is sent again after each refusal (number of refusals: %i)', async (times) => {
    expect(await meeting([{ ...FRAME, times, do: 'refuse' }], 'saleByPlu')).toEqual({ problem: undefined, count: 1 })
  })

  it('that is always refused is not executed', async () => {
    const result = await meeting([{ ...FRAME, times: 100, do: 'refuse' }], 'saleByPlu')
    expect(result).toEqual({ problem: 'outcomeUnknown', count: 0 })
  })
})

describe('a line of text, which no device of this family reports', () => {
  it.each(LOOKS_REFUSED)(
    'is printed once, and is answered with 200 only if its own answer was received: %s',
    async (_, trouble) => {
      const { problem, count } = await meeting(trouble, 'fiscalText')
      expect([undefined, 'outcomeUnknown']).toContain(problem)
      expect(count).toBe(1)
    },
  )

  it('gets the answer "outcome unknown" if the device really refused it, and is not printed again', async () => {
    expect(await meeting([{ ...FRAME, do: 'refuse' }], 'fiscalText')).toEqual({ problem: 'outcomeUnknown', count: 0 })
  })
})
