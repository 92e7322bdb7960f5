/** The state in memory, the store, and the operation that keeps the two consistent. */
import type { Clock } from '../../drivers/model/clock.ts'
import type { Money, Percent } from '../../drivers/model/money.ts'
import type { LastFiscal } from './api.ts'
import type { Durability, Store } from './store.ts'
import type { Counters, DayTotals } from './types/day.ts'
import type { BookPoints, DeviceEvent, PaperState } from './types/events.ts'
import type { DeviceProfile, FactorySettings } from './types/profile.ts'
import type { ByTaxGroup, Department, OperatorRecord, OperatorTotals, RegisterTotals } from './types/registers.ts'

/** Every member is one record in the `state` table of the store, written after the member was changed. */
export interface BookState {
  device: {
    family: string
    profile: string
    serialNumber: string
    fiscalMemoryNumber: string
    taxNumber: string
    fiscalised: boolean
    clockSet: boolean
    lineWidth: number
    /** Device time minus the time of the underlying clock, in ms. */
    clockOffset: number
  }
  counters: Counters & {
    readonly journalLines: number
    readonly chain: string
    readonly kinds: Readonly<Record<string, number>>
    readonly records: number
    readonly memorySeal: string
    readonly journalSeal: string
  }
  day: DayTotals & { readonly firstDocument: number | null }
  registers: {
    taxRates: ByTaxGroup<Percent | null>
    header: string[]
    footer: string[]
    operators: Record<number, OperatorRecord>
    payments: Record<number, { name: string; enabled: boolean }>
    departments: Record<number, Department>
    invoiceRange: { start: number; end: number; next: number } | null
    parameters: Record<string, string>
    /** True in training mode; otherwise absent. */
    school?: boolean
  }
  totals: {
    operators: Record<number, OperatorTotals>
    departments: Record<number, RegisterTotals>
    groups: Record<number, RegisterTotals>
  }
  last: { fiscal: LastFiscal | null }
  mechanism: {
    paper: PaperState
    coverOpen: boolean
    waiting: { document: number; line: string }[]
  }
  display: { attached: boolean; lines: string[] }
}

type StateName = keyof BookState
export const STATE_NAMES: readonly StateName[] = [
  'device',
  'counters',
  'day',
  'registers',
  'totals',
  'last',
  'mechanism',
  'display',
]

interface BooksOptions {
  readonly profile: DeviceProfile
  readonly store: Store
  readonly clock: Clock
  readonly settings: FactorySettings
  readonly points?: BookPoints | undefined
  readonly onEvent?: ((event: DeviceEvent) => void) | undefined
}

export class Books {
  readonly profile: DeviceProfile
  readonly store: Store
  readonly settings: FactorySettings
  readonly points: BookPoints | undefined
  state: BookState
  /** Called after an operation was undone. Must read cached state from the store again. */
  onReload: () => void = () => {}
  readonly #clock: Clock
  readonly #begunAt: number
  readonly #onEvent: ((event: DeviceEvent) => void) | undefined
  /** Clearing a set keeps its previous backing store alive, so that each operation uses a new set. */
  #touched = new Set<StateName>()
  #events: DeviceEvent[] = []
  #depth = 0

  constructor(options: BooksOptions, state: BookState) {
    this.profile = options.profile
    this.store = options.store
    this.settings = options.settings
    this.points = options.points
    this.state = state
    this.#clock = options.clock
    this.#begunAt = options.clock.wallTime() - options.clock.now()
    this.#onEvent = options.onEvent
  }

  /**
   * Runs one device operation. All of its writes and changes are made, or none: a power cut or any other error undoes
   * them. A nested operation is part of the outer one.
   */
  operate<T>(durability: Durability, run: () => T): T {
    if (this.#depth > 0) return run()
    this.#depth = 1
    let result: T
    try {
      result = run()
      for (const name of this.#touched) this.#save(name)
      this.store.commit(durability)
    } catch (error) {
      this.#undo()
      throw error
    } finally {
      if (this.#touched.size > 0) this.#touched = new Set()
      this.#depth = 0
    }
    this.#notify()
    return result
  }

  touch(name: StateName): void {
    this.#touched.add(name)
  }

  change<N extends StateName>(name: N, change: Partial<BookState[N]>): void {
    this.state[name] = { ...this.state[name], ...change }
    this.#touched.add(name)
  }

  emit(event: DeviceEvent): void {
    if (this.#onEvent) this.#events.push(event)
  }

  get operating(): boolean {
    return this.#depth > 0
  }

  get listens(): boolean {
    return this.#onEvent !== undefined
  }

  now(): number {
    return this.clockNow() + this.state.device.clockOffset
  }

  /** Returns the time of the device's clock chip, which later changes of the computer's clock do not affect. */
  clockNow(): number {
    return this.#begunAt + this.#clock.now()
  }

  after(delayMs: number, call: () => void): () => void {
    return this.#clock.after(delayMs, call)
  }

  localTime(at: number = this.now()): string {
    return new Date(at).toISOString().slice(0, 19)
  }

  #undo(): void {
    // Manual actions on the paper or the cover are not undone.
    const { paper, coverOpen } = this.state.mechanism
    this.store.rollback()
    this.#events = []
    this.onReload()
    const mechanism = this.state.mechanism
    if (mechanism.paper === paper && mechanism.coverOpen === coverOpen) return
    this.state.mechanism = { ...mechanism, paper, coverOpen }
    this.#save('mechanism')
    this.store.commit('ordinary')
  }

  #save(name: StateName): void {
    this.store.saveState(name, this.state[name])
  }

  #notify(): void {
    if (this.#events.length === 0) return
    const events = this.#events
    this.#events = []
    for (const event of events) this.#onEvent?.(event)
  }
}

export const ZERO_COUNTED: { readonly count: number; readonly amount: Money } = { count: 0, amount: 0 }

export const loadState = (store: Store): BookState => {
  const rows = store.rows('state')
  return Object.fromEntries(rows.map((row) => [String(row['name']), JSON.parse(String(row['body']))])) as BookState
}
