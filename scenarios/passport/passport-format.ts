import { Document, visit } from 'yaml'
import { z } from 'zod'
import { rigCommand } from '../../drivers/host/shell-command.ts'
import { readYaml } from '../../drivers/host/yaml-file.ts'
import { escapeControl, escapeControlInLines } from '../../drivers/model/escape-control.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import {
  DEPTHS,
  type DeviceFacts,
  type Questionnaire,
  type Request,
  type ResponseParts,
} from '../../drivers/wire/questionnaire.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { RECEIPT_PHASES } from '../../emulator/fiscal/receipt-phase.ts'
import { repeatIn } from '../../emulator/passport/overrides.ts'
import type { Override, Passport } from '../../emulator/passport/passport.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'

const FORMAT = 1

const text = z.string()
/** A byte is one character from 00h to FFh. */
const bytes = text.refine(
  (value) => /^[\u0000-\u00ff]*$/.test(value),
  'expected bytes, each as a letter from 00h to FFh',
)
/**
 * Maximum sizes of the data of an answer, in bytes and in parts between separators. Both are larger than in any frame.
 */
const DATA_MAX = 4096
const PIECES_MAX = 512
const data = bytes.max(DATA_MAX, `does not fit into an answer: expected at most ${DATA_MAX} bytes`)
const place = z.int().min(1).max(PIECES_MAX)
const isPlaceOrName = (name: string): boolean => !/^\d+$/.test(name) || place.safeParse(Number(name)).success
const byPlace = text.refine(isPlaceOrName, `expected a place from 1 to ${PIECES_MAX}`)
const width = z.int().min(0).max(512)
const number = text.regex(/^[\x21-\x7e]{1,32}$/, 'expected letters and digits')
const texts = z.array(text)
const whole = z.int().min(0)
const ms = z.number().min(0)
const status = z.array(text.regex(/^[+-]\w+$/, 'expected +name or -name of a status bit'))

const answer = z.strictObject({
  fields: z.record(byPlace, z.unknown()).exactOptional(),
  widths: z.record(byPlace, z.int().min(1).max(64)).exactOptional(),
  added: z.array(data).max(PIECES_MAX).exactOptional(),
  missing: z
    .array(z.union([text, place]))
    .max(PIECES_MAX)
    .exactOptional(),
  data: data.exactOptional(),
  status: status.exactOptional(),
})

const override = z.strictObject({
  command: text.min(1),
  state: z.enum(RECEIPT_PHASES as [string, ...string[]]).exactOptional(),
  request: data.exactOptional(),
  instead: text.exactOptional(),
  refusal: z
    .strictObject({ code: z.union([text, z.int()]), status: status.exactOptional(), data: data.exactOptional() })
    .exactOptional(),
  answer: answer.exactOptional(),
  silent: z.literal(true).exactOptional(),
  bytes: text
    .max(3 * DATA_MAX)
    .regex(/^([0-9A-F]{2}( |$))*$/, 'expected bytes such as 01 3F')
    .exactOptional(),
})

const schema = z.strictObject({
  passport: z.int(),
  complete: z.boolean(),
  rig: text,
  depth: z.enum(DEPTHS),
  device: z.strictObject({
    family: text,
    profile: text,
    model: text.exactOptional(),
    firmware: text.exactOptional(),
    serialNumber: number.exactOptional(),
    fiscalMemoryNumber: number.exactOptional(),
  }),
  line: z.strictObject({
    baud: z.int().min(1).exactOptional(),
    firstByteMs: z.strictObject({ median: ms, p95: ms }).exactOptional(),
    perPrintedLineMs: ms.exactOptional(),
    slow: z.record(text, ms).exactOptional(),
  }),
  switches: z.record(text, text),
  notSeen: texts,
  facts: z.strictObject({
    taxRates: z
      .record(text, z.union([text.regex(/^\d{1,2}\.\d\d$/, 'expected a rate such as "20.00"'), z.null()]))
      .exactOptional(),
    payments: z.record(text, text).exactOptional(),
    operators: whole.exactOptional(),
    header: texts.exactOptional(),
    footer: texts.exactOptional(),
    articles: z
      .strictObject({
        first: whole.exactOptional(),
        last: whole.exactOptional(),
        known: z.record(text, z.union([z.record(text, z.unknown()), z.null()])).exactOptional(),
      })
      .exactOptional(),
    textWidth: z
      .strictObject({ nonFiscalText: width.exactOptional(), fiscalText: width.exactOptional() })
      .exactOptional(),
    parameters: z.record(text, text).exactOptional(),
  }),
  overrides: z.array(override),
  differences: z.array(
    z.strictObject({
      probe: text,
      request: text,
      device: text,
      emulator: text,
      meaning: text,
      explainedBy: z.union([text, z.null()]),
    }),
  ),
  same: whole,
})

