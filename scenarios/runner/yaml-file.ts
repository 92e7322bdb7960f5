/** A YAML file with the place of everything in it. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  Scalar,
  visit,
} from 'yaml'
import { misplacedLines } from './indents.ts'

export interface Place {
  /** From 1. */
  readonly line: number
  readonly column: number
}

export interface YamlFile {
  /** As the user named it. */
  readonly file: string
  /** The documents, as plain values. */
  readonly values: readonly unknown[]
  /** What cannot be read as YAML, or means something else than it looks like. */
  readonly mistakes: readonly (Place & { readonly file: string; readonly what: string })[]
  /** Where a value stands; of what is not there, where its parent stands. `key`: the key itself. */
  placeOf(document: number, path: readonly PropertyKey[], of?: 'key'): Place
  /** The text of a value, from the beginning of its first line unless another value stands there. */
  textOf(document: number, path: readonly PropertyKey[]): string
}

/** Deeper than any scenario, and shallow enough for the stack of all that reads it. */
const DEPTH_MAX = 64
/** Documents of one file. */
const DOCUMENTS_MAX = 1_000

/** Whatever the text is, the answer is a file: one that cannot be read at all has a mistake at its beginning. */
export function readYaml(file: string, text: string): YamlFile {
  try {
    const yaml = parsed(file, text)
    const wrong = yaml.values.map(whyTooMuch).find((why) => why !== undefined)
    return wrong === undefined ? yaml : unread(file, wrong)
  } catch (error) {
    // Of the library, by name: aliases that would make the file many times its size, and its stack at an end.
    if (error instanceof ReferenceError)
      return unread(file, 'expected fewer aliases: expanded, the file would be too large')
    if (error instanceof RangeError)
      return unread(file, `expected lists and objects nested less deep than ${DEPTH_MAX}`)
    throw error
  }
}

const unread = (file: string, what: string): YamlFile => ({
  file,
  values: [],
  mistakes: [{ file, line: 1, column: 1, what }],
  placeOf: () => ({ line: 1, column: 1 }),
  textOf: () => '',
})

/** An object that holds itself is endlessly deep. */
function whyTooMuch(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= DEPTH_MAX) return `expected lists and objects nested less deep than ${DEPTH_MAX}`
  for (const member of Object.values(value)) {
    const why = whyTooMuch(member, depth + 1)
    if (why !== undefined) return why
  }
  return undefined
}

function parsed(file: string, text: string): YamlFile {
  const lines = new LineCounter()
  const all = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const documents = (Array.isArray(all) ? all : []) as Document.Parsed[]
  if (documents.length > DOCUMENTS_MAX) return unread(file, `expected at most ${DOCUMENTS_MAX} documents`)
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line, column: col }
  }
  const misplaced = documents.some(({ errors }) => errors.length > 0) ? misplacedLines(text) : []
  const merges = documents.map(wrongMerges)
  const mistakes = documents.flatMap((document, at) => [
    ...syntaxMistakes(document).map((one) => ({ file, ...one })),
    ...[...(merges[at] ?? []), ...misread(document)].map(({ at, what }) => ({ file, ...place(at), what })),
  ])
  const isWhole = ({ errors }: Document.Parsed, at: number): boolean => errors.length === 0 && merges[at]?.length === 0
  /** Of a wrong indent the line that has it, not the one at which the parser gave up. */
  function syntaxMistakes({ errors, warnings, range }: Document.Parsed): (Place & { readonly what: string })[] {
    const [first, last] = [place(range[0]).line, place(range[2]).line]
    const own = errors.length === 0 ? [] : misplaced.filter(({ line }) => line >= first && line <= last)
    if (own.length > 0) return own.slice(0, 1)
    const mistakes = [...errors.slice(0, 1), ...warnings]
    return mistakes.map(({ pos, message }) => ({ ...place(pos[0]), what: sentenceOf(message) }))
  }
  return {
    file,
    values: documents.map((document, at) => (isWhole(document, at) ? (document.toJS() as unknown) : null)),
    mistakes,
    placeOf(document, path, of) {
      const node = find(documents[document]?.contents ?? null, path, of)
      return place(node?.range?.[0] ?? 0)
    },
    textOf(document, path) {
      const node = find(documents[document]?.contents ?? null, path, undefined)
      const [start = 0, end = 0] = node?.range ?? []
      const line = start - (place(start).column - 1)
      // In a line with other values (`[a, b]`) it begins at itself.
      const before = text.slice(line, start).trimStart()
      return text.slice(before === '' || before.startsWith('-') ? line : start, end).trimEnd()
    },
  }
}

const sentenceOf = (message: string): string => (message.split('\n')[0] ?? message).replace(/:$/, '')

/** The deepest node on the way that is there. */
function find(root: Node | null, path: readonly PropertyKey[], of: 'key' | undefined): Node | undefined {
  let node: Node | null = root
  for (const [index, step] of path.entries()) {
    let next: unknown
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair && (of === 'key' || pair.value === null) && index === path.length - 1) return pair.key as Node
      next = pair?.value
    } else if (isSeq(node)) next = node.items[Number(step)]
    if (next === undefined || next === null) break
    node = next as Node
  }
  return node ?? undefined
}

/** What stands in a text, and where. */
interface Remark {
  readonly at: number
  readonly what: string
}

const MERGE = '<<'
/** Where merging is on, the library makes a symbol of it. */
const isMerge = (key: unknown): key is Scalar =>
  isScalar(key) &&
  (!key.type || key.type === Scalar.PLAIN) &&
  (key.value === MERGE || (typeof key.value === 'symbol' && key.value.description === MERGE))

/** `<<` takes in other objects, and there is nothing that a text or a number would be taken in as. */
function wrongMerges(document: Document.Parsed): Remark[] {
  const wrong: Remark[] = []
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
  visit(document, {
    Pair(_, { key, value }) {
      if (!isMerge(key)) return
      const source = resolved(value)
      const sources = isSeq(source) ? source.items.map(resolved) : [source]
      if (sources.every(isMap)) return
      wrong.push({ at: key.range?.[0] ?? 0, what: 'expected an object behind <<, or the alias of one' })
    },
  })
  return wrong
}

/** Numbers that YAML reads otherwise than people do: `0000` is the number 0, not a password. */
function misread(document: Document.Parsed): Remark[] {
  const misreadings: Remark[] = []
  visit(document, {
    Scalar(key, { value, source, range, type }) {
      const isLeading = type === 'PLAIN' && typeof value === 'number' && /^[+-]?0\d/.test(source ?? '')
      if (key === 'key' || !isLeading) return
      misreadings.push({
        at: range?.[0] ?? 0,
        what: `${source} would be read as the number ${value}; nearest: "${source}", in quotes`,
      })
    },
  })
  return misreadings
}
