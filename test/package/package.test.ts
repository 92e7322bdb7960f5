/**
 * The published package on the current Node and, in `npm run test:deep`, on the oldest supported Node: every command,
 * and the library.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { fileOf } from '../docs/command-lines.ts'
import { readPages } from '../docs/pages.ts'
import { type Ended, FREE_PORTS, type Running } from '../support/command.ts'
import { isDeep } from '../support/slice.ts'
import {
  installed,
  installedOnce,
  NoRegistry,
  OLDEST_NODE,
  oldestNode,
  type Packed,
  pack,
  startClean,
} from './packed.ts'

const root = join(import.meta.dirname, '..', '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
const UNPACKED_MAX = 8_200_000

let folder: string
let unreachable: NoRegistry | undefined
let packed: Packed
let empty: string
/** Folder with Jest, which the checkout lacks. */
let runners: string
const nodes: Record<string, string> = {}
const running: Running[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-'))
  try {
    packed = await pack(folder)
    empty = await installed(packed.tarball)
    nodes[process.versions.node] = process.execPath
    if (!isDeep) return
    nodes[OLDEST_NODE] = await oldestNode()
    runners = await installedOnce('jest-30', 'jest@30.5.2', '@types/jest@30.0.0')
  } catch (problem) {
    if (!(problem instanceof NoRegistry)) throw problem
    unreachable = problem
  }
  // The hook compiles, packs and installs, which takes minutes on a busy machine.
}, 600_000)
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  for (const made of [folder, empty]) if (made !== undefined) rmSync(made, { recursive: true, force: true })
})

/** Declares a test that is reported as not run if npm reaches no registry. */
const packaged = (name: string, body: () => Promise<void>) =>
  it(name, (context: TestContext) => (unreachable ? context.skip('not run: npm reaches no registry') : body()))

/** Declares a test that needs another Node, or packages that the checkout lacks. Only `npm run test:deep` runs it. */
const packagedDeep = isDeep ? packaged : (name: string, _body: () => Promise<void>) => it.skip(name)

