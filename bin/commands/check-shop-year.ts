/**
 * `fiscal-rig check --shop-year`: simulates a device for a year in a shop. Each of several families runs in its own
 * process, so that the reported memory is that of one device.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { FAMILIES } from '../../drivers/families.ts'
import { formatOptions } from '../../drivers/host/shell-command.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { storePath } from '../../emulator/emulator.ts'
import { duration } from '../../scenarios/campaign/progress.ts'
import { DAYS, RECEIPTS_PER_DAY, shopYear, type Year } from '../../scenarios/campaign/year/year.ts'
import { temporaryFolder } from '../../scenarios/temporary-folder.ts'
import { EXIT_FAILED, EXIT_USAGE, Exit } from '../exit.ts'
import { io } from '../io.ts'
import { dataFolderOf } from '../options.ts'
import { writeLine } from '../terminal-output.ts'
import { deliver } from './check-report.ts'

interface ShopYearOptions {
  readonly family?: readonly Family[]
  readonly receiptsPerDay?: number
  /** An empty folder, which remains. Absent: a temporary folder, which is removed. */
  readonly data?: string
  readonly seed?: number
  readonly cores?: number
  readonly json?: boolean
  readonly output?: string
}

const PROGRESS_INTERVAL_MS = 10_000
/** Maximum number of listed differences. Further differences are only counted. */
const LISTED_DIFFERENCES_MAX = 20

export async function shopYearCommand(options: ShopYearOptions): Promise<void> {
  const families = options.family ?? FAMILIES
  const [only] = families
  const isOne = families.length === 1 && only !== undefined
  if (!isOne && options.data !== undefined)
    throw new Exit(EXIT_USAGE, 'error: --data stores the device of one family: add --family')
  const texts = isOne ? [await oneYear(only, options)] : await runConcurrently(families, options)
  deliver(texts.join(''), options.output)
}

async function oneYear(family: Family, options: ShopYearOptions): Promise<string> {
  const { receiptsPerDay = RECEIPTS_PER_DAY, seed } = options
  const own = options.data === undefined ? temporaryFolder('year') : undefined
  const data = dataFolderOf({ data: options.data ?? own?.path }, 'check --shop-year')
  try {
    if (data.path === undefined) throw new Exit(EXIT_USAGE, 'error: --data: a year is stored in a folder')
    const path = storePath({ family, data: data.path })
    if (existsSync(path))
      throw new Exit(EXIT_USAGE, `error: --data: ${path} is a device already; a year begins with a new one`)
    const progress = progressOf(family)
    const year = await shopYear({ family, data: data.path, receiptsPerDay, progress, ...omitUndefined({ seed }) })
    const { report, differences } = year
    for (const one of differences.slice(0, LISTED_DIFFERENCES_MAX)) writeLine(`family ${family}: ${one}`)
    if (differences.length > LISTED_DIFFERENCES_MAX)
      writeLine(`family ${family}: and ${differences.length - LISTED_DIFFERENCES_MAX} more`)
    if (!report.booksBalanced || !report.chainVerified) io().status = EXIT_FAILED
    return options.json ? `${JSON.stringify(report)}\n` : yearText(year)
  } finally {
    data.release()
    own?.remove()
  }
}

function progressOf(family: Family): (day: number, receipts: number) => void {
  const began = performance.now()
  let lastSentAt = began
  return (day, receipts) => {
    const now = performance.now()
    if (now - lastSentAt < PROGRESS_INTERVAL_MS) return
    lastSentAt = now
    const remainingMs = ((now - began) * (DAYS - day)) / day
    writeLine(`family ${family}: day ${day} of ${DAYS}, ${receipts} receipts, ${duration(remainingMs)} left`)
  }
}

export function yearText({ report, bytes }: Pick<Year, 'report' | 'bytes'>): string {
  const { family, days, receipts, rssMiB, bytesPerReceipt } = report
  const content = bytes.reduce((sum, one) => sum + one.bytes, 0)
  const shares = bytes.map(({ table, bytes: own }) => `${table} ${Math.round((own / content) * 100)} %`).join(', ')
  const grown = rssMiB.day365 - rssMiB.day1
  const goal = (isMet: boolean, words: string): string => `(goal: ${words}: ${isMet ? 'met' : 'NOT MET'})`
  return [
    `family ${family}: ${days} days, ${receipts} receipts, in ${duration(report.tookMs)}`,
    `  books: ${report.booksBalanced ? 'balanced' : 'NOT BALANCED'}; chain of the journal: ${report.chainVerified ? 'verified' : 'BROKEN'}`,
    `  on disk: ${bytesPerReceipt} bytes a receipt; content: ${shares}`,
    `  memory: ${rssMiB.day1} MiB after day 1, ${rssMiB.day30} after day 30, ${rssMiB.day365} after day ${days} ${goal(grown <= 32, 'grows by at most 32')}`,
    `  first start afterwards: ${report.firstStartMs} ms ${goal(report.firstStartMs <= 1000, 'within 1000')}`,
    `  Z of day 1: ${report.oldestZMs} ms ${goal(report.oldestZMs <= 20, 'within 20')}`,
    '',
  ].join('\n')
}

async function runConcurrently(families: readonly Family[], options: ShopYearOptions): Promise<readonly string[]> {
  const { cores = availableParallelism(), receiptsPerDay, seed, json } = options
  const texts: string[] = []
  const remainingFamilies = [...families.entries()]
  const children = new Set<ChildProcess>()
  // A signal may reach only this process, but its children must not continue.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal)
      process.exit(128 + constants.signals[signal])
    })
  }
  const work = async (): Promise<void> => {
    for (let next = remainingFamilies.shift(); next; next = remainingFamilies.shift()) {
      const [place, family] = next
      const words = formatOptions({ 'shop-year': true, family, 'receipts-per-day': receiptsPerDay, seed, json })
      texts[place] = await runCheck(words, children)
    }
  }
  await Promise.all(Array.from({ length: Math.min(cores, families.length) }, work))
  return texts
}

function runCheck(words: readonly string[], children: Set<ChildProcess>): Promise<string> {
  const [program = ''] = process.argv.slice(1)
  const child = spawn(process.execPath, [program, 'check', ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      children.delete(child)
      if (status !== 0) io().status = status ?? EXIT_FAILED
      resolve(out)
    })
  })
}
