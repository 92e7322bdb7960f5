import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ProgramRequest, ProgramResult } from './program-host.ts'

const HOST = join(import.meta.dirname, 'program-host.ts')

export class Program {
  #child: ChildProcess | undefined
  #said = ''
  #last = 0

  async run(argv: readonly string[], at: Omit<ProgramRequest, 'id' | 'argv'>): Promise<ProgramResult> {
    const child = this.#child ?? this.#start()
    this.#last++
    const asked: ProgramRequest = { id: this.#last, argv, ...at }
    const told = new Promise<ProgramResult>((resolve, reject) => {
      const hear = (message: ProgramResult) => {
        if (message.id !== asked.id) return
        child.off('message', hear).off('exit', gone)
        resolve(message)
      }
      const gone = () => reject(new Error(`fiscal-rig ${argv.join(' ')}: the process has ended:\n${this.#said}`))
      child.on('message', hear).on('exit', gone)
    })
    child.send(asked)
    return told
  }

  async end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }

  #start(): ChildProcess {
    const child = fork(HOST, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.#said += String(text)))
    this.#child = child
    return child
  }
}
