import { parseAnswer, writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { codePage, fromBytes } from '../../drivers/wire/charset.ts'
import { familyB } from '../../emulator/family-b/index.ts'
import { textOf } from '../support/bytes.ts'
import { type BareWire, startWire, type WireOptions } from '../support/rig.ts'

export const NOON = Date.UTC(2025, 6, 14, 12, 0, 0)

export interface Reply {
  /** Data of the response, with readable windows-1251 letters. */
  readonly data: string
  readonly status: string
  /** Byte 3 without bit 7. */
  readonly error: number
  readonly stream: readonly string[]
}

export interface Talk extends BareWire {
  /** `ask` sends the command under a new sequence number, and `askAs` under the given one. Data are in windows-1251. */
  ask(command: number, data?: string): Reply
  askAs(number: number, command: number, data?: string): Reply
  /** Returns the response as hexadecimal text, or an empty text for none. */
  hex(bytes: Uint8Array): string
}

const page = codePage('cp1251')

export function talk(options: WireOptions = {}): Talk {
  const bare = startWire(familyB, { start: NOON, ...options })
  let seq = 0x20
  function askAs(number: number, command: number, data = ''): Reply {
    const pieces = bare.messages(writeRequest({ seq: number, command, data: page.encode(data) }))
    const last = pieces.at(-1)
    if (!last) throw new Error('the device says nothing')
    const frame = parseAnswer(last)
    if (!frame) throw new Error('the device does not answer with a frame')
    return {
      data: page.decode(frame.data),
      status: textOf(Uint8Array.from(frame.status, (byte) => byte.charCodeAt(0))),
      error: frame.status.charCodeAt(3) & 0x7f,
      stream: pieces.slice(0, -1).map((line) => page.decode(fromBytes(line))),
    }
  }
  return {
    ...bare,
    askAs,
    hex: (bytes) => textOf(bare.hear(bytes)),
    ask(command, data) {
      seq = seq === 0xff ? 0x20 : seq + 1
      return askAs(seq, command, data)
    },
  }
}

/** Runs commands one after the other: `48 1,1` is command 48 with data `1,1`. Returns the last response. */
export function say(device: Talk, ...lines: readonly string[]): Reply {
  let reply: Reply | undefined
  for (const line of lines) {
    const [code = '', ...rest] = line.split(' ')
    reply = device.ask(Number(code), rest.join(' ').replaceAll('\\t', '\t').replaceAll('\\n', '\n'))
  }
  return reply as Reply
}

export const RECEIPT = ['48 1,1', '58 1', '53 \\t', '56'] as const
