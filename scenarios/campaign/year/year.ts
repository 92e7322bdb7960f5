/**
 * A year of one device in a shop: on disk, through its driver, in simulated time. Each Z report is compared with the
 * oracle's sums. At the end the file of the device is audited, and the device is started once more.
 */
import { statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openPrinter } from '../../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../../drivers/model/clock.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../../drivers/model/printer.ts'
import { createEmulator, type Emulator, storePath } from '../../../emulator/emulator.ts'
import { seededRandom } from '../../../emulator/faults/seeded-random.ts'
import { programmer } from '../../../emulator/panel/program-articles.ts'
import { daySums, type Movement, type Receipt } from '../../oracle/totals.ts'
import { Cashier } from './cashier.ts'
import { differences } from './differences.ts'
import { type FileJudgement, judgeFile } from './file-audit.ts'
import { asReceipt, Shop, type ShopArticle } from './shop.ts'

interface YearOptions {
  readonly family: Family
  readonly data: string
  readonly receiptsPerDay: number
  readonly days?: number
  readonly seed?: number
  readonly progress?: (day: number, receipts: number) => void
}

export interface YearReport {
  readonly family: Family
  readonly days: number
  readonly receipts: number
  readonly booksBalanced: boolean
  readonly chainVerified: boolean
  readonly bytesPerReceipt: number
  readonly rssMiB: { readonly day1: number; readonly day30: number; readonly day365: number }
  readonly firstStartMs: number
  readonly oldestZMs: number
  readonly tookMs: number
}

export interface Year {
  readonly report: YearReport
  readonly differences: readonly string[]
  readonly bytes: FileJudgement['bytes']
}

export const DAYS = 365
export const RECEIPTS_PER_DAY = 250

const DAY_MS = 86_400_000
const OPENS = Date.UTC(2026, 0, 1, 8)
const OPEN_FOR_MS = 12 * 3_600_000
/** Cash in the drawer in the morning, in hundredths. */
const CHANGE_FUND = 10_000
const SEASON_DAYS = 30
const RATE_DAYS = [20, 200]
const RATES = { before: [2000, 2000, 2000, 900], after: [2000, 2000, 2000, 500] }

/** Rejects if the device refuses a command that it must execute. */
export async function shopYear(options: YearOptions): Promise<Year> {
  const { family, data, receiptsPerDay, days = DAYS, seed = 1, progress } = options
  const began = performance.now()
  const path = storePath({ family, data })
  const shop = new ShopOfYear(family, data, seed)
  const rss = { day1: 0, day30: 0, day365: 0 }
  for (let day = 1; day <= days; day++) {
    await shop.day(day, receiptsPerDay)
    if (day === 1) rss.day1 = residentMiB()
    if (day === Math.min(30, days)) rss.day30 = residentMiB()
    if (day === days) rss.day365 = residentMiB()
    progress?.(day, shop.receipts)
  }
  await shop.close()
  const file = judgeFile(path, shop.cancelledCounts)
  const start = await startAgain(family, data)
  const wrong = [...shop.differences, ...file.differences, ...(start.hasOldestZ ? [] : ['Z report 1 is missing'])]
  const report = {
    ...{ family, days, receipts: shop.receipts },
    booksBalanced: wrong.length === 0,
    chainVerified: file.chainVerified,
    bytesPerReceipt: Math.round(statSync(path).size / shop.receipts),
    rssMiB: rss,
    firstStartMs: start.firstStartMs,
    oldestZMs: start.oldestZMs,
    tookMs: Math.round(performance.now() - began),
  }
  return { report, differences: wrong, bytes: file.bytes }
}

function deviceIn(family: Family, data: string, clock: SimulatedClock) {
  const emulator = createEmulator({ family, data, clock, powerReturnsAfterMs: 2000 })
  const printer = openPrinter({ family, device: emulator.path }, { binding: emulator.binding, clock })
  return { emulator, printer }
}

class ShopOfYear {
  receipts = 0
  readonly differences: string[] = []
  readonly #clock = new SimulatedClock(OPENS)
  readonly #emulator: Emulator
  readonly #printer: FiscalPrinter
  readonly #cashier: Cashier
  readonly #shop: Shop
  #rates = RATES.before

