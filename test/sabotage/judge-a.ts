/**
 * What family A's protocol in a folder makes of a published frame. Loaded by dynamic import from a temporary copy, so
 * that a changed constant can be judged; nothing here knows what is right, the fixture does.
 */
import { pathToFileURL } from 'node:url'
import type * as answerModule from '../../drivers/family-a/protocol/answer.ts'
import type * as frameModule from '../../drivers/family-a/protocol/frame.ts'
import type * as protocolModule from '../../drivers/family-a/protocol/index.ts'
import type * as statusModule from '../../drivers/family-a/protocol/status.ts'
import type * as charsetModule from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type * as deframerModule from '../../drivers/wire/deframer.ts'
import type { Judge, Seen } from './bench.ts'

export const judgeA: Judge = async (root) => {
  const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(`${root}/drivers/${path}`).href)) as T
  const frames = await load<typeof frameModule>('family-a/protocol/frame.ts')
  const { familyA } = await load<typeof protocolModule>('family-a/protocol/index.ts')
  const { readCoded, writeCoded } = await load<typeof answerModule>('family-a/protocol/answer.ts')
  const { status } = await load<typeof statusModule>('family-a/protocol/status.ts')
  const { codePage } = await load<typeof charsetModule>('wire/charset.ts')
  const { Deframer } = await load<typeof deframerModule>('wire/deframer.ts')
  const page = codePage('cp1251')
  const commands: ReadonlyMap<number, AnyCommand> = familyA.byCode

  return {
    request(bytes): Seen {
      const [event, ...more] = new Deframer(frames.hostShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      const { seq, code, data } = event.frame
      const command = commands.get(code)
      if (!command) return { wrong: `no command ${code}` }
      const values: unknown = command.request.read(data, page)
      const again = frames.encodeHostFrame({ seq, code, data: command.request.write(values, page) })
      return { seq, code, command: command.name, values, again }
    },
    answer(bytes): Seen {
      const [event, ...more] = new Deframer(frames.deviceShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      const { seq, code, data, status: raw } = event.frame
      const command = commands.get(code)
      const coded = readCoded(data)
      if (!command || !coded) return { wrong: `no command ${code}, or no code in its answer` }
      const values: unknown = command.response.read(coded.rest, page)
      const flags = status.read(raw)
      const written = writeCoded(coded.code, command.response.write(values, page))
      const again = frames.encodeDeviceFrame({ seq, code, data: written, status: status.write(flags) })
      return { seq, code, command: command.name, values, flags: [...flags].sort(), result: coded.code, again }
    },
  }
}
