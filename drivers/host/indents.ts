/**
 * Where the indents of a YAML file go wrong. The parser names the place where it gave up, which is often another line
 * than the one that a person has to move.
 */

interface Misplaced {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly what: string
}

interface Level {
  readonly indent: number
  /** Its entries begin with "- ". */
  readonly isList: boolean
}

/** The first line of each document that stands at no level, and the first bracket that is never closed. */
export function misplacedLines(text: string): readonly Misplaced[] {
  const misplaced: Misplaced[] = []
  let levels: Level[] = []
  let isWrong = false
  /** A text of several lines, deeper than this. */
  let block: number | undefined
  let flow: { readonly line: number; readonly column: number; readonly indent: number; depth: number } | undefined
  let opens = true
  for (const [index, raw] of text.split('\n').entries()) {
    const bare = raw.replace(/(^|\s)#.*/s, '$1').trimEnd()
    if (bare.startsWith('---')) {
      ;[levels, isWrong, block, flow, opens] = [[], false, undefined, undefined, true]
      continue
    }
    const indent = bare.search(/\S/)
    if (indent < 0 || isWrong) continue
    if (block !== undefined && indent > block) continue
    block = undefined
    const tell = (line: number, column: number, what: string) => {
      isWrong = true
      misplaced.push({ line, column, what })
    }
    if (flow) {
      if (indent <= flow.indent) tell(flow.line, flow.column, `the bracket is not closed before line ${index + 1}`)
      else flow = depthAfter(bare, flow.depth) > 0 ? { ...flow, depth: depthAfter(bare, flow.depth) } : undefined
      continue
    }
    const isList = /^- |^-$/.test(bare.slice(indent))
    const why = placed(levels, { indent, isList }, opens)
    if (why !== undefined) {
      tell(index + 1, indent + 1, why)
      continue
    }
    levels = [...levels.filter((level) => level.indent < indent), { indent, isList }]
    const inner = /^(?:- +)+/.exec(bare.slice(indent))?.[0].length ?? 0
    if (inner > 0) levels.push({ indent: indent + inner, isList: false })
    if (/[|>][+-]?$/.test(bare)) block = indent + inner
    const depth = depthAfter(bare, 0)
    if (depth > 0) flow = { line: index + 1, column: bare.search(/[[{]/) + 1, indent: indent + inner, depth }
    opens = /(?::|-)$/.test(bare) || /[|>][+-]?$/.test(bare)
  }
  return misplaced
}

/** Undefined: it stands where it may. `opens`: the line before it asks for something below it. */
function placed(levels: readonly Level[], { indent, isList }: Level, opens: boolean): string | undefined {
  const same = levels.find((level) => level.indent === indent)
  if (same && (same.isList === isList || (isList && opens))) return undefined
  const top = levels.at(-1)
  if (!top || (indent > top.indent && opens)) return undefined
  if (same) return `a key stands where entries with "- " stand; nearest: ${near(levels, indent, isList)}`
  return `indented by ${indent}; nearest: ${near(levels, indent, isList)}`
}

function near(levels: readonly Level[], indent: number, isList: boolean): string {
  const fitting = levels.filter((level) => level.isList === isList)
  const [best] = fitting.toSorted((one, other) => Math.abs(one.indent - indent) - Math.abs(other.indent - indent))
  return `${best?.indent ?? 0} blanks, as the ${isList ? 'entries' : 'keys'} above it`
}

/** Brackets that stand open behind the line, outside of quotes; a quote that is never closed is an apostrophe. */
function depthAfter(line: string, before: number): number {
  let depth = before
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string
    if (character === '"' || character === "'") at = Math.max(at, closingAt(line, at))
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
  }
  return depth
}

/** Longer texts in quotes are not looked through: a line of quotes would take quadratic time. */
const QUOTED_MAX = 1_000

/** Where the quoted text ends that begins here; -1: nowhere. */
function closingAt(line: string, from: number): number {
  for (let at = from + 1; at < Math.min(line.length, from + QUOTED_MAX); at++) {
    if (line[at] === line[from]) return at
    if (line[at] === '\\' && line[from] === '"') at++
  }
  return -1
}
