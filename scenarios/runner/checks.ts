/** Checks against what really happened: paper, journal, counters, totals, archive, display, frames, books. */

import { relative } from 'node:path'
import type { Family } from '../../drivers/model/receipt.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import type { JournalLine } from '../../emulator/fiscal/types.ts'
import { inwardly, outwardly } from './books.ts'
import { goldenPath, paperDiff, readGolden, writeGolden } from './golden.ts'
import { differences, lineTest, shown } from './match.ts'
import type { Check, Given } from './schema.ts'
import type { Rig } from './target/target.ts'
import type { DayView, DocumentView, FrameView, StateView, ZView } from './views.ts'

export interface Problem {
  readonly what: string
  /** Lines with `-` (expected), `+` (there) or a space. */
  readonly diff?: readonly string[]
}

/** Where the scenario began on this device: what was there before is not its own. */
export interface Beginning {
  readonly document: number
  readonly journal: number
  readonly frame: number
}

export interface CheckContext {
  readonly rig: Rig
  readonly beginning: Beginning
  readonly given: Given
  /** Folder of golden files. */
  readonly paper: string
  readonly family: Family
  readonly update: boolean
  /** The power failed, or an answer was kept inside the device: nobody on the line knows all of it. */
  readonly isUnheard: boolean
  readonly updated: (path: string) => void
}

type Panel = NonNullable<Rig['panel']>

export async function beginningOf(panel: Panel): Promise<Beginning> {
  const documents = (await panel('GET', '/emulator/documents')) as readonly DocumentView[]
  const journal = (await panel('GET', '/emulator/journal')) as readonly JournalLine[]
  const frames = (await panel('GET', '/emulator/frames')) as readonly FrameView[]
  return { document: documents.at(-1)?.id ?? 0, journal: journal.at(-1)?.id ?? 0, frame: frames.at(-1)?.id ?? 0 }
}

export const documentsOf = async (panel: Panel, { document }: Beginning): Promise<readonly DocumentView[]> =>
  (await panel('GET', `/emulator/documents?after=${document}`)) as readonly DocumentView[]

/** Every problem of every check that is named. `check` has its names filled in. */
export async function checkAll(check: Check, context: CheckContext): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const name of Object.keys(check) as (keyof Check)[]) {
    const found = await one(name, check, context)
    problems.push(...found.map((problem) => ({ ...problem, what: `${name}: ${problem.what}` })))
  }
  return problems
}

const plain = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

async function one(name: keyof Check, check: Check, context: CheckContext): Promise<Problem[]> {
  const { rig, beginning } = context
  const panel = rig.panel
  if (!panel) return [{ what: 'the device cannot be seen' }]
  const state = async () => (await panel('GET', '/emulator')) as StateView
  switch (name) {
    case 'paper':
      return checkPaper(check.paper, await documentsOf(panel, beginning), context)
    case 'journal': {
      const lines = (await panel('GET', '/emulator/journal')) as readonly JournalLine[]
      const own = lines.filter(({ id }) => id > beginning.journal).map(({ line }) => line)
      const broken = check.journal?.intact === true ? brokenLine(lines) : undefined
      return [
        ...plain(linesProblems(check.journal ?? {}, own)),
        ...plain(saleLineProblems(check.journal?.saleLines, own)),
        ...(broken === undefined ? [] : [{ what: `its chain is broken at line ${broken}` }]),
      ]
    }
    case 'receipts': {
      const documents = await documentsOf(panel, beginning)
      const count = documents.filter(({ kind }) => kind === 'fiscal' || kind === 'invoice').length
      return plain(differences(check.receipts, count, 'fiscal receipts printed'))
    }
    case 'documents': {
      const documents = await documentsOf(panel, beginning)
      return plain(
        Object.entries(check.documents ?? {}).flatMap(([kind, wanted]) =>
          differences(wanted, documents.filter((document) => document.kind === kind).length, kind),
        ),
      )
    }
    case 'counters':
      return plain(differences(check.counters, (await state()).counters, ''))
    case 'day':
      return plain(differences(check.day, withZeros(check.day, (await state()).day), '', { amounts: true }))
    case 'z':
      return plain(checkZ(check.z ?? {}, (await panel('GET', '/emulator/z-reports')) as readonly ZView[]))
    case 'display':
      return plain(checkDisplay(check.display ?? [], (await state()).display))
    case 'frames':
      return plain(
        checkFrames(
          check.frames ?? {},
          (await panel('GET', `/emulator/frames?after=${beginning.frame}`)) as readonly FrameView[],
        ),
      )
    case 'receipt':
      return plain(differences(check.receipt, (await state()).receipt, 'the open receipt', { amounts: true }))
    case 'device':
      return plain(differences(check.device, await state(), ''))
    case 'books':
      return plain(await checkBooks(context, panel, (await state()).day))
    case 'faults':
      return []
  }
}

// ---------------------------------------------------------------- paper and journal

function checkPaper(wanted: Check['paper'], documents: readonly DocumentView[], context: CheckContext): Problem[] {
  const check = typeof wanted === 'string' ? { golden: wanted } : (wanted ?? {})
  const lines = paperLines(chosen(documents, check.of ?? 'all'))
  const problems = plain(linesProblems(check, lines))
  if (check.golden === undefined) return problems
  const path = goldenPath(context.paper, context.family, check.golden)
  if (context.update) {
    const before = readGolden(path)
    if (before === undefined || paperDiff(before, lines)) {
      writeGolden(path, lines)
      context.updated(path)
    }
    return problems
  }
  const golden = readGolden(path)
  if (!golden) return [...problems, { what: `there is no golden file ${shownPath(path)}; --update writes it` }]
  const diff = paperDiff(golden, lines)
  return diff ? [...problems, { what: `it differs from ${shownPath(path)}`, diff }] : problems
}

