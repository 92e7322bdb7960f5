/**
 * A world of the table: an emulated device, the driver on its line, another program on a second line, and manual
 * actions, without a service. The work of the device is recorded with the sender of the frame that caused it.
 */

import { driverFamilies } from '../../drivers/families.ts'
import { openPrinter } from '../../drivers/index.ts'
import type { BindingPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { DocumentFacts, Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import { portOf } from '../../scenarios/simulation/other-program.ts'
import type { TriedDevice, Work } from './steps.ts'
import type { Facts } from './verdict-under-test.ts'

const WORKS: readonly Work[] = [
  'openFiscal', 'openNonFiscal', 'sell', 'sellArticle', 'subtotal', 'printText', 'pay', 'closeFiscal', 'closeNonFiscal',
  'cancelFiscal', 'reportX', 'reportZ', 'copyLastReceipt', 'cashInOut',
] // biome-ignore format: a list

export type Sender = 'service' | 'other program' | 'hand'

export interface Done {
  readonly sender: Sender
  readonly work: Work
  readonly document: number
  /**
   * Identity of the fiscal memory. A device with another memory counts as another device, even under the same number.
   */
  readonly memory: string
}

/** A frame that the driver writes during the step without faults. */
export interface KeyFrame {
  readonly write: number
  readonly commandsBefore: number
  readonly answersBefore: number
}

const START = Date.UTC(2026, 6, 15, 9, 0, 0)
/** Maximum number of documents read from the electronic journal after the last document of the first evidence. */
const DOCUMENTS_MAX = 10

export class SmallWorld {
  readonly clock = new SimulatedClock(START)
  readonly done: Done[] = []
  readonly #device: TriedDevice
  readonly #powerBackMs: number
  readonly #devices: Emulator[] = []
  #sender: Sender = 'hand'
  #printer: FiscalPrinter | undefined
  #other: FiscalPrinter | undefined
  #writes = 0
  #cut: { readonly write: number; readonly loses: 'frame' | 'answer' } | undefined
  #journalFails = false
  onFrame: ((direction: 'toDevice' | 'toHost', isCommand: boolean) => void) | undefined
  onDone: ((one: Done) => void) | undefined

  constructor(device: TriedDevice, powerBackMs: number) {
    this.#device = device
    this.#powerBackMs = powerBackMs
    this.#connect()
  }

  get emulator(): Emulator {
    return this.#devices.at(-1) as Emulator
  }

  get printer(): FiscalPrinter {
    this.#printer ??= openPrinter(
      { family: this.#device.family, device: this.emulator.path, options: { profile: this.emulator.profile.profile } },
      { families: driverFamilies, binding: this.#binding(), clock: this.clock, random: () => 0.5 },
    )
    return this.#printer
  }

  get writes(): number {
    return this.#writes
  }

  /** Runs work on the clock of this world. Resolves to `undefined` if the device refuses or does not respond. */
  async tried<Answer>(work: () => Promise<Answer>): Promise<{ readonly answer: Answer } | undefined> {
    try {
      return { answer: await simulate(this.clock, work()) }
    } catch (problem) {
      if (problem instanceof DeviceError) return undefined
      throw problem
    }
  }

  byOther(act: (printer: FiscalPrinter) => Promise<unknown>) {
    const { emulator } = this
    this.#other ??= openPrinter(
      { family: this.#device.family, device: emulator.path, options: { profile: emulator.profile.profile } },
      { families: driverFamilies, binding: portOf(emulator, 'other program'), clock: this.clock, random: () => 0.25 },
    )
    const printer = this.#other
    return this.tried(() => act(printer))
  }

  async otherLeaves(): Promise<void> {
    const other = this.#other
    this.#other = undefined
    if (other) await simulate(this.clock, other.disconnect())
  }

  byHand<Answer>(act: (emulator: Emulator) => Answer): Answer {
    const before = this.#sender
    this.#sender = 'hand'
    try {
      return act(this.emulator)
    } finally {
      this.#sender = before
    }
  }

  wait(ms: number): Promise<void> {
    return simulate(this.clock, new Promise((resolve) => void this.clock.after(ms, resolve)))
  }

  /** Silences the line from the n-th write on: that frame or its response is lost. */
  cutAt(write: number, loses: 'frame' | 'answer'): void {
    this.#cut = { write: this.#writes + write, loses }
  }

  mend(): void {
    this.#cut = undefined
  }

  /** Disconnects the cable for a moment. The driver reopens its port at the next request. */
  async losePort(): Promise<void> {
    await this.emulator.setCable(false)
    await this.emulator.setCable(true)
  }

  async restart(): Promise<void> {
    const printer = this.#printer
    this.#printer = undefined
    if (printer) await simulate(this.clock, printer.disconnect())
  }

  async replaceDevice(): Promise<void> {
    await this.otherLeaves()
    await this.emulator.setCable(false)
    this.#connect()
  }

  /** The numbers of the device stay the same. */
  async newMemory(): Promise<void> {
    await this.otherLeaves()
    this.emulator.reset()
  }

  journalFails(): void {
    this.#journalFails = true
  }

  async evidence(thorough: boolean): Promise<Evidence | undefined> {
    return (await this.tried(() => this.printer.evidence({ thorough })))?.answer
  }

  /**
   * Returns the journal's facts about the documents between `before` and `now`, and about the document that was open
   * before.
   */
  async facts(before: Evidence, now: Evidence, plu: number | undefined): Promise<Facts> {
    const documents: Record<number, DocumentFacts | undefined> = {}
    const openNow = now.open ? (now.open.number ?? now.lastDocument) : null
    const last = before.lastDocument ?? 0
    const first = before.open ? (before.open.number ?? last) : last + 1
    for (let number = first; number <= Math.min(now.lastDocument ?? 0, last + DOCUMENTS_MAX); number++)
      if (number !== openNow)
        documents[number] = (await this.tried(async () => this.printer.documentOf?.(number)))?.answer
    const price =
      plu === undefined ? undefined : (await this.tried(async () => this.printer.article?.(plu)))?.answer?.price
    return price === undefined ? { documents } : { documents, price }
  }

  async close(): Promise<void> {
    for (const device of this.#devices) await device.close()
  }

  #connect(): void {
    const [first] = this.#devices
    const { family, profile } = this.#device
    const emulator = createEmulator({
      ...{ family, clock: this.clock, store: new PlainStore(), seed: 1, frameHistorySize: 4 },
      ...(profile !== undefined && { profile }),
      powerReturnsAfterMs: this.#powerBackMs,
      ...(first && { identity: otherNumbers(first.profile) }),
    })
    this.#devices.push(emulator)
    this.#watch(emulator)
  }

  #watch(emulator: Emulator): void {
    emulator.subscribe((event) => {
      if (event.type !== 'frame') return
      const { direction, bytes, host } = event.entry
      if (direction === 'toDevice') this.#sender = host === 'other program' ? 'other program' : 'service'
      if (this.#sender === 'service') this.onFrame?.(direction, bytes.length > 1)
    })
    const { device } = emulator
    for (const work of WORKS) {
      const act = (device[work] as (...values: unknown[]) => Outcome<unknown>).bind(device)
      Object.defineProperty(device, work, {
        value: (...values: unknown[]) => {
          const open = device.receipt === null ? undefined : device.counters.lastDocument
          const outcome = act(...values)
          if (outcome.ok) this.#note(emulator, work, open)
          return outcome
        },
      })
    }
  }

  #note({ device, profile, generation }: Emulator, work: Work, open: number | undefined): void {
    const one: Done = {
      ...{ sender: this.#sender, work, document: open ?? device.counters.lastDocument },
      memory: `${profile.serialNumber} ${generation}`,
    }
    this.done.push(one)
    this.onDone?.(one)
  }

  get #isCut(): boolean {
    return this.#cut !== undefined && this.#writes >= this.#cut.write
  }

  #binding(): ReturnType<typeof portOf> {
    return {
      open: async (options) => {
        const port = await portOf(this.emulator, 'service').open(options)
        const read: BindingPort['read'] = async (buffer, offset, length) => {
          const result = await port.read(buffer, offset, length)
          return this.#isCut ? read(buffer, offset, length) : result
        }
        return {
          get isOpen() {
            return port.isOpen
          },
          close: () => port.close(),
          read,
          getBaudRate: () => port.getBaudRate(),
          write: (bytes) => {
            const isPast = this.#isCut
            this.#writes++
            if (isPast || (this.#isCut && this.#cut?.loses === 'frame')) return Promise.resolve()
            if (this.#journalFails) this.#refuseJournal()
            return port.write(bytes)
          },
        }
      },
    }
  }

  #refuseJournal(): void {
    this.#journalFails = false
    this.emulator.faults.add({ at: 'command.before', on: 'journalRead', do: 'refuse' })
  }
}

const otherNumbers = ({ serialNumber, fiscalMemoryNumber }: Emulator['profile']) => {
  const other = (text: string) => text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
  return { serialNumber: other(serialNumber), fiscalMemoryNumber: other(fiscalMemoryNumber) }
}
