import type { z } from 'zod'
import { EFFECT_NAMES, type Effect, type EffectName, rowOf, SIMPLE_EFFECTS } from './effects.ts'
import { POINT_NAMES } from './points.ts'

/** Members that are valid only with these effects, and only on a line. */
export const ON_LINE: Readonly<Record<'after' | 'byte', readonly EffectName[]>> = {
  after: ['drop', 'unplug', 'powerCut'],
  byte: ['drop', 'duplicate'],
}

const VALUED_EFFECTS = EFFECT_NAMES.flatMap((name) => {
  const { takes } = rowOf(name)
  return takes ? [{ name, takes }] : []
})
const VALUED_WORDS = VALUED_EFFECTS.map(({ name, takes }) => `{${name}: ${takes.sign}}`)
const EFFECT_WORDS = `${[...SIMPLE_EFFECTS, ...VALUED_WORDS.slice(0, -1)].join(', ')} or ${VALUED_WORDS.at(-1)}`

/** The error of a schema union hides the invalid member, so that the message begins with it. */
function membersProblem(input: unknown): string {
  const [member] = typeof input === 'object' && input !== null ? Object.entries(input) : []
  return member ? `${member[0]}: ${JSON.stringify(member[1])} is not valid; ` : ''
}

export type Schemas = typeof z

/** The schema library is a parameter, so that a device without rules need not load it. */
export function ruleForm(z: Schemas) {
  const whole = (min: number, max: number) => {
    const error = `expected a whole number from ${min} to ${max}`
    return z.int({ error }).min(min, { error }).max(max, { error })
  }

  const effect = z.union(
    [
      z.enum(SIMPLE_EFFECTS),
      ...VALUED_EFFECTS.map(({ name, takes }) =>
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

  const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' })

  return z.strictObject(
    {
      at: z.enum(POINT_NAMES, { error: `expected ${POINT_NAMES.join(', ')}` }),
      /** Absent: the rule applies to every command, and on the line also to single bytes. */
      on: text
        .exactOptional()
        .describe('Name of a command of the family (emulate --list-commands); absent: every one.'),
      skip: whole(0, 1_000_000_000).exactOptional().describe('Number of matches that pass before the first hit.'),
      times: whole(1, 1_000_000_000).exactOptional().describe('Maximum number of hits; absent: no limit.'),
      probability: z
        .number({ error: 'expected a number from 0 to 1' })
        .min(0, { error: 'expected a number from 0 to 1' })
        .max(1, { error: 'expected a number from 0 to 1' })
        .exactOptional()
        .describe('Probability of a hit for each other match, drawn from the seed.'),
      containing: text.exactOptional().describe('Only frames, lines or kinds of write that contain this text.'),
      after: whole(0, 8191)
        .exactOptional()
        .describe(`With ${ON_LINE.after.join(', ')} on a line: bytes that still pass.`),
      byte: whole(0, 8191)
        .exactOptional()
        .describe(`With ${ON_LINE.byte.join(', ')} on a line: only this byte, 0 the first.`),
      do: effect,
    },
    {
      error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'expected a rule: {at, on, skip, times, do}'),
    },
  )
}

export type Rule = Readonly<z.output<ReturnType<typeof ruleForm>>>
