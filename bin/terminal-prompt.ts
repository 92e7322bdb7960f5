/** `run --by-hand`: asks at the terminal for manual actions and waits for Enter. */
import { createInterface } from 'node:readline/promises'
import type { Person } from '../scenarios/runner/target/target.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

export const promptAt = (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Person => ({
  async prompt(what) {
    const terminal = createInterface({ input, output })
    try {
      const closed = new Promise<never>((_, reject) =>
        terminal.once('close', () =>
          reject(new Exit(EXIT_USAGE, `--by-hand: the terminal was closed before Enter was pressed for: ${what}`)),
        ),
      )
      await Promise.race([terminal.question(`\n>>> ${what}, then press Enter `), closed])
    } finally {
      terminal.removeAllListeners('close')
      terminal.close()
    }
  },
})
