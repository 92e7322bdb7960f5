/**
 * The schema of a scenario file, for the loader and, as JSON Schema, for editors (`scenarios/scenario.schema.json`).
 */
import { z } from 'zod'
import { FAMILIES } from '../../drivers/families.ts'
import { checkSchema } from './checks/index.ts'
import { anything, expected, families, members, name, oneOf, words } from './fields.ts'
import { given } from './given.ts'
import { NEED_NAMES } from './need-names.ts'
import { numberForm } from './number-form.ts'
import { sharedFileSchema, sharedSchema } from './shared-steps.ts'
import { stepList } from './steps/index.ts'

export const CHECKS = Object.keys(checkSchema.shape)

const familyTable = z.partialRecord(
  z.enum(FAMILIES as [string, ...string[]]),
  words('a profile'),
  expected('a profile, or profiles by family'),
)

export const scenarioSchema = members('a scenario', {
  name: words('a sentence that names the scenario').describe('Title of the scenario, a sentence that reports show.'),
  purpose: words('what the scenario shows').optional().describe('Purpose of the scenario, for readers.'),
  families: families.optional().describe('Families on which the scenario runs (default: all three families).'),
  needs: z
    .array(oneOf(NEED_NAMES), expected('a list of needs'))
    .optional()
    .describe('Needs in addition to those of the steps and checks.'),
  profile: z
    .union([words('a profile'), familyTable], expected('a profile, or profiles by family'))
    .optional()
    .describe('Profile of the device (default: the first of each family).'),
  tags: z.array(words('a tag'), expected('a list of tags')).optional().describe('Tags, for `run --tag`.'),
  let: z.record(name, anything, expected('names with values')).optional().describe('Values for `$NAME` in the steps.'),
  locale: z
    .string(expected('a locale such as bg-BG'))
    .refine((text) => numberForm(text) !== undefined, expected('a locale such as bg-BG'))
    .optional()
    .describe('Accept-Language of every request, and number format of CSV files.'),
  examples: z
    .union(
      [
        words('a CSV file'),
        z
          .array(z.record(z.string(), anything, expected('a row: names with values')), expected('a list of rows'))
          .min(1, expected('at least one row')),
      ],
      expected('a list of rows, or a CSV file'),
    )
    .optional()
    .describe(
      'The scenario runs once for each row of the list or of the CSV file; `families` in a row restricts the row.',
    ),
  shared: sharedSchema.optional(),
  given: given.optional().describe('State before the first step.'),
  steps: stepList.min(1, expected('at least one step')).describe('Steps, in order.'),
  check: checkSchema.optional().describe('Checks at the end.'),
})
export type Scenario = z.input<typeof scenarioSchema>

export const includeSchema = members('a file of steps', { steps: stepList })

export function scenarioSchemaText(): string {
  const schema = z.toJSONSchema(z.union([scenarioSchema, includeSchema, sharedFileSchema]), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
  })
  return `${JSON.stringify({ $id: 'scenario.schema.json', title: 'Scenarios of fiscal-rig', ...schema }, null, 2)}\n`
}
