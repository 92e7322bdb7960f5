/**
 * The program `fiscal-rig` for the examples: one process runs every command line of every page, so that its modules are
 * loaded once. A long-running command runs until this process ends. Each command has its own data folder.
 */
import { main } from '../../bin/fiscal-rig.ts'
import { processIo } from '../../bin/io.ts'
import { memoryIo } from '../support/memory-io.ts'

export interface ProgramRequest {
  readonly id: number
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** True for a long-running command, which prints one line when it is ready. */
  readonly isLongRunning: boolean
}

export interface ProgramResult {
  readonly id: number
  readonly status: number
  readonly out: string
  readonly err: string
}

/**
 * Number of long-running commands. Each calls `process.exit` at its own end, and only the last call ends the process.
 */
let longRunning = 0
const exit = process.exit.bind(process)
process.exit = ((code?: number) => {
  longRunning--
  if (longRunning <= 0) exit(code)
}) as typeof process.exit

async function run({ id, argv, cwd, env, isLongRunning: lasts }: ProgramRequest): Promise<ProgramResult> {
  process.chdir(cwd)
  Object.assign(process.env, env)
  const ready = Promise.withResolvers<void>()
  const { place, said } = memoryIo((listener) => processIo.onSignal(listener), {
    onOutput: ({ out }) => {
      if (out.includes('\n')) ready.resolve()
    },
  })
  const ended = main(['node', 'fiscal-rig', ...argv], place)
  if (lasts) longRunning++
  await (lasts ? Promise.race([ready.promise, ended.then(() => void longRunning--)]) : ended)
  return { id, status: place.status ?? 0, ...said }
}

// Every command adds listeners for signals.
process.setMaxListeners(0)

process.on('message', (asked: ProgramRequest) => void run(asked).then((told) => process.send?.(told)))
process.on('disconnect', () => process.emit('SIGTERM'))
process.on('SIGTERM', () => {
  if (longRunning <= 0) exit(0)
})
