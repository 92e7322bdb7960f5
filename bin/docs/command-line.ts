import { type Argument, Command, type Option } from 'commander'
import { declareCommands } from '../commands/index.ts'
import { EXIT_STATUSES } from '../exit-texts.ts'
import { blocks, code, table } from './table.ts'

export function commands(): readonly Command[] {
  const program = new Command('fiscal-rig')
  declareCommands(program)
  const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]
  return program.commands.flatMap(withSubcommands)
}

/** The full name includes the parent, for example `passport compare`. */
export const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

function exitStatuses(command: Command): string[][] {
  const parts: string[] = []
  command.configureOutput({ writeOut: (text) => parts.push(text) }).outputHelp()
  const help = parts.join('')
  const lines = help.slice(help.indexOf(EXIT_STATUSES)).split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, status, words] = /^ {2}(\d+) +(\S.*)$/.exec(line) ?? []
    return status === undefined ? [] : [[code(status), words ?? '']]
  })
}

const DEFAULT = / ?\(default: ([^()]*)\)/

/** The default in the description takes precedence over that of commander. */
function fallbackOf({ description, defaultValue, negate }: Option): string {
  const fallback = DEFAULT.exec(description)?.[1]
  if (fallback !== undefined) return fallback
  const isNothing = defaultValue === undefined || negate || (Array.isArray(defaultValue) && defaultValue.length === 0)
  return isNothing ? '' : code(String(defaultValue))
}

function optionMeaning(option: Option): string {
  const { description, argChoices, mandatory, envVar } = option
  return [
    description.replace(DEFAULT, ''),
    argChoices && `one of ${argChoices.map(code).join(', ')}`,
    envVar && `or the environment variable ${code(envVar)}`,
    mandatory && 'required',
  ]
    .filter((part) => typeof part === 'string')
    .join('; ')
}

const argumentMeaning = (argument: Argument): string =>
  [argument.description, argument.argChoices && `one of ${argument.argChoices.map(code).join(', ')}`]
    .filter((part) => part)
    .join('; ')

function sign(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

function section(command: Command): string {
  const name = nameOf(command)
  const args = command.registeredArguments
  return blocks(
    `## ${name}`,
    `${command.description().replace(/^./, (letter) => letter.toUpperCase())}.`,
    `\`\`\`text\n${['npx fiscal-rig', name, ...args.map(sign), '[OPTIONS]'].join(' ')}\n\`\`\``,
    table(
      ['argument', 'meaning'],
      args.map((one) => [code(sign(one)), argumentMeaning(one)]),
    ),
    table(
      ['option', 'meaning', 'without it'],
      command.options.map((one) => [code(one.flags), optionMeaning(one), fallbackOf(one)]),
    ),
    table(['exit status', 'meaning'], exitStatuses(command)),
  )
}

const INTRODUCTION = `\`npx fiscal-rig COMMAND --help\` prints the same in the terminal, and \`npx fiscal-rig --version\` prints the version. Options on the
command line override the [configuration](./configuration.md). Port 0 picks a free port. With \`--json\`, a command that
starts a server or device prints one line of JSON on standard output when it is ready. Logs are written to standard error. \`SIGINT\` (Ctrl+C)
and \`SIGTERM\` stop it cleanly within two seconds, and remove its links and ports.`

export function commandLineText(): string {
  const all = commands()
  const list = table(
    ['command', 'what it does'],
    all.map((one) => [`[\`${nameOf(one)}\`](#${nameOf(one).replaceAll(' ', '-')})`, one.description()]),
  )
  return blocks(INTRODUCTION, list, ...all.map(section))
}
