/**
 * The files that `given` of a scenario names. Names may contain variables, so a file is read only when its name is
 * complete.
 */
import { relative, resolve } from 'node:path'
import { ForeignFileError, isInside, readForeignJson } from '../../drivers/host/foreign-file.ts'
import { projectFolder } from './golden.ts'

export interface ScenarioFiles {
  /** Throws ForeignFileError if the file is outside the folder, unreadable or not JSON. */
  json(name: string): unknown
}

/**
 * Names are relative to `folder`, an absolute path. Files must be inside it or inside `fixtures` of the project, unless
 * `allowOutside` is set.
 */
export const scenarioFiles = (
  folder: string,
  allowOutside: boolean,
  onRead: (path: string) => void = () => undefined,
): ScenarioFiles => ({
  json(name) {
    const path = resolve(folder, name)
    if (!allowOutside && !isInside(folder, path) && !isFixture(folder, path))
      throw new ForeignFileError(outside(name, folder))
    onRead(path)
    try {
      return readForeignJson(path)
    } catch (error) {
      // The message contains the name in the scenario in place of the absolute path.
      throw error instanceof ForeignFileError ? new ForeignFileError(error.message.replace(path, name)) : error
    }
  },
})

function isFixture(folder: string, path: string): boolean {
  const fixtures = projectFolder(folder, ['fixtures'])
  return fixtures !== undefined && isInside(fixtures, path)
}

const outside = (name: string, root: string): string =>
  `${name} is outside: expected a file inside ${relative(process.cwd(), root) || '.'}; --allow-outside allows other folders`
