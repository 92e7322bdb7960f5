/**
 * The examples of the guide and the README: shell lines are run and their output is compared, scenarios are played,
 * rules and configurations are validated, TypeScript is run (its types: test/package/package.test.ts).
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { declareCommands } from '../../bin/commands/index.ts'
import { readFleetFile } from '../../bin/fleet-file.ts'
import { startPrinter } from '../../bin/library.ts'
import { loadSettings } from '../../server/config.ts'
import { has, needing } from '../support/required-program.ts'
import { fileOf } from './command-lines.ts'
import { jsonDiffers, textDiffers } from './expected-output.ts'
import { Session, type ShellResult } from './page-session.ts'
import { type Fence, type Page, readPages, root } from './pages.ts'
import { Program } from './program-client.ts'

const pages = readPages()
const program = new Program()
const known = new Map<string, ShellResult>()
let folder: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'docs-')))
})
afterAll(async () => {
  await program.end()
  rmSync(folder, { recursive: true, force: true })
})

const nameOf = ({ path }: Page): string => basename(path, '.md')

function folderOf(page: Page): string {
  const own = join(folder, nameOf(page))
  const packages = join(own, 'node_modules')
  for (const name of ['vitest', 'fiscal-rig']) mkdirSync(join(packages, name), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(packages, path), text)
  const exports = (name: string, entries: object) =>
    write(`${name}/package.json`, JSON.stringify({ name, type: 'module', exports: entries }))
  exports('vitest', { '.': './index.js' })
  write(
    'vitest/index.js',
    `export const { expect, test, beforeEach, afterEach } = globalThis[Symbol.for('docs examples')]`,
  )
  exports('fiscal-rig', { '.': './index.js', './matchers': './matchers.js', './matchers/vitest': './none.js' })
  const source = (file: string) => JSON.stringify(pathToFileURL(join(root, 'bin', file)).href)
  write('fiscal-rig/index.js', `export * from ${source('library.ts')}`)
  write('fiscal-rig/matchers.js', `export * from ${source('matchers.ts')}`)
  write('fiscal-rig/none.js', '')
  symlinkSync(join(root, 'node_modules', 'serialport'), join(packages, 'serialport'))
  writeFileSync(join(own, 'package.json'), '{"type": "module"}')
  return own
}

interface Collected {
  readonly name: string
  readonly body: () => unknown
}

async function runModule(path: string): Promise<number> {
  const tests: Collected[] = []
  const around = { before: [] as (() => unknown)[], after: [] as (() => unknown)[] }
  const test = (name: string, body: () => unknown) => void tests.push({ name, body })
  const stage = {
    expect,
    test,
    beforeEach: (call: () => unknown) => void around.before.push(call),
    afterEach: (call: () => unknown) => void around.after.push(call),
  }
  Object.assign(globalThis, { [Symbol.for('docs examples')]: stage })
  await import(pathToFileURL(path).href)
  for (const { name, body } of tests) {
    try {
      for (const call of around.before) await call()
      await body()
      for (const call of around.after) await call()
    } catch (problem) {
      throw new Error(`"${name}": ${problem instanceof Error ? problem.message : problem}`)
    }
  }
  return tests.length
}

async function inFolder<T>(place: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd()
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  process.chdir(place)
  try {
    return await work()
  } finally {
    process.chdir(before)
    log.mockRestore()
  }
}

/** A line that no test executes: every test runs with the packages that this line has installed. */
const INSTALLATION = /^npm ci$/
/** Lines that another test covers, each with a text of that test. */
const ELSEWHERE: readonly (readonly [line: RegExp, file: string, words: string])[] = [
  [/^npm test$/, 'package.json', '"test": "node bin/npm-tasks.mjs test"'],
  [/^npm run site$/, 'test/site/built-site.ts', 'buildSite'],
  [/^npm pack\b/, 'test/package/packed.ts', "'pack'"],
  [/^npm (?:init|pkg|install)\b/, 'test/package/packed.ts', "'install'"],
  [/^cp .*\/vitest\/|^npx vitest run$/, 'test/package/package.test.ts', "recipe('vitest'"],
  [/^cp .*\/pytest\/|-m pytest$/, 'test/clients/recipes.deep.ts', "'pytest'"],
  [/^ser2net /, 'test/clients/clients.deep.ts', "spawn('ser2net'"],
  [/^docker /, 'test/container/container.test.ts', 'compose.yaml'],
  [/ --print-unit/, 'test/cli/service-manager.test.ts', "'--print-unit'"],
  [/^curl -sN .*\/api\/events /, 'test/api/status.test.ts', "path: '/api/events'"],
  [/ --queue /, 'test/campaign/queue.test.ts', "'--queue'"],
  [
    /^redis-server | --tls-|^export FISCAL_RIG_QUEUE=|\bfiscal-rig worker$/,
    'test/campaign/queue.test.ts',
    "'--tls-port'",
  ],
  [/ --shop-year /, 'test/campaign/year.test.ts', "'--shop-year'"],
  [/shop\.mjs/, 'test/cli/fleet.test.ts', 'shop.mjs'],
]

