import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createEmulator } from '../../emulator/emulator.ts'
import { EFFECT_NAMES, rowOf } from '../../emulator/faults/effects.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { FrameView, TimelineEntryView } from '../../emulator/panel/contract.ts'
import { FAULT_DEMOS, ruleOf, yamlOf } from '../../emulator/panel/page/src/fault-demos.ts'
import { chaptersOf } from '../../emulator/panel/page/src/parts/fault-excerpt.ts'
import { failures, play, scenarioFile } from '../scenarios/play.ts'
import { panelPage, sellOne } from './panel-page.ts'

const rig = panelPage()

it('a slow line and a realistic mechanism can be switched on and off', async () => {
  const page = await rig.open('faults')
  const line = page.getByRole('switch', { name: 'A slow line' })
  await line.click()
  await page.getByRole('switch', { name: 'A slow line', checked: true }).waitFor()
  expect(rig.emulator.faults.list()).toMatchObject([
    { at: 'link.toDevice', do: { slowMs: 1 } },
    { at: 'link.toHost', do: { slowMs: 1 } },
  ])
  await line.click()
  await page.getByRole('switch', { name: 'A slow line', checked: false }).waitFor()
  expect(rig.emulator.faults.list()).toEqual([])
  await page.getByRole('switch', { name: 'A realistic mechanism' }).click()
  await page.getByText('Prints line by line, 70 ms each').waitFor()
  expect(rig.emulator.times?.lineMs).toBe(70)
  await page.getByRole('switch', { name: 'A realistic mechanism' }).click()
  await page.getByText('as on a real device').waitFor()
  expect(rig.emulator.times).toBeUndefined()
})

describe('a rule as YAML', () => {
  const effectOf = (name: (typeof EFFECT_NAMES)[number]) => {
    const { takes } = rowOf(name)
    return takes ? { [name]: 'pattern' in takes ? 'a: "b" $1 #' : takes.min } : name
  }
  const rules = EFFECT_NAMES.map(
    (name) => ({ at: 'link.toHost', on: 'closeFiscal', skip: 2, do: effectOf(name) }) as Rule,
  )

  it.each([...rules, { at: 'paper.line', probability: 0.1, containing: 'yes', times: 1, do: 'paperOut' } as Rule])(
    '%j is written and read back unchanged',
    (rule) => {
      expect(parse(yamlOf(rule))).toEqual([rule])
    },
  )

  it('is copied with its button', async () => {
    rig.emulator.faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    const page = await rig.open('faults')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy rule 1 as YAML' }).click()
    await page.getByText('Copied as YAML.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      '- { at: link.toHost, on: closeFiscal, times: 1, do: drop }\n',
    )
  })
})

describe.each(['A', 'B', 'C'] as const)(
  'the demo faults of the answer to the closing command, with the service of family %s',
  (family) => {
    const storyPlayed = async (title: string, expected: string, receipts: number) => {
      const emulator = createEmulator({ family })
      const commands = emulator.wire.commands.map(({ name }) => name)
      await emulator.close()
      const demo = FAULT_DEMOS.find((one) => one.title === title)
      const rule = demo && ruleOf(demo, commands)
      const sale = '{ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }'
      const lines = [
        'name: story',
        'steps:',
        '  - fault:',
        `      ${rule && yamlOf(rule)}`,
        `  - post /print-fiscal-receipt: ${sale}`,
        `    expect: ${expected}`,
        ...(receipts === 1 ? [] : [`  - post /print-fiscal-receipt: ${sale}`]),
        `check: { receipts: ${receipts} }`,
      ]
      const { results } = await play([scenarioFile(`${lines.join('\n')}\n`)], { families: [family] })
      expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
    }

    it('if the answer is lost once, the service recovers without help', () =>
      storyPlayed('The answer to the closing command is lost once', '{ StatusCode: 200 }', 1))

    it('if the answer is 6 s late, the service reports an unknown outcome, unless it waits that long; a till that sells again books the sale twice', () =>
      storyPlayed(
        'The answer to the closing command comes 6 s late',
        family === 'C' ? '{ StatusCode: 200 }' : '{ StatusCode: 424, Message: { contains: "Outcome unknown" } }',
        2,
      ))
  },
)

