/**
 * Loads scenarios from files. The mistakes of all files are reported together, and no scenario runs unless every file
 * is valid.
 */
import { dirname, relative, resolve } from 'node:path'
import { bodyMistakes } from './body-mistakes.ts'
import { contentMistakes } from './content-mistakes.ts'
import { type Row, readTable } from './csv-table.ts'
import { scenarioFiles } from './given-files.ts'
import { goldenFolder } from './golden.ts'
import type { LoadedScenario, LoadOptions } from './loaded-scenario.ts'
import { eachOnce, inOrder, type Mistake, ScenarioMistakes, schemaMistakes } from './mistake.ts'
import { unknownWord } from './nearest.ts'
import { numberForm } from './number-form.ts'
import { type FileLocation, locationInside, Reading } from './scenario-reading.ts'
import { includeSchema, type Scenario, scenarioSchema } from './schema.ts'
import { argumentMistakes, argumentsOf, filesOfShared, type SharedSteps, sharedFileSchema } from './shared-steps.ts'
import { kindOf } from './steps/index.ts'
import { MODIFIERS, type Modifier, STEP_MODIFIERS } from './steps/modifiers.ts'
import { isRequestKey } from './steps/requests.ts'
import type { LoadedStep, Step } from './steps/step.ts'
import { withoutInvalidParts } from './without-invalid-parts.ts'
import type { YamlFile } from './yaml-file.ts'

type SeparateStep = Pick<LoadedStep, 'verb' | 'kind' | 'raw'>

/** Maximum number of includes in one scenario: files that include other files several times would multiply. */
const INCLUDED_MAX = 1_000

export function loadScenarios(files: readonly string[], options: LoadOptions = {}): readonly LoadedScenario[] {
  const mistakes: Mistake[] = []
  const loaded = files.flatMap((file) => new Loader(mistakes, options).load(file))
  mistakes.push(...sameNames(loaded))
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(eachOnce(mistakes), files))
  return loaded
}

/** Reports identify scenarios by name, so two scenarios in one file may not have the same name. */
function sameNames(loaded: readonly LoadedScenario[]): Mistake[] {
  const loadedScenarios = new Map<string, LoadedScenario>()
  return loaded.flatMap((one) => {
    const id = `${one.file}\n${one.scenario.name}`
    const first = loadedScenarios.get(id)
    loadedScenarios.set(id, first ?? one)
    const what = `the name ${JSON.stringify(one.scenario.name)} is already used in line ${first?.line}; give each scenario its own name`
    return first ? [{ file: one.file, line: one.line, column: 1, what }] : []
  })
}

class Loader {
  readonly #reading: Reading
  readonly #options: LoadOptions
  #included = 0
  readonly #shared = new Map<string, SharedParts>()

  constructor(mistakes: Mistake[], options: LoadOptions) {
    this.#reading = new Reading(mistakes, options.allowOutside === true, options.onRead)
    this.#options = options
  }

  load(file: string): LoadedScenario[] {
    const yaml = this.#reading.read(file, undefined)
    if (!yaml) return []
    const folder = dirname(resolve(file))
    const paper = goldenFolder(folder)
    return yaml.values.flatMap((value, document) => {
      if (value === null || value === undefined) return []
      // Files for `include` and `shared` contain no scenario.
      if (isStepFile(value)) return []
      if (isSharedFile(value)) {
        this.#reading.fits(yaml, document, sharedFileSchema.safeParse(value).error)
        return []
      }
      const { error } = scenarioSchema.safeParse(value)
      const isRight = this.#reading.fits(yaml, document, error)
      const readable = isRight ? value : withoutInvalidParts(value, error?.issues ?? [])
      const issues = isRight ? [] : (scenarioSchema.safeParse(readable).error?.issues ?? [])
      if (schemaMistakes(yaml, document, issues, isRequestKey).length > 0) return []
      const scenario = readable as Scenario
      this.#reading.root = folder
      this.#included = 0
      this.#share(yaml, document, scenario)
      const rows = this.#rows({ yaml, document, path: ['examples'] }, scenario)
      const steps = this.#steps({ yaml, document, path: ['steps'] }, scenario.steps as readonly Step[], [resolve(file)])
      const one: LoadedScenario = {
        file,
        line: yaml.placeOf(document, ['name'], 'key').line,
        checkLine: yaml.placeOf(document, ['check'], 'key').line,
        folder,
        paper,
        files: scenarioFiles(folder, this.#options.allowOutside === true, this.#options.onRead),
        scenario,
        ...(rows && { rows }),
        steps,
      }
      this.#reading.report(contentMistakes(one, yaml, document, this.#options))
      return [one]
    })
  }

  #rows(at: FileLocation, { examples, locale }: Scenario): readonly Row[] | undefined {
    if (typeof examples !== 'string') return examples as readonly Row[] | undefined
    const { path, missing } = this.#reading.named(at, examples) ?? {}
    const text = path === undefined ? undefined : this.#reading.text(path, missing)
    const form = numberForm(locale)
    if (path === undefined || text === undefined || !form) return []
    const { rows, mistakes } = readTable(relative(process.cwd(), path), text, form)
    this.#reading.report(mistakes)
    return rows
  }