  constructor(family: Family, data: string, seed: number) {
    const { emulator, printer } = deviceIn(family, data, this.#clock)
    this.#emulator = emulator
    this.#printer = printer
    this.#cashier = new Cashier(emulator, printer, this.#clock)
    this.#shop = new Shop(seededRandom(seed))
  }

  get cancelledCounts(): boolean {
    return this.#emulator.profile.rules.cancelledCounts
  }

  async day(day: number, receiptsPerDay: number): Promise<void> {
    this.#until(OPENS + (day - 1) * DAY_MS)
    if (RATE_DAYS.includes(day)) this.#changeRates()
    if ((day - 1) % SEASON_DAYS === 0) this.#program(this.#shop.season((day - 1) / SEASON_DAYS))
    const receipts: Receipt[] = []
    const movements: Movement[] = []
    await this.#move(CHANGE_FUND, movements)
    for (let number = 0; number < receiptsPerDay; number++) {
      const receipt = this.#shop.receipt()
      receipts.push(asReceipt(receipt, await this.#cashier.receipt(receipt)))
      this.#clock.advance(OPEN_FOR_MS / receiptsPerDay)
      if (number === Math.floor(receiptsPerDay / 2)) await this.#cashier.reportX()
    }
    const rates = this.#rates.map(BigInt)
    await this.#move(-this.#shop.cashOut(daySums(receipts, movements, rates).drawer), movements)
    await this.#cashier.reportZ()
    const sums = daySums(receipts, movements, rates)
    this.receipts += sums.receipts
    const z = await simulate(this.#clock, this.#printer.archivedZ(day))
    this.differences.push(...(z ? differences(z, sums, this.cancelledCounts) : [`there is no Z ${day}`]))
  }

  async close(): Promise<void> {
    await simulate(this.#clock, this.#printer.disconnect())
    await this.#emulator.close()
  }

  async #move(amount: number, movements: Movement[]): Promise<void> {
    if (amount === 0 || !this.#printer.moveCash) return
    await this.#cashier.moveCash(amount)
    movements.push({ cash: BigInt(amount) })
  }

  #until(wallTime: number): void {
    this.#clock.advance(Math.max(0, wallTime - this.#clock.wallTime()))
  }

  /** The device refuses to change the price of an article with turnover, so the turnover is cleared first. */
  #program(range: readonly ShopArticle[]): void {
    this.#emulator.device.articles.clearTurnover(1, range.length)
    programmer(
      this.#emulator,
      range.map((article) => ({ ...article, price: formatMoney(article.price) })),
    )()
  }

  #changeRates(): void {
    const { registers } = this.#emulator.device
    this.#rates = this.#rates === RATES.before ? RATES.after : RATES.before
    const rates = registers.taxRates.map((rate, group) => this.#rates[group] ?? rate)
    const outcome = registers.setTaxRates(rates as unknown as typeof registers.taxRates)
    if (!outcome.ok) throw new Error(`tax rates: ${outcome.refusal}`)
  }
}

async function startAgain(family: Family, data: string) {
  const clock = new SimulatedClock(OPENS + DAYS * DAY_MS)
  const before = performance.now()
  const { emulator, printer } = deviceIn(family, data, clock)
  await simulate(clock, printer.connect())
  const started = performance.now()
  const z = await simulate(clock, printer.archivedZ(1))
  const lastReportedAt = performance.now()
  await simulate(clock, printer.disconnect())
  await emulator.close()
  const rounded = (ms: number): number => Math.round(ms * 10) / 10
  return {
    firstStartMs: rounded(started - before),
    oldestZMs: rounded(lastReportedAt - started),
    hasOldestZ: z?.number === 1,
  }
}

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void
let collect: Collect | undefined

/**
 * Returns the resident memory of this process, in MiB, after a collection that also releases the engine's empty pages.
 * Otherwise the result would grow with the rate of allocation.
 */
function residentMiB(): number {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  for (let round = 0; round < 2; round++) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return Math.round((process.memoryUsage.rss() / 2 ** 20) * 10) / 10
}