describe('a triggered rule', () => {
  const triggeredFaults = (page: Page) => page.getByRole('region', { name: 'Triggered faults' })

  it('is shown below the rules, also after a reload of the page, and a click on the hits opens its details', async () => {
    const page = await rig.open('faults')
    await triggeredFaults(page)
      .getByText('No fault has been triggered since the emulator was started or the device was reset.')
      .waitFor()
    await page.getByRole('button', { name: 'Add: The answer to the closing command is lost once' }).click()
    await page.getByText('Rule 1 is waiting to be triggered.').waitFor()
    await sellOne(rig.emulator)
    await page.getByText('Rule 1 was triggered.').waitFor()
    await page.reload()
    await triggeredFaults(page).getByText('lost on the way to the host').waitFor()
    const names = await page.locator('.faults .column > .card > header h2').allTextContents()
    expect(names.indexOf('Triggered faults')).toBe(names.indexOf('Active rules') + 1)
    await page.setViewportSize({ width: 1440, height: 420 })
    await page.getByRole('button', { name: '1 hit', exact: true }).click()
    await expect
      .poll(() =>
        page
          .locator('.fault-story')
          .boundingBox()
          .then((box) => (box ? box.y + box.height : Number.POSITIVE_INFINITY)),
      )
      .toBeLessThanOrEqual(420)
  })

  it('is marked at its frame, in the list of frames and among the frames of the document', async () => {
    const { faults } = rig.emulator
    faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: { delayMs: 5 } })
    faults.add({ at: 'link.toDevice', on: 'openFiscal', times: 1, do: { split: 3 } })
    const page = await rig.open('wire')
    await sellOne(rig.emulator)
    const marked = page.locator('.frame-row').filter({ has: page.locator('.strike') })
    await expect.poll(() => marked.count()).toBe(2)
    const markedTexts = await marked.allInnerTexts()
    expect(markedTexts[0]).toMatch(/to device[\s\S]*open fiscal[\s\S]*! split after 3 bytes on the way to the device/)
    expect(markedTexts[1]).toMatch(/to host[\s\S]*close fiscal[\s\S]*! 5 ms late on the way to the host/)
    await page.getByLabel('Filter by command').fill('ms late')
    await expect.poll(() => page.locator('.frame-row').count()).toBe(1)
    await page.goto(`${rig.panel.url}/#/documents/1?form=frames`)
    const rows = page.locator('.exchange-row').filter({ has: page.locator('.strike') })
    await expect.poll(() => rows.count()).toBe(2)
    expect((await rows.allInnerTexts()).join()).toContain('5 ms late on the way to the host')
    await page.goto(`${rig.panel.url}/#/timeline`)
    const row = page
      .locator('.time-row')
      .filter({ has: page.locator('.lane-faults') })
      .last()
    expect((await row.innerText()).replace(/\s+/g, ' ')).toContain('close fiscal ! 5 ms late on the way to the host')
  })
})

