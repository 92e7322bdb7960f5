/**
 * Every place of the product that opens a path, writes one, evaluates a pattern, reads from a socket, runs a program,
 * loads code or prints is found in the sources, and has a row with its guard in places.md: a new place fails here.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const PAGE = join(import.meta.dirname, 'places.md')

type Kind = 'opens' | 'writes' | 'database' | 'parses' | 'pattern' | 'socket' | 'program' | 'code' | 'prints'

/** What an import of these names makes of a source; '*': any name of the module. */
const IMPORTS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'node:fs': {
    ...of('opens', 'readFileSync readFile openSync open openAsBlob createReadStream readSync read readvSync watch default'),
    ...of('writes', 'writeFileSync writeFile appendFileSync appendFile createWriteStream writeSync write cpSync copyFileSync'),
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
  'ioredis': of('socket', '*'),
  'bullmq': of('socket', '*'),
  'node:child_process': of('program', '*'),
  'node:vm': of('code', '*'),
  'node:module': of('code', 'createRequire register default'),
  'node:worker_threads': of('code', 'Worker default'),
  'yaml': of('parses', 'parse parseDocument parseAllDocuments Parser Composer default'),
  'csv-parse/sync': of('parses', '*'),
  'csv-parse': of('parses', '*'),
}
/** The same of a call or a construction of what needs no import. */
const CALLS: Readonly<Record<string, Kind>> = {
  ...of('socket', 'fetch WebSocket EventSource'),
  ...of('pattern', 'RegExp'),
  ...of('code', 'eval Function require getBuiltinModule'),
  ...of('database', 'DatabaseSync openDatabase'),
}

function of(kind: Kind, names: string): Readonly<Record<string, Kind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** A node of the parsed source. */
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
      // Of a name that is in the source, it is an import like the others; of any other it loads what the name says.
      return isNode(node['source']) && node['source'].type === 'Literal'
        ? Object.values(IMPORTS[nameOf(node['source'])] ?? {})
        : ['code']
    case 'NewExpression':
    case 'CallExpression': {
      const name = nameOf(node['callee'])
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

/** What the pages are built of is found where it is written, not where it was built. */
const BUILT = /(?:^|\/)(?:dist|node_modules)\//

const sources = (): readonly string[] =>
  globSync('{bin,drivers,emulator,scenarios,server}/**/*.{ts,tsx,mts,mjs,js}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !BUILT.test(file) && !file.endsWith('.d.mts'))
    .sort()

it('prints', () => {
  for (const f of sources()) for (const k of kindsIn(f, readFileSync(join(root, f), 'utf8'))) process.stdout.write(`@@${f}|${k}\n`)
})
