import { createDriver } from '../../drivers/driver.ts'
import { familyA } from '../../drivers/family-a/index.ts'
import { deviceShape, encodeDeviceFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import type { AskOptions, Link } from '../../drivers/link/types.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'

/** `answer` maps the code and data of a command to the data of the response. */
export function scripted(
  answer: (code: number, data: string) => string | Error,
  status = '\x80\x80\x80\x80\x86\x9a\x80\x80',
  options: Readonly<Record<string, string>> = {},
) {
  let isOpen = true
  const listeners: (() => void)[] = []
  const link: Link<never> = {
    async open() {
      isOpen = true
      for (const listener of listeners) listener()
    },
    async close() {
      isOpen = false
    },
    hold: 1,
    get isOpen() {
      return isOpen
    },
    isUnanswered: false,
    onWaiting: () => undefined,
    unanswered: () => undefined,
    note: () => undefined,
    doubtIfShared: () => undefined,
    silence: () => ({ kind: 'noAnswer' }),
    connectionLost: (why) => ({ kind: 'portLost', path: 'scripted', why }),
    retransmissions: 0,
    onOpened: (listener) => void listeners.push(listener),
    ask: async (request: Uint8Array, _: AskOptions<never>) => {
      const frame = hostShape.parse(request)
      const data = answer(frame?.code ?? 0, frame?.data ?? '')
      if (data instanceof Error) throw data
      const bytes = encodeDeviceFrame({ seq: frame?.seq ?? 0, code: frame?.code ?? 0, data, status })
      return { frames: [deviceShape.parse(bytes) as never], retransmitted: false }
    },
    ping: async () => undefined,
    write: async () => {},
    clock: new SimulatedClock(0),
  }
  return createDriver('A', familyA, link as never, { random: () => 0.5, options })
}
