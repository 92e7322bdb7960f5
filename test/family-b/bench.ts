import { parseAnswer, writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { codePage, fromBytes } from '../../drivers/wire/charset.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { familyB } from '../../emulator/family-b/index.ts'
import { createDevice, type DeviceOptions } from '../../emulator/fiscal/device.ts'
import type { SwitchOptions, Wire } from '../../emulator/wire.ts'
import { textOf } from '../support/bytes.ts'

/** A device of family B whose commands are said as text and whose answers are read as text, without a line between. */

export const NOON = Date.UTC(2025, 6, 14, 12, 0, 0)

export interface Said {
  /** Data of the answer, windows-1251 letters readable. */
  readonly data: string
  /** The six status bytes. */
  readonly status: string
  /** Byte 3 without bit 7. */
  readonly error: number
  /** Texts of streamed lines, before the answer. */
  readonly stream: readonly string[]
}

export interface BenchOptions {
  readonly profile?: string
  readonly options?: SwitchOptions
  readonly device?: Partial<DeviceOptions>
}

const page = codePage('cp1251')

export function bench({ profile = 'b8', options, device: more }: BenchOptions = {}) {
  const clock = new SimulatedClock(NOON)
  const given = familyB.profile(profile)
  const device = createDevice({ profile: more?.profile ?? given, clock, ...more })
  const wire: Wire = familyB.wire(device, options)
  const deframer = new Deframer(wire.shape)
  let seq = 0x20

  /** Raw bytes in, raw bytes out as hexadecimal text; '' is silence. */
  function hear(bytes: Uint8Array): string {
    const out: string[] = []
    for (const event of deframer.push(bytes)) {
      const meeting = wire.meet(event)
      if (meeting.kind === 'reply') out.push(textOf(meeting.bytes))
      if (meeting.kind === 'run') {
        const { frames, stream } = meeting.run()
        out.push(...(stream?.lines ?? []).map(textOf), ...frames.map(textOf))
      }
    }
    return out.join(' ')
  }

  /** One command under a new sequence number; data in windows-1251. */
  function ask(command: number, data = ''): Said {
    seq = seq === 0xff ? 0x20 : seq + 1
    return askAs(seq, command, data)
  }

  function askAs(number: number, command: number, data = ''): Said {
    const meetings = deframer
      .push(writeRequest({ seq: number, command, data: page.encode(data) }))
      .map((event) => wire.meet(event))
    const [meeting] = meetings
    if (!meeting || meeting.kind === 'ignore') throw new Error('the device says nothing')
    const answer = meeting.kind === 'run' ? meeting.run() : { frames: [meeting.bytes] }
    const frame = parseAnswer(answer.frames[0] as Uint8Array)
    if (!frame) throw new Error('the device does not answer with a frame')
    const stream = 'stream' in answer ? (answer.stream?.lines ?? []) : []
    return {
      data: page.decode(frame.data),
      status: textOf(Uint8Array.from(frame.status, (byte) => byte.charCodeAt(0))),
      error: frame.status.charCodeAt(3) & 0x7f,
      stream: stream.map((line) => page.decode(fromBytes(line))),
    }
  }

  return { clock, device, wire, hear, ask, askAs }
}

export type Bench = ReturnType<typeof bench>

/** Runs commands one after the other; `48 1,1` is command 48 with data `1,1`. Escapes \t and \n stand for themselves. */
export function say(rig: Bench, ...lines: readonly string[]): Said {
  let said: Said | undefined
  for (const line of lines) {
    const [code = '', ...rest] = line.split(' ')
    said = rig.ask(Number(code), rest.join(' ').replaceAll('\\t', '\t').replaceAll('\\n', '\n'))
  }
  return said as Said
}

/** A receipt of one article, closed: 1.20 in cash. */
export const RECEIPT = ['48 1,1', '58 1', '53 \\t', '56'] as const
