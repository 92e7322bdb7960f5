/**
 * A serialport binding that applies fault rules between the driver and a real port. It supports the faults that a wire
 * can produce: bytes lost, duplicated, damaged, split or late, noise, and the loss of the port.
 */
import type { Binding, BindingOptions, BindingPort } from '../../drivers/link/port.ts'
import { type ActiveRule, RuleInjector } from '../../emulator/faults/injector.ts'
import type { Delivery, FaultReport, LinkPoint } from '../../emulator/faults/points.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import type { Wire } from '../../emulator/wire.ts'

export const LINE_EFFECTS: readonly string[] = [
  'drop',
  'duplicate',
  'refuse',
  'unplug',
  'flip',
  'split',
  'delayMs',
  'noise',
]

export interface FaultyBinding extends Binding {
  add(rule: Rule): void
  clear(): void
  unused(): readonly ActiveRule[]
  /** `out`: the client that has the port open loses it, and the port cannot be opened. */
  cable(position: 'in' | 'out'): Promise<void>
  readonly hits: number
}

type BytesListener = (direction: 'toDevice' | 'toHost', bytes: Uint8Array) => void

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** `describes` names the frames, so that rules can select commands. */
export function withLineFaults(
  binding: Binding,
  describes: Wire,
  seed: number,
  passed: BytesListener = () => undefined,
  injected: (fault: FaultReport) => void = () => undefined,
): FaultyBinding {
  let hits = 0
  let isOut = false
  let ports: readonly TappedPort[] = []
  const nothing = () => undefined
  const report = (fault: FaultReport) => {
    hits++
    injected(fault)
  }
  const rules = new RuleInjector(
    { setPaper: nothing, setCover: nothing, refusal: nothing, busy: nothing, report },
    seededRandom(seed),
    () => new Set(describes.commands.map(({ name }) => name)),
  )
  let question: { readonly bytes: Uint8Array; readonly command: string } | undefined
  const deliveryOf = (point: LinkPoint, bytes: Uint8Array): Delivery => {
    if (point === 'link.toHost') {
      const { command } = describes.describe('toHost', bytes, question?.bytes)
      // An acknowledgement has the name of its command.
      return rules.link(point, { command: command === 'ack' && question ? question.command : command, bytes })
    }
    const { command } = describes.describe('toDevice', bytes)
    if (bytes.length > 1) question = { bytes: Uint8Array.from(bytes), command }
    return rules.link(point, { command, bytes })
  }
  return {
    get hits() {
      return hits
    },
    add: (rule) => void rules.add(rule),
    clear: () => rules.clear(),
    unused: () => rules.unused(),
    async cable(position) {
      isOut = position === 'out'
      if (isOut) await Promise.all(ports.map((port) => port.pullOut()))
    },
    async open(options: BindingOptions) {
      if (isOut) throw new Error('the cable is out')
      const port = new TappedPort(await binding.open(options), deliveryOf, passed)
      ports = [...ports.filter(({ isOpen }) => isOpen), port]
      return port
    },
  }
}

class TappedPort implements BindingPort {
  readonly #port: BindingPort
  readonly #deliveryOf: (point: LinkPoint, bytes: Uint8Array) => Delivery
  readonly #passed: BytesListener
  #held = Buffer.alloc(0)
  #isLost = false

  constructor(port: BindingPort, deliveryOf: (point: LinkPoint, bytes: Uint8Array) => Delivery, passed: BytesListener) {
    this.#port = port
    this.#deliveryOf = deliveryOf
    this.#passed = passed
  }

  get isOpen(): boolean {
    return this.#port.isOpen
  }

  close(): Promise<void> {
    return this.#port.close()
  }

  getBaudRate(): Promise<{ baudRate: number }> {
    return this.#port.getBaudRate()
  }

  async write(bytes: Buffer): Promise<void> {
    const { pieces, ending } = this.#deliveryOf('link.toDevice', bytes)
    for (const piece of pieces) {
      if (piece.afterMs > 0) await pause(piece.afterMs)
      if (piece.bytes.length === 0) continue
      this.#passed('toDevice', piece.bytes)
      await this.#port.write(Buffer.from(piece.bytes))
    }
    if (ending === 'unplug') await this.pullOut()
  }

  async read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number }> {
    while (this.#held.length === 0) {
      if (this.#isLost) throw new Error('the port was disconnected')
      await this.#receive(length)
    }
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(taken.length)
    taken.copy(buffer, offset)
    return { bytesRead: taken.length }
  }

  async #receive(length: number): Promise<void> {
    const chunk = Buffer.alloc(length)
    const { bytesRead } = await this.#port.read(chunk, 0, length).catch((problem: unknown) => {
      throw this.#isLost ? new Error('the port was disconnected') : problem
    })
    this.#passed('toHost', chunk.subarray(0, bytesRead))
    const { pieces, ending } = this.#deliveryOf('link.toHost', chunk.subarray(0, bytesRead))
    for (const piece of pieces) {
      if (piece.afterMs > 0) await pause(piece.afterMs)
      this.#held = Buffer.concat([this.#held, piece.bytes])
    }
    if (ending === 'unplug') await this.pullOut()
  }

  /** The port can be opened again afterwards. */
  async pullOut(): Promise<void> {
    this.#isLost = true
    if (this.#port.isOpen) await this.#port.close().catch(() => undefined)
  }
}
