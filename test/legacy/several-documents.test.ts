/**
 * Service lines that print several documents. Each document is printed once, however often the caller retries the job.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { readJson } from '../../drivers/model/json.ts'
import type { LegacyAnswer } from '../../server/legacy/answer.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { CATALOGUE } from '../../server/legacy/problem.ts'
import { answerJob } from '../../server/legacy/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const CASH_IN_AND_X = ['I^10000', 'X^']
const CANCEL = ['X,1,______,_,__;']
const DONE_BY_OTHER = /Outcome unknown: .*another program has printed it/
const HOUR_MS = 3_600_000

let rig: KillableService
let key: string | undefined = 'k'

function post(lines: readonly string[], until = rig.clock.now() + REQUEST_MAX_MS): Promise<LegacyAnswer> {
  const body = readJson(JSON.stringify(lines))
  const parsed = parseJob(body)
  if (!parsed.ok) throw parsed.problem
  const { service, stores } = rig
  const settings = { plu: [{ taxCode: 1, plu: 1 }] }
  return answerJob({ service, settings, prints: stores.prints }, { job: parsed.job, body, key }, { until }).then(
    ({ answer }) => answer,
  )
}

const kinds = () => rig.emulator.device.documents().map(({ kind }) => kind)
const count = (kind: string) => kinds().filter((one) => one === kind).length
const cashIn = () => rig.emulator.device.day.cashIn.amount

function afterFirstDocument(act: () => void): void {
  const stop = rig.emulator.subscribe(() => {
    if (kinds().length === 0) return
    stop()
    act()
  })
}

function silentFromX(): void {
  rig.emulator.faults.add({ at: 'link.toDevice', on: 'reportX', do: 'drop' })
  const stop = rig.emulator.subscribe(() => {
    if (rig.emulator.faults.unused().length > 0) return
    stop()
    rig.emulator.faults.add({ at: 'link.toHost', do: 'drop' })
  })
}

function silentAfter(kind: string): void {
  const stop = rig.emulator.subscribe(() => {
    if (count(kind) < 2) return
    stop()
    rig.emulator.faults.add({ at: 'link.toHost', do: 'drop' })
  })
}

const SOLD = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

/** Families whose link never retransmits a frame. */
const NO_REPEATS: ReadonlySet<Family> = new Set(['C'])

/**
 * Families whose reports may take longer than the caller waits. The service then reports a failure before the command
 * has ended.
 */
const REPORTS_LONG: ReadonlySet<Family> = new Set(['C'])

const fails = (code: keyof typeof CATALOGUE, words: string) => ({
  ...{ ReceiptStatus: 'false', ReceiptNumber: '', ErrorCode: code },
  ErrorInfo: expect.stringMatching(`^${CATALOGUE[code]}: ${words}$`),
})

