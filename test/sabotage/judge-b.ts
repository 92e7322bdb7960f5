/** What family B's protocol in a folder makes of a published frame; see judge-a.ts. */
import { pathToFileURL } from 'node:url'
import type * as frameModule from '../../drivers/family-b/protocol/frame.ts'
import type * as protocolModule from '../../drivers/family-b/protocol/index.ts'
import type * as statusModule from '../../drivers/family-b/protocol/status.ts'
import type * as charsetModule from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type * as deframerModule from '../../drivers/wire/deframer.ts'
import type { Judge, Seen } from './bench.ts'

export const judgeB: Judge = async (root) => {
  const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(`${root}/drivers/${path}`).href)) as T
  const frames = await load<typeof frameModule>('family-b/protocol/frame.ts')
  const { commands } = await load<typeof protocolModule>('family-b/protocol/index.ts')
  const { readStatus, writeStatus } = await load<typeof statusModule>('family-b/protocol/status.ts')
  const { codePage } = await load<typeof charsetModule>('wire/charset.ts')
  const { Deframer } = await load<typeof deframerModule>('wire/deframer.ts')
  const page = codePage('cp1251')
  const byCode: ReadonlyMap<number, AnyCommand> = commands.byCode

  return {
    request(bytes): Seen {
      const [event, ...more] = new Deframer(frames.requestShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      const { seq, command: code, data } = event.frame
      const command = byCode.get(code)
      if (!command) return { wrong: `no command ${code}` }
      const values: unknown = command.request.read(data, page)
      const again = frames.writeRequest({ seq, command: code, data: command.request.write(values, page) })
      return { seq, code, command: command.name, values, again }
    },
    answer(bytes): Seen {
      const [event, ...more] = new Deframer(frames.answerShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      if (event.frame.kind !== 'answer') return { wrong: 'a streamed line' }
      const { seq, command: code, data, status: raw } = event.frame
      const command = byCode.get(code)
      if (!command) return { wrong: `no command ${code}` }
      const { flags, error } = readStatus(raw)
      // A refusal has no data, whatever the command would have answered.
      const values: unknown = error === 0 ? command.response.read(data, page) : null
      const written = error === 0 ? command.response.write(values, page) : ''
      const again = frames.writeAnswer({ seq, command: code, data: written, status: writeStatus({ flags, error }) })
      return { seq, code, command: command.name, values, flags: [...flags].sort(), result: error, again }
    },
  }
}