describe('the package', () => {
  packaged('holds the licences and no tests, and is small enough', async () => {
    const { files, unpackedSize } = packed
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        ...['jose', 'minisearch', 'preact', 'swagger-ui-dist'].map((name) => `dist/licences/${name}.txt`),
        'README.md',
      ]),
    )
    const fonts = files.filter((file) => file.endsWith('.ttf'))
    expect(fonts.length).toBeGreaterThan(2)
    for (const font of fonts) expect(files).toContain(font.replace(/[^/]+$/, 'LICENSE.txt'))
    expect(files.filter((file) => /\.(?:ts|tsx)$/.test(file) && !/\.d\.ts$|^fixtures\/clients\//.test(file))).toEqual(
      [],
    )
    expect(files.filter((file) => file.includes('node_modules/'))).toEqual([])
    expect(files.filter((file) => /^(?:dist\/)?test\/|\.test\.(?!\w+$)/.test(file))).toEqual([])
    expect(unpackedSize).toBeLessThanOrEqual(UNPACKED_MAX)
  })

  packaged(
    'holds every client recipe, tills and fleets, the scenarios with their papers, and the schemas',
    async () => {
      const inCheckout = ['fixtures/clients', 'fixtures/fleet', 'fixtures/paper/scenarios', 'fixtures/tills'].flatMap(
        (part) =>
          readdirSync(join(root, part), { recursive: true, withFileTypes: true })
            .filter(
              (entry) => entry.isFile() && !/[/\\](?:node_modules|target)[/\\]|__pycache__/.test(entry.parentPath),
            )
            .map((entry) =>
              join(entry.parentPath, entry.name)
                .slice(root.length + 1)
                .replaceAll('\\', '/'),
            ),
      )
      expect(packed.files).toEqual(expect.arrayContaining(inCheckout))
      expect(packed.files).toEqual(
        expect.arrayContaining([
          'scenarios/scenario.schema.json',
          'scenarios/basic/sales.yaml',
          'fixtures/openapi.json',
        ]),
      )
    },
  )

  packaged('holds its documentation: every link in it leads to a file, or to a page of /docs', async () => {
    const place = join(empty, 'node_modules', 'fiscal-rig')
    const isText = (file: string) =>
      /^(?:README|CHANGELOG|SECURITY)\.md$|^server\/docs\/guide\/|\/protocol\.md$/.test(file)
    const texts = packed.files.filter(isText)
    expect(texts.length).toBeGreaterThan(20)
    const dead = texts.flatMap((file) =>
      [...readFileSync(join(place, file), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g)].flatMap(
        ([, target = '']) => {
          const page = join(place, 'dist', 'server', 'docs', 'dist', `${basename(target, '.md')}.html`)
          const isGenerated = file.startsWith('server/docs/guide/') && (existsSync(page) || existsSync(`${page}.gz`))
          return existsSync(join(place, dirname(file), target)) || isGenerated ? [] : [`${file}: ${target}`]
        },
      ),
    )
    expect(dead).toEqual([])
    // The package also contains the files that messages name: the pages with the exam's advice and the troubleshooting
    // page.
    const program = `
      import { adviceFor } from 'ADVICE'
      import { helpFile } from 'HELP'
      const result = { verdict: 'duplicated', fault: 'answerLost', target: { kind: 'closeFiscal' } }
      console.log(JSON.stringify([...['A', 'B', 'C'].map((family) => adviceFor(family, result)[1]), helpFile('Port 1 is in use')]))`
    const module = (name: string) => join(place, 'dist', ...name.split('/'))
    const text = program
      .replace('ADVICE', module('scenarios/exam/advice.js'))
      .replace('HELP', module('drivers/host/troubleshooting-links.js'))
      .replace('Port 1 is in use', 'Choose another with --http-port (0: any free one)')
    const { out } = await startClean(process.execPath, ['--input-type=module', '-e', text], tmpdir()).ended
    const [help, ...sheets] = (JSON.parse(out) as string[]).reverse()
    for (const sheet of sheets) {
      const [, file = ''] = /^More: (.*), [^,]+\.$/.exec(sheet) ?? []
      expect(existsSync(resolve(tmpdir(), file)), sheet).toBe(true)
    }
    expect(existsSync(fileURLToPath(help?.split('#')[0] ?? ''))).toBe(true)
  })

  packaged('has nothing that publint finds', async () => {
    const { status, out, err } = await checked('publint', 'src/cli.js', 'run', packed.tarball, '--strict')
    expect({ status, said: out + err }).toEqual({ status: 0, said: expect.stringContaining('All good!') })
  })

  packaged('has types that every kind of import finds', async () => {
    const { status, out, err } = await checked(
      '@arethetypeswrong/cli',
      'dist/index.js',
      packed.tarball,
      '--format',
      'json',
    )
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect((JSON.parse(out) as { problems?: object }).problems ?? {}).toEqual({})
  })

  packagedDeep('is tried on the oldest supported Node', async () => {
    expect(manifest.engines.node).toBe(`>=${OLDEST_NODE.replace(/\.0$/, '')}`)
    expect((await startClean(nodes[OLDEST_NODE] as string, ['--version'], empty).ended).out).toBe(`v${OLDEST_NODE}\n`)
  })
})

const checked = (name: string, program: string, ...args: string[]): Promise<Ended> =>
  startClean(process.execPath, [join(root, 'node_modules', name, program), ...args], folder).ended

const RECEIPT = JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] })
const JSON_BODY = { 'Content-Type': 'application/json' }
const STATUS = Buffer.from('01303032' + '3A20303034' + '3A05' + '30313B3F03', 'hex')

interface Tried {
  /** Runs a command to its end. Rejects if Node prints a warning. */
  run(...args: string[]): Promise<Ended>
  start(...args: string[]): { readonly ready: Promise<Record<string, string>>; end(): Promise<void> }
  at(name: string): string
}

