/** Files → scenarios. All mistakes of all files at once; nothing is played before every file is right. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { z } from 'zod'
import { bodyMistakes, isFieldOf } from './body.ts'
import { contentMistakes } from './content.ts'
import { goldenFolder } from './golden.ts'
import { type Mistake, ScenarioMistakes, schemaMistakes } from './mistake.ts'
import { repaired } from './repaired.ts'
import { includeSchema, type Scenario, scenarioSchema } from './schema.ts'
import { kindOf } from './steps/index.ts'
import { MODIFIERS, type Modifier, OF_EVERY_STEP } from './steps/modifiers.ts'
import { isRequestKey } from './steps/requests.ts'
import type { LoadedStep, Step } from './steps/step.ts'
import { readYaml, type YamlFile } from './yaml-file.ts'

export interface LoadedScenario {
  /** As the user named it. */
  readonly file: string
  readonly line: number
  readonly checkLine: number
  /** Absolute; files that the scenario names stand relative to it. */
  readonly folder: string
  /** Absolute; golden files stand below it. */
  readonly paper: string
  readonly scenario: Scenario
  readonly steps: readonly LoadedStep[]
}

type Alone = Pick<LoadedStep, 'verb' | 'kind' | 'raw'>

export interface LoadOptions {
  /** Golden files that are missing are going to be written. */
  readonly update?: boolean
  /** `include` may name files outside the folder of the file that was named to the runner. */
  readonly allowOutside?: boolean
}

const FILE_MAX_BYTES = 16 * 1024 * 1024
/** Steps of one scenario with all that it includes: a file that includes another twice, and so on, would have no end. */
const INCLUDED_MAX = 1_000

/** Throws ScenarioMistakes. */
export function loadScenarios(files: readonly string[], options: LoadOptions = {}): readonly LoadedScenario[] {
  const mistakes: Mistake[] = []
  const loaded = files.flatMap((file) => new Loader(mistakes, options).load(file))
  mistakes.push(...sameNames(loaded))
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(mistakes, files))
  return loaded
}

/** As somebody reads: file by file, from top to bottom. */
const inOrder = (mistakes: readonly Mistake[], files: readonly string[]): Mistake[] =>
  [...mistakes].sort(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) || one.line - other.line || one.column - other.column,
  )

/** Names tell scenarios apart in reports: two of one name in one file are a mistake. */
function sameNames(loaded: readonly LoadedScenario[]): Mistake[] {
  const seen = new Map<string, LoadedScenario>()
  return loaded.flatMap((one) => {
    const id = `${one.file}\n${one.scenario.name}`
    const first = seen.get(id)
    seen.set(id, first ?? one)
    const what = `the name ${JSON.stringify(one.scenario.name)} is taken by line ${first?.line}; give each scenario its own`
    return first ? [{ file: one.file, line: one.line, column: 1, what }] : []
  })
}

/** A place in a file. */
interface Spot {
  readonly yaml: YamlFile
  readonly document: number
  readonly path: readonly PropertyKey[]
}

const inside = (spot: Spot, ...path: readonly PropertyKey[]): Spot => ({ ...spot, path: [...spot.path, ...path] })

class Loader {
  readonly #mistakes: Mistake[]
  readonly #options: LoadOptions
  /** Of the scenario that is being read: where its includes stay, and how many there have been. */
  #root = ''
  #included = 0

  constructor(mistakes: Mistake[], options: LoadOptions) {
    this.#mistakes = mistakes
    this.#options = options
  }

  load(file: string): LoadedScenario[] {
    const yaml = this.#read(file, undefined)
    if (!yaml) return []
    const folder = dirname(resolve(file))
    const paper = goldenFolder(folder)
    return yaml.values.flatMap((value, document) => {
      if (value === null || value === undefined) return []
      // A file for `include` is no scenario of its own.
      if (isStepFile(value)) return []
      const { error } = scenarioSchema.safeParse(value)
      const isRight = this.#fits(yaml, document, error)
      const readable = isRight ? value : repaired(value, error?.issues ?? [])
      const left = isRight ? [] : (scenarioSchema.safeParse(readable).error?.issues ?? [])
      if (schemaMistakes(yaml, document, left, isRequestKey).length > 0) return []
      const scenario = readable as Scenario
      this.#root = folder
      this.#included = 0
      const steps = this.#steps({ yaml, document, path: ['steps'] }, scenario.steps as readonly Step[], [resolve(file)])
      const one: LoadedScenario = {
        file,
        line: yaml.placeOf(document, ['name'], 'key').line,
        checkLine: yaml.placeOf(document, ['check'], 'key').line,
        folder,
        paper,
        scenario,
        steps,
      }
      this.#mistakes.push(...contentMistakes(one, yaml, document, this.#options))
      return [one]
    })
  }

