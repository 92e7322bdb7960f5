/**
 * Findings of a review of server/operations: another program, a second memory or a short power failure at the one
 * moment that a single query cannot distinguish. Each test is the smallest case of its finding.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { readJson } from '../../drivers/model/json.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { answerJob } from '../../server/legacy/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import {
  asOtherProgram,
  type KillableOptions,
  type KillableService,
  startKillableService,
} from '../support/killable-service.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function ready(family: Family, options: KillableOptions = {}): KillableService {
  const rig = startKillableService(family, options)
  ends.push(() => rig.close())
  return rig
}

const operatorOf = ({ capabilities }: FiscalPrinter) => ({ code: 1, password: capabilities.defaultPassword(1) })
const operatorIn = ({ printer }: KillableService) => {
  const { code: OperatorCode, password: OperatorPassword } = operatorOf(printer)
  return { OperatorCode, OperatorPassword }
}
const ALL = '/print-fiscal-receipt'
const rows = (...articles: readonly number[]) => articles.map((PluNumber) => ({ Type: 1, PluSale: { PluNumber } }))
const documents = ({ emulator }: KillableService) => emulator.device.documents()
const lastPaper = (rig: KillableService): string => documents(rig).at(-1)?.text.join('\n') ?? ''

const FRAMES_MAX = 200

type Prepare = (rig: KillableService) => Promise<unknown>

/**
 * Kills the service at each frame of the request, runs `other`, and judges the retry. Resolves to the number of tried
 * frames.
 */
async function killedAtEachFrame(
  family: Family,
  { prepare, path, body, sent = false }: { prepare?: Prepare; path: string; body?: object; sent?: boolean },
  isTried: (rig: KillableService) => boolean,
  other: (rig: KillableService) => Promise<unknown>,
  judge: (rig: KillableService, again: () => ReturnType<KillableService['post']>, frame: number) => Promise<void>,
): Promise<number> {
  let tried = 0
  for (let frames = 0; frames < FRAMES_MAX; frames++) {
    const rig = ready(family)
    await prepare?.(rig)
    if ((await rig.postAndKill({ frames, sent }, path, body, 'key')) !== 'killed') return tried
    if (!isTried(rig)) continue
    tried++
    await other(rig)
    rig.restart()
    await judge(rig, () => rig.post(path, body, 'key'), frames)
  }
  throw new Error(`${path} has more than ${FRAMES_MAX} frames`)
}

const isOpen = ({ emulator }: KillableService) => emulator.device.receipt !== null

async function opensAndSells(printer: FiscalPrinter): Promise<void> {
  await printer.openFiscal({ operator: operatorOf(printer), pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 777_000, void: false })
}

function jobOf(rig: KillableService, text: string) {
  const body = readJson(text)
  const parsed = parseJob(body)
  if (!parsed.ok) throw parsed.problem
  return answerJob(
    { service: rig.service, settings: { plu: [] }, prints: rig.stores.prints },
    { job: parsed.job, body, key: 'key' },
    { until: rig.clock.now() + REQUEST_MAX_MS },
  ).then(({ answer }) => answer)
}

const INVOICE = JSON.stringify([
  '48,1,______,_,__;1;0000;1;1;',
  'K,1,______,_,__;987654321;',
  'S,1,______,_,__;Bread;2.00;1.000;1;1;1;0;0;',
  'T,1,______,_,__;0;2.00;',
])

it('a job whose first line is unconfirmed says that the lines after it were not executed', async () => {
  const lines = JSON.stringify(['I^700', 'X^', 'O^500'])
  let unconfirmed = 0
  for (let frames = 0; frames < FRAMES_MAX; frames++) {
    const rig = ready('A')
    if ((await rig.killDuring({ frames, sent: true }, () => jobOf(rig, lines))) !== 'killed') break
    rig.restart()
    const { ErrorInfo } = await rig.run(jobOf(rig, lines))
    if (documents(rig).length !== 1 || !ErrorInfo.includes('Outcome unknown')) continue
    expect(ErrorInfo).toMatch(/The lines after it were not executed\. Send them with a new key\.$/)
    unconfirmed++
  }
  expect(unconfirmed).toBeGreaterThan(0)
})