function tried(version: string): Tried {
  const place = mkdtempSync(join(folder, 'tried-'))
  const program = join(empty, 'node_modules', 'fiscal-rig', 'bin', 'fiscal-rig.mjs')
  const begin = (args: readonly string[]) => startClean(nodes[version] as string, [program, ...args], place)
  const quiet = (ended: Ended) => {
    expect(ended.err).not.toMatch(/warning|experimental|deprecat/i)
    return ended
  }
  return {
    run: async (...args) => quiet(await begin(args).ended),
    start(...args) {
      const command = begin([...args, '--json'])
      running.push(command)
      return {
        ready: command.ready() as Promise<Record<string, string>>,
        async end() {
          command.child.kill('SIGTERM')
          expect(quiet(await command.ended).status).toBe(0)
        },
      }
    },
    at: (name) => join(place, name),
  }
}

/** A test of each command that works only if all files of the command are packed. */
const COMMANDS: Readonly<Record<string, (tried: Tried) => Promise<void>>> = {
  async serve({ start, at, run }) {
    const service = start('serve', '--data', 'data', ...FREE_PORTS)
    const { http, panel } = await service.ready
    const printed = await fetch(`${http}/print-fiscal-receipt`, { method: 'POST', headers: JSON_BODY, body: RECEIPT })
    expect(await printed.json()).toEqual({ StatusCode: 200, Data: '1' })
    expect(await (await fetch(`${http}/openapi.json`)).json()).toMatchObject({ openapi: expect.any(String) })
    const page = await (await fetch(`${panel}/`)).text()
    const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect((await fetch(new URL(part as string, panel))).status).toBe(200)
    const styles = parts.find((part) => part?.endsWith('.css')) ?? ''
    const fonts = (await (await fetch(new URL(styles, panel))).text()).match(/\/assets\/[\w-]+\.ttf/g) ?? []
    expect(fonts.length).toBeGreaterThan(2)
    for (const font of fonts) expect((await fetch(new URL(font, panel))).status).toBe(200)
    await expectDocumentation([new URL('/docs', http).href, `${panel}/docs`])
    const picture = await fetch(`${panel}/emulator/documents/1.png`)
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    await service.end()
    expect(existsSync(at('data'))).toBe(true)
    const trust = await run('trust', '--data', 'data')
    expect(trust).toMatchObject({ status: 0, out: expect.stringContaining('ca.crt') })
    const verified = await run('memory', 'verify', 'data')
    expect(verified).toMatchObject({ status: 0, err: '' })
  },

  async emulate({ start, run, at }) {
    const device = start('emulate', '--family', 'A', '--tcp', '0', '--link', './printer', '--panel-port', '0')
    const { tcp, link } = await device.ready
    expect(link).toMatch(/printer$/)
    const recorder = start(
      'capture',
      '--device',
      `tcp://127.0.0.1:${tcp}`,
      '--tcp',
      '0',
      '--output',
      'line.jsonl',
      '--family',
      'A',
    )
    expect(await firstByteAt(Number((await recorder.ready)['tcp']))).toBe('01')
    await recorder.end()
    await device.end()
    expect(await run('decode', 'line.jsonl')).toMatchObject({ status: 0, out: expect.stringContaining('status') })
    expect(await run('replay', 'line.jsonl')).toMatchObject({ status: 0, err: '' })
    // Many printers run in worker threads, whose program is a file of the package.
    writeFileSync(
      at('fleet.json'),
      JSON.stringify({
        printers: [
          { name: 'a', family: 'A' },
          { name: 'b', family: 'B' },
        ],
      }),
    )
    const fleet = start('emulate', '--fleet', 'fleet.json', '--panel-port', '0', '--data', 'memory')
    const { panel } = await fleet.ready
    const printers = (await (await fetch(`${panel}/emulator/fleet`)).json()) as readonly { family: string }[]
    expect(printers.map(({ family }) => family)).toEqual(['A', 'B'])
    await fleet.end()
  },

  async passport({ start, run, at }) {
    const device = start('emulate', '--family', 'A', '--tcp', '0', '--panel-port', '0', '--data', 'memory')
    const { tcp } = await device.ready
    const result = await run('passport', '--device', `tcp://127.0.0.1:${tcp}`, '--family', 'A', '--output', 'shop.yaml')
    expect(result.status).toBe(0)
    await device.end()
    expect(readFileSync(at('shop.yaml'), 'utf8')).toContain('family: A')
  },

  async 'mock-platform'({ start }) {
    const platform = start('mock-platform', '--port', '0')
    expect(await platform.ready).toMatchObject({ url: expect.stringMatching(/^http/) })
    await platform.end()
  },

  async run({ run, at }) {
    const sales = join(empty, 'node_modules', 'fiscal-rig', 'scenarios', 'basic', '*.yaml')
    expect(await run('run', sales, '--family', 'A', '--trace', 'trace.json')).toMatchObject({ status: 0, err: '' })
    // Modules that are loaded on demand: session tokens, and the mock platform.
    const orders = join(empty, 'node_modules', 'fiscal-rig', 'scenarios', 'platform', 'platform.yaml')
    expect(await run('run', orders, '--family', 'A', '--only', 'fetched')).toMatchObject({ status: 0, err: '' })
    expect(await run('show', 'trace.json', '--output', 'trace.html')).toMatchObject({ status: 0, err: '' })
    expect(readFileSync(at('trace.html'), 'utf8')).toContain('data:image/svg+xml,')
  },

  async check({ run }) {
    expect((await run('check', '--family', 'C', '--runs', '2', '--seed', '1')).status).toBe(0)
  },

  async exam({ run, at }) {
    const args = [
      '--family',
      'B',
      '--till',
      'service',
      '--only',
      'answerLost@closeFiscal',
      '--reporter',
      'html=exam.html',
    ]
    expect((await run('exam', ...args)).status).toBe(0)
    expect(readFileSync(at('exam.html'), 'utf8')).toContain('answerLost')
  },

  async worker({ run }) {
    // A queue is missing, and both commands report that after all code that uses a queue was loaded.
    const both = await Promise.all(['worker', 'campaigns'].map((name) => run(name, '--queue', 'redis://127.0.0.1:1')))
    const refused = { status: 3, err: expect.stringContaining('cannot be used: ') }
    expect(both).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)])
  },

  async doctor({ run }) {
    const { out } = await run('doctor', '--no-probe', '--data', 'memory')
    expect(out).toMatch(/^ok +node +Node /m)
    expect(out).toMatch(/^ok +socat\b|^PROBLEM +socat\b/m)
  },
}
/** Commands that the test of another command covers, because they need its files or devices. */
const ALONG = ['campaigns', 'capture', 'decode', 'replay', 'memory', 'show', 'trust']

