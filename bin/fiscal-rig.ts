/** The command line (decisions 5): declares the commands; each is loaded when it is asked for. */
import { pathToFileURL } from 'node:url'
import { allOfFamilies } from '../drivers/model/families.ts'
import { keepCompiledModules } from './compile-cache.ts'
import { EXIT_USAGE, endWith, endWithoutReader } from './exit.ts'
import { rigVersion } from './version.ts'

/** Runs one command to its end. Sets the exit status; never rejects. */
export async function main(argv: readonly string[]): Promise<void> {
  endWithoutReader()
  keepCompiledModules()
  const { Command, CommanderError } = await import('commander')
  const { FAMILIES } = await import('../drivers/families.ts')
  const { declareCommands } = await import('./commands/index.ts')
  const program = new Command('fiscal-rig')
    .description(
      `REST service, complete software devices and test rig for fiscal printers of families ${allOfFamilies(FAMILIES)}.`,
    )
    .version(rigVersion(), '-V, --version')
    .exitOverride()
    .showHelpAfterError('(add --help for the options)')
  declareCommands(program)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) return endWith(error)
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
  }
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href
if (isMain) await main(process.argv)
