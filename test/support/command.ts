/**
 * Child processes write their output to pipes. A child that outlives its test and holds the test runner's output would
 * keep the runner from ending.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** `serve` chooses a free port instead of port 0. */
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
  /** Resolves to the line of JSON that `--json` promises. */
  ready(): Promise<Record<string, unknown>>
  said(): string
  log(): string
}

export interface Surroundings {
  readonly cwd?: string
  /** `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export const start = (args: readonly string[], surroundings?: Surroundings): Running =>
  startNode([PROGRAM, ...args], surroundings)

export const startModule = (source: string, surroundings?: Surroundings): Running =>
  startNode(['--input-type=module', '-e', source], surroundings)

export const startNode = (args: readonly string[], surroundings?: Surroundings): Running =>
  startProgram(process.execPath, args, surroundings)

export function startProgram(program: string, args: readonly string[], { cwd, env }: Surroundings = {}): Running {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, out, err }))
  })
  const ready = async () => {
    while (!out.includes('\n')) {
      const first = await Promise.race([new Promise((next) => child.stdout.once('data', next)), ended])
      if (typeof first === 'object') throw new Error(`it ended before it was ready:\n${out}${err}`)
    }
    return JSON.parse(out.slice(0, out.indexOf('\n'))) as Record<string, unknown>
  }
  return { child, ended, ready, said: () => out, log: () => err }
}