async function expectDocumentation(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    for (const name of ['', '/rest.html', '/docs.css', '/search.js', '/swagger-ui-bundle.js', '/openapi.json']) {
      const texts = ['gzip', 'identity'].map(async (encoding) => {
        const answer = await fetch(address + name, { headers: { 'Accept-Encoding': encoding } })
        return answer.ok ? answer.text() : `${answer.status}`
      })
      const [packed, plain] = await Promise.all(texts)
      expect([name, packed === plain, (plain ?? '').length > 1000]).toEqual([name, true, true])
    }
  }
}

/** Resolves to the first byte of a device's response on this port, in hex. */
function firstByteAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(STATUS))
    socket.once('error', reject)
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.subarray(0, 1).toString('hex'))
    })
  })
}

const LIBRARY = `
  const printer = await startPrinter({ family: 'A', profile: 'bg', clock: '2026-03-01T08:00:00' })
  const service = await startService({ printer, https: true })
  const body = ${JSON.stringify(RECEIPT)}
  const answer = await fetch(service.url + '/print-fiscal-receipt', { method: 'POST', body, headers: ${JSON.stringify(JSON_BODY)} })
  const port = new printer.SerialPort({ path: printer.path, baudRate: 9600, autoOpen: false })
  const [png, svg] = [await printer.paper(1, 'png'), await printer.paper(1, 'svg')]
  console.log(JSON.stringify({
    ...(await answer.json()), total: printer.receipts()[0].total, opened: port.isOpen, svg: svg.slice(0, 4), png: png[1],
    matched: matchers.toHavePrinted(printer, { total: '2.40' }).pass,
  }))
  await printer.close()
`
const TOLD = '{"StatusCode":200,"Data":"1","total":"2.40","opened":false,"svg":"<svg","png":80,"matched":true}\n'

