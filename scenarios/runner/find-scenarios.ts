import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withoutExperimentalWarnings } from '../../drivers/host/experimental-warnings.ts'

const YAML = /\.ya?ml$/i

export class NoFiles extends Error {}

/**
 * Returns each file once, in the order of the arguments. The files of a folder are sorted. Throws NoFiles if an
 * argument matches no file.
 */
export function scenarioFiles(named: readonly string[]): readonly string[] {
  return [...new Set(named.flatMap(filesOf))]
}

function filesOf(name: string): string[] {
  const kind = statSync(name, { throwIfNoEntry: false })
  if (kind?.isFile()) return [name]
  if (kind?.isDirectory()) {
    const files = withoutExperimentalWarnings(() => globSync('**/*.{yaml,yml}', { cwd: name }))
      .sort()
      .map((file) => join(name, file))
    if (files.length === 0) throw new NoFiles(`${name}: there is no YAML file in this folder or below it`)
    return files
  }
  const files = withoutExperimentalWarnings(() => globSync(name))
    .filter((file) => YAML.test(file))
    .sort()
  if (files.length === 0) throw new NoFiles(`${name}: expected a file, a folder or a pattern that matches YAML files`)
  return files
}
