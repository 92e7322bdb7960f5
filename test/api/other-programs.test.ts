/**
 * Another program acts between two frames of a request: it opens a receipt under the number that the request's receipt
 * would have had, or prints the same report or copy. The device then responds as if the request had been executed, so
 * the service must not report success (decisions 3). Tried at every frame of the request.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { asOtherProgram, type KillableService, startKillableService } from '../support/killable-service.ts'
import type { Answer } from '../support/rig.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

async function ready(family: Family): Promise<KillableService> {
  const rig = startKillableService(family)
  cleanups.push(() => rig.close())
  expect(await rig.post('/print-fiscal-receipt', RECEIPT)).toMatchObject({ StatusCode: 200 })
  return rig
}

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

type Way = (
  rig: KillableService,
  frame: number,
  ask: () => Promise<Answer>,
  path: string,
  body?: object,
) => Promise<boolean>

/** Every way interrupts the service at a frame, and resolves to true if the request was interrupted. */
const WAYS: readonly (readonly [string, Way])[] = [
  [
    'the service is killed',
    async (rig, frame, _ask, path, body) => {
      const ended = await rig.postAndKill({ frames: frame, sent: false }, path, body, 'key')
      rig.restart()
      return ended === 'killed'
    },
  ],
  [
    'the cable is pulled out',
    async (rig, frame, ask) => {
      rig.emulator.faults.add({ at: 'link.toDevice', skip: frame, times: 1, do: 'unplug' })
      const { StatusCode } = await ask()
      rig.emulator.faults.clear()
      await rig.emulator.setCable(true)
      return StatusCode !== 200
    },
  ],
]

interface Kind {
  readonly name: string
  readonly path: string
  readonly body: (rig: KillableService) => object | undefined
  readonly act: (printer: FiscalPrinter) => Promise<unknown>
}

const operatorOf = ({ capabilities }: FiscalPrinter) => ({ code: 1, password: capabilities.defaultPassword(1) })
const opens = (printer: FiscalPrinter) =>
  printer.openFiscal({ operator: operatorOf(printer), pointOfSale: 1, invoice: false })
const nothing = () => undefined

const DOCUMENTS: readonly Kind[] = [
  { name: 'an X report', path: '/report-x', body: nothing, act: (printer) => printer.reportX() },
  { name: 'a Z report', path: '/report-z', body: nothing, act: (printer) => printer.reportZ() },
  { name: 'a copy', path: '/copy-of-last-fiscal-receipt', body: nothing, act: (printer) => printer.copyLastReceipt() },
]
const OPENINGS: readonly Kind[] = [
  { name: 'print-fiscal-receipt', path: '/print-fiscal-receipt', body: () => RECEIPT, act: opens },
  {
    name: 'open-fiscal-receipt',
    path: '/open-fiscal-receipt',
    body: ({ printer }) => {
      const { code: OperatorCode, password: OperatorPassword } = operatorOf(printer)
      return { OperatorCode, OperatorPassword, PointOfSaleNumber: 1, Invoice: false }
    },
    act: opens,
  },
]

const FRAMES_MAX = 60

/** Interrupts the request at each of its frames, with a new device each time. Resolves to the number of frames. */
async function atEachFrame(
  family: Family,
  { path, body, act }: Kind,
  way: Way,
  judge: (rig: KillableService, again: Answer, count: number) => void,
): Promise<number> {
  for (let frame = 0; frame < FRAMES_MAX; frame++) {
    const rig = await ready(family)
    const before = rig.emulator.device.documents().length
    const ask = () => rig.post(path, body(rig), 'key')
    const isCut = await way(rig, frame, ask, path, body(rig))
    if (!isCut) return frame
    // The request's own document is printed or open, so the service can recognize it whatever another program does now.
    if (rig.emulator.device.receipt !== null || rig.emulator.device.documents().length > before) return frame
    await asOtherProgram(rig, act)
    judge(rig, await ask(), rig.emulator.device.documents().length - before)
  }
  throw new Error(`${path} has more than ${FRAMES_MAX} frames`)
}

describe.each(FAMILIES)('family %s', (family) => {
  describe.each(WAYS)('%s at each frame', (_way, way) => {
    it.each(DOCUMENTS)("the service does not report $name of another program as the request's own", async (kind) => {
      const frames = await atEachFrame(family, kind, way, (_rig, again, count) => {
        // A 200 means that the retry printed its own document after the other program's. An unknown outcome means that
        // the retry printed nothing. A device refuses a second copy.
        if (again.StatusCode === 200) expect(count).toBe(2)
        else expect([400, 424]).toContain(again.StatusCode)
        if (again.StatusCode === 424) expect(again.Message).toMatch(/^Outcome unknown: /)
      })
      expect(frames).toBeGreaterThan(1)
    })

    it.each(OPENINGS.map((one) => [one.name, one] as const))(
      '%s does not change the receipt of another program',
      async (_name, kind) => {
        const frames = await atEachFrame(family, kind, way, ({ emulator }, again) => {
          expect(again.StatusCode).not.toBe(200)
          expect(again.Message).toMatch(/^Outcome unknown: |another program|^Fiscal receipt \d+ is open/)
          expect(emulator.device.receipt).toMatchObject({ fiscal: { items: 0, paid: 0 } })
        })
        // The first frame may be the opening itself, because the service already has the responses to its queries.
        expect(frames).toBeGreaterThan(0)
      },
    )
  })
})