it.each(ELSEWHERE)('example lines like %s are covered by %s', (_line, file, words) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(words)
})

class Reading {
  readonly #page: Page
  readonly #session: Session
  readonly problems: string[] = []
  #lastResult: ShellResult | undefined
  #unplayed = new Set<string>()
  #count = 0

  constructor(page: Page, session: Session) {
    this.#page = page
    this.#session = session
  }

  async read(): Promise<void> {
    for (const fence of this.#page.fences) {
      try {
        await this.#example(fence)
      } catch (problem) {
        this.#wrong(fence, problem instanceof Error ? problem.message : String(problem))
      }
    }
    for (const file of this.#unplayed) {
      const { status, out } = await this.#session.shell(`npx fiscal-rig run ${file}`)
      if (status !== 0) this.problems.push(`${this.#page.path}: ${file}: ${out}`)
    }
  }

  #wrong({ line }: Fence, what: string): void {
    this.problems.push(`${this.#page.path}:${line}: ${what}`)
  }

  async #example(fence: Fence): Promise<void> {
    const { language, content } = fence
    const previous = fence.follows ? this.#lastResult : undefined
    this.#lastResult = undefined
    if (language === 'sh') return this.#shell(fence)
    if (language === 'text') return previous && this.#differs(fence, textDiffers(content, previous.out))
    if (language === 'json') return this.#json(fence, previous)
    if (language === 'yaml') return this.#yaml(fence)
    const file = fileOf(content)
    if (language === 'python') {
      if (file === undefined) throw new Error('an example in Python has no name, so that nothing runs it')
      this.#session.write(file, content)
      return
    }
    if (language !== 'ts' && language !== 'js') throw new Error(`no test can run an example in ${language}`)
    const path = this.#session.write(file ?? `example-${++this.#count}.${language}`, content)
    await inFolder(this.#session.folder, () => runModule(path))
  }

  #differs(fence: Fence, difference: string | undefined): void {
    if (difference !== undefined) this.#wrong(fence, difference)
  }

  async #shell(fence: Fence): Promise<void> {
    const { ended, exit = '0' } = fence.marks
    const lines = fence.content.split('\n')
    const isElsewhere = (line: string) => [INSTALLATION, ...ELSEWHERE.map(([at]) => at)].some((at) => at.test(line))
    if (lines.every(isElsewhere)) return
    if (ended !== undefined) await this.#session.endLongRunning()
    const script = fence.content
    for (const file of this.#unplayed) if (script.includes(file)) this.#unplayed.delete(file)
    const result = await this.#session.shell(script)
    if (result.status !== Number(exit))
      this.#wrong(fence, `exit status ${result.status}, expected ${exit}: ${result.out}`)
    this.#lastResult = result
  }

  #json(fence: Fence, came: ShellResult | undefined): void {
    const expected: unknown = JSON.parse(fence.content)
    if (!came) return
    const last = came.out.trimEnd().split('\n').at(-1) ?? ''
    const differences = jsonDiffers(expected, JSON.parse(last))
    this.#differs(fence, differences.length === 0 ? undefined : `${differences.join('\n')}\nin ${last}`)
  }

  async #yaml({ content, marks }: Fence): Promise<void> {
    const value: unknown = parseYaml(content.split(/^---$/m)[0] ?? '')
    const name = fileOf(content)
    const file = name ?? `example-${++this.#count}.yaml`
    if (marks['wrong'] !== undefined) return void this.#session.write(file, content)
    if (Array.isArray(value)) {
      for (const family of ['A', 'B', 'C'] as const) await (await startPrinter({ family, faults: value })).close()
      this.#session.write(file, content)
      return
    }
    const members = Object.keys(value ?? {})
    if (members.includes('steps')) {
      this.#session.write(file, content)
      this.#unplayed.add(file)
    } else if (members.includes('printers')) readFleetFile(this.#session.write(file, content))
    else {
      const secrets = [...content.matchAll(/\{ (env|file): ([\w./]+) \}/g)]
      for (const [, kind, where = ''] of secrets)
        if (kind === 'env') vi.stubEnv(where, 'a secret')
        else writeFileSync(join(this.#session.folder, where), 'a secret')
      await loadSettings(this.#session.write('checked.yaml', content))
      vi.unstubAllEnvs()
    }
  }
}

describe('every example', () => {
  for (const page of pages.filter(({ fences }) => fences.length > 0)) {
    needing('curl or socat', has('curl') && has('socat'))(`of ${page.path} is as it says`, async () => {
      const own = folderOf(page)
      const session = new Session(own, program, known)
      await session.open()
      const reading = new Reading(page, session)
      try {
        await reading.read()
      } finally {
        await session.close()
      }
      expect(reading.problems).toEqual([])
    })
  }
})

describe('the command line', () => {
  const declared = new Command('fiscal-rig')
  declareCommands(declared)
  const known = [...declared.commands, ...declared.commands.flatMap(({ commands }) => commands)]
  const optionsOf = (command: Command) => command.options.flatMap(({ long, short }) => [long, short])
  const every = new Set(known.flatMap(optionsOf))

  it('accepts every command and option that the pages name', () => {
    const wrong = pages.flatMap(({ path, inline, fences }) => {
      const lines = [
        ...inline,
        ...fences.filter(({ language }) => language === 'sh').flatMap(({ content }) => content.split('\n')),
      ]
      return lines.flatMap((line) => [
        ...[...line.matchAll(/(?<![\w./-])fiscal-rig ([a-z][a-z-]+)(?![\w./-])/g)]
          .filter(([, name]) => !known.some((command) => command.name() === name))
          .map(([, name]) => `${path}: there is no command ${name}`),
        ...(/^--\w/.test(line) ? [line.split(/[ =]/)[0] ?? ''] : [])
          .filter((option) => !every.has(option))
          .map((option) => `${path}: no command has ${option}`),
        ...[...line.matchAll(/(?<![\w./-])fiscal-rig ([a-z][a-z-]+)([^|;&]*)/g)].flatMap(([, name, rest = '']) => {
          const command = known.find((one) => one.name() === name)
          const own = command ? [...optionsOf(command), ...command.commands.flatMap(optionsOf), '--help'] : []
          const outside = rest.replace(/'[^']*'|"[^"]*"/g, '')
          return [...outside.matchAll(/(?<=\s)--[a-z-]+/g)]
            .filter(([option]) => !own.includes(option))
            .map(([option]) => `${path}: ${name} has no ${option}`)
        }),
      ])
    })
    expect(wrong).toEqual([])
  })
})