it('an invoice names its customer, whatever the frame at which the service was killed', async () => {
  let tried = 0
  for (let frames = 0; frames < FRAMES_MAX; frames++) {
    const rig = ready('A')
    if ((await rig.killDuring({ frames, sent: false }, () => jobOf(rig, INVOICE))) !== 'killed') break
    rig.restart()
    expect(await rig.run(jobOf(rig, INVOICE)), `killed at frame ${frames}`).toMatchObject({ ReceiptStatus: 'true' })
    expect(lastPaper(rig), `killed at frame ${frames}`).toContain('987654321')
    tried++
  }
  expect(tried).toBeGreaterThan(8)
})

describe.each(FAMILIES)('family %s', (family) => {
  it('a payment that was executed twice is not mistaken for two payments', async () => {
    const rig = ready(family, { powerReturnsAfterMs: 300 })
    const item = { Type: 1, PluSale: { PluNumber: 1, Quantity: 10 } }
    await rig.post(ALL, { ReceiptItems: [item] })
    rig.emulator.faults.add({ at: 'command.after', on: 'payment', times: 1, do: 'powerCut' })
    const Payments = [0, 1].map((PaymentMode) => ({ PaymentMode, Amount: 6 }))
    const { StatusCode } = await rig.post(ALL, { ReceiptItems: [item], Payments }, 'key')
    const isInCash = /cash +6\.00\n(.*DROP.*\n)?.*cash +6\.00/i.test(lastPaper(rig))
    expect(StatusCode).toBe(isInCash ? 424 : 200)
    // Family C has no second payment, so the finding does not apply.
    expect(isInCash).toBe(family !== 'C')
  })

  it('a cancel is not reported for a receipt that another program has closed, even without a journal', async () => {
    const tried = await killedAtEachFrame(
      family,
      {
        prepare: async (rig) => {
          await rig.post('/open-fiscal-receipt', { ...operatorIn(rig), PointOfSaleNumber: 1, Invoice: false })
          await rig.post('/register-plu-sale', { PluNumber: 1, Quantity: 1 })
        },
        path: '/cancel-fiscal-receipt',
      },
      isOpen,
      (rig) =>
        asOtherProgram(rig, async (printer) => {
          await printer.pay({ mode: 0 })
          await printer.closeFiscal()
        }),
      async (rig, again, frame) => {
        rig.emulator.faults.add({ at: 'command.before', on: 'journalRead', do: 'refuse' })
        expect([frame, (await again()).StatusCode]).not.toEqual([frame, 200])
      },
    )
    expect(tried).toBeGreaterThan(0)
  })

  it.each([
    ['/cancel-non-fiscal-receipt', 'closeNonFiscal'],
    ['/close-non-fiscal-receipt', 'cancelNonFiscal'],
  ] as const)('%s is not answered with 200 if another program has done the opposite (%s)', async (path, act) => {
    const tried = await killedAtEachFrame(
      family,
      {
        prepare: async (rig) => {
          await rig.post('/open-non-fiscal-receipt', operatorIn(rig))
          await rig.post('/print-non-fiscal-text', { Message: 'HELLO' })
        },
        path,
      },
      isOpen,
      (rig) => asOtherProgram(rig, (printer) => printer[act]()),
      async (rig, again, frame) => {
        const { StatusCode } = await again()
        const isVoid = /VOID/.test(lastPaper(rig))
        if (isVoid !== path.startsWith('/cancel')) expect([frame, StatusCode]).not.toEqual([frame, 200])
      },
    )
    expect(tried).toBeGreaterThan(0)
  })

  it('a close is not reported for a receipt that it could not have closed', async () => {
    const tried = await killedAtEachFrame(
      family,
      {
        prepare: async (rig) => {
          await rig.post('/open-fiscal-receipt', { ...operatorIn(rig), PointOfSaleNumber: 1, Invoice: false })
          await rig.post('/register-plu-sale', { PluNumber: 1, Quantity: 1 })
          await rig.post('/payment', { PaymentMode: 0, Amount: 1 })
        },
        path: '/close-fiscal-receipt',
      },
      isOpen,
      (rig) =>
        asOtherProgram(rig, async (printer) => {
          await printer.pay({ mode: 0 })
          await printer.closeFiscal()
        }),
      async (_, again, frame) => expect([frame, (await again()).StatusCode]).not.toEqual([frame, 200]),
    )
    expect(tried).toBeGreaterThan(0)
  })

  describe('if the fiscal memory is replaced after a receipt', () => {
    const SUBTOTAL = { Print: false, Display: false, DiscountType: 2, DiscountValue: 10 }
    const BODIES = [
      ['with an adjusted subtotal', { ReceiptItems: rows(1, 2), Subtotal: SUBTOTAL }],
      ['of many rows', { ReceiptItems: rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }],
    ] as const

    it.each(BODIES)('%s, the service does not change the receipt that is open in the other memory', async (_, body) => {
      const tried = await killedAtEachFrame(
        family,
        { path: ALL, body, sent: true },
        isOpen,
        async (rig) => {
          rig.emulator.reset()
          await asOtherProgram(rig, opensAndSells)
        },
        async (rig, again, frame) => {
          const before = rig.emulator.device.receipt
          expect([frame, (await again()).StatusCode]).not.toEqual([frame, 200])
          expect([frame, rig.emulator.device.receipt]).toEqual([frame, before])
        },
      )
      expect(tried).toBeGreaterThan(3)
    })

    it('with an adjusted subtotal, the service does not report the receipt that was closed in the other memory', async () => {
      await killedAtEachFrame(
        family,
        { path: ALL, body: BODIES[0][1], sent: true },
        isOpen,
        async (rig) => {
          rig.emulator.reset()
          await asOtherProgram(rig, async (printer) => {
            await opensAndSells(printer)
            await printer.pay({ mode: 0 })
            await printer.closeFiscal()
          })
        },
        async (_, again, frame) => {
          const { StatusCode, Data } = await again()
          expect([frame, StatusCode, Data]).not.toEqual([frame, 200, '1'])
        },
      )
    })

    it('and the receipt of the same number is cancelled in the other memory, the closed receipt is not printed again', async () => {
      const tried = await killedAtEachFrame(
        family,
        { path: ALL, body: { ReceiptItems: rows(1) }, sent: true },
        (rig) => documents(rig).length > 0,
        async (rig) => {
          rig.emulator.reset()
          await asOtherProgram(rig, async (printer) => {
            await opensAndSells(printer)
            await printer.cancelFiscal()
          })
        },
        async (_, again, frame) => expect([frame, (await again()).StatusCode]).toEqual([frame, 424]),
      )
      expect(tried).toBeGreaterThan(0)
    })
  })

  it('a Z report is not printed again if the memory was replaced after it', async () => {
    const tried = await killedAtEachFrame(
      family,
      { prepare: (rig) => rig.post(ALL, { ReceiptItems: rows(1) }), path: '/report-z', sent: true },
      (rig) => documents(rig).length > 1,
      async (rig) => rig.emulator.reset(),
      async (rig, again, frame) => {
        const { StatusCode, Message } = await again()
        expect([frame, StatusCode, documents(rig).length]).toEqual([frame, 424, 0])
        expect(Message).not.toMatch(/Documents \d+ to 0 /)
      },
    )
    expect(tried).toBeGreaterThan(0)
  })

  it('a receipt that was reported as cancelled to a caller without a key is not completed', async () => {
    const rig = ready(family)
    const body = { ReceiptItems: rows(1, 2) }
    rig.emulator.faults.add({ at: 'command.before', on: 'saleByPlu', skip: 1, times: 1, do: 'powerCut' })
    const { Message } = await rig.post(ALL, body)
    expect(Message).toMatch(/will cancel it before it processes any other request\.$/)
    await rig.emulator.setPower(true)
    await asOtherProgram(rig, (printer) => printer.pay({ mode: 0, amount: 100 }))
    await rig.post(ALL, body)
    expect(documents(rig).filter(({ kind }) => kind === 'fiscal')).toHaveLength(0)
  })

  it('a copy of a legacy job that is reconciled later has no receipt number', async () => {
    const rig = ready(family)
    await rig.post(ALL, { ReceiptItems: rows(1) })
    const post = () => rig.run(jobOf(rig, '["COPIEBON^"]'))
    rig.emulator.faults.add({ at: 'link.toHost', on: 'duplicate', do: 'drop' })
    const stop = rig.emulator.subscribe(() => {
      if (documents(rig).length < 2) return
      stop()
      rig.emulator.faults.add({ at: 'command.before', on: 'transactionStatus', times: 1, do: 'refuse' })
    })
    await post()
    rig.emulator.faults.clear()
    expect(await post()).toMatchObject({ ReceiptStatus: 'true', ReceiptNumber: '' })
  })
})
