/**
 * The service is killed while its disk is full, or the computer loses power and with it unflushed writes. The operation
 * log still lets a retry find what is on the paper.
 */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { openFlushedTables } from '../../scenarios/simulation/flushed-tables.ts'
import { ORDER } from '../../scenarios/simulation/orders.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { answerJob } from '../../server/legacy/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { startKillableService } from '../support/killable-service.ts'

const HOUR_MS = 3_600_000
/** No request has as many frames, so each frame is tried. */
const FRAMES_MAX = 100

const IN_DOUBT = /Outcome unknown: .*or another program has (?:printed|opened) it meanwhile/

type Rig = ReturnType<typeof startKillableService>

async function atAnyFrame(family: Family, send: (rig: Rig) => Promise<unknown>, check: (rig: Rig) => Promise<unknown>) {
  for (let frames = 1, isKilled = true; isKilled && frames < FRAMES_MAX; frames++) {
    const tables = openFlushedTables()
    const rig = startKillableService(family, { journal: tables })
    isKilled = (await rig.killDuring({ frames, sent: true }, () => send(rig))) === 'killed'
    tables.losePower()
    rig.restart()
    expect(await check(rig), `killed after frame ${frames}`).toBe('once')
    await rig.close()
  }
}

describe.each(FAMILIES)('family %s, whose computer loses its power', (family) => {
  it('executes each line of a legacy job once', async () => {
    const body = ['I^10000', 'O^3000']
    const parsed = parseJob(body)
    if (!parsed.ok) throw parsed.problem
    const { job } = parsed
    const send = ({ service, stores, clock }: Rig) => {
      const deadline = { until: clock.now() + REQUEST_MAX_MS }
      return answerJob({ service, settings: { plu: [] }, prints: stores.prints }, { job, body, key: 'k' }, deadline)
    }
    await atAnyFrame(family, send, async (rig) => {
      const { ReceiptStatus, ErrorInfo } = (await rig.run(send(rig))).answer
      const { cashIn, cashOut } = rig.emulator.device.day
      // Another program may have moved the same amount, so the service executes neither the cash line again nor the lines after it.
      if (IN_DOUBT.test(ErrorInfo ?? '')) return cashIn.count === 1 && cashOut.count <= 1 ? 'once' : { cashIn, cashOut }
      return ReceiptStatus === 'true' && cashIn.count === 1 && cashOut.count === 1 ? 'once' : { cashIn, cashOut }
    })
  })

  it('pays the requested amounts by card', async () => {
    const cards = [0.01, 0.02, 11.97].map((Amount) => ({ PaymentMode: 1, Amount }))
    const body = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 10 } }], Payments: cards }
    const path = '/print-fiscal-receipt'
    await atAnyFrame(
      family,
      (rig) => rig.post(path, body, 'k'),
      async (rig) => {
        const answer = await rig.post(path, body, 'k')
        const receipts = rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal').length
        const { payments } = rig.emulator.device.day
        // The empty receipt may belong to another program, so the service does not change it.
        if (IN_DOUBT.test(answer.Message ?? '') && receipts === 0) return 'once'
        const isOnce = answer.StatusCode === 200 && receipts === 1 && payments[1] === 1200
        return isOnce ? 'once' : { answer, receipts, payments }
      },
    )
  })
})

const IN_TWO: RequestStep = { do: 'legacy receipt', key: true, inTwo: true }
const CANCELLED: RequestStep = { do: 'legacy receipt', key: true, cancelled: true }

describe('a service whose disk is full, and that is killed', () => {
  const full = (skip: number, times: number): Step => ({ do: 'journal', trouble: 'full', skip, times })

  it.each<readonly [string, RequestStep, number, readonly [Family, number, number][]]>([
    ['prints no line of text twice', IN_TWO, 3, [['A', 19, 30], ['B', 17, 28], ['C', 62, 76]]],
    // If the service is killed between the cancel and its record, nothing shows that the cancel belonged to the
    // request.
    ['does not print a receipt twice if its job ends with a cancel', CANCELLED, 2, [['A', 12, 23], ['B', 12, 21], ['C', 48, 67]]],
  ])('%s', async (_, during, skip, places) => {
    for (const [family, first, last] of places)
      for (let write = first; write <= last; write++) {
        const steps: Step[] = [full(skip, 50), { do: 'crash', during, write }, full(0, 0), { do: 'again' }]
        await expect(runCase({ family, seed: 1, slow: false, steps }), `${family} ${write}`).resolves.toBeDefined()
      }
  }) // biome-ignore format: a table

  it('prints no order twice, whichever of its last writes the disk accepts', async () => {
    const order = (token: string) => ({ order: 1, token, again: false })
    for (let first = 3; first < 9; first++)
      for (let taken = first + 1; taken < 14; taken++) {
        const world = new World({ family: 'A', slow: false, seed: 1, onSqlite: false })
        world.disk.fail('full', first - 1, taken - first)
        const written = world.disk.written.bind(world.disk)
        let writes = 0
        world.disk.written = () => {
          // The next write succeeds, and all later writes fail.
          if (++writes === taken) world.disk.fail('full', 1, 1000)
          written()
        }
        await world.request(ORDER, order('t1'))
        world.disk.heal()
        await world.restart()
        await world.start()
        await world.wait(25 * HOUR_MS)
        await world.request('/report-z')
        await world.request(ORDER, order('t2'))
        const receipts = world.documents().filter(({ kind }) => kind === 'fiscal').length
        expect(receipts, `${first}, ${taken}`).toBeLessThanOrEqual(1)
        await world.close()
      }
  })
})