describe.each(isDeep ? [OLDEST_NODE, process.versions.node] : [process.versions.node])('on Node %s', (version) => {
  packaged('lists its commands, and each of them is tried', async () => {
    const { status, out, err } = await tried(version).run('--help')
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const listed = out.slice(out.indexOf('Commands:'))
    const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help')
    expect([...Object.keys(COMMANDS), ...ALONG].sort()).toEqual(names.sort())
  })

  for (const [name, walk] of Object.entries(COMMANDS)) packaged(`${name} works`, () => walk(tried(version)))

  packaged('the library can be imported as ES modules', async () => {
    const imports =
      "import { startPrinter, startService } from 'fiscal-rig'\nimport { matchers } from 'fiscal-rig/matchers'\n"
    writeFileSync(join(empty, 'library.mjs'), imports + LIBRARY)
    const ended = await startClean(nodes[version] as string, ['library.mjs'], empty).ended
    expect(ended).toEqual({ status: 0, out: TOLD, err: '' })
  })

  packaged('the library can be required as CommonJS, and is the same one', async () => {
    const same = "if ((await import('fiscal-rig')).startPrinter !== startPrinter) throw new Error('two libraries')"
    const imports =
      "const { startPrinter, startService } = require('fiscal-rig')\nconst { matchers } = require('fiscal-rig/matchers')\n;"
    writeFileSync(join(empty, 'library.cjs'), `${imports}void (async () => {${LIBRARY}${same}})()`)
    const ended = await startClean(nodes[version] as string, ['library.cjs'], empty).ended
    expect(ended).toEqual({ status: 0, out: TOLD, err: '' })
  })
})

function projectWith(name: string, beside: Readonly<Record<string, string>>): string {
  for (const [one, modules] of Object.entries(beside)) linkInto(empty, one, modules)
  return mkdtempSync(join(empty, `${name}-`))
}

