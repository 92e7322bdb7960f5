/**
 * Every source file of the product that opens or writes a path, evaluates a pattern, uses a socket, runs a program,
 * loads code or prints has a row with its guard in input-locations.md.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const PAGE = join(import.meta.dirname, 'input-locations.md')

type Kind = 'opens' | 'writes' | 'database' | 'parses' | 'pattern' | 'socket' | 'program' | 'code' | 'prints'

/** The imported name gives the kind of the source file. '*' applies to any name of the module. */
const IMPORTS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'node:fs': {
    ...of(
      'opens',
      'readFileSync readFile openSync open openAsBlob createReadStream readSync read readvSync watch default',
    ),
    ...of(
      'writes',
      'writeFileSync writeFile appendFileSync appendFile createWriteStream writeSync write cpSync copyFileSync',
    ),
    ...of('writes', 'rmSync rmdirSync unlinkSync renameSync symlinkSync linkSync truncateSync ftruncateSync mkdirSync'),
    ...of('writes', 'mkdtempSync chmodSync fchmodSync chownSync'),
  },
  'node:fs/promises': of('opens', '*'),
  'node:http': of('socket', '*'),
  'node:https': of('socket', '*'),
  'node:http2': of('socket', '*'),
  'node:net': of('socket', 'connect createConnection createServer Socket Server default'),
  'node:tls': of('socket', 'connect createServer TLSSocket default'),
  'node:dgram': of('socket', '*'),
  ioredis: of('socket', '*'),
  bullmq: of('socket', '*'),
  'node:child_process': of('program', '*'),
  'node:vm': of('code', '*'),
  'node:module': of('code', 'createRequire register default'),
  'node:worker_threads': of('code', 'Worker default'),
  yaml: of('parses', 'parse parseDocument parseAllDocuments Parser Composer default'),
  'csv-parse/sync': of('parses', '*'),
  'csv-parse': of('parses', '*'),
}
const CALLS: Readonly<Record<string, Kind>> = {
  ...of('socket', 'fetch WebSocket EventSource'),
  ...of('pattern', 'RegExp'),
  ...of('code', 'eval Function require getBuiltinModule'),
  ...of('database', 'DatabaseSync openDatabase'),
}

function of(kind: Kind, names: string): Readonly<Record<string, Kind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MemberExpression') return nameOf(node['property'])
  return node.type === 'Literal' ? String(node['value']) : ''
}

function kindsOf(node: Node): readonly (Kind | undefined)[] {
  switch (node.type) {
    case 'ImportDeclaration': {
      if (node['importKind'] === 'type') return []
      const names = IMPORTS[nameOf(node['source'])] ?? {}
      const specifiers = (node['specifiers'] as readonly Node[]).filter((one) => one['importKind'] !== 'type')
      return specifiers.map((one) => {
        if (one.type !== 'ImportSpecifier') return names['default'] ?? names['*']
        return names[nameOf(one['imported'])] ?? names['*']
      })
    }
    case 'ImportExpression':
      // A literal name makes this expression an import. Any other name loads code that is known only at run time.
      return isNode(node['source']) && node['source'].type === 'Literal'
        ? Object.values(IMPORTS[nameOf(node['source'])] ?? {})
        : ['code']
    case 'NewExpression':
    case 'CallExpression': {
      const callee = node['callee']
      // A method with such a name is another function, except for `process.getBuiltinModule`.
      const name =
        isNode(callee) && callee.type === 'MemberExpression' && nameOf(callee) !== 'getBuiltinModule'
          ? ''
          : nameOf(callee)
      return [Object.hasOwn(CALLS, name) ? CALLS[name] : undefined]
    }
    case 'MemberExpression': {
      const [object, property] = [nameOf(node['object']), nameOf(node['property'])]
      const isOutput = object === 'console' || (object === 'process' && /^std(?:out|err)$/.test(property))
      return [isOutput || (property === 'write' && /^(?:out|err|stdout|stderr)$/.test(object)) ? 'prints' : undefined]
    }
    default:
      return []
  }
}

function collect(value: unknown, found: Set<Kind>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  if (!isNode(value)) return
  for (const kind of kindsOf(value)) if (kind !== undefined) found.add(kind)
  for (const member of Object.values(value)) collect(member, found)
}

function kindsIn(file: string, text: string): readonly Kind[] {
  const found = new Set<Kind>()
  collect(parseSync(file, text).program, found)
  return [...found].sort()
}

const BUILT = /(?:^|\/)(?:dist|node_modules)\//

