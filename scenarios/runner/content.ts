/** What a schema cannot say about a scenario: names that are known, files that are there, rules that can be. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { checkRule } from '../../emulator/faults/plan.ts'
import type { Check } from './checks/index.ts'
import { commandsOf, FAMILY_NAMES, isProfile, Z_NAMES } from './family-facts.ts'
import { goldenPath } from './golden.ts'
import type { LoadedScenario, LoadOptions } from './load.ts'
import type { Mistake } from './mistake.ts'
import { unknownWord } from './nearest.ts'
import type { Scenario } from './schema.ts'
import type { LoadedStep, Step } from './steps/step.ts'
import { namesIn } from './values.ts'
import type { YamlFile } from './yaml-file.ts'

type Path = readonly PropertyKey[]
type Complain = (path: Path, what: string) => void

export const familiesOf = ({ families }: Scenario): readonly Family[] => (families as Family[] | undefined) ?? FAMILIES

export function contentMistakes(
  loaded: LoadedScenario,
  yaml: YamlFile,
  document: number,
  options: LoadOptions,
): Mistake[] {
  const mistakes: Mistake[] = []
  const complain: Complain = (path, what) => mistakes.push({ file: yaml.file, ...yaml.placeOf(document, path), what })
  checkProfile(loaded, complain)
  checkFiles(loaded, complain)
  checkSteps(loaded, options, complain)
  return mistakes
}

function checkProfile({ scenario }: LoadedScenario, complain: Complain): void {
  const { profile } = scenario
  if (profile === undefined) return
  const pairs: readonly (readonly [Family, string, Path])[] =
    typeof profile === 'string'
      ? familiesOf(scenario).map((family) => [family, profile, ['profile']] as const)
      : Object.entries(profile).map(([family, name]) => [family as Family, name ?? '', ['profile', family]] as const)
  for (const [family, name, path] of pairs) {
    if (!isProfile(family, name)) complain(path, unknownWord(`profile of family ${family}`, name, profilesOf(family)))
  }
}

function checkFiles({ scenario, folder }: LoadedScenario, complain: Complain): void {
  const { snapshot, platform } = scenario.given ?? {}
  if (snapshot !== undefined && !snapshot.includes('$') && !existsSync(resolve(folder, snapshot)))
    complain(['given', 'snapshot'], `expected a readable file, not ${snapshot}`)
  if (platform && !existsSync(resolve(folder, platform.orders)))
    complain(['given', 'platform', 'orders'], `expected a readable file, not ${platform.orders}`)
}

/**
 * Every `$name` must be known by then: of the family, by let, in every row, kept by a step before. Fault rules and golden
 * files of the steps are looked at on the way.
 */
function checkSteps(loaded: LoadedScenario, options: LoadOptions, complain: Complain): void {
  const { scenario, steps } = loaded
  const columns = checkRows(scenario, complain)
  const known = new Set<string>([...FAMILY_NAMES, ...Z_NAMES, ...columns, ...Object.keys(scenario.let ?? {})])
  const look = (value: unknown, path: Path) => {
    for (const { name, path: inner } of namesIn(value)) {
      if (!known.has(name)) complain([...path, ...inner], unknownWord('name', name, [...known]))
    }
  }
  look(scenario.given, ['given'])
  // Of an included file only the names are looked at; its mistakes stand at the step that includes it.
  const walk = (list: readonly LoadedStep[], path: Path, isIncluded: boolean) => {
    for (const [index, { verb, kind, raw, children }] of list.entries()) {
      const at = isIncluded ? path : [...path, index]
      const holdsSteps = kind.inner === 'steps' || kind.inner === 'requests'
      const { steps: _inner, ...head } = (holdsSteps ? raw[verb] : {}) as Step
      for (const name of Object.keys(raw['with'] ?? {})) known.add(name)
      if (typeof head['as'] === 'string') known.add(head['as'])
      look(holdsSteps ? { ...raw, [verb]: head } : raw, at)
      if (!isIncluded) {
        const families = (raw['families'] as Family[] | undefined) ?? familiesOf(scenario)
        if (verb === 'fault') checkFault(raw[verb], families, [...at, verb], complain)
        const check = kind.checks?.(raw[verb])
        if (check) checkPaper(loaded, check, [...at, verb], options, complain)
      }
      walk(children, [...at, verb, 'steps'], isIncluded || kind.inner === 'file')
      for (const name of keptBy(raw['keep'])) known.add(name)
    }
  }
  walk(steps, ['steps'], false)
  look(scenario.check, ['check'])
  if (scenario.check) checkPaper(loaded, scenario.check, ['check'], options, complain)
}

/** The columns of the table of examples. */
function checkRows({ examples = [] }: Scenario, complain: Complain): readonly string[] {
  const columns = [...new Set(examples.flatMap((row) => Object.keys(row)))]
  for (const [index, row] of examples.entries()) {
    const lacking = columns.filter((column) => !(column in row) && column !== 'families' && column !== 'name')
    for (const column of lacking) complain(['examples', index], `the row lacks ${column}, which other rows have`)
    for (const key of Object.keys(row)) {
      if ((FAMILY_NAMES as readonly string[]).includes(key))
        complain(
          ['examples', index, key],
          `${key} is a name that every family gives a value already; nearest: families, or another name`,
        )
    }
  }
  return columns
}

const keptBy = (keep: unknown): string[] =>
  typeof keep === 'string' ? [keep] : typeof keep === 'object' && keep !== null ? Object.keys(keep) : []

function checkFault(fault: unknown, families: readonly Family[], path: Path, complain: Complain): void {
  const rules: readonly unknown[] = Array.isArray(fault) ? fault : [fault]
  for (const [index, rule] of rules.entries()) {
    if (namesIn(rule).length > 0) continue
    const at = Array.isArray(fault) ? [...path, index] : path
    const [first] = families.flatMap((family) =>
      checkRule(rule, commandsOf(family)).map((problem) => ({ ...problem, family })),
    )
    if (first)
      complain(
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
  complain: Complain,
): void {
  const { paper } = check
  const name = typeof paper === 'string' ? paper : paper?.golden
  if (name === undefined) return
  const place = typeof paper === 'string' ? [...path, 'paper'] : [...path, 'paper', 'golden']
  if (isAbsolute(name) || normalize(name).split(sep)[0] === '..') {
    complain(place, 'expected a name inside the folder of golden files')
    return
  }
  if (name.includes('$') || update) return
  const missing = familiesOf(loaded.scenario).filter((family) => !existsSync(goldenPath(loaded.paper, family, name)))
  if (missing.length === 0) return
  const shown = join(
    relative(process.cwd(), loaded.paper),
    `{${missing.map((one) => one.toLowerCase()).join(',')}}`,
    name,
  )
  complain(place, `there is no golden file ${shown}; nearest: run with --update, which writes it, and look at it`)
}
