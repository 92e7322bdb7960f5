/**
 * A device of family A that gets commands as numbers with data as on the wire, and whose responses are read as fields.
 */
import { deviceShape, encodeHostFrame } from '../../drivers/family-a/protocol/frame.ts'
import { status } from '../../drivers/family-a/protocol/status.ts'
import { familyA } from '../../emulator/family-a/index.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import { type BareWire, startWire, type WireOptions } from '../support/rig.ts'

export interface Answer {
  readonly data: string
  /** The first field unchanged: `0`, a negative error code, or other text. */
  readonly code: string
  readonly fields: readonly string[]
  readonly flags: readonly string[]
  readonly status: string
}

export interface Talk extends BareWire {
  /** `data` is windows-1251 text as on the wire. */
  ask(code: number, data?: string, seq?: number): Answer
  code(code: number, data?: string): string
  all(...commands: readonly (readonly [number, string?])[]): Answer
}

export const START = Date.UTC(2025, 6, 15, 10, 15, 30)

export function talk({
  profile = 'bg',
  change,
  switches,
}: WireOptions & { readonly change?: Partial<DeviceProfile> } = {}): Talk {
  const device = { profile: { ...familyA.profile(profile), ...change } }
  const bare = startWire(familyA, { profile, switches, device, start: START })
  let last = 0x20
  const next = (): number => {
    last = last >= 0xff ? 0x20 : last + 1
    return last
  }
  const ask = (code: number, data = '', seq = next()): Answer => read(bare.hear(encodeHostFrame({ seq, code, data })))
  return {
    ...bare,
    ask,
    code: (code, data) => ask(code, data).code,
    all(...commands) {
      let answer: Answer | undefined
      for (const [code, data = ''] of commands) {
        answer = ask(code, data)
        if (answer.code !== '0') throw new Error(`${code} ${JSON.stringify(data)} answered ${answer.code}`)
      }
      if (!answer) throw new Error('no command')
      return answer
    },
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
