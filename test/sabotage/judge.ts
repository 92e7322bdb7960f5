/**
 * Reads published frames with a family's protocol. The modules are loaded at run time from a copy, in which a constant
 * may be changed.
 */
import type * as charsetModule from '../../drivers/wire/charset.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type * as deframerModule from '../../drivers/wire/deframer.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'

/** `again` contains the bytes that the protocol writes from the values that it read. */
export type Reading =
  | { readonly wrong: string }
  | {
      readonly seq: number
      readonly code: number
      readonly command: string
      readonly values: unknown
      readonly flags?: readonly string[]
      readonly result?: number
      readonly again: Uint8Array
    }

/** `path` begins below `drivers/`. */
export type Load = <T>(path: string) => Promise<T>

export interface Head {
  readonly seq: number
  readonly code: number
}

export interface Answer extends Head {
  readonly flags?: Iterable<string>
  readonly result?: number
  /** `undefined` if the response has no data, such as a refusal. */
  readonly data: ByteText | undefined
  /** Set if the form of the response belongs to no command. */
  readonly name?: string
  write(data: ByteText): Uint8Array
}

/** `readRequest` returns `undefined` for a frame of the other direction. */
export interface Protocol<Host, Device> {
  readonly hostShape: FrameShape<Host>
  readonly deviceShape: FrameShape<Device>
  find(code: number, data: ByteText): AnyCommand | undefined
  readRequest(frame: Host): (Head & { readonly data: ByteText }) | undefined
  writeRequest(head: Head, data: ByteText): Uint8Array
  readAnswer(frame: Device): Answer | undefined
}

export interface Judge {
  request(bytes: Uint8Array): Reading
  answer(bytes: Uint8Array): Reading
}

export async function judge<Host, Device>(
  load: Load,
  protocolOf: (load: Load) => Promise<Protocol<Host, Device>>,
): Promise<Judge> {
  const { codePage } = await load<typeof charsetModule>('wire/charset.ts')
  const { Deframer } = await load<typeof deframerModule>('wire/deframer.ts')
  const protocol = await protocolOf(load)
  const page = codePage('cp1251')
  /** The command of a response is that of its request, which is read first. */
  let question: AnyCommand | undefined

  function single<Frame>(shape: FrameShape<Frame>, bytes: Uint8Array): Frame | { readonly wrong: string } {
    const [piece, ...more] = new Deframer(shape).push(bytes)
    return piece?.kind === 'frame' && more.length === 0 ? piece.frame : { wrong: `no single frame, but ${piece?.kind}` }
  }
  const isWrong = (frame: unknown): frame is { readonly wrong: string } =>
    typeof frame === 'object' && frame !== null && 'wrong' in frame

  return {
    request(bytes) {
      question = undefined
      const frame = single(protocol.hostShape, bytes)
      if (isWrong(frame)) return frame
      const request = protocol.readRequest(frame)
      if (!request) return { wrong: 'not a command' }
      const { seq, code, data } = request
      question = protocol.find(code, data)
      if (!question) return { wrong: `no command ${code}` }
      const values: unknown = question.request.read(data, page)
      const again = protocol.writeRequest({ seq, code }, question.request.write(values, page))
      return { seq, code, command: question.name, values, again }
    },
    answer(bytes) {
      const frame = single(protocol.deviceShape, bytes)
      if (isWrong(frame)) return frame
      const answer = protocol.readAnswer(frame)
      if (!answer) return { wrong: 'not the answer to a command' }
      const { seq, code, flags, result, data } = answer
      const command = question?.code === code ? question : protocol.find(code, '')
      const name = answer.name ?? command?.name
      if (name === undefined) return { wrong: `no command ${code}` }
      const values: unknown = data === undefined ? null : command?.response.read(data, page)
      const again = answer.write(data === undefined ? '' : (command?.response.write(values, page) ?? ''))
      return {
        ...{ seq, code, command: name, values, again },
        ...(flags === undefined ? {} : { flags: [...flags].sort() }),
        ...(result === undefined ? {} : { result }),
      }
    },
  }
}
