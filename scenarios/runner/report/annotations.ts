import { createHash } from 'node:crypto'
import { isAbsolute, normalize, relative } from 'node:path'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import type { Result } from '../play-scenario.ts'
import { isFlaky } from '../run.ts'
import { failedBeforeLines, failureSections, PAPER, type Reporter, type Write } from './report.ts'

/** Writes `::error file=...,line=...,title=...::...` (GitHub: "Workflow commands"). */
export function githubReporter(write: Write): Reporter {
  return {
    ended: () => undefined,
    finished: ({ results }) => {
      for (const result of results.filter(isReported)) {
        const { file, line } = placeOf(result)
        const kind = result.failure ? 'error' : 'warning'
        const where = `file=${property(file)},line=${line},title=${property(escapeControl(result.play.name))}`
        write(`::${kind} ${where}::${data(messageOf(result).join('\n'))}\n`)
      }
    },
  }
}

/** Writes one JSON array (GitLab: "Code quality report format"). */
export function gitlabReporter(write: Write): Reporter {
  return {
    ended: () => undefined,
    finished: ({ results }) => {
      const rows = results.filter(isReported).map((result) => {
        const { file, line } = placeOf(result)
        return {
          description: `${escapeControl(result.play.name)}: ${messageOf(result)[0]}`,
          check_name: 'fiscal-rig run',
          fingerprint: createHash('sha256').update(`${file}\n${result.play.name}`).digest('hex'),
          severity: result.failure ? 'major' : 'minor',
          location: { path: file, lines: { begin: line } },
        }
      })
      write(`${JSON.stringify(rows, null, 2)}\n`)
    },
  }
}

const isReported = (result: Result): boolean => result.failure !== undefined || isFlaky(result)

/** Paths are relative to the working folder, which is the checkout. */
function placeOf({ failure, play: { loaded } }: Result): { readonly file: string; readonly line: number } {
  const { file, line } = failure ?? loaded
  const path = isAbsolute(file) ? relative(process.cwd(), file) : normalize(file)
  return { file: path.replaceAll('\\', '/'), line }
}

function messageOf(result: Result): string[] {
  if (!result.failure) return ['it passed only in a later attempt', ...failedBeforeLines(result)]
  const sections = failureSections(result, { isShort: true })
  return ['wrong', 'before', PAPER, 'again'].flatMap(
    (name) => sections.find(({ title }) => title === name)?.lines ?? [],
  )
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