const sources = (): readonly string[] =>
  globSync('{bin,drivers,emulator,scenarios,server}/**/*.{ts,tsx,mts,mjs,js}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !BUILT.test(file) && !file.endsWith('.d.mts'))
    .sort()

const KINDS = /^## (\w+): /gm
const ORIGINS = ['foreign', 'scenario', 'user', 'own', 'checkout']

interface Row {
  readonly file: string
  readonly kind: string
  readonly origin: string
  readonly guard: string
}

const page = readFileSync(PAGE, 'utf8')
const rows: readonly Row[] = page
  .split(/^(?=## )/m)
  .slice(1)
  .flatMap((section) => {
    const kind = /^## (\w+): /.exec(section)?.[1] ?? ''
    return [...section.matchAll(/^\| `([^`]+)` \| (\w+) \| ([^|\n]+) \|$/gm)].map(
      ([, file = '', origin = '', guard = '']): Row => ({ file, kind, origin, guard }),
    )
  })

const keyOf = ({ file, kind }: { readonly file: string; readonly kind: string }): string => `${kind} ${file}`

describe('the source locations that receive foreign input', () => {
  const files = sources()
  const found = files.flatMap((file) =>
    kindsIn(file, readFileSync(join(root, file), 'utf8')).map((kind) => keyOf({ file, kind })),
  )

  it('are listed with their guard, and each listed location exists', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(rows.map(keyOf).sort()).toEqual(found.sort())
  })

  it('are listed with the origin of their input, and with existing tests', () => {
    expect(page.match(KINDS)).toHaveLength(9)
    for (const { origin, guard, file } of rows) {
      expect(ORIGINS, file).toContain(origin)
      expect(guard.length, file).toBeGreaterThan(5)
      for (const [, link = ''] of guard.matchAll(/\]\(([^)]+)\)/g))
        expect(existsSync(join(PAGE, '..', link)), link).toBe(true)
    }
  })

  it('exist once for each purpose: reading foreign files, parsing them, and querying foreign services in a run', () => {
    const foreign = (kind: Kind, folders: RegExp) =>
      rows
        .filter((row) => row.kind === kind && row.origin === 'foreign' && folders.test(row.file))
        .map(({ file }) => file)
    const reads = (text: string): boolean => /\breadFileSync\(|\breadFile\(/.test(text)
    const readers = rows.filter((row) => row.kind === 'opens' && row.origin === 'foreign').map(({ file }) => file)
    expect(readers.filter((file) => reads(readFileSync(join(root, file), 'utf8')))).toEqual([])
    expect(foreign('pattern', /./)).toEqual(['scenarios/runner/pattern.ts'])
    expect(foreign('socket', /^scenarios\/runner\//)).toEqual(['scenarios/runner/target/http.ts'])
    expect(foreign('parses', /./)).toEqual(['drivers/host/yaml-file.ts', 'scenarios/runner/csv-table.ts'])
  })
})

describe('a new source location', () => {
  it.each<[Kind, string]>([
    ['opens', "import { readFileSync } from 'node:fs'"],
    ['opens', "import { constants, createReadStream as read } from 'node:fs'"],
    ['opens', "import * as fs from 'node:fs'"],
    ['opens', "import { readFile } from 'node:fs/promises'"],
    ['opens', "const { readFile } = await import('node:fs/promises')"],
    ['writes', "import { rmSync } from 'node:fs'"],
    ['database', 'const file = new DatabaseSync(path)'],
    ['parses', "import { parse as parseYaml } from 'yaml'"],
    ['pattern', 'const test = new RegExp(text)'],
    ['pattern', 'const test = RegExp(text, "u")'],
    ['socket', 'const answer = await fetch(url)'],
    ['socket', "import { get } from 'node:https'"],
    ['socket', "import { connect } from 'node:net'"],
    ['program', "import { execSync } from 'node:child_process'"],
    ['code', 'const module = await import(name)'],
    ['code', "const fs = process.getBuiltinModule('node:fs')"],
    ['code', "import { Script } from 'node:vm'"],
    ['prints', 'console.log(text)'],
    ['prints', 'process.stdout.write(text)'],
    ['prints', 'place.out.write(text)'],
  ])('that %s is found: %s', (kind, text) => {
    expect(kindsIn('new.ts', text)).toContain(kind)
  })

  it.each([
    "import { existsSync, statSync } from 'node:fs'",
    "import type { Socket } from 'node:net'",
    "import { type AddressInfo } from 'node:net'",
    "import { stringify } from 'yaml'",
    'const reply = world.fetch(path)',
    'const { join } = await import("node:path")',
  ])('that receives no foreign input is not reported: %s', (text) => {
    expect(kindsIn('new.ts', text)).toEqual([])
  })
})
