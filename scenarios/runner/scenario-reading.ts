import { dirname, relative, resolve } from 'node:path'
import type { z } from 'zod'
import { ForeignFileTooLarge, isInside, readForeignFile, whyUnreadable } from '../../drivers/host/foreign-file.ts'
import { isFieldOf } from './body-mistakes.ts'
import { type Mistake, schemaMistakes } from './mistake.ts'
import { isRequestKey } from './steps/requests.ts'
import { readYaml, type YamlFile } from './yaml-file.ts'

export interface FileLocation {
  readonly yaml: YamlFile
  readonly document: number
  readonly path: readonly PropertyKey[]
}

export const locationInside = (spot: FileLocation, ...path: readonly PropertyKey[]): FileLocation => ({
  ...spot,
  path: [...spot.path, ...path],
})

export class Reading {
  readonly #mistakes: Mistake[]
  readonly #allowOutside: boolean
  readonly #onRead: (path: string) => void
  root = ''

  constructor(mistakes: Mistake[], allowOutside: boolean, onRead: (path: string) => void = () => undefined) {
    this.#mistakes = mistakes
    this.#allowOutside = allowOutside
    this.#onRead = onRead
  }

  read(file: string, from: Mistake | undefined): YamlFile | undefined {
    const text = this.text(file, from)
    if (text === undefined) return undefined
    const yaml = readYaml(file, text)
    this.report(yaml.mistakes)
    if (yaml.mistakes.length === 0 && yaml.values.every((value) => value === null || value === undefined)) {
      this.#mistakes.push({
        file,
        line: 1,
        column: 1,
        what: 'the file contains nothing; expected a scenario: name and steps',
      })
    }
    return yaml
  }

  text(file: string, from: Mistake | undefined): string | undefined {
    this.#onRead(file)
    try {
      return readForeignFile(file)
    } catch (error) {
      const at = { file, line: 1, column: 1 }
      const isTooLarge = error instanceof ForeignFileTooLarge
      const why = whyUnreadable(error)
      const mistake = from ?? { ...at, what: 'expected a readable file' }
      this.#mistakes.push(isTooLarge ? { ...at, what: error.message } : { ...mistake, what: `${mistake.what}: ${why}` })
      return undefined
    }
  }

  /** Returns `undefined` if the file is outside `root` and other folders are not allowed. */
  named(at: FileLocation, named: string): { readonly path: string; readonly missing: Mistake } | undefined {
    const { file, placeOf } = at.yaml
    const path = resolve(dirname(resolve(file)), named)
    if (!this.#allowOutside && !isInside(this.root, path)) {
      const folder = relative(process.cwd(), this.root) || '.'
      const what = at.path.at(-1) === 'include' ? 'include must stay' : `${named} is outside: expected a file`
      this.reportIssue(at, `${what} inside ${folder}; --allow-outside allows other folders`)
      return undefined
    }
    return { path, missing: { file, ...placeOf(at.document, at.path), what: `expected a readable file, not ${named}` } }
  }

  fits(yaml: YamlFile, document: number, error: z.ZodError | undefined): boolean {
    const hint = (path: readonly PropertyKey[], key: string) => bodyHint(partAt(yaml.values[document], path), key)
    const mistakes = error ? schemaMistakes(yaml, document, error.issues, isRequestKey, hint) : []
    this.report(mistakes)
    return mistakes.length === 0
  }

  /** Adds mistakes one by one, because a call with all of them could exceed the maximum number of arguments. */
  report(mistakes: readonly Mistake[]): void {
    for (const mistake of mistakes) this.#mistakes.push(mistake)
  }

  reportIssue({ yaml, document, path }: FileLocation, what: string): void {
    this.#mistakes.push({ file: yaml.file, ...yaml.placeOf(document, path, 'key'), what })
  }
}

const partAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, part) => (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[part], value)

function bodyHint(step: unknown, key: string): string | undefined {
  const verb = Object.keys((step ?? {}) as object).find((one) => isFieldOf(one, key))
  return verb === undefined ? undefined : `${key} is a field of ${verb}: indent it deeper than its verb`
}
