/** Files → scenarios. All mistakes of all files at once; nothing is played before every file is right. */
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { bodyMistakes } from './body.ts'
import { goldenFolder } from './golden.ts'
import { type Mistake, ScenarioMistakes, schemaMistakes } from './mistake.ts'
import { GENERIC, includeSchema, isRequestKey, type Scenario, type Step, scenarioSchema, VERBS } from './schema.ts'
import { contentMistakes } from './sense.ts'
import { readYaml, type YamlFile } from './yaml-file.ts'

export interface LoadedStep {
  /** `post /report-z`, `paper`, `repeat`. */
  readonly verb: string
  readonly raw: Step
  readonly file: string
  readonly line: number
  /** As it stands in the file. */
  readonly text: string
  /** Steps inside: of repeat, together, include. */
  readonly children: readonly LoadedStep[]
}

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

export interface LoadOptions {
  /** Golden files that are missing are going to be written. */
  readonly update?: boolean
}

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

class Loader {
  readonly #mistakes: Mistake[]
  readonly #options: LoadOptions

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
      if (!this.#fits(yaml, document, scenarioSchema.safeParse(value))) return []
      const scenario = value as Scenario
      const before = this.#mistakes.length
      const steps = this.#steps(yaml, document, ['steps'], scenario.steps as readonly Step[], [resolve(file)])
      const one: LoadedScenario = {
        file,
        line: yaml.placeOf(document, ['name'], 'key').line,
        checkLine: yaml.placeOf(document, ['check'], 'key').line,
        folder,
        paper,
        scenario,
        steps,
      }
      if (this.#mistakes.length === before) this.#mistakes.push(...contentMistakes(one, yaml, document, this.#options))
      return [one]
    })
  }

  #read(file: string, from: Mistake | undefined): YamlFile | undefined {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      this.#mistakes.push(from ?? { file, line: 1, column: 1, what: 'expected a readable file' })
      return undefined
    }
    const yaml = readYaml(file, text)
    this.#mistakes.push(...yaml.mistakes)
    if (yaml.mistakes.length === 0 && yaml.values.every((value) => value === null || value === undefined)) {
      this.#mistakes.push({ file, line: 1, column: 1, what: 'expected a scenario: name and steps' })
    }
    return yaml
  }

  #fits(yaml: YamlFile, document: number, result: ReturnType<typeof scenarioSchema.safeParse>): boolean {
    if (result.success) return true
    const found = schemaMistakes(yaml, document, result.error.issues, isRequestKey)
    this.#mistakes.push(...found)
    return found.length === 0
  }

  #steps(
    yaml: YamlFile,
    document: number,
    path: readonly PropertyKey[],
    steps: readonly Step[],
    including: readonly string[],
  ): LoadedStep[] {
    return steps.flatMap((raw, index) => {
      const at = [...path, index]
      const verbs = Object.keys(raw).filter((key) => VERBS.includes(key) || isRequestKey(key))
      const [verb] = verbs
      if (verb === undefined || verbs.length > 1) {
        const what =
          verb === undefined
            ? 'the step does nothing; nearest: - post /print-fiscal-receipt: {...}'
            : `a step does one thing, and here are ${verbs.length}: ${verbs.join(', ')}; begin each with its own "- "`
        this.#complain(yaml, document, at, what)
        return []
      }
      this.#modifiers(yaml, document, at, verb, raw)
      this.#body(yaml, document, at, verb, raw)
      return [
        {
          verb,
          raw,
          file: yaml.file,
          line: yaml.placeOf(document, at).line,
          text: yaml.textOf(document, at),
          children: this.#children(yaml, document, at, verb, raw, including),
        },
      ]
    })
  }

  #children(
    yaml: YamlFile,
    document: number,
    at: readonly PropertyKey[],
    verb: string,
    raw: Step,
    including: readonly string[],
  ): LoadedStep[] {
    if (verb === 'repeat' || verb === 'together') {
      const { steps } = raw[verb] as { readonly steps: readonly Step[] }
      return this.#steps(yaml, document, [...at, verb, 'steps'], steps, including)
    }
    if (verb !== 'include') return []
    const named = raw['include'] as string
    const path = resolve(dirname(resolve(yaml.file)), named)
    const place = yaml.placeOf(document, [...at, 'include'])
    if (including.includes(path)) {
      this.#complain(yaml, document, [...at, 'include'], `${named} includes itself`)
      return []
    }
    const shown = relative(process.cwd(), path)
    const missing = { file: yaml.file, ...place, what: `expected a readable file, not ${named}` }
    const included = this.#read(shown, missing)
    const [value] = included?.values ?? []
    if (!included || value === undefined) return []
    if (!this.#fits(included, 0, includeSchema.safeParse(value) as ReturnType<typeof scenarioSchema.safeParse>))
      return []
    return this.#steps(included, 0, ['steps'], (value as { steps: Step[] }).steps, [...including, path])
  }

  /** A modifier that the step has no use for is a mistake, not decoration. */
  #modifiers(yaml: YamlFile, document: number, at: readonly PropertyKey[], verb: string, raw: Step): void {
    const isRequest = isRequestKey(verb) || (GENERIC as readonly string[]).includes(verb) || verb === 'legacy'
    const ofRequests = ['expect', 'keep', 'key', 'headers', 'session', 'raw', 'body', 'giveUpAfter']
    for (const modifier of ofRequests) {
      if (!(modifier in raw) || isRequest || (verb === 'together' && modifier === 'expect')) continue
      this.#complain(yaml, document, [...at, modifier], `${modifier} belongs to a request; ${verb} is none`)
    }
    if ('with' in raw && verb !== 'include') this.#complain(yaml, document, [...at, 'with'], `with belongs to include`)
    if ('body' in raw && isRequest && !(GENERIC as readonly string[]).includes(verb)) {
      this.#complain(yaml, document, [...at, 'body'], `the body of ${verb} stands behind its colon: - ${verb}: {...}`)
    }
  }

  /** The service ignores what it does not know: a misspelt field would be silently no field. */
  #body(yaml: YamlFile, document: number, at: readonly PropertyKey[], verb: string, raw: Step): void {
    for (const { path, what } of bodyMistakes(verb, raw[verb])) {
      const place = yaml.placeOf(document, [...at, verb, ...path], 'key')
      this.#mistakes.push({ file: yaml.file, ...place, what })
    }
  }

  #complain(yaml: YamlFile, document: number, path: readonly PropertyKey[], what: string): void {
    this.#mistakes.push({ file: yaml.file, ...yaml.placeOf(document, path, 'key'), what })
  }
}

const isStepFile = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'steps' in value &&
  !('name' in value) &&
  Object.keys(value).length === 1
