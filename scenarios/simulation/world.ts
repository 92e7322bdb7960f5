/**
 * Device, wire, driver and service in one process with one simulated clock. The service can die at any frame that it
 * writes, and be started again with its stored answers. The device keeps its memory.
 */
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { createEmulator, type Emulator, type EmulatorEvent } from '../../emulator/emulator.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { SqliteStore } from '../../emulator/fiscal/sqlite-store.ts'
import type { LogTables } from '../../server/operations/log/log-tables.ts'
import { openSqliteTables } from '../../server/operations/log/sqlite-tables.ts'
import { mechanismOptions } from '../runner/mechanism.ts'
import { Attribution } from './attribution.ts'
import { type CheckedFamilies, OWN_FAMILIES } from './checked-families.ts'
import { describeCall, describeReply, type Reply } from './client.ts'
import { type FlushedTables, openFlushedTables } from './flushed-tables.ts'
import { type Document, documentsIn, JournalReader } from './journal.ts'
import { LogDisk } from './log-failure.ts'
import { ALL_IN_ORDER, MANUAL_ACTIONS } from './manual-actions.ts'
import { OTHER_PROGRAM_QUANTITY, OtherProgram } from './other-program.ts'
import { ServiceProcess } from './service-life.ts'
import type { OtherMemory, Step } from './steps.ts'
import { Trace } from './trace.ts'
import type { WorldOptions } from './world-options.ts'

export const DIED = 'died'

const START = Date.UTC(2026, 6, 15, 9, 0, 0)
const POWER_BACK_MS = 2000

/** Time in which a person moves a cable, in ms: longer than a driver retransmits a frame. */
const CABLE_MOVED_MS = 20_000

/** Longer than any generated delay or busy time, and than the longest command, in ms. */
const HEALED_AFTER_MS = 120_000

const isLateArrival = (event: EmulatorEvent): boolean =>
  event.type === 'fault' && event.point === 'link.toDevice' && event.what.startsWith('delayMs')

type Replacement = Pick<Extract<Step, { do: 'replaceDevice' }>, 'back' | 'behindAdapter' | 'memory'>
type Numbers = Pick<Emulator['profile'], 'serialNumber' | 'fiscalMemoryNumber'>

type AtWrite = 'replaceDevice' | 'wall clock' | 'meanwhile' | 'otherProgram' | 'hand'

export class World {
  readonly clock = new SimulatedClock(START)
  readonly families: CheckedFamilies
  readonly otherProgram: OtherProgram
  readonly attribution = new Attribution()
  readonly journals: JournalReader[] = []
  readonly troubles: string[] = []
  readonly disk = new LogDisk((what) => this.note(what))
  readonly #options: WorldOptions
  readonly #logTables: LogTables | FlushedTables
  readonly #trace = new Trace(this.clock)
  readonly #devices: Emulator[] = []
  #powerLosses = 0
  readonly #readers = new Map<Emulator, JournalReader>()
  #first: Emulator | undefined
  #process: ServiceProcess
  readonly #atWrites = new Map<AtWrite | `${AtWrite} also`, { writesLeft: number; readonly act: () => void }>()

  constructor(options: WorldOptions) {
    this.#options = options
    this.#logTables = options.onSqlite ? openSqliteTables(':memory:') : openFlushedTables()
    this.families = options.families ?? OWN_FAMILIES
    this.otherProgram = new OtherProgram(this.clock, this.families.drivers)
    this.#connect()
    this.#process = this.#begin()
  }

  get isLineShared(): boolean {
    return this.#options.steps?.some((step) => step.do === 'otherProgram') === true
  }

  get powerLosses(): number {
    return this.#powerLosses
  }

  get emulator(): Emulator {
    return this.#devices.at(-1) as Emulator
  }

  get devices(): readonly Emulator[] {
    return this.#devices
  }

  get logFailed(): boolean {
    return this.disk.hasFailed
  }

  documents(): readonly Document[] {
    return documentsIn(this.journals)
  }

