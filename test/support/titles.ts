/**
 * The title of a test is joined with the titles of its describe blocks as in a report: "suite > suite > title".
 * Placeholders of `it.each` are replaced if the rows are literals in the file.
 */
import { parseAst } from 'vite'

export interface Title {
  readonly line: number
  readonly joined: string
}
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const TEST = /^(?:it|test)$/
const SUITE = /^(?:describe|suite)$/

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)
const children = (node: Node): readonly Node[] => Object.values(node).flatMap(nodesIn)

function bare(node: Node | undefined): Node | undefined {
  let inner = node
  while (inner && /^TS(?:As|Satisfies|NonNull)|^Parenthesized/.test(inner.type)) [inner] = nodesIn(inner['expression'])
  return inner
}

/** The name of `it.each(rows)(...)` is `it`. */
function calledName(node: Node | undefined): string {
  if (node?.type === 'Identifier') return String(node['name'])
  const [inner] = nodesIn(node?.['object'] ?? node?.['callee'])
  return inner ? calledName(inner) : ''
}

/** Expressions inside a template become `{}`. The result is `undefined` for anything but a literal. */
function textOf(given: Node | undefined): string | undefined {
  const node = bare(given)
  if (node?.type === 'Literal') return String(node['value'])
  if (node?.type !== 'TemplateLiteral') return undefined
  return nodesIn(node['quasis'])
    .map((part) => (part['value'] as { readonly cooked: string }).cooked)
    .join('{}')
}

function rowTitles(title: string, rows: Node | undefined): readonly string[] | undefined {
  const list = bare(rows)
  if (list?.type !== 'ArrayExpression') return undefined
  return nodesIn(list['elements']).map((given) => {
    const row = bare(given)
    const values = row?.type === 'ArrayExpression' ? nodesIn(row['elements']) : [given]
    let index = 0
    return title.replace(/%[a-z]/g, (placeholder) => {
      const text = textOf(values[index++])
      return text ?? placeholder
    })
  })
}

export function titlesIn(text: string): readonly Title[] {
  const titles: Title[] = []
  const visit = (node: Node, path: readonly string[]): void => {
    const [callee] = nodesIn(node['callee'])
    const [first, ...others] = nodesIn(node['arguments'])
    const title = textOf(first)
    const name = node.type === 'CallExpression' ? calledName(callee) : ''
    if (title === undefined || others.length === 0 || !(TEST.test(name) || SUITE.test(name))) {
      for (const child of children(node)) visit(child, path)
      return
    }
    if (SUITE.test(name)) {
      for (const other of others) visit(other, [...path, title])
      return
    }
    const [rows] = callee?.type === 'CallExpression' ? nodesIn(callee['arguments']) : []
    const line = text.slice(0, node.start).split('\n').length
    for (const one of rowTitles(title, rows) ?? [title]) titles.push({ line, joined: [...path, one].join(' > ') })
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, [])
  return titles
}
