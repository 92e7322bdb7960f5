import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { z } from 'zod'
import * as views from '../../emulator/panel/view-schemas.ts'
import { answerTable, lookupIn, rowsOf, type Schema } from './schema-table.ts'
import { blocks, code, table } from './table.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly declaration?: Node | null
  readonly id?: { readonly name: string }
  readonly key?: { readonly name?: string }
  readonly body?: { readonly body: readonly Node[] }
  readonly declarations?: readonly Node[]
}

interface Source {
  readonly text: string
  readonly nodes: readonly Node[]
  commentBefore(node: Node): string
}

function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const { program, comments } = parseSync(file, text)
  const ends = new Map(comments.filter(({ value }) => value.startsWith('*')).map((one) => [one.end, one.value]))
  return {
    text,
    nodes: program.body as unknown as readonly Node[],
    commentBefore({ start }) {
      const gap = text.slice(0, start).length - text.slice(0, start).trimEnd().length
      return prose(ends.get(start - gap) ?? '')
    },
  }
}

const prose = (comment: string): string =>
  comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .trim()

interface DocumentedDeclaration {
  readonly name: string
  readonly code: string
  readonly words: string
  readonly members: readonly { readonly code: string; readonly words: string }[]
}

const withoutComments = (text: string): string =>
  text
    .replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()

function exportsOf(source: Source): DocumentedDeclaration[] {
  return source.nodes.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined
    const name = (declaration?.declarations?.[0] ?? declaration)?.id?.name
    if (!declaration || name === undefined) return []
    const words = source.commentBefore(node)
    const text = source.text.slice(declaration.start, declaration.end)
    if (declaration.type === 'FunctionDeclaration') {
      return [{ name, words, code: text.slice(0, text.indexOf('{\n')).trim(), members: [] }]
    }
    if (declaration.type === 'TSInterfaceDeclaration') {
      const members = (declaration.body?.body ?? []).map((member) => ({
        code: withoutComments(source.text.slice(member.start, member.end)),
        words: source.commentBefore(member),
      }))
      return [{ name, words, code: text.slice(0, text.indexOf('{')).trim(), members }]
    }
    const code = declaration.type === 'VariableDeclaration' ? text.slice(0, text.indexOf(' = ')) : text
    return [{ name, words, code, members: [] }]
  })
}

const fence = (text: string): string => `\`\`\`typescript\n${text}\n\`\`\``

/** Parses `readonly name?: string`. Returns `undefined` for a method. */
const property = (text: string) =>
  /^(?:readonly )?(?<name>\w+)(?<optional>\??): (?<type>[^=]*)$/s.exec(text)?.groups as
    | { readonly name: string; readonly optional: string; readonly type: string }
    | undefined

/** A method without a comment shares the block of the next method that has one. */
function callList(members: DocumentedDeclaration['members']): string {
  const parts: string[] = []
  let waiting: string[] = []
  for (const { code, words } of members) {
    waiting.push(code)
    if (words === '') continue
    parts.push(fence(waiting.join('\n')), words)
    waiting = []
  }
  return blocks(...parts, waiting.length === 0 ? '' : fence(waiting.join('\n')))
}

function memberList(members: DocumentedDeclaration['members']): string {
  const properties = members.flatMap(({ code: text, words }) => {
    const member = property(text)
    return member ? [[code(member.name + member.optional), code(member.type.replaceAll(/\s+/g, ' ')), words]] : []
  })
  return blocks(
    table(['member', 'type', 'meaning'], properties),
    callList(members.filter(({ code: text }) => !property(text))),
  )
}

const section = ({ name, code: text, words, members }: DocumentedDeclaration): string =>
  blocks(`### ${name}`, words, members.length === 0 ? fence(text) : memberList(members))

const VIEWS: Readonly<Record<string, z.ZodType>> = {
  DayView: views.device.shape.day,
  DocumentView: views.document,
  FrameView: views.frame,
  HitView: views.hit,
  JournalLineView: views.journalLine,
  Snapshot: views.snapshot,
  ZView: views.zReport,
}

function viewSection([name, schema]: readonly [string, z.ZodType]): string {
  const described = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema
  return blocks(`### ${name}`, answerTable(rowsOf(described, lookupIn(described))))
}

const OTHER_VIEWS = `### PaperState

\`\`\`typescript
type PaperState = 'ok' | 'low' | 'out'
\`\`\`

### FrameDirection

\`\`\`typescript
type FrameDirection = 'toDevice' | 'toHost'
\`\`\`

### Rule

A fault rule: see [Faults](./faults.md#members-of-a-rule).`

const INTRODUCTION = `Amounts, prices and quantities are decimal text (\`'12.50'\`, \`'1.500'\`). Times are the device's own wall clock without a zone
(\`2026-03-01T08:00:00\`). The message of an error contains the reason. Importing the package opens nothing, and \`close\`
releases everything. [Testing with the library](./testing-with-the-library.md) shows how to use it.`

export function libraryExports(
  root: string,
): readonly { readonly entry: string; readonly exports: readonly DocumentedDeclaration[] }[] {
  const declarationsOf = (...files: readonly string[]) => files.flatMap((file) => exportsOf(readSource(root, file)))
  const start = declarationsOf('bin/library/printer.ts').filter(({ name }) => name === 'startPrinter')
  return [
    { entry: 'fiscal-rig', exports: [...start, ...declarationsOf('bin/library.ts', 'bin/library/types.ts')] },
    { entry: 'fiscal-rig/matchers', exports: declarationsOf('bin/matchers.ts') },
  ]
}

export function libraryText(root: string): string {
  const sections = libraryExports(root).map(({ entry, exports }) =>
    blocks(`## ${entry}`, `\`\`\`ts\n${IMPORTS[entry]}\n\`\`\``, ...exports.map(section)),
  )
  return blocks(
    INTRODUCTION,
    ...sections,
    '## What the device shows',
    ...Object.entries(VIEWS).map(viewSection),
    OTHER_VIEWS,
  )
}

const IMPORTS: Readonly<Record<string, string>> = {
  'fiscal-rig': "import { startPrinter, startService } from 'fiscal-rig'",
  'fiscal-rig/matchers':
    "import { matchers } from 'fiscal-rig/matchers'\nimport 'fiscal-rig/matchers/vitest' // types; or fiscal-rig/matchers/jest\n\nexpect.extend(matchers)",
}