/** The message has a line `FILE:LINE: what` for each mistake. */
export class PassportMistakes extends Error {}

const HEAD = `# The passport of a device: where its answers differ from those of the emulated device of its family.
# fiscal-rig emulate --passport THIS-FILE emulates this device; see fixtures/passports/README.md on how to send one.
`

/** Escapes control characters that YAML would write as they are. */
export function passportText(passport: Passport): string {
  const file = new Document(passport, { aliasDuplicateObjects: false })
  visit(file, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && escapeControl(node.value) !== node.value) node.type = 'QUOTE_DOUBLE'
    },
  })
  return HEAD + escapeControlInLines(file.toString({ lineWidth: 0, flowCollectionPadding: false }))
}

export function readPassport(file: string, content: string): Passport {
  const { values, mistakes, placeOf } = readYaml(file, content)
  const at = (path: readonly PropertyKey[], what: string): Mistake => ({ line: placeOf(0, path, 'key').line, what })
  const all: readonly Mistake[] = mistakes.length > 0 ? mistakes : judged(values, at)
  if (all.length > 0) throw new PassportMistakes(linesOf(file, all).join('\n'))
  return values[0] as Passport
}

const MISTAKES_MAX = 50

const linesOf = (file: string, mistakes: readonly Mistake[]): readonly string[] => [
  ...mistakes.slice(0, MISTAKES_MAX).map(({ line, what }) => `${file}:${line}: ${what}`),
  ...(mistakes.length > MISTAKES_MAX ? [`and ${mistakes.length - MISTAKES_MAX} more`] : []),
]

interface Mistake {
  readonly line: number
  readonly what: string
}
type At = (path: readonly PropertyKey[], what: string) => Mistake

const newer = (format: number): string =>
  format > FORMAT ? ': update fiscal-rig, because a newer version wrote it' : ': record the passport again'

function judged([value, ...otherValues]: readonly unknown[], at: At): readonly Mistake[] {
  if (otherValues.length > 0) return [{ line: 1, what: 'expected one passport' }]
  const format = (value as { passport?: unknown } | null)?.passport
  if (typeof format === 'number' && format !== FORMAT)
    return [at(['passport'], `is in format ${format}, this version reads format ${FORMAT}${newer(format)}`)]
  const parsed = schema.safeParse(value)
  if (parsed.success) return contradictions(parsed.data as Passport, at)
  return parsed.error.issues.map(({ path, message, ...issue }) => {
    const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const name = [...path, ...(key === undefined ? [] : [key])].join('.')
    const what =
      key === undefined
        ? message.replace(/^Invalid (?:input|option): /, '').replace(/, received undefined$/, '; it is missing')
        : 'is not a member of a passport'
    return at(key === undefined ? path : [...path, key], `${name === '' ? 'the file' : name}: ${what}`)
  })
}

