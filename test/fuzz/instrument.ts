/**
 * Instruments sources. They count in `counters` how often each branch was taken, and record in `comparisons` what they
 * compared. This module must be loaded before all modules that guide the search. The prebuilt fuzzers from npm require
 * a newer C library than Debian 12 has, and reading V8's own counts takes 3 to 10 ms per input. A device is not slower
 * with this instrumentation, but code that reads a text character by character is two to four times slower.
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export const counters = new Uint32Array(1 << 17)
let branches = 0
export const branchCount = (): number => branches

/** Unequal texts and numbers that were compared since the map was last cleared. */
export const comparisons = new Map<string, readonly [string, string]>()
const COMPARISONS_MAX = 256
const COMPARED_MAX = 64

function note(left: unknown, right: unknown): void {
  if (comparisons.size >= COMPARISONS_MAX || typeof left !== typeof right) return
  if (typeof left !== 'string' && typeof left !== 'number') return
  const pair = [String(left), String(right)] as const
  if (pair[0].length <= COMPARED_MAX && pair[1].length <= COMPARED_MAX) comparisons.set(pair.join('\0'), pair)
}

const hooks = {
  counters,
  is(left: unknown, right: unknown): boolean {
    if (left === right) return true
    note(left, right)
    return false
  },
  among<T>(value: T, cases: readonly unknown[]): T {
    for (const one of cases) if (one !== value) note(value, one)
    return value
  },
}
Object.assign(globalThis, { fuzzed: hooks })

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
  AssignmentPattern: ['right'],
  ArrowFunctionExpression: ['body'],
  FunctionExpression: ['body'],
  FunctionDeclaration: ['body'],
  ForStatement: ['body'],
  ForOfStatement: ['body'],
  ForInStatement: ['body'],
  WhileStatement: ['body'],
  DoWhileStatement: ['body'],
  CatchClause: ['body'],
}

/** Returns the instrumented program with the same line numbers. `code` is JavaScript. */
export function instrumented(code: string, file: string): string {
  const { program, errors } = parseSync(file, code, { lang: 'js', sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  /** Edits of the text. `rank` orders edits at one position: closing texts come before opening ones. */
  const edits: { readonly at: number; readonly to: number; readonly text: string; readonly rank: number }[] = []
  const put = (at: number, text: string, rank: number, to = at): void => void edits.push({ at, to, text, rank })
  const count = () => `fuzzed.counters[${branches++}]++`

  const branch = (node: Node): (() => void) | undefined => {
    if (node.type === 'BlockStatement') {
      put(node.start + 1, `${count()};`, 1)
      return undefined
    }
    const isStatement = /Statement$|Declaration$/.test(node.type)
    put(node.start, isStatement ? `{${count()};` : `(${count()},`, 1)
    return () => put(node.end, isStatement ? '}' : ')', 0)
  }

  const walk = (node: Node): void => {
    const closing: (() => void)[] = []
    const taken = BRANCHES[node.type] ?? []
    const { left, right } = node
    const isComparison = node.type === 'BinaryExpression' && /^[!=]==$/.test(String(node['operator']))
    if (isComparison && isNode(left) && isNode(right)) {
      put(node.start, node['operator'] === '===' ? 'fuzzed.is(' : '!fuzzed.is(', 1)
      const lines = code.slice(left.end, right.start).replace(/[^\n]/g, '')
      put(left.end, `,${lines}`, 0.5, right.start)
      closing.push(() => put(node.end, ')', 0))
    }
    const { discriminant, cases } = node
    if (node.type === 'SwitchStatement' && isNode(discriminant) && Array.isArray(cases)) {
      const tests = (cases as Node[]).map(({ test }) => test).filter(isNode)
      const literals = tests.filter(({ type }) => type === 'Literal').map(({ start, end }) => code.slice(start, end))
      put(discriminant.start, 'fuzzed.among(', 1)
      closing.push(() => put(discriminant.end, `,[${literals}])`, 0))
    }
    if (node.type === 'SwitchCase') {
      const { test, consequent } = node
      const at = isNode(test) ? code.indexOf(':', test.end) + 1 : code.indexOf(':', node.start) + 1
      if (Array.isArray(consequent)) put(at, `${count()};`, 1)
    }
    for (const [name, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue
        const close = taken.includes(name) ? branch(child) : undefined
        walk(child)
        close?.()
      }
    }
    for (const close of closing) close()
  }
  walk(program as unknown as Node)

  let from = 0
  let changed = ''
  const inOrder = edits.map((edit, order) => ({ ...edit, order }))
  inOrder.sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order)
  for (const { at, to, text } of inOrder) {
    changed += code.slice(from, at) + text
    from = to
  }
  return changed + code.slice(from)
}

export function instrument(isOurs: (file: string) => boolean): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.startsWith('file:') || loaded.format !== 'module-typescript') return loaded
      const file = fileURLToPath(url)
      if (!isOurs(file)) return loaded
      const source = stripTypeScriptTypes(String(Buffer.from(loaded.source as Uint8Array)))
      return { ...loaded, format: 'module', source: instrumented(source, file) }
    },
  })
}
