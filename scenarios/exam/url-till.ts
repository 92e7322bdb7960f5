/** A till that is a running program and accepts jobs over HTTP. The exam cannot kill it. */
import type { TillJob } from './job.ts'
import { parseOutcome, type Run, type Till, type TillEnvironment } from './till.ts'

export const urlTill = (url: string): Till => ({
  name: url,
  way: 'lines',
  open(place) {
    const closed = new AbortController()
    return {
      run: (job) => post(url, place, job, closed.signal),
      close: async () => closed.abort(),
    }
  },
})

const OUTPUT_MAX_CHARS = 4096
const ANSWER_MAX_MIB = 1

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > ANSWER_MAX_MIB * 1024 * 1024) throw new Error(`it is longer than ${ANSWER_MAX_MIB} MiB`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

async function post(url: string, place: TillEnvironment, job: TillJob, closed: AbortSignal): Promise<Run> {
  const { caseId, link = '', host, port, password, timeoutMs } = place
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Rig-Case': caseId,
        'Rig-Link': link,
        'Rig-Tcp': `${host}:${port}`,
        'Rig-Password': password,
      },
      body: JSON.stringify({ ...job, id: `${caseId}/${job.id}` }),
      // A redirect would send the sale and the password to another address.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, closed]),
    })
    const text = await textOf(answer)
    const facts = { exit: answer.status, ...(text !== '' && { output: text.slice(-OUTPUT_MAX_CHARS) }) }
    return { ...(parseOutcome(text) ?? byStatus(answer.status)), ...facts }
  } catch (problem) {
    if (timeout.aborted) return { claim: 'hung' }
    return { claim: 'unknown', message: `no answer: ${reasonOf(problem)}` }
  }
}

function byStatus(status: number): Run {
  if (status === 200) return { claim: 'printed' }
  return status >= 400 ? { claim: 'failed' } : { claim: 'unknown', message: `status ${status}` }
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem)
  return problem.cause instanceof Error ? problem.cause.message : problem.message
}
