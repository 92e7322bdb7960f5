import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { commands, nameOf } from '../../bin/docs/command-line.ts'
import { configurationKeys } from '../../bin/docs/configuration.ts'
import type { Page } from '../../bin/docs/page.ts'
import { CHECK_KEYS, STEP_KEYS } from '../../bin/docs/scenarios.ts'
import { pages } from '../../bin/docs/site.ts'
import { FAMILIES } from '../../drivers/index.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { EFFECT_NAMES } from '../../emulator/faults/effects.ts'
import { checkRule } from '../../emulator/faults/fault-plan.ts'
import { POINT_NAMES } from '../../emulator/faults/points.ts'
import { CALLS, EVENTS } from '../../emulator/panel/contract.ts'
import { FLEET_CALLS } from '../../emulator/panel/fleet-contract.ts'
import { commandsOf } from '../../scenarios/runner/family-facts.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { NEEDS } from '../../scenarios/runner/need-names.ts'
import { CHECKS } from '../../scenarios/runner/schema.ts'
import { MODIFIERS } from '../../scenarios/runner/steps/modifiers.ts'
import { settingsOf } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'

const root = join(import.meta.dirname, '..', '..')
let texts: ReadonlyMap<string, string>
beforeAll(async () => {
  texts = new Map((await pages()).map(({ name, markdown }: Page) => [name, markdown]))
})
const textOf = (page: string): string => texts.get(page) ?? ''

const missing = (page: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => !textOf(page).includes(`\`${name}`) && !textOf(page).includes(`# ${name}\n`))

function cellsOf(name: string): readonly string[] {
  const row = textOf('families')
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
  return (row ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
}

const fences = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text as string,
  )

describe('the reference page of', () => {
  it('the configuration lists every key', () => {
    const keys = configurationKeys()
    expect(keys.length).toBeGreaterThan(60)
    expect(
      missing(
        'configuration',
        keys.map(({ path }) => path).filter((path) => path !== 'listen'),
      ),
    ).toEqual([])
    expect(keys.filter(({ expected, meaning }) => expected === '' || meaning.length < 5)).toEqual([])
  })

  it('the configuration shows a valid file', () => {
    process.env['FISCAL_RIG_KEY'] = 'a key'
    onTestFinished(() => void delete process.env['FISCAL_RIG_KEY'])
    const [example = '', ...others] = fences('configuration', 'yaml')
    expect(others).toEqual([])
    expect(settingsOf(parse(example))).toMatchObject({ profile: 'ro', apiKey: 'a key', listen: { httpPort: 0 } })
  })

  it('the command line lists every command with every option, and the exit status of an invalid option', () => {
    const all = commands()
    expect(all.map(nameOf)).toEqual(expect.arrayContaining(['serve', 'doctor', 'passport compare']))
    for (const command of all) {
      const text = textOf('command-line')
      const begin = text.indexOf(`## ${nameOf(command)}\n`)
      const section = text.slice(begin, text.indexOf('\n## ', begin + 1) + 1 || undefined)
      const options = command.options.map(({ flags }) => `\`${flags.replaceAll('|', '\\|')}\``)
      const lacking = [...options, '| `2` | invalid'].filter((one) => !section.includes(one))
      expect({ command: nameOf(command), begin: begin >= 0, lacking }).toEqual({
        command: nameOf(command),
        begin: true,
        lacking: [],
      })
    }
  })

  it('the REST interface lists every endpoint with an example that can be copied', () => {
    for (const { method, path, example } of endpoints) {
      const text = textOf('rest')
      const begin = text.indexOf(`### \`${method.toUpperCase()} ${path}\``)
      expect([path, begin]).not.toEqual([path, -1])
      const section = text.slice(begin, text.indexOf('\n### ', begin + 1) + 1 || undefined)
      expect(section).toContain(`curl -s ${method === 'post' && !example ? '-X POST ' : ''}http://127.0.0.1:65400/api`)
      const [, body] = /-d '([\s\S]*?)'\n```/.exec(section) ?? []
      expect(body === undefined ? undefined : JSON.parse(body)).toEqual(example)
    }
    expect(missing('rest', ['POST /Receipt', 'GET /get-platform-order/{orderId}'])).toEqual([])
  })

  it('the control API lists every call and every event', () => {
    expect(missing('control', [...Object.keys(CALLS), ...Object.keys(FLEET_CALLS), ...Object.keys(EVENTS)])).toEqual([])
  })

  it('scenarios lists every step, check and need', () => {
    expect(missing('scenarios', [...STEP_KEYS, ...Object.keys(NEEDS)])).toEqual([])
    expect(STEP_KEYS).toEqual(expect.arrayContaining([...Object.keys(MODIFIERS), 'fault', 'wait', 'paper']))
    expect(missing('scenarios', CHECKS)).toEqual([])
    expect(CHECK_KEYS).toEqual(CHECKS)
  })

  it('scenarios shows a valid file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const files = fences('scenarios', 'yaml').map((text, index) => {
      const file = join(folder, `${index}.yaml`)
      writeFileSync(file, text)
      return file
    })
    expect(loadScenarios(files)).toHaveLength(1)
  })

  it('faults lists every point, effect and command, and every possible rule', () => {
    expect(missing('faults', POINT_NAMES)).toEqual([])
    expect(EFFECT_NAMES.filter((name) => !new RegExp(`\`\\{?${name}\\b`).test(textOf('faults')))).toEqual([])
    for (const family of FAMILIES) expect(missing('faults', [...commandsOf(family)])).toEqual([])
    const known = new Set(FAMILIES.flatMap((family) => [...commandsOf(family)]))
    const rules = fences('faults', 'json').map((text) => JSON.parse(text) as unknown)
    expect(rules.length).toBeGreaterThan(8)
    expect(rules.flatMap((rule) => checkRule(rule, known))).toEqual([])
  })

  it('the library lists everything that the package exports', () => {
    const names = ['bin/library.ts', 'bin/library/types.ts', 'bin/matchers.ts'].flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const declared = [...text.matchAll(/^export (?:async )?(?:function|interface|type|const) (\w+)/gm)]
      const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
        list.match(/\w+/g),
      )
      return [...declared.map(([, name]) => name), ...listed].filter((name) => name !== undefined && name !== null)
    })
    expect(names).toEqual(expect.arrayContaining(['startPrinter', 'Printer', 'DayView', 'matchers']))
    expect(missing('library', names)).toEqual([])
  })

  it('families lists every profile', () => {
    const profiles = FAMILIES.flatMap((family) => emulatedFamilies.get(family)?.profiles ?? [])
    expect(missing('families', profiles)).toEqual([])
  })

  it('families has whole words in the cells of the table: yes or no', () => {
    const answers = cellsOf('sale of zero value')
    expect(answers.length).toBeGreaterThan(5)
    for (const answer of answers) expect(['yes', 'no']).toContain(answer)
    expect(cellsOf('invoice')).toContain('yes')
  })

  it('every kind uses only classes that the style sheet has a rule for', () => {
    const styles = readFileSync(join(root, 'server', 'docs', 'page', 'style.css'), 'utf8')
    const layout = readFileSync(join(root, 'bin', 'docs', 'layout.ts'), 'utf8')
    const classes = [...layout.matchAll(/class="([\w -]+)"/g)].flatMap(([, names = '']) => names.split(' '))
    expect(classes.length).toBeGreaterThan(10)
    expect(classes.filter((name) => !new RegExp(`\\.${name}\\b`).test(styles))).toEqual([])
  })
})
