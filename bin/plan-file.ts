/** Fault rules from a file: a list, or an object with the list as `faults` (JSON or YAML by its ending). */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parse as parseYaml } from 'yaml'
import type { PlanError } from '../emulator/faults/plan.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

export interface PlanFile {
  readonly file: string
  /** Where the list stands in the file. */
  readonly place: '' | 'faults'
  /** Not checked yet: only the device knows its commands. */
  readonly rules: unknown
}

export function readPlanFile(file: string): PlanFile {
  let content: unknown
  try {
    const text = readFileSync(file, 'utf8')
    content = extname(file).toLowerCase() === '.json' ? JSON.parse(text) : parseYaml(text, { logLevel: 'error' })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new Exit(EXIT_USAGE, `${file}: expected a readable list of fault rules: ${why}`)
  }
  if (typeof content === 'object' && content !== null && 'faults' in content) {
    return { file, place: 'faults', rules: content.faults }
  }
  return { file, place: '', rules: content }
}

/** One line per mistake: `plan.yaml: [2].do: expected ...`. */
export const planProblems = ({ file, place }: PlanFile, problems: PlanError['problems']): string =>
  problems
    .map(({ path, message }) => [file, `${place}${path}`, message].filter((part) => part !== '').join(': '))
    .join('\n')
