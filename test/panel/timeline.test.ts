import request from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import type { TimelineEntryView } from '../../emulator/panel/contract.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { createPanel } from '../support/panel.ts'
import { type PrinterRig, startPrinter } from '../support/rig.ts'

let rig: PrinterRig
let panel: Panel

function start(family: Family = 'A', frameHistorySize = 2000): void {
  rig = startPrinter({ family, frameHistorySize })
  panel = createPanel(rig.emulator)
}
beforeEach(() => start())
afterEach(async () => {
  panel.close()
  await rig.close()
})

const timeline = async (query = ''): Promise<TimelineEntryView[]> =>
  (await request(panel.app).get(`/emulator/timeline${query}`).expect(200)).body

async function sell(): Promise<void> {
  const printer = rig.driver()
  const password = rig.emulator.profile.factoryPassword(1)
  await printer.openFiscal({ operator: { code: 1, password }, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
}

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  it('lines on paper have the frame of the command that printed them, their document and their line number', async () => {
    panel.close()
    await rig.close()
    start(family)
    await sell()
    const moments = await timeline()
    const lines = moments.filter((moment) => moment.is === 'line')
    const bread = lines.find(({ text }) => text.includes('Bread'))
    expect(bread).toMatchObject({ document: 1, line: lines.indexOf(bread as (typeof lines)[number]) + 1 })
    const request = rig.emulator.frames().find(({ id }) => id === bread?.frame)
    expect(request).toMatchObject({ direction: 'toDevice', command: 'saleByPlu' })
    expect(await timeline('?document=1')).toEqual(lines)
    const ofFrame = moments.filter(({ frame }) => frame === bread?.frame)
    expect(await timeline(`?frame=${bread?.frame}`)).toEqual(ofFrame)
    expect(moments.filter(({ is }) => is === 'state').at(-1)).toMatchObject({
      ...{ power: true, paper: 'ok', cover: false, cable: true },
      receipt: { number: 1, items: 1, total: '1.20', paid: '0.00' },
    })
  })
})

it.each([
  ['A', 'no receipt is open'],
  ['B', 'the command is not served in this situation'],
  ['C', 'no receipt is open, or the one that is open does not allow this'],
] as const)('a refusal of family %s is explained next to its number', async (family, meaning) => {
  panel.close()
  await rig.close()
  start(family)
  await expect(rig.driver().sellArticle({ plu: 1, quantity: 1000, void: false })).rejects.toThrow()
  const { body } = await request(panel.app).get('/emulator/frames').expect(200)
  expect(body.at(-1).fields).toMatchObject({ meaning })
})

it('the timeline begins with the display and the state of the device, and a manual action has no frame', async () => {
  expect((await timeline()).map(({ is }) => is)).toEqual(['display', 'state'])
  await request(panel.app).post('/emulator/paper').send({ state: 'out' }).expect(200)
  await request(panel.app).post('/emulator/paper').send({ state: 'nonsense' }).expect(400)
  const [state, hand, ...more] = (await timeline()).slice(2)
  expect(state).toMatchObject({ is: 'state', paper: 'out' })
  expect(hand).toEqual({
    ...{ id: hand?.id, at: hand?.at },
    ...{ is: 'hand', call: 'POST /emulator/paper', body: { state: 'out' } },
  })
  expect(more).toEqual([])
})

it('the timeline contains a triggered fault at its position', async () => {
  rig.emulator.faults.add({ at: 'paper.line', skip: 3, times: 1, do: 'paperOut' })
  printSample(rig.emulator)
  const moments = await timeline()
  const fault = moments.findIndex(({ is }) => is === 'fault')
  expect(moments[fault]).toMatchObject({ is: 'fault', point: 'paper.line' })
  expect(moments.filter(({ is }) => is === 'line')).toHaveLength(3)
})

