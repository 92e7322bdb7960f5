/**
 * The program `fiscal-rig` for the examples: one process, in which every command line of every page runs, so that its
 * modules are read once. A command that lasts is left running until this process ends; each has a data folder of its own.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { main } from '../../bin/fiscal-rig.ts'

export interface Asked {
  readonly id: number
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** It prints one line when it is ready, and goes on. */
  readonly lasts: boolean
}

export interface Told {
  readonly id: number
  readonly status: number
  readonly out: string
  readonly err: string
}

interface Output {
  out: string
  err: string
  ready(): void
}

const outputs = new AsyncLocalStorage<Output>()

for (const name of ['stdout', 'stderr'] as const) {
  const usual = process[name].write.bind(process[name])
  process[name].write = ((text: string | Uint8Array, ...rest: []) => {
    const output = outputs.getStore()
    if (!output) return usual(text, ...rest)
    if (name === 'stderr') output.err += String(text)
    else output.out += String(text)
    if (output.out.includes('\n')) output.ready()
    return true
  }) as typeof process.stdout.write
}

// Every command listens for its reader to go.
process.stdout.setMaxListeners(0)

/** Each command that lasts would end the process when it has ended itself: the last one does. */
let lasting = 0
const exit = process.exit.bind(process)
process.exit = ((code?: number) => {
  lasting--
  if (lasting <= 0) exit(code)
}) as typeof process.exit

async function run({ id, argv, cwd, env, lasts }: Asked): Promise<Told> {
  process.chdir(cwd)
  Object.assign(process.env, env)
  process.exitCode = undefined
  const ready = Promise.withResolvers<void>()
  const output: Output = { out: '', err: '', ready: () => ready.resolve() }
  const ended = outputs.run(output, () => main(['node', 'fiscal-rig', ...argv]))
  if (lasts) lasting++
  await (lasts ? Promise.race([ready.promise, ended.then(() => void lasting--)]) : ended)
  const status = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  return { id, status, out: output.out, err: output.err }
}

process.on('message', (asked: Asked) => void run(asked).then((told) => process.send?.(told)))
// Whoever asked is gone.
process.on('disconnect', () => process.emit('SIGTERM'))
process.on('SIGTERM', () => {
  if (lasting <= 0) exit(0)
})
