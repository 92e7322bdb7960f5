/** The program itself as a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** For `serve`: nobody else is disturbed. */
export const FREE_PORTS = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'fiscal-rig.ts')

export interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The line of JSON that `--json` promises. */
  ready(): Promise<Record<string, unknown>>
  /** What it has written on stderr by now. */
  log(): string
}

export function start(
  args: readonly string[],
  { cwd, env }: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve) => child.once('close', (status) => resolve({ status, out, err })))
  const ready = async () => {
    while (!out.includes('\n')) {
      const first = await Promise.race([new Promise((next) => child.stdout.once('data', next)), ended])
      if (typeof first === 'object') throw new Error(`it ended before it was ready:\n${out}${err}`)
    }
    return JSON.parse(out.slice(0, out.indexOf('\n'))) as Record<string, unknown>
  }
  return { child, ended, ready, log: () => err }
}

export const runToEnd = (args: readonly string[], options?: Parameters<typeof start>[1]): Promise<Ended> =>
  start(args, options).ended