describe('the details of a triggered rule', () => {
  it('show the request, the fault, the missing answer, and the retransmission', async () => {
    const page = await rig.open('faults')
    rig.emulator.faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    await sellOne(rig.emulator)
    await page.getByRole('button', { name: /^Details of .* lost$/ }).click()
    const strike = page.locator('.fault-story .strike')
    await strike.getByText('Rule 1: lost on the way to the host.').waitFor()
    const details = (await page.locator('.fault-story li').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
    expect(details).toMatch(
      /The host sends: close fiscal\..*The device answers\. Rule 1: lost on the way to the host\. The host receives no answer\..*The host sends again: close fiscal\./,
    )
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(details).toMatch(/Result: Fiscal receipt 1\.$/)
    // The head shows the time of the device's clock, the details the time since the fault.
    expect(await strike.getByRole('link').innerText()).toBe('+0.000 s')
    expect(details).toMatch(/^[−+]\d+\.\d{3} s /)
    await strike.getByRole('link').click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  })

  it('end with the sale in which it was triggered, also if the next sale follows at once', async () => {
    const page = await rig.open('faults')
    rig.emulator.faults.add({ at: 'link.toHost', on: 'openFiscal', times: 1, do: 'drop' })
    for (let count = 0; count < 3; count++) await sellOne(rig.emulator)
    await page.getByRole('button', { name: /^Details of .* lost$/ }).click()
    const last = page.locator('.fault-story li').last()
    await last.getByText(/Result: Fiscal receipt \d+\.$/).waitFor()
    expect(await last.innerText()).toMatch(/Result: Fiscal receipt 1\.$/)
  })

  it('show what a rule did at the device, not as a manual action, and that an unfinished document is on the paper', async () => {
    rig.emulator.faults.add({ at: 'paper.line', skip: 8, times: 1, do: 'coverOpen' })
    const page = await rig.open('faults')
    const selling = sellOne(rig.emulator).catch(() => undefined)
    await page.getByRole('button', { name: /^Details of .*cover/ }).click()
    const story = page.locator('.fault-story')
    await story.getByText('At the device: cover opened.').waitFor()
    const text = (await story.innerText()).replace(/\s+/g, ' ')
    expect(text).not.toContain('By hand')
    expect(text).toMatch(/Printed: lines .*Result: no document was finished; receipt 1 is still open\.$/)
    rig.emulator.setCover(false)
    await selling
  })

  it('show that the device has reported a damaged frame', async () => {
    rig.emulator.faults.add({ at: 'link.toDevice', on: 'saleByPlu', times: 1, do: { flip: 44 } })
    const page = await rig.open('faults')
    await sellOne(rig.emulator)
    await page.getByRole('button', { name: /^Details of / }).click()
    const strike = page.locator('.fault-story .strike')
    await strike.getByText('The device reports a damaged frame, so that the host sends it again.').waitFor()
    expect(await strike.innerText()).not.toContain('receives no answer')
  })

  it('skip answered pings, which family C sends before every command', () => {
    const at = new Date(Date.UTC(2026, 6, 14, 12)).toISOString()
    const frame = (id: number, direction: 'toDevice' | 'toHost', hex: string, command: string) => ({
      ...{ id, at, direction, hex, command, fields: {}, status: [] },
    })
    const frames = [
      frame(1, 'toDevice', '09', 'ping'),
      frame(2, 'toHost', '40', 'ping'),
      frame(3, 'toDevice', '02 23 20', 'closeFiscal'),
      frame(4, 'toDevice', '04', 'ping'),
    ]
    const asMoment = ({ id, direction }: FrameView): TimelineEntryView => ({
      id,
      at,
      frame: id,
      is: 'frame',
      direction,
    })
    const lost = { point: 'link.toDevice', what: 'drop', time: at, rule: 1 } as const
    const strike: TimelineEntryView = { id: 10, at, frame: 3, is: 'fault', ...lost }
    const details = chaptersOf(
      [...frames.slice(0, 3).map(asMoment), strike, ...frames.slice(3).map(asMoment)],
      frames,
      10,
    ).map(({ sentences }) => sentences.join(' '))
    expect(details.slice(0, 2)).toEqual([
      'The host sends: close fiscal. Rule 1: lost on the way to the device. The host receives no answer.',
      'The host sends: ping. The host receives no answer.',
    ])
  })

  it('show no late answer until it arrives, and then the printed documents', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 6, 14, 12, 0, second)).toISOString()
    const hex = '01 30 30'
    const frame = (id: number, second: number, direction: 'toDevice' | 'toHost'): FrameView => ({
      ...{ id, at: at(second), direction, hex, command: 'closeFiscal', fields: {}, status: [] },
    })
    const passing = [
      ...[frame(1, 0, 'toDevice'), frame(2, 0, 'toHost'), frame(3, 2, 'toDevice'), frame(4, 2, 'toHost')],
      ...[frame(5, 7, 'toDevice'), frame(6, 7, 'toHost'), frame(7, 40, 'toDevice'), frame(8, 40, 'toHost')],
    ]
    const frames = passing.map(
      ({ id, at, direction }) => ({ id: 10 * id, at, frame: id, is: 'frame', direction }) as const,
    )
    const moments = [
      ...frames,
      { id: 11, at: at(0), frame: 1, is: 'document', document: 1, kind: 'fiscal', number: 12 },
      {
        ...{ id: 21, at: at(0), frame: 2, is: 'fault', time: '2026-07-14T12:00:00' },
        ...{ point: 'link.toHost', what: 'delayMs 6000', rule: 3 },
      },
      { id: 51, at: at(7), frame: 5, is: 'document', document: 2, kind: 'fiscal', number: 13 },
      { id: 71, at: at(40), frame: 7, is: 'document', document: 3, kind: 'x', number: 14 },
    ].toSorted((one, other) => one.id - other.id) as readonly TimelineEntryView[]
    expect(chaptersOf(moments, passing, 21).map(({ sentences }) => sentences.join(' '))).toEqual([
      'The host sends: close fiscal. Document 12 is finished. The device answers. ' +
        'Rule 3: 6000 ms late on the way to the host.',
      'The host sends again: close fiscal. The device answers; the host has not received it yet.',
      'The host sends again: close fiscal. Document 13 is finished. The device answers.',
      'Result: Fiscal receipt 12, Fiscal receipt 13.',
    ])
    const repeats = Array.from({ length: 9 }, (_, index) => [
      frame(20 + 2 * index, 41 + index, 'toDevice'),
      frame(21 + 2 * index, 41 + index, 'toHost'),
    ]).flat()
    const passed = repeats.map(
      ({ id, at, direction }) => ({ id: 10 * id, at, frame: id, is: 'frame', direction }) as const,
    )
    const triggered = { ...moments.find(({ id }) => id === 21), id: 205, frame: 20 } as TimelineEntryView
    const long = chaptersOf(
      [...passed, triggered].toSorted((one, other) => one.id - other.id),
      repeats,
      205,
    )
    expect(long.at(-1)?.sentences).toEqual(['2 more rows.', 'Result: nothing was printed.'])
  })

  it('do not exist for timeline entries that are no longer stored', () => {
    expect(chaptersOf([], [], 1)).toEqual([])
  })
})

it('every tab says that a rule was triggered, with a link to its details, whoever added it', async () => {
  const page = await rig.open('paper')
  rig.emulator.faults.add({ at: 'link.toHost', on: 'payment', times: 2, do: { delayMs: 5 } })
  await sellOne(rig.emulator)
  const message = page.locator('.message')
  await message.getByText('Rule 1 was triggered.').waitFor()
  await message.getByRole('link', { name: 'Details' }).click()
  await page.locator('.fault-story').getByText('5 ms late on the way to the host').waitFor()
})
