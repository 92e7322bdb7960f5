/**
 * The schema of campaign data in Redis. Any client that can write to Redis can store anything under these names, so all
 * data are checked when they are read.
 */
import { z } from 'zod'
import { FAMILIES } from '../../../drivers/families.ts'
import { wholeNumber } from '../../../drivers/host/form-kinds.ts'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { profilesOf } from '../../../emulator/emulator.ts'
import type { Device } from '../../simulation/every/injection-points.ts'
import { LENGTH_MAX, SEED_MAX } from '../campaign-plan.ts'
import type { Violation } from '../campaign-sums.ts'
import { checkedCase } from '../saved-case.ts'
import { isCampaignName } from './settings.ts'

/** The message contains the place of the invalid data and the expected form. */
export class QueueDataError extends Error {}

const COUNT_MAX = 999_999_999
const MINUTES_MAX = 525_600
/** Maximum number of chunks: the bit field of counted chunks is limited. */
export const CHUNKS_MAX = 100_000_000
const SHORT_TEXT = 200
const LONG_TEXT = 10_000
const LINES_MAX = 10_000

const text = (max: number) => {
  const error = `expected a text of at most ${max} characters`
  return z.string({ error }).max(max, { error })
}
const lines = z
  .array(text(LONG_TEXT), { error: 'expected a list of lines' })
  .max(LINES_MAX, { error: 'too many lines' })
const word = z.string({ error: 'expected a text' }).regex(/^[\w.-]{1,64}$/, { error: 'expected 1 to 64 letters, digits, dots, hyphens and underscores' }) // biome-ignore format: one rule
const family = z.custom<Family>((value) => FAMILIES.includes(value as Family), {
  error: `expected ${FAMILIES.join(', ')}`,
})

const device = z
  .strictObject({ family, profile: text(SHORT_TEXT).optional(), places: wholeNumber(0, COUNT_MAX) })
  .refine(({ family: of, profile }) => profile === undefined || profilesOf(of).includes(profile), {
    path: ['profile'],
    error: 'expected a profile of the family',
  })

const every = z
  .strictObject({
    devices: z
      .array(device, { error: 'expected a list of devices' })
      .min(1, { error: 'expected a device' })
      .refine((all) => new Set(all.map(({ family: of, profile }) => `${of} ${profile}`)).size === all.length, {
        error: 'expected each device once',
      }),
    pairs: z.boolean({ error: 'expected true or false' }),
    part: wholeNumber(1, COUNT_MAX),
    parts: wholeNumber(1, COUNT_MAX),
  })
  .refine(({ part, parts }) => part <= parts, { path: ['part'], error: 'expected at most the number of parts' })

const settings = z
  .strictObject({
    families: z
      .array(family, { error: 'expected a list of families' })
      .min(1, { error: 'expected a family' })
      .refine((names) => new Set(names).size === names.length, { error: 'expected each family once' }),
    profile: text(SHORT_TEXT).optional(),
    seed: wholeNumber(1, SEED_MAX),
    runs: wholeNumber(1, COUNT_MAX).optional(),
    minutes: z
      .number({ error: 'expected minutes' })
      .positive({ error: 'expected more than 0' })
      .max(MINUTES_MAX, { error: `expected at most ${MINUTES_MAX}` })
      .optional(),
    chunk: wholeNumber(1, COUNT_MAX),
    length: wholeNumber(1, LENGTH_MAX).optional(),
    bail: z.boolean({ error: 'expected true or false' }),
    every: every.optional(),
  })
  .refine(({ families, profile }) => profile === undefined || families.every((one) => profilesOf(one).includes(profile)), {
    path: ['profile'],
    error: 'expected a profile that each of the families has',
  }) // biome-ignore format: the condition on one line

const chunkJob = z.strictObject({ campaign: word, id: word, index: wholeNumber(0, CHUNKS_MAX), settings })

