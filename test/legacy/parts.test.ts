/** Service lines that come to several documents: each is printed once, however often the job has to be repeated. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { readJson } from '../../drivers/model/json.ts'
import type { LegacyAnswer } from '../../server/legacy/answer.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { answerJob } from '../../server/legacy/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const CASH_IN_AND_X = ['I^10000', 'X^']
const CANCEL = ['X,1,______,_,__;']

let rig: KillableService
let key = 'k'

function post(lines: readonly string[]): Promise<LegacyAnswer> {
  const body = readJson(JSON.stringify(lines))
  const parsed = parseJob(body)
  if (!parsed.ok) throw parsed.problem
  const { service, stores } = rig
  const settings = { plu: [] }
  const patience = { until: rig.clock.now() + REQUEST_MAX_MS }
  return answerJob({ service, settings, prints: stores.prints }, { job: parsed.job, body, key }, patience)
}

const kinds = () => rig.emulator.device.documents().map(({ kind }) => kind)
const count = (kind: string) => kinds().filter((one) => one === kind).length

describe.each(FAMILIES)('family %s', (family) => {
  beforeEach(() => {
    key = 'k'
    rig = startKillableService(family)
  })
  afterEach(() => rig.close())

  /** Of an undisturbed job: the documents that it leaves, by kind. */
  async function undisturbed(): Promise<readonly string[]> {
    expect(await rig.run(post(CASH_IN_AND_X))).toMatchObject({ ReceiptStatus: 'true' })
    return kinds()
  }

  it.each([
    ['is silent', { at: 'link.toHost', do: 'drop' }],
    ['is deaf', { at: 'link.toDevice', do: 'drop' }],
  ] as const)('cash in and X, the device %s from any frame on: the repeat does what is left', async (_, rule) => {
    const expected = await undisturbed()
    await rig.close()
    for (let skip = 0, struck = true; struck; skip++) {
      rig = startKillableService(family)
      await rig.run(rig.printer.connect())
      rig.emulator.faults.add({ ...rule, skip })
      await rig.run(post(CASH_IN_AND_X))
      struck = rig.emulator.faults.unused().length === 0
      rig.emulator.faults.clear()
      const answer = await rig.run(post(CASH_IN_AND_X))
      expect([skip, answer, kinds()]).toEqual([skip, expect.objectContaining({ ReceiptStatus: 'true' }), expected])
      expect([skip, rig.emulator.device.day.cashIn.amount]).toEqual([skip, 10_000])
      await rig.close()
    }
    rig = startKillableService(family)
  })

  it('cash in and X, killed at any frame: the repeat does what is left', async () => {
    const expected = await undisturbed()
    await rig.close()
    for (let frames = 1, killed = true; killed && frames < 200; frames++) {
      rig = startKillableService(family)
      killed = (await rig.killDuring({ frames, sent: true }, () => post(CASH_IN_AND_X))) === 'killed'
      rig.restart()
      const answer = await rig.run(post(CASH_IN_AND_X))
      expect([frames, answer, kinds()]).toEqual([frames, expect.objectContaining({ ReceiptStatus: 'true' }), expected])
      await rig.close()
    }
    rig = startKillableService(family)
  })

  it('no paper for the X: the repeat puts nothing in twice and prints it', async () => {
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

  it('the X of format 2, whose answer is lost, cancels no second receipt on repeat', async () => {
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
