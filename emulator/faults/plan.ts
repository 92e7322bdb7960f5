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
import { POINTS, type Point } from './points.ts'

export type SimpleEffect =
  | 'drop'
  | 'duplicate'
  | 'refuse'
  | 'paperOut'
  | 'coverOpen'
  | 'powerCut'
  | 'memoryFull'
  | 'unplug'
export type Effect =
  | SimpleEffect
  /** Number of a bit of the frame, 0 the lowest of its first byte; counted round on a shorter frame. */
  | { readonly flip: number }
  /** So many bytes, then a short pause, then the rest. */
  | { readonly split: number }
  | { readonly delayMs: number }
  /** Works for longer than it would, with the busy answers of its wire. */
  | { readonly busyMs: number }
  /** Bytes in front of the frame: one character is one byte, up to U+00FF. */
  | { readonly noise: string }

export interface Rule {
  readonly at: Point
  /** Name of a command of the family; without it every one, and single bytes on the line too. */
  readonly on?: string
  /** Occasions that pass unharmed first. */
  readonly skip?: number
  /** How often it strikes; without it every time. */
  readonly times?: number
  /** 0 to 1: of the occasions that are left, seeded. */
  readonly probability?: number
  /** Only what contains this text: bytes of the frame, the printed line, or what is written (receipt, z, taxRates, journal). */
  readonly containing?: string
  /** At a line, with drop, unplug and powerCut: so many bytes of the frame still pass. */
  readonly after?: number
  /** At a line, with drop and duplicate: only this byte of the frame, 0 the first. */
  readonly byte?: number
  readonly do: Effect
}

const SIMPLE: readonly SimpleEffect[] = [
  'drop',
  'duplicate',
  'refuse',
  'paperOut',
  'coverOpen',
  'powerCut',
  'memoryFull',
  'unplug',
]
const EFFECT_WORDS = `${SIMPLE.join(', ')}, {flip: BIT}, {split: BYTES}, {delayMs: N}, {busyMs: N} or {noise: TEXT}`

/** Longest pause that a rule may ask for: a device is busy for minutes, not for days. */
const LONGEST_MS = 3_600_000

const whole = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}
const noise = z
  .string({ error: 'expected a text' })
  .regex(/^[\0-\u00ff]{1,1024}$/, { error: 'expected 1 to 1024 characters up to U+00FF, each of which is one byte' })

const effect = z.union(
  [
    z.enum(SIMPLE),
    z.strictObject({ flip: whole(0, 65_535) }),
    z.strictObject({ split: whole(1, 8191) }),
    z.strictObject({ delayMs: whole(0, LONGEST_MS) }),
    z.strictObject({ busyMs: whole(0, LONGEST_MS) }),
    z.strictObject({ noise }),
  ],
  { error: (issue) => `${membersProblem(issue.input)}expected ${EFFECT_WORDS}` },
)

/** What a union alone would hide: the member's own mistake. */
function membersProblem(input: unknown): string {
  const [member] = typeof input === 'object' && input !== null ? Object.entries(input) : []
  return member ? `${member[0]}: ${JSON.stringify(member[1])} cannot be; ` : ''
}

const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' })

export const ruleSchema = z.strictObject(
  {
    at: z.enum(POINTS as [Point, ...Point[]], { error: `expected ${POINTS.join(', ')}` }),
    on: text.exactOptional().describe('Name of a command of the family (emulate --list-commands); absent: every one.'),
    skip: whole(0, 1_000_000_000).exactOptional().describe('Occasions that pass unharmed first.'),
    times: whole(1, 1_000_000_000).exactOptional().describe('How often it strikes; absent: every time.'),
    probability: z
      .number({ error: 'expected a number from 0 to 1' })
      .min(0, { error: 'expected a number from 0 to 1' })
      .max(1, { error: 'expected a number from 0 to 1' })
      .exactOptional()
      .describe('Of the occasions that are left, from the seed.'),
    containing: text.exactOptional().describe('Only frames, lines or kinds of write that contain this text.'),
    after: whole(0, 8191).exactOptional().describe('With drop, unplug, powerCut on a line: bytes that still pass.'),
    byte: whole(0, 8191).exactOptional().describe('With drop, duplicate on a line: only this byte, 0 the first.'),
    do: effect,
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'expected a rule: {at, on, skip, times, do}') },
)

const NAMED: readonly (keyof Exclude<Effect, string>)[] | readonly string[] = [
  'flip',
  'split',
  'delayMs',
  'busyMs',
  'noise',
]

/** What can happen where. */
const POSSIBLE: Readonly<Record<Point, readonly string[]>> = {
  'link.toDevice': [...SIMPLE.filter((one) => one !== 'memoryFull'), ...NAMED],
  'link.toHost': [...SIMPLE.filter((one) => one !== 'memoryFull'), ...NAMED],
  'command.before': ['drop', 'refuse', 'busyMs', 'paperOut', 'coverOpen', 'memoryFull', 'powerCut', 'unplug'],
  'command.after': ['drop', 'busyMs', 'paperOut', 'coverOpen', 'powerCut', 'unplug'],
  'memory.write': ['paperOut', 'coverOpen', 'memoryFull', 'powerCut'],
  'paper.line': ['paperOut', 'coverOpen', 'powerCut'],
}

export const effectName = (what: Effect): string => (typeof what === 'string' ? what : (Object.keys(what)[0] as string))

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
  if (!POSSIBLE[rule.at].includes(name)) {
    wrong('do', `${name} cannot happen at ${rule.at}; there are ${POSSIBLE[rule.at].join(', ')}`)
  }
  if (rule.on !== undefined && rule.on !== 'unknown' && !commands.has(rule.on))
    wrong('on', unknownName(rule.on, commands))
  const onLine = rule.at === 'link.toDevice' || rule.at === 'link.toHost'
  if (rule.after !== undefined && !(onLine && ['drop', 'unplug', 'powerCut'].includes(name))) {
    wrong('after', 'only drop, unplug and powerCut on a line can come after some bytes')
  }
  if (rule.byte !== undefined && !(onLine && (name === 'drop' || name === 'duplicate'))) {
    wrong('byte', 'only drop and duplicate on a line can touch a single byte')
  }
  if (rule.byte !== undefined && rule.after !== undefined) wrong('byte', 'give either after or byte')
  if (rule.containing !== undefined && (name === 'memoryFull' || rule.at.startsWith('command.'))) {
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
  const wanted = name.toLowerCase()
  const near = [...commands].filter((one) => {
    const known = one.toLowerCase()
    return known.includes(wanted) || wanted.includes(known) || known.slice(0, 4) === wanted.slice(0, 4)
  })
  const hint = near.length > 0 ? `; did you mean ${near.slice(0, 4).join(', ')}?` : '; see emulate --list-commands'
  return `${JSON.stringify(name)} is no command of this family${hint}`
}