function contradictions(passport: Passport, at: At): readonly Mistake[] {
  const { device, switches, notSeen, overrides, differences, facts } = passport
  const family = emulatedFamilies.get(device.family)
  if (!family)
    return [
      at(
        ['device', 'family'],
        `there is no family ${device.family}: expected ${[...emulatedFamilies.keys()].join(', ')}`,
      ),
    ]
  if (!family.profiles.includes(device.profile))
    return [at(['device', 'profile'], `expected a profile of family ${device.family}: ${family.profiles.join(', ')}`)]
  const choices = family.switches ?? {}
  const q = questionnaireFor(family, device.profile)
  const commandNames = new Set([...q.catalogue.all.map(({ name }) => name), 'link'])
  const groups = TAX_CODES.slice(0, family.profile(device.profile).taxGroups).map(taxLetter)
  return [
    ...Object.entries(switches).flatMap(([name, value]) => {
      const values = Object.hasOwn(choices, name) ? choices[name] : undefined
      if (!values) return [at(['switches', name], `family ${device.family} has no switch ${name}`)]
      if (name !== 'memoryPassword' && !values.includes(value))
        return [at(['switches', name], `${name}=${value}: expected one of ${values.join(', ')}`)]
      return notSeen.includes(name)
        ? [at(['notSeen', notSeen.indexOf(name)], `${name} is also in switches: remove one of the two`)]
        : []
    }),
    ...notSeen.flatMap((name, index) =>
      Object.hasOwn(choices, name) ? [] : [at(['notSeen', index], `family ${device.family} has no switch ${name}`)],
    ),
    ...Object.keys(facts.taxRates ?? {}).flatMap((letter) =>
      groups.includes(letter)
        ? []
        : [at(['facts', 'taxRates', letter], `profile ${device.profile} has no tax group ${letter}`)],
    ),
    ...overrides.flatMap((one, index) => {
      const actions = [one.refusal, one.answer, one.silent, one.bytes].filter((action) => action !== undefined)
      if (!commandNames.has(one.command) && !/^0x[0-9A-F]+$/.test(one.command))
        return [
          at(
            ['overrides', index, 'command'],
            `profile ${device.profile} has no command ${one.command}; ${rigCommand(['emulate', '--family', device.family, '--profile', device.profile, '--list-commands'])} lists its commands`,
          ),
        ]
      const what = unencodable(device.family, q, one)
      if (what !== undefined) return [at(['overrides', index], what)]
      return actions.length === 1 ? [] : [at(['overrides', index], 'expected one of refusal, answer, silent and bytes')]
    }),
    ...Object.entries(facts.articles?.known ?? {}).flatMap(([plu, article]) =>
      canConfigure(q, { articles: { known: { [plu]: article } } })
        ? []
        : [
            at(
              ['facts', 'articles', 'known', plu],
              `article ${plu} cannot be programmed into a device of profile ${device.profile}: correct its name, price or tax code, or remove it`,
            ),
          ],
    ),
    ...differences.flatMap(({ explainedBy }, index) =>
      (explainedBy?.split(' ') ?? []).flatMap((word) => {
        const [name = '', value] = word.split('=')
        return switches[name] === value
          ? []
          : [at(['differences', index, 'explainedBy'], `${word} is not among the switches of this passport`)]
      }),
    ),
  ]
}

/** Returns the reason why a device of the family cannot send this answer, or `undefined`. */
function unencodable(
  family: string,
  q: Questionnaire,
  { command: name, request, refusal, answer }: Override,
): string | undefined {
  if (name === 'link' && !q.link.some(({ id }) => id === request))
    return `family ${family} has no probe link.${request ?? ''}; expected one of ${q.link.map(({ id }) => id).join(', ')}`
  const code = name.startsWith('0x')
    ? Number(name)
    : (q.catalogue.byName[name]?.code ?? repeatIn(q, request)?.[1].code ?? 0)
  const question = { number: q.numbers.first, code, data: '' }
  if (refusal) {
    const word = String(refusal.code)
    const response = responseAgain(q, { refusal: word, data: refusal.data ?? '', flags: [], lines: 0 }, question)
    if (response?.refusal !== word)
      return `family ${family} has no refusal ${word}; use one of the error codes in its specification`
  }
  if (answer?.data === undefined || responseAgain(q, { data: answer.data, flags: [], lines: 0 }, question))
    return undefined
  return 'answer.data does not fit into an answer'
}

function responseAgain(q: Questionnaire, response: ResponseParts, question: Request): ResponseParts | undefined {
  try {
    return q.readAnswer([q.writeAnswer(response, question)], question)
  } catch {
    return undefined
  }
}

function canConfigure(q: Questionnaire, facts: DeviceFacts): boolean {
  try {
    q.configureCommands(facts)
    return true
  } catch {
    return false
  }
}

const word = (text: string | undefined): string => (text ?? '').match(/[\w.]+/g)?.join('-') ?? ''

export function passportFileName({ device: { family, model, serialNumber } }: Passport): string {
  const words = [word(model) || `family-${family}`, word(serialNumber)].filter((one) => one !== '')
  return `passport-${words.join('-')}.yaml`
}
