/** Every key of the configuration file, from its declaration. */
import { z } from 'zod'
import { settingsOf } from '../../server/config.ts'
import { configFile } from '../../server/config-schema.ts'
import { blocks, code, table } from './table.ts'

interface Key {
  /** `listen.httpPort`, `platform.mapping.plu[].title`, `operators.N.password`. */
  readonly path: string
  readonly meaning: string
  /** What a value must be, in the words of a refusal. */
  readonly expected: string
  readonly fallback: string
  /** It has keys of its own. */
  readonly isGroup: boolean
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inner(schema.unwrap())
  return schema instanceof z.ZodPipe ? inner(schema.in) : schema
}

/** Said once for all. */
const IN_QUOTES = / \(in quotes, if it looks like a number\)$/

/** What it refuses a value with that nothing takes: `expected 1 to 8`. */
function expectedOf(schema: z.core.$ZodType): string {
  const { error } = z.safeParse(schema, Symbol('nothing'))
  const words = (error?.issues[0]?.message ?? '').replace(/^expected /, '').replace(IN_QUOTES, '')
  const bare = inner(schema)
  return bare instanceof z.ZodRecord
    ? `by ${expectedOf(bare.keyType).replace(/,$/, '')}: ${expectedOf(bare.valueType)}`
    : words
}

/** Where the service has its own value when the file says nothing. */
const usual = settingsOf({}) as unknown as Readonly<Record<string, unknown>>

function fallbackOf(schema: z.core.$ZodType, path: string): string {
  if (schema instanceof z.ZodDefault) return JSON.stringify(schema.def.defaultValue)
  const value = path
    .split('.')
    .reduce<unknown>((so, step) => (so as Readonly<Record<string, unknown>> | undefined)?.[step], usual)
  const isGroup = typeof value === 'object' && !Array.isArray(value)
  return value === undefined || isGroup ? '' : JSON.stringify(value)
}

function walk(path: string, schema: z.core.$ZodType): Key[] {
  const bare = inner(schema)
  const below =
    bare instanceof z.ZodObject
      ? members(`${path}.`, bare)
      : bare instanceof z.ZodArray && inner(bare.element) instanceof z.ZodObject
        ? members(`${path}[].`, inner(bare.element) as z.ZodObject)
        : bare instanceof z.ZodRecord && inner(bare.valueType) instanceof z.ZodObject
          ? members(`${path}.N.`, inner(bare.valueType) as z.ZodObject)
          : []
  const meaning = (schema as z.ZodType).description
  if (meaning === undefined) throw new Error(`server/config-schema.ts: ${path} has no description`)
  const isGroup = bare instanceof z.ZodObject
  const own = { path, meaning, expected: expectedOf(bare), fallback: fallbackOf(schema, path), isGroup }
  return [own, ...below]
}

const members = (before: string, schema: z.ZodObject): Key[] =>
  Object.entries(schema.shape).flatMap(([name, member]) => walk(before + name, member))

/** All of them, in the order of the declaration. */
export const configurationKeys = (): readonly Key[] => members('', configFile)

const INTRODUCTION = `A file in YAML or JSON: the one that \`--config FILE\` names, or \`fiscal-rig.yaml\` or \`fiscal-rig.json\` in the working
folder, if there is one. What the [command line](./command-line.md) says wins over it. The file is checked whole before
anything starts; each mistake is told on a line of its own, with its place and what is expected there, and the exit status
is 2. A password, a key or a secret may stand elsewhere: \`{env: NAME}\` reads it from the environment, \`{file: PATH}\` from a
file; paths are relative to the configuration's folder. A text that looks like a number stands in quotes. \`N\` stands for a key that you choose, \`[]\` for each entry of a list.`

const EXAMPLE = `\`\`\`yaml
family: A
profile: ro
data: memory
listen: { httpPort: 0, httpsPort: 0, panelPort: 0, https: false }
apiKey: { env: FISCAL_RIG_KEY }
defaults: { operator: 1, pointOfSale: 24 }
taxRates: { A: 20, B: 20, C: 20, D: 9 }
\`\`\``

/** Groups of more keys than this have a table of their own. */
const MANY = 10

export function configurationText(): string {
  const keys = configurationKeys()
  const below = (name: string) => keys.filter(({ path }) => path.startsWith(`${name}.`) || path.startsWith(`${name}[]`))
  const isSection = ({ path }: Key) =>
    below(path).length > (path.includes('.') ? MANY : 0) && !path.includes('[]') && !path.includes('.N.')
  const heads = keys.filter(isSection)
  const sectionOf = ({ path }: Key) =>
    heads.findLast((head) => path === head.path || below(head.path).some((one) => one.path === path))
  const alone = keys.filter((key) => !sectionOf(key))
  const rows = (own: readonly Key[]) =>
    table(
      ['key', 'meaning', 'expected', 'without it'],
      own.map(({ path, meaning, expected, fallback }) => [code(path), meaning, expected, code(fallback)]),
    )
  const sections = heads.map((head) => {
    const own = keys.filter((key) => key !== head && sectionOf(key) === head)
    return blocks(`## ${head.path}`, head.meaning, rows(head.isGroup ? own : [head, ...own]))
  })
  return blocks(INTRODUCTION, EXAMPLE, '## The file itself', rows(alone), ...sections)
}
