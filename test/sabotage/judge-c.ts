/** What family C's protocol in a folder makes of a published frame; see judge-a.ts. Its default dialect is `c4`. */
import { pathToFileURL } from 'node:url'
import type * as frameModule from '../../drivers/family-c/protocol/frame.ts'
import type * as protocolModule from '../../drivers/family-c/protocol/index.ts'
import type * as charsetModule from '../../drivers/wire/charset.ts'
import type * as deframerModule from '../../drivers/wire/deframer.ts'
import type { Judge, Seen } from './bench.ts'

const DIALECT = 'c4'

export const judgeC: Judge = async (root) => {
  const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(`${root}/drivers/${path}`).href)) as T
  const frames = await load<typeof frameModule>('family-c/protocol/frame.ts')
  const { catalogueOf } = await load<typeof protocolModule>('family-c/protocol/index.ts')
  const { codePage } = await load<typeof charsetModule>('wire/charset.ts')
  const { Deframer } = await load<typeof deframerModule>('wire/deframer.ts')
  const page = codePage('cp1251')
  const catalogue = catalogueOf(DIALECT)
  /** What an answer belongs to is known from its request, which is read first. */
  let asked: ReturnType<typeof catalogue.find>

  return {
    request(bytes): Seen {
      asked = undefined
      const [event, ...more] = new Deframer(frames.hostShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      if (event.frame.kind !== 'command') return { wrong: `not a command, but ${event.frame.kind}` }
      const { number, code, data } = event.frame
      asked = catalogue.find(code, data)
      if (!asked) return { wrong: `no command ${code}` }
      const values: unknown = asked.request.read(data, page)
      const again = frames.writeFrame(number, code, asked.request.write(values as never, page))
      return { seq: number, code, command: asked.name, values, again }
    },
    answer(bytes): Seen {
      const [event, ...more] = new Deframer(frames.deviceShape).push(bytes)
      if (event?.kind !== 'frame' || more.length > 0) return { wrong: `no single frame, but ${event?.kind}` }
      const { frame } = event
      if (frame.kind === 'widths') return { wrong: 'the capability answer' }
      if (frame.kind === 'ack') {
        const again = frames.writeAck(frame.number, frame.device, frame.command)
        return {
          seq: frame.number,
          code: 0,
          command: 'ack',
          values: null,
          result: frame.device * 16 + frame.command,
          again,
        }
      }
      const command = asked?.code === frame.code ? asked : catalogue.find(frame.code, '')
      if (!command) return { wrong: `no command ${frame.code}` }
      const values: unknown = command.response.read(frame.data, page)
      const again = frames.writeFrame(frame.number, frame.code, command.response.write(values as never, page))
      return { seq: frame.number, code: frame.code, command: command.name, values, again }
    },
  }
}
