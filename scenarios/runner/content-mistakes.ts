/** Checks that a schema cannot express: names have values, files exist, fault rules are possible. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { FAMILIES } from '../../drivers/families.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { checkRule } from '../../emulator/faults/fault-plan.ts'
import type { Check } from './checks/index.ts'
import { commandsOf, FAMILY_NAMES, isProfile, Z_NAMES } from './family-facts.ts'
import { GoldenFileError, goldenPath } from './golden.ts'
import type { LoadedScenario, LoadOptions } from './loaded-scenario.ts'
import type { Mistake } from './mistake.ts'
import { unknownWord } from './nearest.ts'
import { namesIn } from './scenario-names.ts'
import type { Scenario } from './schema.ts'
import type { LoadedStep, Step } from './steps/step.ts'
import type { YamlFile } from './yaml-file.ts'

type Path = readonly PropertyKey[]
type ReportIssue = (path: Path, what: string) => void

export const familiesOf = ({ families }: Scenario): readonly Family[] => (families as Family[] | undefined) ?? FAMILIES

export function contentMistakes(
  loaded: LoadedScenario,
  yaml: YamlFile,
  document: number,
  options: LoadOptions,
): Mistake[] {
  const mistakes: Mistake[] = []
  const reportIssue: ReportIssue = (path, what) =>
    mistakes.push({ file: yaml.file, ...yaml.placeOf(document, path), what })
  checkProfile(loaded, reportIssue)
  checkFiles(loaded, reportIssue)
  checkSteps(loaded, options, reportIssue, (mistake) => mistakes.push(mistake))
  return mistakes
}

function checkProfile({ scenario }: LoadedScenario, reportIssue: ReportIssue): void {
  const { profile } = scenario
  if (profile === undefined) return
  const pairs: readonly (readonly [Family, string, Path])[] =
    typeof profile === 'string'
      ? familiesOf(scenario).map((family) => [family, profile, ['profile']] as const)
      : Object.entries(profile).map(([family, name]) => [family as Family, name ?? '', ['profile', family]] as const)
  for (const [family, name, path] of pairs) {
    if (!isProfile(family, name))
      reportIssue(path, unknownWord(`profile of family ${family}`, name, profilesOf(family)))
  }
}

function checkFiles({ scenario, files }: LoadedScenario, reportIssue: ReportIssue): void {
  const { snapshot, platform } = scenario.given ?? {}
  const check = (path: Path, name: unknown): void => {
    if (typeof name !== 'string' || name.includes('$')) return
    try {
      files.json(name)
    } catch (error) {
      reportIssue(path, messageOf(error))
    }
  }
  check(['given', 'snapshot'], snapshot)
  check(['given', 'platform', 'orders'], platform?.orders)
}

function checkSteps(
  loaded: LoadedScenario,
  options: LoadOptions,
  reportIssue: ReportIssue,
  report: (mistake: Mistake) => void,
): void {
  const { scenario, steps } = loaded
  const columns = checkRows(loaded, reportIssue)
  const names = new Set<string>([...FAMILY_NAMES, ...Z_NAMES, ...columns, ...Object.keys(scenario.let ?? {})])
  // The columns of a missing table are unknown.
  const isTableLost = typeof scenario.examples === 'string' && loaded.rows?.length === 0
  const checkNames = (value: unknown, path: Path, say = reportIssue) => {
    if (isTableLost) return
    for (const { name, path: inner } of namesIn(value)) {
      if (!names.has(name)) say([...path, ...inner], unknownWord('name', name, [...names]))
    }
  }
  for (const [index, row] of (loaded.rows ?? []).entries()) checkNames(row, ['examples', index])
  checkNames(scenario.given, ['given'])
  const walk = (list: readonly LoadedStep[], path: Path, from: 'here' | 'file' | 'shared') => {
    for (const [index, step] of list.entries()) {
      const { verb, kind, raw, children, argumentValues: given = {}, file, line } = step
      const at = from === 'here' ? [...path, index] : path
      const holdsSteps = kind.inner === 'steps' || kind.inner === 'requests'
      const { steps: _inner, ...head } = (holdsSteps ? raw[verb] : {}) as Step
      // The names in an included file may come from this scenario, so its mistakes are reported here. Shared steps
      // declare their arguments.
      const say: ReportIssue =
        from === 'here'
          ? reportIssue
          : (place, what) =>
              from === 'shared'
                ? report({ file, line, column: 1, what })
                : reportIssue(place, `${what} (in ${file}:${line})`)
      checkNames(holdsSteps ? { ...raw, [verb]: head } : raw, at, say)
      const named = Object.keys(raw['with'] ?? {})
      const own = Object.keys(given).filter((name) => !names.has(name))
      for (const name of named) names.add(name)
      for (const [name, value] of Object.entries(given)) {
        // The default of an argument may use earlier arguments.
        if (!named.includes(name)) checkNames(value, at, say)
        names.add(name)
      }
      if (typeof head['as'] === 'string') names.add(head['as'])
      if (from !== 'file') {
        const families = (raw['families'] as Family[] | undefined) ?? familiesOf(scenario)
        if (verb === 'fault') checkFault(raw[verb], families, [...at, verb], say)
        const check = kind.checks?.(raw[verb])
        if (check) checkPaper(loaded, check, [...at, verb], options, say)
      }
      const inner = kind.inner === 'file' || kind.inner === 'shared' ? kind.inner : from
      walk(children, [...at, verb, 'steps'], inner)
      if (kind.inner === 'shared') for (const name of own) names.delete(name)
      for (const name of savedNames(raw['keep'])) names.add(name)
    }
  }
  walk(steps, ['steps'], 'here')
  checkNames(scenario.check, ['check'])
  if (scenario.check) checkPaper(loaded, scenario.check, ['check'], options, reportIssue)
}

function checkRows({ rows: examples = [] }: LoadedScenario, reportIssue: ReportIssue): readonly string[] {
  const columns = [...new Set(examples.flatMap((row) => Object.keys(row)))]
  for (const [index, row] of examples.entries()) {
    const missing = columns.filter((column) => !(column in row) && column !== 'families' && column !== 'name')
    for (const column of missing) reportIssue(['examples', index], `the row has no ${column}, which other rows have`)
    const { families = [] } = row
    const unknown = Array.isArray(families) ? families.find((one) => !FAMILIES.includes(one)) : families
    if (unknown !== undefined)
      reportIssue(['examples', index, 'families'], unknownWord('family', String(unknown), FAMILIES))
    for (const key of Object.keys(row)) {
      if ((FAMILY_NAMES as readonly string[]).includes(key))
        reportIssue(
          ['examples', index, key],
          `${key} is a name that has a value in every family; use families, or another name`,
        )
    }
  }
  return columns
}

const savedNames = (keep: unknown): string[] =>
  typeof keep === 'string' ? [keep] : typeof keep === 'object' && keep !== null ? Object.keys(keep) : []

function checkFault(fault: unknown, families: readonly Family[], path: Path, reportIssue: ReportIssue): void {
  const rules: readonly unknown[] = Array.isArray(fault) ? fault : [fault]
  for (const [index, rule] of rules.entries()) {
    if (namesIn(rule).length > 0) continue
    const at = Array.isArray(fault) ? [...path, index] : path
    const [first] = families.flatMap((family) =>
      checkRule(rule, commandsOf(family)).map((problem) => ({ ...problem, family })),
    )
    if (first)
      reportIssue(
        [...at, ...first.path.split('.').filter((part) => part !== '')],
        `${first.message} (family ${first.family})`,
      )
  }
}

function checkPaper(
  loaded: LoadedScenario,
  check: Check,
  path: Path,
  { update }: LoadOptions,
  reportIssue: ReportIssue,
): void {
  const { paper } = check
  const name = typeof paper === 'string' ? paper : paper?.golden
  if (name === undefined) return
  const place = typeof paper === 'string' ? [...path, 'paper'] : [...path, 'paper', 'golden']
  if (name.includes('$')) return
  let paths: readonly (readonly [Family, string])[]
  try {
    paths = familiesOf(loaded.scenario).map((family) => [family, goldenPath(loaded.paper, family, name)] as const)
  } catch (error) {
    if (!(error instanceof GoldenFileError)) throw error
    reportIssue(place, error.message)
    return
  }
  if (update) return
  const missing = paths.flatMap(([family, path]) => (existsSync(path) ? [] : [family]))
  if (missing.length === 0) return
  const displayPath = join(
    relative(process.cwd(), loaded.paper),
    `{${missing.map((one) => one.toLowerCase()).join(',')}}`,
    name,
  )
  reportIssue(place, `golden file ${displayPath} does not exist; run with --update to create it, then review it`)
}
