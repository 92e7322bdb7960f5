/**
 * Printers of a fleet as the command line or a fleet file defines them, before they get serial numbers and data
 * folders.
 */
import { join } from 'node:path'
import type { Family } from '../drivers/model/families.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import type { Rule } from '../emulator/faults/rule.ts'
import type { FactorySettings } from '../emulator/fiscal/types/profile.ts'
import { assignNumbers } from '../emulator/fleet/assign-numbers.ts'
import type { PrinterPlan } from '../emulator/fleet/printer-plan.ts'
import { FRAME_HISTORY_SIZE } from '../emulator/frame-history.ts'
import type { RealisticTimes } from '../emulator/line/durations.ts'
import type { Passport } from '../emulator/passport/passport.ts'
import type { FaultPlanFile } from './fault-plan-file.ts'

export interface PrinterRow {
  readonly name: string
  readonly family: Family
  readonly profile?: string
  readonly tcp?: number
  readonly link?: string
  readonly baud?: number
  readonly times?: RealisticTimes
  /** Absent: a folder below that of `--data`, or in memory. */
  readonly data?: string
  readonly switches?: Readonly<Record<string, string>>
  readonly rules?: FaultPlanFile
  readonly passport?: Passport
}

/** Names are used in addresses and for folders. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
/** Calls below `/emulator/fleet` of the control API, which a printer's name must not hide. */
const RESERVED_NAMES: readonly string[] = ['controls', 'faults', 'documents', 'events']

export function rowProblems(rows: readonly PrinterRow[]): string[] {
  const problems: string[] = []
  const requireUnique = (what: string, memberOf: (row: PrinterRow) => string | number | undefined) => {
    const owners = new Map<string | number, string>()
    for (const row of rows) {
      const value = memberOf(row)
      if (value === undefined || value === 0) continue
      const owner = owners.get(value)
      if (owner !== undefined) problems.push(`${row.name}: ${what} ${value} is also used by ${owner}`)
      else owners.set(value, row.name)
    }
  }
  for (const { name } of rows) {
    if (RESERVED_NAMES.includes(name)) problems.push(`${name}: this name is reserved for a call of the control API`)
    else if (!NAME.test(name))
      problems.push(`${name}: expected a name of letters, digits, ".", "_" and "-", at most 64`)
  }
  requireUnique('the name', ({ name }) => name)
  requireUnique('port', ({ tcp }) => tcp)
  requireUnique('the link', ({ link }) => link)
  requireUnique('the folder', ({ data }) => data)
  return problems
}

/**
 * `data` is the parent of the data folders; `undefined` for printers in memory. `random` is the source of the serial
 * numbers.
 */
export function plansOf(
  rows: readonly PrinterRow[],
  settings: FactorySettings,
  data: string | undefined,
  random: () => number,
): PrinterPlan[] {
  const frameHistorySize = Math.min(
    FRAME_HISTORY_SIZE,
    Math.max(FEWEST_FRAMES, Math.floor(FRAMES_IN_ALL / rows.length)),
  )
  return assignNumbers(
    rows.map(({ rules, ...row }, index) => {
      const folder = row.data ?? (data === undefined ? undefined : join(data, row.name))
      return {
        ...row,
        settings,
        seed: index,
        frameHistorySize,
        ...omitUndefined({ data: folder, rules: rules?.rules as readonly Rule[] | undefined }),
      }
    }),
    random,
  )
}

/** Frames that all printers together store for their control panels, because they share one memory. */
const FRAMES_IN_ALL = 100_000
const FEWEST_FRAMES = 100
