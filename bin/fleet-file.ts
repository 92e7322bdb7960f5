/** The fleet file (decisions 6.1). All problems are reported together, one per line. */
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { FAMILIES } from '../drivers/families.ts'
import { expected, quotedText, strictMembers, trueOrFalse, wholeNumber } from '../drivers/host/form-kinds.ts'
import { oneOfFamilies } from '../drivers/model/families.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import { profilesOf } from '../emulator/emulator.ts'
import { measuredTimes, type RealisticTimes } from '../emulator/line/durations.ts'
import type { Passport } from '../emulator/passport/passport.ts'
import { readDataInput } from './data-input.ts'
import { EXIT_USAGE, Exit } from './exit.ts'
import { type FaultPlanFile, readPlanFile } from './fault-plan-file.ts'
import { type PrinterRow, rowProblems } from './fleet-rows.ts'
import { passportFrom } from './passport-file.ts'

const entry = strictMembers({
  name: quotedText('a name'),
  count: wholeNumber(1, 10_000).optional(),
  family: z.enum(FAMILIES as readonly [string, ...string[]], expected(oneOfFamilies(FAMILIES))),
  profile: quotedText('a profile').optional(),
  tcp: wholeNumber(0, 65_535).optional(),
  link: quotedText('the path of a link').optional(),
  baud: wholeNumber(300, 4_000_000).optional(),
  realistic: trueOrFalse.optional(),
  data: quotedText('a folder').optional(),
  faults: quotedText('a file of fault rules').optional(),
  passport: quotedText('a passport').optional(),
})
const form = z.strictObject(
  { printers: z.array(entry, expected('a list of printers')).min(1, expected('at least one printer')) },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? 'expected printers; this key is unknown' : 'expected {printers: [...]}',
  },
)
type Entry = z.output<typeof entry>

export function readFleetFile(file: string): readonly PrinterRow[] {
  const result = form.safeParse(readDataInput(file, 'a readable list of printers'))
  if (!result.success) stop(file, result.error.issues.flatMap(linesOf))
  const folder = dirname(resolve(file))
  const problems: string[] = []
  const rows = result.data.printers.flatMap((one, index) => {
    const at = `printers[${index}]`
    problems.push(...problemsOf(one).map(([member, message]) => `${at}.${member}: ${message}`))
    const read = <T>(member: 'faults' | 'passport', from: (path: string) => T) => {
      const name = one[member]
      return name === undefined ? undefined : readOf(() => from(resolve(folder, name)), `${at}.${member}`, problems)
    }
    const passport = read('passport', passportFrom)
    const { family, profile } = passport?.device ?? {}
    if (family !== undefined && (family !== one.family || (one.profile ?? profile) !== profile))
      problems.push(
        `${at}.passport: the passport describes a device of family ${family}, profile ${profile}: name these, or another passport`,
      )
    return rowsOf(one, folder, read('faults', readPlanFile), passport)
  })
  problems.push(...rowProblems(rows))
  if (problems.length > 0) stop(file, problems)
  return rows
}

const PROBLEM_LINES_MAX = 50

function stop(file: string, problems: readonly string[]): never {
  const rest = problems.length - PROBLEM_LINES_MAX
  const lines = [
    ...problems.slice(0, PROBLEM_LINES_MAX).map((line) => `${file}: ${line}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
  throw new Exit(EXIT_USAGE, lines.join('\n'))
}

function linesOf({ path, message, ...issue }: z.core.$ZodIssue): string[] {
  const place = path.reduce<string>(
    (so, step) => (typeof step === 'number' ? `${so}[${step}]` : so === '' ? String(step) : `${so}.${String(step)}`),
    '',
  )
  const keys =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => (place === '' ? key : `${place}.${key}`)) : [place]
  return keys.map((key) => (key === '' ? message : `${key}: ${message}`))
}

/** `{n}` is the number of the printer within its entry, from 1. */
const numbered = (template: string, n: number): string => template.replaceAll('{n}', String(n))

function problemsOf({
  family,
  profile,
  tcp,
  count = 1,
  ...one
}: Entry): (readonly [member: string, message: string])[] {
  const profiles = profilesOf(family)
  const texts = (['name', 'link', 'data'] as const).filter((member) => one[member]?.includes('{n}') === false)
  return [
    ...(profile === undefined || profiles.includes(profile)
      ? []
      : [['profile', `expected ${profiles.join(' or ')} of family ${family}`] as const]),
    ...(count > 1 ? texts.map((member) => [member, `expected {n} in it, for ${count} printers`] as const) : []),
    ...(tcp !== undefined && tcp > 0 && tcp + count - 1 > 65_535
      ? [['tcp', `expected at most ${65_536 - count}, for ${count} printers`] as const]
      : []),
  ]
}

function readOf<T>(read: () => T, at: string, problems: string[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    problems.push(`${at}: ${error.message}`)
    return undefined
  }
}

function rowsOf(
  one: Entry,
  folder: string,
  rules: FaultPlanFile | undefined,
  passport: Passport | undefined,
): PrinterRow[] {
  const { name, count = 1, family, tcp, link, baud, realistic, data } = one
  const profile = one.profile ?? passport?.device.profile
  const times: RealisticTimes | undefined = realistic ? measuredTimes(passport?.line) : undefined
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1
    const path = (template: string | undefined) => template && resolve(folder, numbered(template, n))
    const port = tcp === undefined || tcp === 0 ? tcp : tcp + index
    return {
      name: numbered(name, n),
      family,
      ...omitUndefined({ profile, tcp: port, link: path(link), baud, times, data: path(data), rules, passport }),
    }
  })
}