describe.each(FAMILIES)('family %s', (family) => {
  beforeEach(() => {
    key = 'k'
    rig = startKillableService(family)
  })
  afterEach(() => rig.close())

  async function undisturbed(): Promise<readonly string[]> {
    expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'true' })
    return kinds()
  }

  it.each([
    ['is silent', { at: 'link.toHost', do: 'drop' }],
    ['is deaf', { at: 'link.toDevice', do: 'drop' }],
  ] as const)(
    'cash in and X, with a device that %s from any frame on: the retry executes the remaining lines',
    async (_, rule) => {
      const expected = await undisturbed()
      await rig.close()
      let undecided = 0
      for (let skip = 0, struck = true; struck; skip++) {
        rig = startKillableService(family)
        await rig.run(rig.printer.connect())
        rig.emulator.faults.add({ ...rule, skip })
        await rig.run(post(CASH_IN_AND_X))
        struck = rig.emulator.faults.unused().length === 0
        rig.emulator.faults.clear()
        const done = kinds()
        const answer = await rig.run(post(CASH_IN_AND_X))
        const isDone = answer.ReceiptStatus === 'true'
        // After a long silence another computer may have been connected, so the service must not print.
        if (!isDone) expect([skip, answer.ErrorInfo]).toEqual([skip, expect.stringMatching(DONE_BY_OTHER)])
        expect([skip, kinds()]).toEqual([skip, isDone ? expected : done])
        expect([skip, cashIn()]).toEqual([skip, 10_000])
        if (!isDone) undecided++
        await rig.close()
      }
      expect(undecided).toBe(rule.at === 'link.toHost' ? 2 : 0)
      rig = startKillableService(family)
    },
  )

  it('cash in and X, with the service killed at any frame: the retry executes the remaining lines', async () => {
    const expected = await undisturbed()
    await rig.close()
    let undecided = 0
    for (let frames = 1, killed = true; killed && frames < 200; frames++) {
      rig = startKillableService(family)
      killed = (await rig.killDuring({ frames, sent: true }, () => post(CASH_IN_AND_X))) === 'killed'
      rig.restart()
      const done = kinds()
      const answer = await rig.run(post(CASH_IN_AND_X))
      if (answer.ReceiptStatus === 'true') expect([frames, kinds()]).toEqual([frames, expected])
      else {
        // Another program may have done the same since, so the service executes neither this line nor a later one.
        expect([frames, answer.ErrorInfo]).toEqual([frames, expect.stringMatching(DONE_BY_OTHER)])
        expect([frames, kinds()]).toEqual([frames, done])
        undecided++
      }
      await rig.close()
    }
    expect(undecided).toBe(2)
    rig = startKillableService(family)
  })

  describe('a copy and the drawer after a receipt', () => {
    const H = ',1,______,_,__;'
    const SALE_AND_COPY = [`S${H}Bread;2.00;1.000;1;1;1;0;0;`, `T${H}0;2.00;`, `D${H}`, `O${H}`]
    const copied = () => count('copy') > 0

    it('are executed, and ErrorInfo is empty', async () => {
      expect(await rig.run(post(SALE_AND_COPY))).toMatchObject({ ReceiptStatus: 'true', ErrorInfo: '' })
      expect(copied()).toBe(true)
      expect(await rig.run(post(SALE_AND_COPY))).toMatchObject({ ReceiptStatus: 'true', ErrorInfo: '' })
      expect(count('fiscal')).toBe(1)
    })

    it('are reported in the answer and in the retry by their line if the device refuses them', async () => {
      rig.emulator.faults.add({ at: 'command.before', on: 'duplicate', do: 'refuse' })
      const first = await rig.run(post(SALE_AND_COPY))
      expect(first).toMatchObject({ ReceiptStatus: 'true', ErrorCode: '' })
      expect(first.ErrorInfo).toMatch(/^Line 3 was not executed: \S/)
      expect(first.ReceiptNumber).not.toBe('')
      expect(await rig.run(post(SALE_AND_COPY))).toEqual(first)
      expect([count('fiscal'), copied()]).toEqual([1, false])
    })

    it('are reported as executed by the retry only if they were, with the service killed at any frame', async () => {
      let isKilled = true
      let reported = 0
      for (let frames = 1; isKilled && frames < 200; frames++) {
        rig = startKillableService(family)
        isKilled = (await rig.killDuring({ frames, sent: false }, () => post(SALE_AND_COPY))) === 'killed'
        rig.restart()
        const answer = await rig.run(post(SALE_AND_COPY))
        const where = [frames, answer.ReceiptStatus]
        if (answer.ReceiptStatus === 'true' && !copied()) {
          expect([...where, answer.ErrorInfo]).toEqual([
            ...where,
            expect.stringMatching(/^Lines 3 to 4 may not have been/),
          ])
          reported++
        }
        expect([...where, count('fiscal')]).toEqual([...where, answer.ReceiptStatus === 'true' ? 1 : 0])
        await rig.close()
      }
      expect(reported).toBeGreaterThan(0)
      rig = startKillableService(family)
    })
  })

  it('paper is missing for the X report: the retry moves no cash twice and prints the report', async () => {
    let isIn = false
    const stop = rig.emulator.subscribe(() => {
      if (isIn || rig.emulator.device.day.cashIn.amount === 0) return
      isIn = true
      rig.emulator.setPaper('out')
    })
    expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'false' })
    stop()
    rig.emulator.setPaper('ok')
    expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'true' })
    expect([rig.emulator.device.day.cashIn.amount, count('x')]).toEqual([10_000, 1])
  })

  describe('without a key, after executed lines', () => {
    const STANDS = 'Line 1 was executed\\. Send only the remaining lines\\.'
    beforeEach(() => {
      key = undefined
    })

    it.each([
      ['cash in', CASH_IN_AND_X],
      ['a Z report', ['Z^', 'X^']],
    ] as const)(
      '%s stays executed when the paper ends, and is not repeated by a caller that follows the answer',
      async (_, lines) => {
        afterFirstDocument(() => rig.emulator.setPaper('out'))
        const message = `The printer is out of paper\\. Load a new roll\\. ${STANDS}`
        expect(await rig.run(post(lines))).toEqual(fails('505', message))
        rig.emulator.setPaper('ok')
        expect(await rig.run(post(lines.slice(1)))).toMatchObject({ ReceiptStatus: 'true' })
        expect(kinds()).toEqual([lines === CASH_IN_AND_X ? 'service' : 'z', 'x'])
      },
    )

    it('the unexecuted part is reported at its own line', async () => {
      if (REPORTS_LONG.has(family)) return
      rig.emulator.faults.add({ at: 'link.toDevice', on: 'reportX', do: 'drop' })
      expect(await rig.run(post(['DS^', '', 'Z^', 'X^']))).toEqual(
        fails('501', 'The device did not respond after .*\\. Lines 1 to 3 were executed\\. Send only the remaining lines\\.'),
      ) // biome-ignore format: one line
      expect(kinds()).toEqual(['z'])
    })

    it('the refused line is named if the service or the device refuses it', async () => {
      expect(await rig.run(post(['Z^', 'VB^']))).toEqual(fails('504', `no receipt is open on the device\\. ${STANDS}`))
      expect((await rig.run(post(['Z^', 'O^99999900']))).ErrorInfo).toMatch(new RegExp(` ${STANDS}$`))
    })

    it('the outcome of a line without an answer is unknown, and the lines before it must not be sent again', async () => {
      silentFromX()
      const answer = await rig.run(post(CASH_IN_AND_X))
      if (REPORTS_LONG.has(family)) return expect(answer.ErrorCode).toBe('502')
      const stands = 'Line 1 was executed and must not be sent again\\.'
      expect(answer).toEqual(
        fails(
          '502',
          `Outcome unknown: .* ${stands} The service will determine the outcome before it processes any other request\\.`,
        ),
      )
    })

    it('a failing first line is reported unchanged', async () => {
      rig.emulator.setPaper('out')
      expect(await rig.run(post(CASH_IN_AND_X))).toEqual(
        fails('505', 'The printer is out of paper\\. Load a new roll and retry\\.'),
      )
      rig.emulator.setPaper('ok')
      if (REPORTS_LONG.has(family)) return
      rig.emulator.faults.add({ at: 'link.toDevice', on: 'reportX', do: 'drop' })
      expect((await rig.run(post(['DS^', 'X^']))).ErrorInfo).toMatch(/ The device did not execute the command\.$/)
    })
  })

  describe('with a key, after executed lines', () => {
    const STANDS =
      'Line 1 was executed\\. A retry with the same Idempotency-Key within 24 hours executes only the remaining lines(?:, if the outcome of this line can be determined)?\\.'

    it('a retry is requested when the paper ends', async () => {
      afterFirstDocument(() => rig.emulator.setPaper('out'))
      const message = `The printer is out of paper\\. Load a new roll and retry\\. ${STANDS}`
      expect(await rig.run(post(CASH_IN_AND_X))).toEqual(fails('505', message))
    })

    it('the answer does not claim that nothing was executed', async () => {
      if (REPORTS_LONG.has(family)) return
      rig.emulator.faults.add({ at: 'link.toDevice', on: 'reportX', do: 'drop' })
      expect(await rig.run(post(CASH_IN_AND_X))).toEqual(
        fails('501', `The device did not respond after .*\\. ${STANDS}`),
      )
      rig.emulator.faults.clear()
      expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'true' })
      expect([cashIn(), count('x')]).toEqual([10_000, 1])
    })

    it('a line that the service refuses is named', async () => {
      expect(await rig.run(post(['Z^', 'VB^']))).toEqual(fails('504', `no receipt is open on the device\\. ${STANDS}`))
    })

    describe('if the X report was refused', () => {
      beforeEach(async () => {
        rig.emulator.faults.add({ at: 'command.before', on: 'reportX', times: 1, do: 'refuse' })
        const first = await rig.run(post(CASH_IN_AND_X))
        expect(first.ErrorInfo).toMatch(new RegExp(`${STANDS}$`))
      })

      it.each([
        ['that does not reach the device', REQUEST_MAX_MS],
        ['whose turn does not come', 0],
      ])('a retry %s reports the executed lines again, for 24 hours from then', async (_, waitMs) => {
        rig.clock.advance(23 * HOUR_MS)
        await rig.run(rig.emulator.setCable(false))
        const again = await rig.run(post(CASH_IN_AND_X, rig.clock.now() + waitMs))
        expect(again).toMatchObject({
          ReceiptStatus: 'false',
          ErrorInfo: expect.stringMatching(new RegExp(`${STANDS}$`)),
        })
        await rig.run(rig.emulator.setCable(true))
        rig.clock.advance(2 * HOUR_MS)
        expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'true' })
        expect([cashIn(), count('x')]).toEqual([10_000, 1])
      })

      it('the same key with another job is refused without mentioning the executed lines', async () => {
        expect((await rig.run(post(['X^', 'Z^'], rig.clock.now()))).ErrorInfo).toMatch(
          /: Nothing was printed: the request timed out before it reached the printer\. Retry later\.$/,
        )
      })
    })

    // Decisions 3: "After `Outcome unknown:` or a crash the repeat first settles what happened".
    it.each([23, 49])(
      'the executed lines are known while the end of the request is open, for %i hours',
      async (hours) => {
        silentFromX()
        const first = await rig.run(post(CASH_IN_AND_X))
        rig.emulator.faults.clear()
        rig.clock.advance(hours * HOUR_MS)
        expect([first.ErrorCode, await rig.run(post(CASH_IN_AND_X))]).toMatchObject(['502', { ReceiptStatus: 'true' }])
        expect([cashIn(), count('x')]).toEqual([10_000, 1])
      },
    )
  })

  describe('a copy after a document, by a device that is interrupted for a moment and then silent', () => {
    const HEAD = ',1,______,_,__;'
    const FISCAL = [`S${HEAD}Goods;1.20;1.000;1;1;1`, `T${HEAD}`, `D${HEAD}`]
    const SLIP = [`Y${HEAD}`, `P${HEAD}hello`, `T${HEAD}`, `D${HEAD}`]
    const TWICE = '.*executed a command twice: documents \\d+ to \\d+ were printed instead of one\\.'

    beforeEach(async () => {
      await rig.close()
      rig = startKillableService(family, { powerReturnsAfterMs: 300 })
      expect((await rig.post('/print-fiscal-receipt', SOLD)).StatusCode).toBe(200)
      rig.emulator.faults.add({ at: 'command.after', on: 'duplicate', times: 1, do: 'powerCut' })
      rig.emulator.faults.add({ at: 'link.toHost', on: 'duplicate', do: 'drop' })
    })

    it.each([
      ['a receipt', FISCAL, `Completed as receipt 2: ${TWICE}`],
      ['a slip', SLIP, TWICE],
    ])('of %s is reported as duplicated if it is on paper twice', async (_, lines, reported) => {
      const answers = [await rig.run(post(lines)), await rig.run(post(lines))]
      const isTwice = count('copy') === 2
      expect(isTwice).toBe(!NO_REPEATS.has(family))
      const expected = isTwice ? { ErrorInfo: expect.stringMatching(reported) } : { ReceiptStatus: 'true' }
      expect(answers).toMatchObject([expected, expected])
    })

    it.each([
      ['a receipt', FISCAL, /: Completed as receipt 2: .* executed the command more than once\.$/],
      ['a slip', SLIP, /: Outcome unknown: .* executed the command more than once\.$/],
    ])('of %s is reported as perhaps duplicated if the device does not report it', async (_, lines, reported) => {
      if (NO_REPEATS.has(family)) return
      rig.emulator.faults.add({ at: 'link.toHost', on: 'duplicate', do: 'drop' })
      silentAfter('copy')
      const first = await rig.run(post(lines))
      rig.emulator.faults.clear()
      expect([first.ErrorInfo, (await rig.run(post(lines))).ErrorInfo]).toEqual([
        expect.stringMatching(reported),
        first.ErrorInfo,
      ])
      expect(count('copy')).toBe(2)
    })
  })

  it('the command X of format 2, whose answer is lost, cancels no second receipt on its retry', async () => {
    const password = rig.printer.capabilities.defaultPassword(1)
    const opening = { OperatorCode: 1, OperatorPassword: password, PointOfSaleNumber: 1, Invoice: false }
    const open = async () => {
      expect((await rig.post('/open-fiscal-receipt', opening)).StatusCode).toBe(200)
      expect((await rig.post('/register-plu-sale', { PluNumber: 1 })).StatusCode).toBe(200)
    }
    await open()
    let isCancelled = false
    const stop = rig.emulator.subscribe((event) => {
      if (event.type !== 'frame' || isCancelled || rig.emulator.device.receipt !== null) return
      isCancelled = true
      rig.emulator.faults.add({ at: 'link.toHost', do: 'drop' })
    })
    await rig.run(post(CANCEL))
    stop()
    rig.emulator.faults.clear()
    await open()
    expect(await rig.run(post(CANCEL))).toMatchObject({ ReceiptStatus: 'true' })
    expect(rig.emulator.device.receipt).not.toBeNull()
    expect(count('cancelled')).toBe(1)
  })
})
