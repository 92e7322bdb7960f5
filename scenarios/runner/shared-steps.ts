/** Steps that scenarios share by name: `- use: opening`. */
import { z } from 'zod'
import { anything, expected, members, name, words } from './fields.ts'
import { unknownWord } from './nearest.ts'
import { stepList } from './steps/index.ts'

const sharedSteps = members('shared steps', {
  takes: z
    .array(name, expected('a list of names'))
    .optional()
    .describe('Names that have values inside: arguments, passed in `with` next to `use`.'),
  defaults: z
    .record(name, anything, expected('names with values'))
    .optional()
    .describe('Optional arguments with their default values.'),
  steps: stepList.min(1, expected('at least one step')),
})
export type SharedSteps = z.output<typeof sharedSteps>

const definitions = z.record(name, sharedSteps, expected('names with steps: {opening: {steps: [...]}}'))

export const sharedSchema = z
  .union([words('a file'), z.array(words('a file'), expected('a list of files')), definitions], {
    error: 'expected a file, a list of files, or names with steps',
  })
  .describe('Steps for `use`, by name; or files that have them.')

export const sharedFileSchema = members('a file of shared steps', { shared: definitions })

export const filesOfShared = (shared: unknown): readonly string[] =>
  typeof shared === 'string' ? [shared] : Array.isArray(shared) ? (shared as string[]) : []

export const argumentsOf = ({ defaults = {} }: SharedSteps, values: Readonly<Record<string, unknown>>) => ({
  ...values,
  ...Object.fromEntries(Object.entries(defaults).filter(([argument]) => !Object.hasOwn(values, argument))),
})

interface ArgumentMistake {
  readonly argument?: string
  readonly what: string
}

export function argumentMistakes(
  used: string,
  { takes = [], defaults = {} }: SharedSteps,
  argumentValues: Readonly<Record<string, unknown>>,
): readonly ArgumentMistake[] {
  const argumentNames = [...new Set([...takes, ...Object.keys(defaults)])]
  const missing = argumentNames.filter(
    (argument) => !Object.hasOwn(argumentValues, argument) && !Object.hasOwn(defaults, argument),
  )
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            what: `expected ${missing.join(' and ')} in with: ${used} requires ${missing.length === 1 ? 'it' : 'them'}`,
          },
        ]),
    ...Object.keys(argumentValues)
      .filter((argument) => !argumentNames.includes(argument))
      .map((argument) => ({
        argument,
        what:
          argumentNames.length === 0
            ? `${used} has no arguments`
            : unknownWord(`argument of ${used}`, argument, argumentNames),
      })),
  ]
}