const stored = z.string({ error: 'is missing' }).regex(/^\d{1,15}$/, { error: 'expected a whole number' }).transform(Number) // biome-ignore format: one rule
const sum = stored.optional().default(0)
const json = <Form extends z.ZodType>(form: Form) =>
  z
    .string({ error: 'is missing' })
    .transform((value, context) => {
      try {
        return JSON.parse(value) as unknown
      } catch {
        context.issues.push({ code: 'custom', input: value, message: 'expected JSON' })
        return z.NEVER
      }
    })
    .pipe(form)

const STATES = ['running', 'over', 'done', 'stopped', 'failed'] as const

const campaign = z.object({
  id: word,
  revision: word,
  settings: json(settings),
  state: z.enum(STATES, { error: `expected ${STATES.join(', ')}` }),
  beganAt: stored,
  endsAt: stored.optional(),
  dealt: stored.refine((count) => count <= CHUNKS_MAX, { error: `expected at most ${CHUNKS_MAX}` }),
  chunksDone: stored.refine((count) => count <= CHUNKS_MAX, { error: `expected at most ${CHUNKS_MAX}` }),
  trouble: text(LONG_TEXT).optional(),
  setAside: z.string().regex(/^(?:\d{1,9} )*$/, { error: 'expected numbers of chunks' }).optional(), // biome-ignore format: one rule
})

const familySums = z.object({
  ...{ runs: sum, requests: sum, hits: sum, simulatedMs: sum, tookMs: sum },
  notRun: json(lines).optional().default([]),
})

const violation = z.object({
  chunk: wholeNumber(0, CHUNKS_MAX),
  seed: z.int({ error: 'expected a whole number' }),
  path: text(LONG_TEXT).regex(/^(?:\d+(?::\d+)*)?$/, { error: 'expected numbers between colons' }),
  why: text(LONG_TEXT),
  words: lines,
  trace: lines,
  shrinks: wholeNumber(0, COUNT_MAX),
  place: z.strictObject({ name: text(LONG_TEXT), pairs: z.boolean({ error: 'expected true or false' }) }).optional(),
  case: z.unknown().transform((value, context) => {
    try {
      return checkedCase(value)
    } catch (error) {
      context.issues.push({ code: 'custom', input: undefined, message: error instanceof Error ? error.message : '' })
      return z.NEVER
    }
  }),
})

function read<T>(form: z.ZodType<T>, value: unknown, what: string): T {
  const result = form.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = [what, ...(issue?.path ?? []).map(String)].join('.')
  const problem = issue?.code === 'unrecognized_keys' ? `has the unknown member ${issue.keys[0] ?? ''}` : issue?.message
  throw new QueueDataError(escapeControl(`${place}: ${problem}`).slice(0, SHORT_TEXT))
}

export const CAMPAIGN_FIELDS: readonly string[] = Object.keys(campaign.shape)
const SUM_FIELDS = Object.keys(familySums.shape)
export const DEVICES: readonly Device[] = FAMILIES.flatMap((one) => [
  { family: one },
  ...profilesOf(one).map((profile) => ({ family: one, profile })),
])
export const sumsFields = (name: string): readonly string[] => SUM_FIELDS.map((field) => `${name} ${field}`)

export const readCampaign = (fieldValues: Readonly<Record<string, string>>) => read(campaign, fieldValues, 'campaign')

export const readSums = (name: string, fieldValues: Readonly<Record<string, string>>) =>
  read(
    familySums,
    omitUndefined(Object.fromEntries(SUM_FIELDS.map((field) => [field, fieldValues[`${name} ${field}`]]))),
    `sums of ${name}`,
  )

export const readViolation = (value: string): Violation => read(json(violation), value, 'violation')

export const readChunkJob = (value: unknown) => read(chunkJob, value, 'chunk')

export const isStoredWord = (value: string): boolean => word.safeParse(value).success

export function readName(name: string): string {
  if (isCampaignName(name)) return name
  throw new QueueDataError('its name is not the name of a campaign')
}
