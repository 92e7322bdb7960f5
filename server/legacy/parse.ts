/**
 * Phases (a) and (b) of a job of legacy lines (legacy formats 1.4): the syntax of each line, then the logic of all
 * lines. `parseJob` returns a job or a problem for every body and never throws.
 */
import { checkLine, detectFormat, type LegacyFormat, numberedLines } from './detect-format.ts'
import { readJob1 } from './format-1-job.ts'
import { readLine1 } from './format-1-line.ts'
import { readJob2 } from './format-2-job.ts'
import { readLine2 } from './format-2-line.ts'
import type { Command, LegacyJob } from './job.ts'
import { LegacyProblem } from './problem.ts'

type ParsedJob =
  | { readonly ok: true; readonly format: LegacyFormat; readonly job: LegacyJob }
  | { readonly ok: false; readonly problem: LegacyProblem }

export function parseJob(body: unknown): ParsedJob {
  try {
    return { ok: true, ...read(body) }
  } catch (error) {
    if (error instanceof LegacyProblem) return { ok: false, problem: error }
    throw error
  }
}

function read(body: unknown): { readonly format: LegacyFormat; readonly job: LegacyJob } {
  const lines = numberedLines(body)
  const [first] = lines
  if (!first) throw new LegacyProblem('102', 'the job has no line')
  const format = detectFormat(first)
  const commands: Command[] = []
  for (const line of lines) {
    checkLine(line, format)
    commands.push(format === 1 ? readLine1(line) : readLine2(line))
  }
  return { format, job: format === 1 ? readJob1(commands) : readJob2(commands) }
}