it('a fault on the line is listed with its frame, the answer or the request; a request that is lost in transit has no frame', async () => {
  const rules = rig.emulator.faults
  rules.add({ at: 'link.toDevice', on: 'openFiscal', times: 1, do: 'drop' })
  rules.add({ at: 'link.toHost', on: 'openFiscal', times: 1, do: { noise: 'x' } })
  rules.add({ at: 'link.toDevice', on: 'saleByPlu', times: 1, do: { split: 5 } })
  const before = rig.emulator.device.localTime()
  await sell()
  const after = rig.emulator.device.localTime()
  const faults = await timeline('?is=fault')
  expect(faults).toEqual((await timeline()).filter(({ is }) => is === 'fault'))
  const faultFrames = faults.map(({ frame }) => rig.emulator.frames().find(({ id }) => id === frame))
  expect(faultFrames.slice(1)).toMatchObject([
    { direction: 'toHost', command: 'openFiscal' },
    { direction: 'toDevice', command: 'saleByPlu' },
  ])
  expect(faults[1]).toMatchObject({ point: 'link.toHost', what: 'noise "x"' })
  // The second may have changed meanwhile, so only the order is compared. Times in this format sort alphabetically.
  const times = [before, ...faults.flatMap((fault) => (fault.is === 'fault' ? [fault.time] : [])), after]
  expect(times).toHaveLength(5)
  expect(times).toEqual(times.toSorted())
  expect(faults[0]).not.toHaveProperty('frame')
  expect(await timeline(`?is=fault&after=${faults[0]?.id}`)).toEqual(faults.slice(1))
})

it('the timeline still knows the state of the device before its stored entries', async () => {
  panel.close()
  await rig.close()
  start('A', 10)
  rig.emulator.device.display.show(1, 'BEFORE')
  rig.emulator.setPaper('low')
  for (let count = 0; count < 4; count++) printSample(rig.emulator)
  const moments = await timeline()
  const shown = moments.filter(({ is }) => is === 'display' || is === 'state')
  expect(shown.map(({ is }) => is)).toEqual(expect.arrayContaining(['display', 'state']))
  expect(moments.map(({ id }) => id)).toEqual(moments.map(({ id }) => id).toSorted((one, other) => one - other))
  expect(moments.length).toBeLessThanOrEqual(33)
})

it('the timeline is returned from an entry on, and restarts with another device', async () => {
  printSample(rig.emulator)
  const all = await timeline()
  expect(await timeline(`?after=${all.at(-3)?.id}`)).toEqual(all.slice(-2))
  expect(await timeline('?after=0&limit=5')).toEqual(all.slice(0, 5))
  rig.emulator.reset()
  expect((await timeline()).map(({ is }) => is)).toEqual(['display', 'state'])
})

it('a paper is drawn as far as it was printed at an entry: that of a finished document and that of the open receipt', async () => {
  printSample(rig.emulator)
  const drawn = async (path: string) => (await request(panel.app).get(path).expect(200)).body.toString()
  expect(await drawn('/emulator/documents/1.svg')).toContain('TOTAL')
  expect(await drawn('/emulator/documents/1.svg?lines=6')).not.toContain('TOTAL')
  await sell()
  const { body } = await request(panel.app).get('/emulator/receipt?lines=2').expect(200)
  expect([body.number, body.svg.includes('Bread'), body.svg.includes('CORNER SHOP')]).toEqual([2, false, true])
})

it('the amounts of a receipt and of a Z report have names; an X report has no amounts', async () => {
  printSample(rig.emulator)
  rig.emulator.device.reportX()
  rig.emulator.device.reportZ()
  const sums = async (id: number) => (await request(panel.app).get(`/emulator/documents/${id}/sums`).expect(200)).body
  const receipt = await sums(1)
  expect(receipt[0]).toEqual({ name: 'Total', amount: '7.75' })
  expect(receipt).toContainEqual({ name: 'Bread', amount: '2.40' })
  expect(await sums(2)).toEqual([])
  expect((await sums(3))[0]).toEqual(receipt[0])
})

it('the heads of documents are returned newest first, before a number and up to a count', async () => {
  for (let count = 0; count < 7; count++) printSample(rig.emulator)
  const ids = async (query: string) =>
    (await request(panel.app).get(`/emulator/documents?content=none&${query}`).expect(200)).body.map(
      ({ id }: { id: number }) => id,
    )
  expect(await ids('before=1000000&limit=3')).toEqual([5, 6, 7])
  expect(await ids('before=5&limit=3')).toEqual([2, 3, 4])
  expect(await ids('before=2&limit=3')).toEqual([1])
  expect(await ids('after=5')).toEqual([6, 7])
})