  /** `including` names the files and shared steps that contain these steps, to detect cycles. */
  #steps(list: FileLocation, steps: readonly Step[], including: readonly string[]): LoadedStep[] {
    return steps.flatMap((raw, index) => {
      const at = locationInside(list, index)
      const verbs = Object.keys(raw).filter((key) => kindOf(key) !== undefined)
      const [verb = ''] = verbs
      const kind = kindOf(verb)
      if (kind === undefined || verbs.length > 1) {
        const what =
          kind === undefined
            ? 'the step has no action; nearest: - post /print-fiscal-receipt: {...}'
            : `a step has one action, and this one has ${verbs.length}: ${verbs.join(', ')}; begin each with its own "- "`
        this.#reading.reportIssue(at, what)
        return []
      }
      const { yaml, document, path } = at
      const alone = { verb, kind, raw, file: yaml.file, line: yaml.placeOf(document, path).line }
      this.#modifiers(at, alone)
      this.#body(at, alone)
      const text = yaml.textOf(document, path)
      if (kind.inner === 'shared')
        return [{ ...alone, text, ...this.#use(locationInside(at, verb), String(raw[verb]), raw, including) }]
      return [{ ...alone, text, children: this.#children(at, alone, including) }]
    })
  }

  #children(at: FileLocation, { verb, kind, raw }: SeparateStep, including: readonly string[]): LoadedStep[] {
    if (kind.inner === undefined) return []
    if (kind.inner === 'file') return this.#include(locationInside(at, verb), raw[verb] as string, including)
    const { steps } = raw[verb] as { readonly steps: readonly Step[] }
    const list = locationInside(at, verb, 'steps')
    const children = this.#steps(list, steps, including)
    if (kind.inner === 'requests') {
      for (const [index, child] of children.entries())
        if (!child.kind.request)
          this.#reading.reportIssue(
            locationInside(list, index),
            `${verb} can contain only requests; ${child.verb} is not one`,
          )
    }
    return children
  }

  #include(at: FileLocation, named: string, including: readonly string[]): LoadedStep[] {
    const { path, missing } = this.#reading.named(at, named) ?? {}
    if (path === undefined) return []
    if (including.includes(path)) {
      this.#reading.reportIssue(at, `${named} includes itself, directly or through another file; remove this include`)
      return []
    }
    if (!this.#countInclude(at)) return []
    const yaml = this.#reading.read(relative(process.cwd(), path), missing)
    const [value] = yaml?.values ?? []
    if (!yaml || value === undefined) return []
    const { data, error } = includeSchema.safeParse(value)
    if (!this.#reading.fits(yaml, 0, error) || !data) return []
    return this.#steps({ yaml, document: 0, path: ['steps'] }, data.steps, [...including, path])
  }

  /** Returns false above the limit, which is reported once. */
  #countInclude(at: FileLocation): boolean {
    this.#included++
    if (this.#included === INCLUDED_MAX + 1)
      this.#reading.reportIssue(
        at,
        `the scenario includes more than ${INCLUDED_MAX} files and shared steps: include fewer, or split the scenario`,
      )
    return this.#included <= INCLUDED_MAX
  }

  #share(yaml: YamlFile, document: number, scenario: Scenario): void {
    this.#shared.clear()
    for (const [index, value] of yaml.values.entries())
      if (isSharedFile(value)) this.#define(yaml, index, definitionsIn(value))
    for (const [index, named] of filesOfShared(scenario.shared).entries()) {
      const path = ['shared', ...(Array.isArray(scenario.shared) ? [index] : [])]
      const { path: file, missing } = this.#reading.named({ yaml, document, path }, named) ?? {}
      const other = file === undefined ? undefined : this.#reading.read(relative(process.cwd(), file), missing)
      for (const [at, value] of (other?.values ?? []).entries()) {
        if (!other || value === null) continue
        this.#reading.fits(other, at, sharedFileSchema.safeParse(value).error)
        this.#define(other, at, definitionsIn(value))
      }
    }
    this.#define(yaml, document, definitionsIn(scenario))
    for (const [name, { steps, at }] of this.#shared)
      this.#steps(locationInside(at, 'steps'), steps.steps, [usedAs(name)])
  }

  #define(yaml: YamlFile, document: number, definitions: Definitions): void {
    for (const [name, steps] of Object.entries(definitions)) {
      const at = { yaml, document, path: ['shared', name] }
      const earlierPlace = this.#shared.get(name)?.at
      const place = earlierPlace?.yaml.placeOf(earlierPlace.document, earlierPlace.path, 'key')
      if (earlierPlace && place)
        this.#reading.reportIssue(
          at,
          `there are shared steps ${name} already, in ${earlierPlace.yaml.file}:${place.line}; rename one of them`,
        )
      else this.#shared.set(name, { steps, at })
    }
  }

  #use(
    at: FileLocation,
    name: string,
    raw: Step,
    including: readonly string[],
  ): Pick<LoadedStep, 'children' | 'argumentValues'> {
    const shared = this.#shared.get(name)
    if (!shared || including.includes(usedAs(name))) {
      const names = [...this.#shared.keys()]
      const unknown =
        names.length === 0
          ? `there are no shared steps: define ${name} under shared`
          : unknownWord('shared steps', name, names)
      this.#reading.reportIssue(
        at,
        shared ? `${name} uses itself, directly or through other shared steps; remove this use` : unknown,
      )
      return { children: [] }
    }
    const values = (raw['with'] ?? {}) as Readonly<Record<string, unknown>>
    for (const { argument, what } of argumentMistakes(name, shared.steps, values))
      this.#reading.reportIssue(
        argument === undefined ? at : { ...at, path: [...at.path.slice(0, -1), 'with', argument] },
        what,
      )
    if (!this.#countInclude(at)) return { children: [] }
    const children = this.#steps(locationInside(shared.at, 'steps'), shared.steps.steps, [...including, usedAs(name)])
    return { children, argumentValues: argumentsOf(shared.steps, values) }
  }

  #modifiers(at: FileLocation, { verb, kind: { acceptedModifiers = [], request }, raw }: SeparateStep): void {
    for (const modifier of Object.keys(MODIFIERS) as Modifier[]) {
      if (!(modifier in raw) || acceptedModifiers.includes(modifier) || STEP_MODIFIERS.includes(modifier)) continue
      const belongs =
        modifier === 'with' ? 'with belongs to include and use' : `${modifier} belongs to a request; ${verb} is not one`
      const isBody = modifier === 'body' && request !== undefined
      this.#reading.reportIssue(
        locationInside(at, modifier),
        isBody ? `write the body of ${verb} after its colon: - ${verb}: {...}` : belongs,
      )
    }
  }

  /** The service would ignore unknown fields of the body. */
  #body(at: FileLocation, { verb, raw }: SeparateStep): void {
    for (const { path, what } of bodyMistakes(verb, raw[verb]))
      this.#reading.reportIssue(locationInside(at, verb, ...path), what)
  }
}

interface SharedParts {
  readonly steps: SharedSteps
  readonly at: FileLocation
}

type Definitions = Readonly<Record<string, SharedSteps>>

function definitionsIn(value: unknown): Definitions {
  const { shared } = value as { readonly shared?: unknown }
  if (typeof shared !== 'object' || shared === null || Array.isArray(shared)) return {}
  const readable = withoutInvalidParts({ shared }, sharedFileSchema.safeParse({ shared }).error?.issues ?? []) as object
  const { data } = sharedFileSchema.safeParse(readable)
  return data?.shared ?? {}
}

const usedAs = (name: string): string => `use ${name}`

const isSharedFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'shared' in value && Object.keys(value).length === 1

const isStepFile = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'steps' in value &&
  !('name' in value) &&
  Object.keys(value).length === 1
