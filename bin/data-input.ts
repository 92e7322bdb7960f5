import { ForeignFileError } from '../drivers/host/foreign-file.ts'
import { DataSyntaxError, readDataFile } from '../drivers/host/yaml-file.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

/**
 * Reads a JSON or YAML file. Throws Exit (wrong usage) if the file is unreadable or invalid. `what` names the expected
 * content in the message.
 */
export function readDataInput(file: string, what: string): unknown {
  try {
    return readDataFile(file)
  } catch (error) {
    if (error instanceof ForeignFileError) throw new Exit(EXIT_USAGE, `${file}: expected ${what}: ${error.why}`)
    if (error instanceof DataSyntaxError) throw new Exit(EXIT_USAGE, `${file}: expected ${what}: ${error.message}`)
    throw error
  }
}
