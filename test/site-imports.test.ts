/**
 * The site's pages and worker import no module that a browser lacks. Such a module fails only when the site calls it,
 * and types do not show that. The test follows imports from the entry files of bin/site.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { namesInBrowser, replacementOf } from '../bin/site/browser-modules.ts'

const root = join(import.meta.dirname, '..')
const FIRST = ['worker.ts', 'page.ts', 'printer.ts', 'try-it.ts'].map((name) => join('bin', 'site', 'browser', name))

/** These packages run in a browser, although the Node modules that they import do not. */
const PACKAGES = ['bwip-js', 'csv-parse', 'diff', 'graphql', 'jose', 'preact', 'prom-client', 'yaml', 'zod']

/** No page and no device in a browser tab calls the functions with these Node imports. */
const NOT_CALLED: Readonly<Record<string, readonly string[]>> = {
  'drivers/host/documentation-files.ts': ['node:fs/promises readFile', 'node:util promisify', 'node:zlib gunzip'],
  'drivers/host/foreign-file.ts': ['node:string_decoder StringDecoder'],
  'drivers/host/troubleshooting-links.ts': ['node:url pathToFileURL'],
  'drivers/link/port.ts': ['@serialport/bindings-cpp Default', 'node:net connect'],
  'emulator/line/pty.ts': [
    'node:child_process spawn',
    'node:fs readdirSync',
    'node:fs readlinkSync',
    'node:fs unlinkSync',
  ],
  'emulator/line/tcp.ts': ['node:net createServer'],
  'emulator/line/terminal-speed.ts': ['@serialport/bindings-cpp Default'],
  'emulator/line/unread-answers.ts': ['node:fs readdirSync', 'node:fs readlinkSync'],
  'emulator/panel/panel.ts': ['node:fs readdirSync', 'node:http createServer'],
  'emulator/print/png-paper.ts': ['@resvg/resvg-js Default'],
  'emulator/profiles.ts': ['node:fs mkdirSync'],
  'scenarios/mock-platform/access.ts': ['node:crypto randomBytes'],
  'scenarios/mock-platform/mock-platform.ts': ['node:http createServer'],
  'scenarios/mock-platform/session-token.ts': ['node:crypto createHmac', 'node:crypto timingSafeEqual'],
  'scenarios/runner/golden.ts': ['node:fs mkdirSync', 'node:fs writeFileSync'],
  'scenarios/runner/target/http.ts': [
    'node:http Agent',
    'node:http request',
    'node:https Agent',
    'node:https request',
    'node:tls rootCertificates',
  ],
  'server/operations/log/count-file.ts': ['node:fs writeSync'],
  'server/private-files.ts': [
    'node:fs chmodSync',
    'node:fs mkdirSync',
    'node:fs readdirSync',
    'node:fs renameSync',
    'node:fs rmSync',
    'node:fs writeFileSync',
  ],
}

interface Import {
  readonly source: string
  readonly names: readonly string[]
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const { module } = parseSync(file, text)
  const fixed = module.staticImports
    .map(({ moduleRequest, entries }) => ({
      source: moduleRequest.value,
      names: entries.filter(({ isType }) => !isType).map(({ importName }) => importName.name ?? importName.kind),
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    }))
    .filter(({ isType }) => !isType)
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType, importName }) =>
      moduleRequest && !isType ? [{ source: moduleRequest.value, names: [importName.name ?? importName.kind] }] : [],
    ),
  )
  const called = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const source = /^['"](.*)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1]
    return source === undefined ? [] : [{ source, names: ['Default'] }]
  })
  return [...fixed, ...passedOn, ...called]
}

const packageOf = (source: string): string => source.split('/', source.startsWith('@') ? 2 : 1).join('/')

interface Walk {
  /** A key has the form `file: import`. Its value is the chain of files that leads to the import. */
  readonly found: ReadonlyMap<string, readonly string[]>
  readonly files: number
}

async function walk(): Promise<Walk> {
  const cameFrom = new Map<string, string | undefined>(FIRST.map((file) => [file, undefined]))
  const found = new Map<string, readonly string[]>()
  const chainTo = (file: string | undefined): string[] =>
    file === undefined ? [] : [...chainTo(cameFrom.get(file)), file]
  for (const file of cameFrom.keys()) {
    if (!/\.[jt]sx?$/.test(file)) continue
    for (const { source, names } of importsOf(file)) {
      if (source.startsWith('.')) {
        const path = join(root, dirname(file), source.replace(/\?.*/, ''))
        const next = relative(root, replacementOf(path) ?? path).replaceAll('\\', '/')
        if (!cameFrom.has(next)) cameFrom.set(next, file)
        continue
      }
      if (PACKAGES.includes(packageOf(source)) || replacementOf(source) !== undefined) continue
      const there = await namesInBrowser(source)
      for (const name of names.filter((one) => !there.includes(one)))
        found.set(`${file}: ${source} ${name}`, chainTo(file))
    }
  }
  return { found, files: cameFrom.size }
}

it('the modules of the site import nothing that a browser lacks, except imports that are listed as never called there', async () => {
  const { found, files } = await walk()
  const listed = new Set(Object.entries(NOT_CALLED).flatMap(([file, all]) => all.map((one) => `${file}: ${one}`)))
  const sentences = [...found]
    .filter(([what]) => !listed.has(what))
    .map(
      ([what, chain]) =>
        `${what}: a browser has no such thing. It is reached by ${chain.join(' -> ')}. Move it to a file that these do not import, ` +
        'give it a replacement in bin/site/browser-modules.ts, or list it here if the site never calls it.',
    )
  expect(sentences).toEqual([])
  expect([...listed].filter((what) => !found.has(what))).toEqual([])
  expect(files).toBeGreaterThan(500)
})
