/** Runs the command line in this process, for tests of its output and exit status only. */
import { main } from '../../bin/fiscal-rig.ts'
import type { Ended, Surroundings } from './command.ts'
import { memoryIo } from './memory-io.ts'

/** Commands run one after the other, because they share the folder and the environment of this process. */
let last: Promise<unknown> = Promise.resolve()

/** Runs a command that ends by itself. A long-running command requires `start`. `input` is the content of stdin. */
export function runToEnd(args: readonly string[], surroundings: Surroundings & { readonly input?: string } = {}) {
  const mine = last.then(() => runNow(args, surroundings))
  last = mine.catch(() => undefined)
  return mine
}

async function runNow(
  args: readonly string[],
  { cwd, env = {}, input = '' }: Surroundings & { readonly input?: string },
): Promise<Ended> {
  const { place, said } = memoryIo(() => undefined, { input })
  const [folder, mask] = [process.cwd(), process.umask()]
  const restore = withEnvironment(env)
  try {
    if (cwd !== undefined) process.chdir(cwd)
    await main(['node', 'fiscal-rig', ...args], place)
  } finally {
    process.chdir(folder)
    process.umask(mask)
    restore()
  }
  return { status: place.status ?? 0, ...said }
}

/** Returns a function that restores the environment. `undefined` removes a variable. */
function withEnvironment(env: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const [name, value] of Object.entries(env)) set(name, value)
  return () => {
    for (const [name, value] of before) set(name, value)
  }
}
