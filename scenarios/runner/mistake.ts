import type { z } from 'zod'
import { EACH_KEY } from './fields.ts'
import type { Location, YamlFile } from './yaml-file.ts'

export interface Mistake extends Location {
  readonly file: string
  readonly what: string
}

const mistakeLine = ({ file, line, column, what }: Mistake): string => `${file}:${line}:${column}: ${what}`

const MISTAKES_MAX = 50

/** Thrown before a run begins: exit status 2. */
export class ScenarioMistakes extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    const rest = mistakes.length - MISTAKES_MAX
    const lines = mistakes.slice(0, MISTAKES_MAX).map(mistakeLine)
    super([...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'))
    this.name = 'ScenarioMistakes'
    this.mistakes = mistakes
  }
}

type Path = readonly PropertyKey[]

/**
 * Returns the mistakes of a document, each at its location. `allowed` returns true for valid keys that the schema
 * cannot list.
 */
export function schemaMistakes(
  { file, placeOf }: Pick<YamlFile, 'file' | 'placeOf'>,
  document: number,
  issues: readonly z.core.$ZodIssue[],
  allowed: (key: string) => boolean,
  hint: (path: Path, key: string) => string | undefined = () => undefined,
): Mistake[] {
  return issues
    .flatMap((issue) => flat(issue, []))
    .flatMap(({ path, issue }): Mistake[] => {
      if (issue.code !== 'unrecognized_keys') return [{ file, ...placeOf(document, path), what: issue.message }]
      const sentences = issue.message.split(EACH_KEY)
      return issue.keys.flatMap((key, index) =>
        allowed(key)
          ? []
          : [{ file, ...placeOf(document, [...path, key], 'key'), what: hint(path, key) ?? sentences[index] ?? '' }],
      )
    })
}

interface PlacedIssue {
  readonly path: Path
  readonly issue: z.core.$ZodIssue
}

/** Replaces an issue of a union with the issues of the intended alternative, if there is one. */
function flat(issue: z.core.$ZodIssue, base: Path): PlacedIssue[] {
  const path = [...base, ...issue.path]
  if (issue.code !== 'invalid_union') return [{ path, issue }]
  const alternatives = issue.errors.map((errors) => errors.flatMap((one) => flat(one, path)))
  const meant = alternatives.filter((issues) =>
    issues.every((one) => one.path.length > path.length || one.issue.code === 'unrecognized_keys'),
  )
  const [best] = meant.sort((one, other) => one.length - other.length)
  return best ?? [{ path, issue }]
}

/** Removes repeated mistakes: shared steps are checked for each scenario that uses them. */
export const eachOnce = (mistakes: readonly Mistake[]): readonly Mistake[] => [
  ...new Map(mistakes.map((mistake) => [mistakeLine(mistake), mistake])).values(),
]

export const inOrder = (mistakes: readonly Mistake[], files: readonly string[]): Mistake[] =>
  [...mistakes].sort(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) || one.line - other.line || one.column - other.column,
  )
