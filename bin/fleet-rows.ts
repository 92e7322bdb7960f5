/** The printers of a fleet as named by the command line or a file, before they get numbers and folders. */
import { join } from 'node:path'
import type { Family } from '../drivers/model/families.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import type { Rule } from '../emulator/faults/rule.ts'
import type { FactorySettings } from '../emulator/fiscal/types/profile.ts'
import { assignNumbers } from '../emulator/fleet/assign-numbers.ts'
import type { PrinterPlan } from '../emulator/fleet/printer-plan.ts'
import type { RealisticTimes } from '../emulator/line/durations.ts'
import type { Passport } from '../emulator/passport/form.ts'
import type { FaultPlanFile } from './fault-plan-file.ts'

export interface PrinterRow {
  readonly name: string
  readonly family: Family
  readonly profile?: string
  readonly tcp?: number
  readonly link?: string
  readonly baud?: number
  readonly times?: RealisticTimes
  /** Data folder of the printer; absent: one under that of the option, else in memory. */
  readonly data?: string
  readonly switches?: Readonly<Record<string, string>>
  readonly rules?: FaultPlanFile
  readonly passport?: Passport
}

/** Form of a name, which is used in addresses and as a folder. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
/** Reserved names: the calls below `/emulator/fleet` of the control API. */
const RESERVED_NAMES: readonly string[] = ['controls', 'faults', 'documents', 'events']

/** Returns the problems of names and of their combination. */
export function rowProblems(rows: readonly PrinterRow[]): string[] {
  const problems: string[] = []
  const requireUnique = (what: string, memberOf: (row: PrinterRow) => string | number | undefined) => {
    const owners = new Map<string | number, string>()
    for (const row of rows) {
      const value = memberOf(row)
      if (value === undefined || value === 0) continue
      const owner = owners.get(value)
      if (owner !== undefined) problems.push(`${row.name}: ${what} ${value} is that of ${owner} too`)
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
 * Returns the plans. `data`: folder with one folder for each printer; undefined: in memory. `random` draws their serial
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

/** Number of frames stored for the panel: that of a single device, and fewer if many share the memory. */
const FRAME_HISTORY_SIZE = 2000
const FRAMES_IN_ALL = 100_000
const FEWEST_FRAMES = 100