  #connect(numbers?: Numbers): void {
    const options = this.#options
    const emulator = createEmulator({
      family: options.family,
      families: this.families.devices,
      ...(options.profile !== undefined && { profile: options.profile }),
      clock: this.clock,
      store: options.onSqlite ? new SqliteStore(':memory:') : new PlainStore(),
      seed: options.seed ?? 1,
      frameHistorySize: 400,
      powerReturnsAfterMs: options.powerBackMs ?? POWER_BACK_MS,
      ...(options.powerOnNoise !== undefined && { powerOnNoise: Buffer.from(options.powerOnNoise, 'latin1') }),
      log: (line) => this.note(`device: ${line}`),
      ...mechanismOptions(options.slow ? 'slow' : 'instant'),
      ...(numbers && { identity: numbers }),
    })
    options.breakDevice?.(emulator)
    this.#first ??= emulator
    this.#devices.push(emulator)
    this.journals.push(this.#journalOf(emulator))
    this.attribution.watch(emulator)
    let hasPower = emulator.power
    emulator.subscribe((event) => {
      this.onEvent?.(event)
      this.cameLate ||= isLateArrival(event)
      if (event.type === 'state' && hasPower && !emulator.power) this.#powerLosses++
      hasPower = emulator.power
      this.#trace.keep(event, emulator)
    })
  }

  hasForgotten = false

  cameLate = false

  onEvent: ((event: EmulatorEvent) => void) | undefined

  onReplacement: (() => void) | undefined

  get family(): Family {
    return this.#options.family
  }

  get printer(): FiscalPrinter {
    return this.#process.printer
  }

  request(path: string, body?: object, key?: string): Promise<Reply> {
    return simulate(this.clock, this.send(path, body, key))
  }

  async send(path: string, body?: object, key?: string): Promise<Reply> {
    const call = { path, body, key }
    const since = this.clock.now()
    const serviceProcess = this.#process
    const death = new Promise<undefined>((resolve) => serviceProcess.onDeath.push(() => resolve(undefined)))
    this.note(() => describeCall(call))
    const reply = await Promise.race([serviceProcess.channel.handle(call), death])
    const tookMs = this.clock.now() - since
    if (reply === undefined || serviceProcess.isDead) {
      this.note('the service died')
      return { status: 0, data: undefined, message: DIED, tookMs }
    }
    this.note(() => describeReply(reply))
    return { ...reply, tookMs }
  }

  /** Lets the service die with frame `count` from now on. `unsent`: that frame does not reach the line. */
  dieAtWrite(count: number, unsent = false): void {
    this.#process.writesLeft = count
    this.#process.lastIsUnsent = unsent
  }

  /** Cuts the line before frame `write` of the service from now on, or before its answer. */
  cutAtWrite(write: number, loses: 'frame' | 'answer'): void {
    this.#process.cut = { writesLeft: write, loses }
  }

  get isLineCut(): boolean {
    return this.#process.isCut
  }

  mendLine(): void {
    this.#process.cut = undefined
  }

  /**
   * Restarts the service with the same operation log. `losesPower`: the log loses what was not flushed, unless it is in
   * SQLite.
   */
  async restart({ losesPower = false } = {}): Promise<void> {
    this.#process.die()
    this.note('the service is started again')
    if (losesPower && 'losePower' in this.#logTables && this.#logTables.losePower()) this.hasForgotten = true
    // The operating system closes the files and ports of a dead process.
    await this.wait(0)
    this.#process = this.#begin()
  }

  /** The service may die during its start (`dieAtWrite`). */
  async start(): Promise<void> {
    const serviceProcess = this.#process
    const death = new Promise<void>((resolve) => serviceProcess.onDeath.push(resolve))
    await simulate(this.clock, Promise.race([serviceProcess.service.start(), death]))
  }

  get isDead(): boolean {
    return this.#process.isDead
  }

  /**
   * Replaces the device with the previous one (`back`) or with another one of the same kind. `behindAdapter`: the port
   * remains open. `memory`: the other device has the same serial number.
   */
  async replaceDevice({ back, behindAdapter, memory }: Replacement = {}): Promise<void> {
    const before = this.#devices.at(-2)
    if (back && before === undefined) return
    if (behindAdapter) await this.#connectNothing()
    else await this.emulator.setCable(false)
    if (memory !== undefined) this.#connectMemory(memory)
    else if (before === undefined || !back) this.#connect(this.#otherNumbers())
    else {
      this.#devices.splice(this.#devices.indexOf(before), 1)
      this.#devices.push(before)
      this.journals.splice(0, this.journals.length, ...this.#devices.map((one) => this.#journalOf(one)))
      await before.setCable(true)
    }
    if (behindAdapter) await this.#process.moveCable()
  }

  async #connectNothing(): Promise<void> {
    const { cut } = this.#process
    this.#process.cut = { writesLeft: 0, loses: 'frame' }
    await this.wait(CABLE_MOVED_MS)
    this.#process.cut = cut
  }

  #connectMemory(memory: OtherMemory): void {
    const { device, profile } = this.emulator
    const { lastDocument } = device.counters
    this.#connect(profile)
    if (memory === 'new') return
    this.attribution
      .as('other program', this.emulator, () => {
        for (let number = 1; number <= Math.max(1, lastDocument); number++) printReceipt(this.emulator)
      })
      .catch((problem: unknown) => this.trouble(problem))
  }

