/**
 * Fault rules as data (decisions 6 and 8): where, at which command, how often, what. A plan is an array of
 * rules; rules are independent, and several may strike at once.
 *
 * A driver must survive, with nothing but time lost: a single frame or byte lost, doubled, damaged, split or late in
 * either direction (a whole command doubled on its way to a device of family C is carried out twice: sheet C 2.4),
 * noise, a long busy time, a refused frame, a port that is lost and comes back, a power cut after which the device comes
 * back. Everything else (a device that stays away, paper out, cover open, memory full) must fail
 * cleanly: a named error, the books balanced, the next request unharmed.
 */
import { z } from 'zod'
import { EFFECT_NAMES, type Effect, type EffectName, effectName, possibleAt, rowOf, SIMPLE_EFFECTS } from './effects.ts'
import { POINT_NAMES } from './points.ts'

/** Members that shape some effects on a line. */
const ON_LINE: Readonly<Record<'after' | 'byte', readonly EffectName[]>> = {
  after: ['drop', 'unplug', 'powerCut'],
  byte: ['drop', 'duplicate'],
}

const whole = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

const VALUED = EFFECT_NAMES.flatMap((name) => {
  const { takes } = rowOf(name)
  return takes ? [{ name, takes }] : []
})
const VALUED_WORDS = VALUED.map(({ name, takes }) => `{${name}: ${takes.sign}}`)
const EFFECT_WORDS = `${[...SIMPLE_EFFECTS, ...VALUED_WORDS.slice(0, -1)].join(', ')} or ${VALUED_WORDS.at(-1)}`

const effect = z.union(
  [
    z.enum(SIMPLE_EFFECTS),
    ...VALUED.map(({ name, takes }) =>
      z.strictObject({
        [name]:
          'pattern' in takes
            ? z.string({ error: 'expected a text' }).regex(takes.pattern, { error: takes.expected })
            : whole(takes.min, takes.max),
      }),
    ),
  ],
  { error: (issue) => `${membersProblem(issue.input)}expected ${EFFECT_WORDS}` },
) as unknown as z.ZodType<Effect, Effect>

/** What a union alone would hide: the member's own mistake. */
function membersProblem(input: unknown): string {
  const [member] = typeof input === 'object' && input !== null ? Object.entries(input) : []
  return member ? `${member[0]}: ${JSON.stringify(member[1])} cannot be; ` : ''
}

const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' })

export const ruleSchema = z.strictObject(
  {
    at: z.enum(POINT_NAMES, { error: `expected ${POINT_NAMES.join(', ')}` }),
    /** Without it every one, and single bytes on the line too. */
    on: text.exactOptional().describe('Name of a command of the family (emulate --list-commands); absent: every one.'),
    skip: whole(0, 1_000_000_000).exactOptional().describe('Occasions that pass unharmed first.'),
    times: whole(1, 1_000_000_000).exactOptional().describe('How often it strikes; absent: every time.'),
    probability: z
      .number({ error: 'expected a number from 0 to 1' })
      .min(0, { error: 'expected a number from 0 to 1' })
      .max(1, { error: 'expected a number from 0 to 1' })
      .exactOptional()
      .describe('Of the occasions that are left, from the seed.'),
    /** Bytes of the frame, the printed line, or what is written (receipt, z, taxRates, journal). */
    containing: text.exactOptional().describe('Only frames, lines or kinds of write that contain this text.'),
    after: whole(0, 8191)
      .exactOptional()
      .describe(`With ${ON_LINE.after.join(', ')} on a line: bytes that still pass.`),
    byte: whole(0, 8191)
      .exactOptional()
      .describe(`With ${ON_LINE.byte.join(', ')} on a line: only this byte, 0 the first.`),
    do: effect,
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'expected a rule: {at, on, skip, times, do}') },
)

export type Rule = Readonly<z.output<typeof ruleSchema>>

export interface PlanProblem {
  /** `[2].do`; empty: the whole. */
  readonly path: string
  readonly message: string
}

/** A plan that cannot be, with everything that is wrong with it. */
export class PlanError extends RangeError {
  readonly problems: readonly PlanProblem[]

  constructor(problems: readonly PlanProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'))
    this.name = 'PlanError'
    this.problems = problems
  }
}

/** Checks one rule whole. `commands`: the names that the family knows. */
export function checkRule(value: unknown, commands: ReadonlySet<string>, place = ''): readonly PlanProblem[] {
  const result = ruleSchema.safeParse(value)
  if (!result.success) {
    return result.error.issues.map(({ path, message }) => ({ path: placeOf(place, path), message }))
  }
  const rule = result.data
  const problems: PlanProblem[] = []
  const wrong = (member: string, message: string) => problems.push({ path: placeOf(place, [member]), message })
  const name = effectName(rule.do)
  const possible = possibleAt(rule.at)
  if (!possible.includes(name)) wrong('do', `${name} cannot happen at ${rule.at}; there are ${possible.join(', ')}`)
  if (rule.on !== undefined && rule.on !== 'unknown' && !commands.has(rule.on))
    wrong('on', unknownName(rule.on, commands))
  const onLine = rule.at === 'link.toDevice' || rule.at === 'link.toHost'
  const alone = (member: 'after' | 'byte', what: string) => {
    if (rule[member] === undefined || (onLine && ON_LINE[member].includes(name))) return
    wrong(member, `only ${ON_LINE[member].join(', ').replace(/, (?=\w+$)/, ' and ')} on a line can ${what}`)
  }
  alone('after', 'come after some bytes')
  alone('byte', 'touch a single byte')
  if (rule.byte !== undefined && rule.after !== undefined) wrong('byte', 'give either after or byte')
  if (rule.containing !== undefined && (rowOf(name).strike.full || rule.at.startsWith('command.'))) {
    wrong('containing', 'there is nothing to look into: only frames, printed lines and writes have content')
  }
  return problems
}

/** A plan from a file or a call. Throws PlanError with all mistakes. */
export function readPlan(value: unknown, commands: ReadonlySet<string>): readonly Rule[] {
  if (!Array.isArray(value)) throw new PlanError([{ path: '', message: 'expected a list of rules' }])
  const problems = value.flatMap((rule, index) => checkRule(rule, commands, `[${index}]`))
  if (problems.length > 0) throw new PlanError(problems)
  return value as Rule[]
}

/** JSON Schema of a plan, for editors; what can happen where is said by the device. */
export const planSchemaText = (): string => {
  const schema = z.toJSONSchema(z.array(ruleSchema).describe('Fault rules of an emulated fiscal printer.'))
  return `${JSON.stringify(schema, null, 2)}\n`
}

const placeOf = (place: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((so, step) => (so === '' ? String(step) : `${so}.${String(step)}`), place)

function unknownName(name: string, commands: ReadonlySet<string>): string {
  const word = name.toLowerCase()
  const near = [...commands].filter((one) => {
    const known = one.toLowerCase()
    return known.includes(word) || word.includes(known) || known.slice(0, 4) === word.slice(0, 4)
  })
  const hint = near.length > 0 ? `; did you mean ${near.slice(0, 4).join(', ')}?` : '; see emulate --list-commands'
  return `${JSON.stringify(name)} is no command of this family${hint}`
}