function linkInto(folder: string, name: string, modules: string): void {
  const link = join(folder, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  if (!existsSync(link)) symlinkSync(join(modules, name), link)
}

function recipe(name: string, beside: Readonly<Record<string, string>>): string {
  const place = projectWith(name, beside)
  cpSync(join(empty, 'node_modules', 'fiscal-rig', 'fixtures', 'clients', name), place, { recursive: true })
  return place
}

/** Runs a recipe with a sound till, and with one that mistakes a lost response for a failed sale. */
const bothWays = (version: string, place: string, ...args: string[]): Promise<[Ended, Ended]> => {
  const node = nodes[version] as string
  return Promise.all([startClean(node, args, place).ended, startClean(node, args, place, { POS: 'naive' }).ended])
}

const modules = join(root, 'node_modules')

function typeCheck(place: string, options: { types: readonly string[]; [option: string]: unknown }): Promise<Ended> {
  const usual = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, allowImportingTsExtensions: true }
  const compilerOptions = { ...usual, skipLibCheck: true, ...options }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return startClean(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'), '-p', place], place).ended
}

function writeTypeTests(place: string, ...names: readonly string[]): void {
  for (const name of names)
    for (const kind of ['mts', 'cts'])
      cpSync(join(import.meta.dirname, 'types', `${name}.ts`), join(place, `${name}.${kind}`))
}

const COMPILES = { status: 0, out: '', err: '' }

// The naive program waits for two seconds, so on a busy machine several of its tests fail.
describe('a recipe', () => {
  packaged('for Vitest passes with a sound program and fails with a naive one', async () => {
    const place = recipe('vitest', { vitest: modules, '@types/node': modules })
    const program = join(modules, 'vitest', 'vitest.mjs')
    const [sound, naive] = await bothWays(process.versions.node, place, program, 'run', '--no-color')
    expect(sound).toMatchObject({ status: 0, err: '', out: expect.stringMatching(/Tests {2}3 passed/) })
    expect(naive).toMatchObject({ status: 1, out: expect.stringMatching(/Tests {2}\d failed/) })
    expect(naive.err).toContain('expected: 1 closed receipt\n  closed: 2\nthe last paper:')
    expect(await typeCheck(place, { types: ['node'] })).toEqual({ status: 0, out: '', err: '' })
  })

  packagedDeep('for node:test passes with a sound program and fails with a naive one', async () => {
    const args = ['--test', '--test-reporter=tap']
    const [sound, naive] = await bothWays(OLDEST_NODE, recipe('node-test', {}), ...args)
    expect(sound).toMatchObject({ status: 0, err: '', out: expect.stringMatching(/^# pass 4$/m) })
    expect(naive.status).toBe(1)
    expect(naive.out).toMatch(/^not ok \d+ - the answer to the closing command is lost/m)
  })

  packagedDeep('for Jest passes with a sound program and fails with a naive one', async () => {
    const place = recipe('jest', { jest: runners })
    const args = [join(runners, 'jest', 'bin', 'jest.js'), '--ci', '--no-cache']
    const [sound, naive] = await bothWays(OLDEST_NODE, place, ...args)
    // Jest writes its report to standard error.
    expect(sound).toMatchObject({ status: 0, err: expect.stringMatching(/^Tests: +3 passed, 3 total$/m) })
    expect(sound.err).not.toMatch(/warning/i)
    expect(naive).toMatchObject({ status: 1, err: expect.stringMatching(/^Tests: +\d failed/m) })
    expect(naive.err).toContain('expected: 1 closed receipt\n      closed: 2\n    the last paper:')
  })

  packagedDeep('for Testcontainers in TypeScript has the types of that package', async () => {
    const containers = await installedOnce('testcontainers-12', 'testcontainers@12.2.0')
    const place = recipe('testcontainers', { testcontainers: containers, vitest: modules, '@types/node': modules })
    expect(await typeCheck(place, { types: ['node'] })).toEqual(COMPILES)
  })

  packaged('in TypeScript finds all types in both kinds of module: closed unions, and nothing is any', async () => {
    const place = projectWith('types', { '@types/node': modules })
    writeTypeTests(place, 'library', 'closed', 'no-any')
    expect(await typeCheck(place, { types: ['node'], skipLibCheck: false })).toEqual(COMPILES)
  })

  packaged('in TypeScript gives the class of a printer where typeof SerialPort of serialport is expected', async () => {
    // A separate installation, because in the shared one the types must compile without serialport.
    const own = await installed(packed.tarball)
    for (const name of ['serialport', '@types/node']) linkInto(own, name, modules)
    writeTypeTests(own, 'library', 'serialport')
    expect(await typeCheck(own, { types: ['node'] })).toEqual(COMPILES)
    rmSync(own, { recursive: true })
  })

  packaged('in TypeScript has the matchers in Vitest', async () => {
    const place = projectWith('vitest-types', { vitest: modules, '@types/node': modules })
    cpSync(join(import.meta.dirname, 'types', 'vitest.ts'), join(place, 'vitest.mts'))
    expect(await typeCheck(place, { types: ['node'] })).toEqual(COMPILES)
  })

  packagedDeep('in TypeScript has the matchers in Jest, by @types/jest and by @jest/globals', async () => {
    const byGlobals = { '@jest/globals': runners, expect: runners, '@types/node': modules }
    const globals = projectWith('jest-globals', byGlobals)
    writeTypeTests(globals, 'jest-globals')
    expect(await typeCheck(globals, { types: ['node'] })).toEqual(COMPILES)
    const types = projectWith('jest-types', { ...byGlobals, '@types/jest': runners })
    writeTypeTests(types, 'jest-types')
    expect(await typeCheck(types, { types: ['node', 'jest'] })).toEqual(COMPILES)
  })

  packaged('in TypeScript compiles as the pages of the documentation show it', async () => {
    const place = projectWith('pages', { vitest: modules, '@types/node': modules })
    writeFileSync(join(place, 'package.json'), '{"type": "module"}')
    for (const { path, fences } of readPages()) {
      const own = join(place, basename(path, '.md'))
      mkdirSync(own)
      for (const { language, content, line } of fences)
        if (language === 'ts') writeFileSync(join(own, fileOf(content) ?? `line-${line}.ts`), content)
    }
    const options = { types: ['node'], lib: ['es2024', 'esnext.disposable'], noUncheckedIndexedAccess: true }
    expect(await typeCheck(place, options)).toEqual({ status: 0, out: '', err: '' })
  })
})
