import { deviceShape, encodeHostFrame, type HostFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { status } from '../../drivers/family-a/protocol/status.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { familyA } from '../../emulator/family-a/index.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { createDevice } from '../../emulator/fiscal/device.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types.ts'
import type { SwitchOptions } from '../../emulator/wire.ts'

/** A device of family A without line and loop: bytes in, bytes out, time by hand. */
export interface Answer {
  readonly data: string
  /** The first field as it stands: `0`, a negative code, or whatever. */
  readonly code: string
  readonly fields: readonly string[]
  readonly flags: readonly string[]
  readonly status: string
}

export interface RigOptions {
  readonly profile?: 'bg' | 'ro'
  readonly change?: Partial<DeviceProfile>
  readonly options?: SwitchOptions
}

export const START = Date.UTC(2025, 6, 15, 10, 15, 30)

export class Rig {
  readonly clock = new SimulatedClock(START)
  readonly device: FiscalDevice
  readonly wire
  readonly #deframer = new Deframer<HostFrame>(hostShape)
  #seq = 0x20

  constructor({ profile = 'bg', change = {}, options = {} }: RigOptions = {}) {
    this.device = createDevice({ profile: { ...familyA.profile(profile), ...change }, clock: this.clock })
    this.wire = familyA.wire(this.device, options)
  }

  /** Everything that the device sends back for these bytes, commands carried out at once. */
  raw(bytes: Uint8Array): Uint8Array {
    const out: Uint8Array[] = []
    for (const event of this.#deframer.push(bytes)) {
      const meeting = this.wire.meet(event)
      if (meeting.kind === 'reply') out.push(meeting.bytes)
      if (meeting.kind === 'run') out.push(...meeting.run().frames)
    }
    return Buffer.concat(out)
  }

  /** Half a frame has been waiting for longer than the gap limit. */
  expire(): Uint8Array | undefined {
    const piece = this.#deframer.expire()
    return piece && this.wire.expired(piece)
  }

  /** One command; `data` as on the wire in windows-1251 byte text. */
  ask(code: number, data = '', seq = this.#next()): Answer {
    return read(this.raw(encodeHostFrame({ seq, code, data })))
  }

  /** The first field of the answer. */
  code(code: number, data = ''): string {
    return this.ask(code, data).code
  }

  /** Several commands that must all succeed. */
  all(...commands: readonly (readonly [number, string?])[]): Answer {
    let last: Answer | undefined
    for (const [code, data = ''] of commands) {
      last = this.ask(code, data)
      if (last.code !== '0') throw new Error(`${code} ${JSON.stringify(data)} answered ${last.code}`)
    }
    if (!last) throw new Error('no command')
    return last
  }

  /** Moves the device's time on. */
  later(hours: number): void {
    this.clock.advance(hours * 3_600_000)
  }

  #next(): number {
    this.#seq = this.#seq >= 0xff ? 0x20 : this.#seq + 1
    return this.#seq
  }
}

export function read(bytes: Uint8Array): Answer {
  const frame = deviceShape.parse(bytes)
  if (!frame) throw new Error(`not a frame: ${Buffer.from(bytes).toString('hex')}`)
  const pieces = frame.data.split('\t')
  if (pieces.at(-1) === '') pieces.pop()
  return {
    data: frame.data,
    code: pieces[0] ?? '',
    fields: pieces.slice(1),
    flags: [...status.read(frame.status)],
    status: Buffer.from(frame.status, 'latin1').toString('hex'),
  }
}

export const OPEN = [48, '1\t0000\t1\t\t'] as const
export const SALE = [49, 'Item\t1\t5.00\t1.000\t\t\t0\t'] as const
export const PART = [53, '0\t2.00\t\t'] as const
export const PAY = [53, '0\t\t\t'] as const
export const CLOSE = [56] as const
export const RECEIPT = [OPEN, SALE, PAY, CLOSE] as const
