import { Readable, Writable } from 'node:stream'
import type { Io } from '../../bin/io.ts'

export interface CommandOutput {
  readonly out: string
  readonly err: string
}

/** Collects the output and the exit status of a command. `onOutput` is called after each piece of text. */
export function memoryIo(
  onSignal: Io['onSignal'],
  {
    input = '',
    onOutput = () => undefined,
  }: { readonly input?: string; readonly onOutput?: (said: CommandOutput) => void } = {},
): { readonly place: Io; readonly said: CommandOutput } {
  const said = { out: '', err: '' }
  const into = (name: 'out' | 'err') =>
    new Writable({
      decodeStrings: false,
      write(text: string | Uint8Array, _encoding, done) {
        said[name] += String(text)
        onOutput(said)
        done()
      },
    })
  const place = { out: into('out'), err: into('err'), input: Readable.from([input]), status: undefined, onSignal }
  return { place, said }
}