const shownPath = (path: string): string => relative(process.cwd(), path)

function chosen(documents: readonly DocumentView[], of: string): readonly DocumentView[] {
  if (of === 'all') return documents
  return of === 'last' ? documents.slice(-1) : documents.filter(({ kind }) => kind === of)
}

/** All of them one below the other, each under its kind. */
export const paperLines = (documents: readonly DocumentView[]): string[] =>
  documents.flatMap(({ kind, text }) => [`=== ${kind}`, ...text])

interface LineRules {
  readonly has?: string | readonly string[] | undefined
  readonly hasNot?: string | readonly string[] | undefined
  readonly times?: Readonly<Record<string, unknown>> | undefined
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

const saleLineProblems = (wanted: unknown, lines: readonly string[]): string[] =>
  wanted === undefined ? [] : differences(wanted, lines.filter(isSaleLine).length, 'lines of sales')

/** `Bread      1.20 A`: a void and a discount have a minus, a tax line no letter at its end. */
const isSaleLine = (line: string): boolean =>
  /(?:^|\s)\d+\.\d{2} \p{L}$/u.test(line.trimEnd()) && !/^\s*SURCHARGE\b/.test(line)

function linesProblems({ has, hasNot, times = {} }: LineRules, lines: readonly string[]): string[] {
  const missing = listOf(has).filter((text) => !lines.some(lineTest(text)))
  const forbidden = listOf(hasNot).flatMap((text) => {
    const line = lines.find(lineTest(text))
    return line === undefined ? [] : [`${shown(text)} is there: ${shown(line)}`]
  })
  const counts = Object.entries(times).flatMap(([text, wanted]) => {
    const count = lines.filter(lineTest(text)).length
    if (differences(wanted, count, '').length === 0) return []
    return [`expected ${shown(text)} in ${shown(wanted)} lines, it is in ${count}`]
  })
  return [...missing.map((text) => `${shown(text)} is not there`), ...forbidden, ...counts]
}

// ---------------------------------------------------------------- sums

/** A payment mode or tax group that the device does not show is one with nothing on it. */
function withZeros(wanted: Check['day'], day: DayView): DayView {
  const zeros = (keys: object | undefined) => Object.fromEntries(Object.keys(keys ?? {}).map((key) => [key, '0.00']))
  return {
    ...day,
    taxes: { ...zeros(wanted?.taxes), ...day.taxes },
    payments: { ...zeros(wanted?.payments), ...day.payments },
  }
}

function checkZ(wanted: NonNullable<Check['z']>, zs: readonly ZView[]): string[] {
  const { number, ...rest } = wanted
  const z = number === undefined ? zs.at(-1) : zs.find((one) => one.number === Number(number))
  if (!z) return [number === undefined ? 'there is no Z report in the archive' : `there is no Z report ${number}`]
  const taxes = Object.fromEntries(z.taxes.map(({ letter, turnover }) => [letter, turnover]))
  const payments = Object.fromEntries(z.payments.map(({ paymentMode, amount }) => [String(paymentMode), amount]))
  const day = withZeros(rest as Check['day'], { ...z, taxes, payments, drawerCash: '' })
  return differences(rest, { ...day, number: z.number }, '', { amounts: true })
}

async function checkBooks(context: CheckContext, panel: Panel, day: DayView): Promise<string[]> {
  const zs = (await panel('GET', '/emulator/z-reports')) as readonly ZView[]
  const problems = inwardly({ day, zs })
  const pieces = await context.rig.pieces()
  if (context.isUnheard || !pieces || context.given.snapshot !== undefined) return problems
  const articles = (await panel('GET', '/emulator/articles')) as readonly {
    plu: number
    taxCode: number
    price: string
  }[]
  return [
    ...problems,
    ...outwardly({ day, zs }, { family: context.family, pieces, rates: ratesOf(context.given), articles }),
  ]
}

const FACTORY_RATES: Readonly<Record<string, number>> = { A: 20, B: 20, C: 20, D: 9 }

function ratesOf({ config }: Given): bigint[] {
  const rates: Readonly<Record<string, unknown>> = { ...FACTORY_RATES, ...(config?.taxRates as object | undefined) }
  return [...'ABCDEFGH'].map((group) => BigInt(Math.round(Number(rates[group] ?? 0) * 100)))
}

// ---------------------------------------------------------------- display and frames

function checkDisplay(wanted: readonly string[], lines: readonly string[]): string[] {
  return wanted.flatMap((text, index) => {
    const line = (lines[index] ?? '').trimEnd()
    const isThere = /^\/.+\/i?$/s.test(text) ? lineTest(text)(line) : text.trimEnd() === line
    return isThere ? [] : [`line ${index + 1}: expected ${shown(text)}, it is ${shown(line)}`]
  })
}

function checkFrames({ count = {}, has = [] }: NonNullable<Check['frames']>, frames: readonly FrameView[]): string[] {
  const asked = frames.filter(({ direction }) => direction === 'toDevice')
  const wrong = Object.entries(count).flatMap(([command, wanted]) => {
    const sent = asked.filter((frame) => frame.command === command).length
    return sent === wanted ? [] : [`expected ${wanted} of ${command}, there were ${sent}`]
  })
  const missing = has.filter((wanted) => !frames.some((frame) => differences(wanted, frame, '').length === 0))
  return [...wrong, ...missing.map((wanted) => `there was no frame ${shown(wanted)}`)]
}
