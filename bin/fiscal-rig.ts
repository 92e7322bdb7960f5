/** The command line (decisions 5). */
import { pathToFileURL } from 'node:url'
import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import { allOfFamilies } from '../drivers/model/families.ts'
import { keepCompiledModules } from './compile-cache.ts'
import { EXIT_USAGE, endWith, endWithoutReader } from './exit.ts'
import { type Io, io, processIo, withIo } from './io.ts'
import { rigVersion } from './version.ts'

/**
 * Removes passwords from messages: commander repeats unknown arguments, and the address of a queue may contain a
 * password. Drops the text between the first address and the last `@`; a regular expression would take quadratic time.
 */
function withoutPasswords(text: string): string {
  const [address] = /rediss?:(?:\/\/)?/i.exec(text) ?? []
  if (address === undefined) return text
  const from = text.indexOf(address) + address.length
  const to = text.lastIndexOf('@')
  return to < from ? text : `${text.slice(0, from)}...${text.slice(to)}`
}

/**
 * Runs one command and sets the exit status of `place`. Never rejects. Commands that run until a signal, such as
 * `serve`, end the process themselves.
 */
export function main(argv: readonly string[], place: Io = processIo): Promise<void> {
  if (place === processIo) {
    endWithoutReader()
    keepCompiledModules()
  }
  return withIo(place, () => runCommand(argv))
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const { Command, CommanderError } = await import('commander')
  const { FAMILIES } = await import('../drivers/families.ts')
  const { declareCommands } = await import('./commands/index.ts')
  const program = new Command('fiscal-rig')
    .description(
      `REST service, complete software devices and test rig for fiscal printers of families ${allOfFamilies(FAMILIES)}.`,
    )
    .version(rigVersion(), '-V, --version')
    .exitOverride()
    // Commands that are declared later inherit this configuration.
    .configureOutput({
      writeOut: (text) => void io().out.write(text),
      writeErr: (text) => void io().err.write(escapeControlInLines(withoutPasswords(text))),
    })
    .showHelpAfterError('(use --help to list the options)')
  declareCommands(program)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) return endWith(error)
    io().status = error.exitCode === 0 ? 0 : EXIT_USAGE
  }
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href
if (isMain) await main(process.argv)