  #otherNumbers(): Numbers {
    const [count, first] = [this.#devices.length, this.#first as Emulator]
    const numbered = (text: string) => text.replace(/\d$/, (digit) => String((Number(digit) + count) % 10))
    const { serialNumber, fiscalMemoryNumber } = first.profile
    return { serialNumber: numbered(serialNumber), fiscalMemoryNumber: numbered(fiscalMemoryNumber) }
  }

  #journalOf(device: Emulator): JournalReader {
    const reader = this.#readers.get(device) ?? new JournalReader(device)
    this.#readers.set(device, reader)
    return reader
  }

  /** Sets the wall clock at once (`write` 0), or with frame `write` of the service from now on. */
  jumpWallClock(byMs: number, write: number): void {
    if (write === 0) this.clock.setWall(byMs)
    else this.atWrite('wall clock', write, () => this.clock.setWall(byMs))
  }

  replaceDeviceAtWrite(replacement: Replacement, write: number, also = false): void {
    const act = () => {
      this.note('the device is replaced')
      this.onReplacement?.()
      this.replaceDevice(replacement).catch((problem: unknown) => this.trouble(problem))
    }
    this.atWrite('replaceDevice', write, act, also)
  }

  /** Schedules an action with frame `write`. Replaces a pending action of the same kind, unless `also` is set. */
  atWrite(kind: AtWrite, write: number, act: () => void, also = false): void {
    this.#atWrites.set(also ? `${kind} also` : kind, { writesLeft: write, act })
  }

  frameWritten(): void {
    for (const [kind, one] of [...this.#atWrites]) {
      if (--one.writesLeft > 0) continue
      this.#atWrites.delete(kind)
      one.act()
    }
  }

  spare(): void {
    this.#process.writesLeft = undefined
  }

  wait(ms: number): Promise<void> {
    return simulate(
      this.clock,
      new Promise((resolve) => {
        this.clock.after(ms, resolve)
      }),
    )
  }

  async heal(): Promise<void> {
    const { emulator } = this
    emulator.faults.clear()
    this.mendLine()
    for (const action of ALL_IN_ORDER) await MANUAL_ACTIONS[action].play(emulator)
    this.spare()
    this.disk.heal()
    this.#atWrites.clear()
    if (this.isDead) await this.restart()
    // Delayed bytes have then arrived, and commands have ended.
    await this.wait(HEALED_AFTER_MS)
  }

  note(what: string | (() => string)): void {
    this.#trace.note(what)
  }

  trouble(error: unknown): void {
    this.troubles.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  trace(): readonly string[] {
    return this.#trace.lines()
  }

  async close(): Promise<void> {
    this.#process.die()
    for (const device of this.#devices) await device.close()
    this.#logTables.close()
  }

  #begin(): ServiceProcess {
    return new ServiceProcess(this, this.#logTables, this.#options.breakPrinter ?? ((printer) => printer))
  }
}

/** No request sells the quantity of this row. */
function printReceipt({ device }: Emulator): void {
  const outcomes = [
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 }),
    device.sellArticle({ plu: 1, quantity: OTHER_PROGRAM_QUANTITY, void: false }),
    device.pay({ mode: 0 }),
    device.closeFiscal(),
  ]
  if (outcomes.some(({ ok }) => !ok)) throw new Error('the other memory holds no receipt')
}
