import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openPrinter } from '../../drivers/index.ts'
import { EFFECT_NAMES, rowOf } from '../../emulator/faults/effects.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { storyOf } from '../../emulator/panel/page/src/parts/fault-story.ts'
import { yamlOf } from '../../emulator/panel/page/src/stories.ts'
import { panelPage } from './panel-page.ts'

/** Presets, rules to take along, and what came of a rule that struck. */

const rig = panelPage()

it('a slow line and a realistic mechanism are switched on and off', async () => {
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
  await page.getByText('Line by line, 70 ms each').waitFor()
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
    '%j reads back as it was',
    (rule) => {
      expect(parse(yamlOf(rule))).toEqual([rule])
    },
  )

  it('is copied', async () => {
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

describe('the story of a rule that struck', () => {
  it('tells the question, the blow, that no answer came, and the repeat', async () => {
    const page = await rig.open('faults')
    rig.emulator.faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    const printer = openPrinter({ family: 'A', device: rig.emulator.path }, { binding: rig.emulator.binding })
    await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
    await printer.sellArticle({ plu: 2, quantity: 1000, void: false })
    await printer.pay({ mode: 0, amount: 150 })
    await printer.closeFiscal()
    await printer.disconnect()
    await page.getByRole('button', { name: /^Story of .* lost$/ }).click()
    const strike = page.locator('.fault-story .strike')
    await strike.getByText('Rule 1 strikes: lost on the way to the host.').waitFor()
    const told = (await page.locator('.fault-story li').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
    expect(told).toMatch(/The host asks: close fiscal\..*Rule 1 strikes.*The host asks the same again: close fiscal\./)
    await strike.getByRole('link').click()
    await page.getByRole('heading', { name: 'Time line' }).waitFor()
  })

  it('of moments that are no longer kept is none', () => {
    expect(storyOf([], [], 0)).toEqual([])
  })
})