  #read(file: string, from: Mistake | undefined): YamlFile | undefined {
    let text: string
    try {
      const status = statSync(file)
      if (status.size > FILE_MAX_BYTES) {
        const what = `expected a file of at most ${FILE_MAX_BYTES / 1024 / 1024} MiB`
        this.#mistakes.push({ file, line: 1, column: 1, what })
        return undefined
      }
      // A device or a pipe may never end.
      if (!status.isFile()) throw new Error('no file')
      text = readFileSync(file, 'utf8')
    } catch {
      this.#mistakes.push(from ?? { file, line: 1, column: 1, what: 'expected a readable file' })
      return undefined
    }
    const yaml = readYaml(file, text)
    this.#tell(yaml.mistakes)
    if (yaml.mistakes.length === 0 && yaml.values.every((value) => value === null || value === undefined)) {
      this.#mistakes.push({ file, line: 1, column: 1, what: 'expected a scenario: name and steps' })
    }
    return yaml
  }

  #fits(yaml: YamlFile, document: number, error: z.ZodError | undefined): boolean {
    const hint = (path: readonly PropertyKey[], key: string) => bodyHint(partAt(yaml.values[document], path), key)
    const mistakes = error ? schemaMistakes(yaml, document, error.issues, isRequestKey, hint) : []
    this.#tell(mistakes)
    return mistakes.length === 0
  }

  /** `including`: the files on the way to these steps, for one that includes itself. */
  #steps(list: Spot, steps: readonly Step[], including: readonly string[]): LoadedStep[] {
    return steps.flatMap((raw, index) => {
      const at = inside(list, index)
      const verbs = Object.keys(raw).filter((key) => kindOf(key) !== undefined)
      const [verb = ''] = verbs
      const kind = kindOf(verb)
      if (kind === undefined || verbs.length > 1) {
        const what =
          kind === undefined
            ? 'the step does nothing; nearest: - post /print-fiscal-receipt: {...}'
            : `a step does one thing, and here are ${verbs.length}: ${verbs.join(', ')}; begin each with its own "- "`
        this.#complain(at, what)
        return []
      }
      const { yaml, document, path } = at
      const alone = { verb, kind, raw, file: yaml.file, line: yaml.placeOf(document, path).line }
      this.#modifiers(at, alone)
      this.#body(at, alone)
      return [{ ...alone, text: yaml.textOf(document, path), children: this.#children(at, alone, including) }]
    })
  }

  #children(at: Spot, { verb, kind, raw }: Alone, including: readonly string[]): LoadedStep[] {
    if (kind.inner === undefined) return []
    if (kind.inner === 'file') return this.#include(inside(at, verb), raw[verb] as string, including)
    const { steps } = raw[verb] as { readonly steps: readonly Step[] }
    const list = inside(at, verb, 'steps')
    const children = this.#steps(list, steps, including)
    if (kind.inner === 'requests') {
      for (const [index, child] of children.entries())
        if (!child.kind.request)
          this.#complain(inside(list, index), `${verb} takes requests only; ${child.verb} is not one`)
    }
    return children
  }

  #include(at: Spot, named: string, including: readonly string[]): LoadedStep[] {
    const { file, placeOf } = at.yaml
    const path = resolve(dirname(resolve(file)), named)
    if (including.includes(path)) {
      this.#complain(at, `${named} includes itself`)
      return []
    }
    if (!this.#options.allowOutside && !isInside(this.#root, path)) {
      this.#complain(
        at,
        `include stays inside ${relative(process.cwd(), this.#root) || '.'}; --allow-outside lets it out`,
      )
      return []
    }
    this.#included++
    if (this.#included > INCLUDED_MAX) {
      // Told once; what is left is not read.
      if (this.#included === INCLUDED_MAX + 1)
        this.#complain(at, `the scenario includes too much: at most ${INCLUDED_MAX} files`)
      return []
    }
    const missing = { file, ...placeOf(at.document, at.path), what: `expected a readable file, not ${named}` }
    const yaml = this.#read(relative(process.cwd(), path), missing)
    const [value] = yaml?.values ?? []
    if (!yaml || value === undefined) return []
    const { data, error } = includeSchema.safeParse(value)
    if (!this.#fits(yaml, 0, error) || !data) return []
    return this.#steps({ yaml, document: 0, path: ['steps'] }, data.steps, [...including, path])
  }

  /** A modifier that the step has no use for is a mistake, not decoration. */
  #modifiers(at: Spot, { verb, kind: { takes = [], request }, raw }: Alone): void {
    for (const modifier of Object.keys(MODIFIERS) as Modifier[]) {
      if (!(modifier in raw) || takes.includes(modifier) || OF_EVERY_STEP.includes(modifier)) continue
      const belongs =
        modifier === 'with' ? 'with belongs to include' : `${modifier} belongs to a request; ${verb} is not one`
      const isBody = modifier === 'body' && request !== undefined
      this.#complain(
        inside(at, modifier),
        isBody ? `the body of ${verb} stands behind its colon: - ${verb}: {...}` : belongs,
      )
    }
  }

  /** The service ignores what it does not know: a misspelt field would be silently no field. */
  #body(at: Spot, { verb, raw }: Alone): void {
    for (const { path, what } of bodyMistakes(verb, raw[verb])) this.#complain(inside(at, verb, ...path), what)
  }

  /** One by one: as arguments of one call they may be too many. */
  #tell(mistakes: readonly Mistake[]): void {
    for (const mistake of mistakes) this.#mistakes.push(mistake)
  }

  #complain({ yaml, document, path }: Spot, what: string): void {
    this.#mistakes.push({ file: yaml.file, ...yaml.placeOf(document, path, 'key'), what })
  }
}

/** By where it really lies: a link leads out as well. Of what is not there, by its name. */
function isInside(folder: string, path: string): boolean {
  const real = (name: string): string => {
    try {
      return realpathSync(name)
    } catch {
      return name
    }
  }
  const way = relative(real(folder), real(path))
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

const partAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, part) => (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[part], value)

/** A field of the body that stands beside its request instead of below it. */
function bodyHint(step: unknown, key: string): string | undefined {
  const verb = Object.keys((step ?? {}) as object).find((one) => isFieldOf(one, key))
  return verb === undefined ? undefined : `${key} is a field of ${verb}: indent it deeper than its verb`
}

const isStepFile = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'steps' in value &&
  !('name' in value) &&
  Object.keys(value).length === 1
