/** A till that is a shell command, run once for each job. Processes that the command leaves running are killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFile } from '../../drivers/host/foreign-file.ts'
import type { TillJob } from './job.ts'
import { type OpenTill, parseOutcome, type Run, type Till, type TillEnvironment } from './till.ts'

export const commandTill = (command: string): Till => ({
  name: command,
  way: 'lines',
  open: (place) => new RunningCommand(command, place),
})

const WINDOWS = process.platform === 'win32'

const OUTPUT_MAX_BYTES = 4096
/** Maximum number of bytes in which the last line is searched: that line may contain a whole receipt. */
const LAST_LINE_BYTES = 1_048_576
/**
 * Time limit in ms for the outputs of an ended till to close. A process outside of the till's process group may keep
 * them open.
 */
const LAST_BYTES_MS = 500

class RunningCommand implements OpenTill {
  readonly #command: string
  readonly #place: TillEnvironment
  #child: ChildProcess | undefined
  #isKilled = false

  constructor(command: string, place: TillEnvironment) {
    this.#command = command
    this.#place = place
  }

  async run(job: TillJob): Promise<Run> {
    const text = `${JSON.stringify(job)}\n`
    const file = join(this.#place.folder, 'job.json')
    writeFileSync(file, text)
    const child = spawn(this.#filled(file), {
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#environment(file) },
      detached: !WINDOWS,
    })
    this.#child = child
    this.#isKilled = false
    const out = tail(child.stdout)
    const err = tail(child.stderr)
    // The command may end without reading its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)

    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child)
    }, this.#place.timeoutMs)
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const { status, signal, problem } = await ended(child)
    clearTimeout(timer)
    this.#sweep(child)
    await Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, LAST_BYTES_MS).unref())])
    this.#child = undefined

    const output = [out(OUTPUT_MAX_BYTES), err(OUTPUT_MAX_BYTES)].filter((one) => one !== '').join('\n')
    const facts = { ...(output !== '' && { output }), ...(status !== null && { exit: status }) }
    if (this.#isKilled) return { claim: 'crashed', message: 'killed by the exam', ...facts }
    if (isLate) return { claim: 'hung', ...facts }
    const claim = parseOutcome(lastLine(out(LAST_LINE_BYTES)))
    if (claim) return { ...claim, ...facts }
    if (problem !== undefined) return { claim: 'crashed', message: problem, ...facts }
    return { ...byStatus(status, signal), ...facts }
  }

  kill(): void {
    if (!this.#child) return
    this.#isKilled = true
    this.#sweep(this.#child)
  }

  async close(): Promise<void> {
    if (this.#child) this.#sweep(this.#child)
  }

  #filled(file: string): string {
    const { link = '', host, port, state } = this.#place
    const values: Readonly<Record<string, string>> = { link, host, port: String(port), job: file, state }
    return this.#command.replace(/\{(link|host|port|job|state)\}/g, (_, name: string) => values[name] ?? '')
  }

  #environment(file: string): Record<string, string> {
    const { emulator, link, host, port, baud, password, state } = this.#place
    return {
      RIG_JOB: file,
      ...(link !== undefined && { RIG_LINK: link }),
      RIG_TCP_HOST: host,
      RIG_TCP_PORT: String(port),
      RIG_FAMILY: emulator.family,
      RIG_PROFILE: emulator.profile.profile,
      RIG_BAUD: String(baud),
      RIG_PASSWORD: password,
      RIG_STATE: state,
    }
  }

  /**
   * Kills the process group of the till. Also kills processes that left the group: `RIG_STATE` in their environment
   * identifies them.
   */
  #sweep(child: ChildProcess): void {
    endGroup(child)
    for (const pid of holdersOf(`RIG_STATE=${this.#place.state}`)) endProcess(pid)
  }
}

function byStatus(status: number | null, signal: NodeJS.Signals | null): Run {
  switch (status) {
    case 0:
      return { claim: 'printed' }
    case 1:
      return { claim: 'failed' }
    case 2:
      return { claim: 'unknown' }
    default:
      return { claim: 'crashed', message: signal === null ? `exit status ${status}` : `ended by ${signal}` }
  }
}

interface End {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly problem?: string
}

const ended = (child: ChildProcess): Promise<End> =>
  new Promise((resolve) => {
    child.once('exit', (status, signal) => resolve({ status, signal }))
    child.once('error', (problem) => resolve({ status: null, signal: null, problem: problem.message }))
  })

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) endProcess(WINDOWS ? pid : -pid)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

function holdersOf(variable: string): number[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names.filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(variable)).map(Number)
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readForeignFile(join('/proc', pid, 'environ')).split('\0')
  } catch {
    return []
  }
}

function tail(stream: NodeJS.ReadableStream): (bytes: number) => string {
  let parts: Buffer[] = []
  let length = 0
  const joined = (): Buffer => {
    const whole = Buffer.concat(parts).subarray(-LAST_LINE_BYTES)
    parts = [whole]
    length = whole.length
    return whole
  }
  stream.on('data', (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
    if (length > 2 * LAST_LINE_BYTES) joined()
  })
  return (bytes) => joined().subarray(-bytes).toString('utf8').trimEnd()
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)
