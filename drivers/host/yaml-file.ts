import { extname } from 'node:path'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseAllDocuments,
  Scalar,
  visit,
} from 'yaml'
import { messageOf } from '../model/errors.ts'
import {
  DEPTH_MAX,
  excerpt,
  type ForeignFileOptions,
  HAND_WRITTEN_MAX_BYTES,
  parseForeignJson,
  readForeignFile,
  whyNotPlain,
} from './foreign-file.ts'

export interface Location {
  readonly line: number
  readonly column: number
}

export interface YamlFile {
  readonly file: string
  readonly values: readonly unknown[]
  readonly mistakes: readonly (Location & { readonly file: string; readonly what: string })[]
  /**
   * Returns the position of a value; for a missing value, the position of its parent. With `part`, returns the position
   * of the key.
   */
  placeOf(document: number, path: readonly PropertyKey[], part?: 'key'): Location
  /**
   * Returns the text of a value. The text includes the beginning of its first line unless another value is on that
   * line.
   */
  textOf(document: number, path: readonly PropertyKey[]): string
}

const DOCUMENTS_MAX = 1_000
const YAML_MAX = 4 * 1024 * 1024
/** Maximum number of tokens in a file. A printer of a fleet has about twenty; the parser needs over 1 KB for each. */
const TOKENS_MAX = 200_000

export interface Remark {
  readonly at: number
  readonly what: string
}

/**
 * Parses a text. Text that cannot be parsed results in a mistake at its beginning. `remarks` returns further mistakes
 * of a document.
 */
export function readYaml(
  file: string,
  text: string,
  remarks: (document: Document.Parsed) => readonly Remark[] = () => [],
): YamlFile {
  if (text.length > YAML_MAX) return unread(file, `expected at most ${YAML_MAX / 1024 / 1024} MiB`)
  if (hasTooManyTokens(text)) return unread(file, `expected at most ${TOKENS_MAX} words and signs of YAML`)
  try {
    const yaml = parsed(file, text, remarks)
    const wrong = yaml.values.map((value) => whyNotPlain(value)).find((why) => why !== undefined)
    return wrong === undefined ? yaml : unread(file, wrong)
  } catch (error) {
    // The library throws ReferenceError for aliases that would multiply the size of the file, and RangeError if the
    // stack is full.
    if (error instanceof ReferenceError)
      return unread(file, 'expected fewer aliases: expanded, the file would be too large')
    if (error instanceof RangeError)
      return unread(file, `expected lists and objects nested less deep than ${DEPTH_MAX}`)
    throw error
  }
}

function hasTooManyTokens(text: string): boolean {
  let count = 0
  for (const _ of new Lexer().lex(text)) if (++count > TOKENS_MAX) return true
  return false
}

const unread = (file: string, what: string): YamlFile => ({
  file,
  values: [],
  mistakes: [{ file, line: 1, column: 1, what }],
  placeOf: () => ({ line: 1, column: 1 }),
  textOf: () => '',
})

function parsed(file: string, text: string, remarks: (document: Document.Parsed) => readonly Remark[]): YamlFile {
  const lines = new LineCounter()
  const all = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const documents = (Array.isArray(all) ? all : []) as Document.Parsed[]
  if (documents.length > DOCUMENTS_MAX) return unread(file, `expected at most ${DOCUMENTS_MAX} documents`)
  const place = (offset: number): Location => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line, column: col }
  }
  const merges = documents.map(wrongKeys)
  const mistakes = documents.flatMap((document, index) =>
    [...syntaxMistakes(document), ...(merges[index] ?? []), ...remarks(document)].map(({ at, what }) => ({
      file,
      ...place(at),
      what,
    })),
  )
  const isWhole = ({ errors }: Document.Parsed, at: number): boolean => errors.length === 0 && merges[at]?.length === 0
  return {
    file,
    values: documents.map((document, at) => (isWhole(document, at) ? (document.toJS() as unknown) : null)),
    mistakes,
    placeOf(document, path, part) {
      const node = find(documents[document]?.contents ?? null, path, part)
      return place(node?.range?.[0] ?? 0)
    },
    textOf(document, path) {
      const node = find(documents[document]?.contents ?? null, path, undefined)
      const [start = 0, end = 0] = node?.range ?? []
      const line = start - (place(start).column - 1)
      // The text of a value inside `[a, b]` begins at the value itself.
      const before = text.slice(line, start).trimStart()
      return text.slice(before === '' || before.startsWith('-') ? line : start, end).trimEnd()
    },
  }
}

const syntaxMistakes = ({ errors, warnings }: Document.Parsed): readonly Remark[] =>
  [...errors.slice(0, 1), ...warnings].map(({ pos, message }) => ({ at: pos[0], what: excerpt(message) }))

function find(root: Node | null, path: readonly PropertyKey[], part: 'key' | undefined): Node | undefined {
  let node: Node | null = root
  for (const [index, step] of path.entries()) {
    let next: unknown
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair && (part === 'key' || pair.value === null) && index === path.length - 1) return pair.key as Node
      next = pair?.value
    } else if (isSeq(node)) next = node.items[Number(step)]
    if (next === undefined || next === null) break
    node = next as Node
  }
  return node ?? undefined
}

const MERGE = '<<'
/** Returns whether the key is a merge key, which the library may have replaced by a symbol. */
const isMerge = (key: unknown): key is Scalar =>
  isScalar(key) &&
  (!key.type || key.type === Scalar.PLAIN) &&
  (key.value === MERGE || (typeof key.value === 'symbol' && key.value.description === MERGE))

/**
 * Returns wrong keys. The value of `<<` must be one or more objects. `__proto__` is forbidden because schemas ignore
 * it, while a copy of the object would get it as prototype.
 */
function wrongKeys(document: Document.Parsed): Remark[] {
  const wrong: Remark[] = []
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === '__proto__')
        wrong.push({ at: key.range?.[0] ?? 0, what: '__proto__ is not allowed as a name' })
      if (!isMerge(key)) return
      const source = resolved(value)
      const sources = isSeq(source) ? source.items.map(resolved) : [source]
      if (sources.every(isMap)) return
      wrong.push({ at: key.range?.[0] ?? 0, what: 'expected an object after <<, or the alias of one' })
    },
  })
  return wrong
}

const withPlace = ({ line, column, what }: Location & { readonly what: string }): string =>
  `${what} at line ${line}, column ${column}`

export class DataSyntaxError extends Error {}

/**
 * Returns the value in a JSON or YAML file, depending on the extension; null for an empty YAML file. Throws
 * ForeignFileError if the file cannot be read, and DataSyntaxError if it cannot be parsed.
 */
export function readDataFile(
  path: string,
  options: ForeignFileOptions = { maxBytes: HAND_WRITTEN_MAX_BYTES },
): unknown {
  const text = readForeignFile(path, options)
  if (extname(path).toLowerCase() === '.json') return jsonIn(text)
  const { values, mistakes } = readYaml(path, text)
  const [first] = mistakes
  if (first) throw new DataSyntaxError(`expected valid YAML: ${withPlace(first)}`)
  if (values.length > 1) throw new DataSyntaxError('expected valid YAML: expected one document')
  return values[0] ?? null
}

function jsonIn(text: string): unknown {
  try {
    return parseForeignJson(text, TOKENS_MAX)
  } catch (error) {
    throw new DataSyntaxError(`expected valid JSON: ${excerpt(messageOf(error))}`)
  }
}
