import { type Command, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../../drivers/model/errors.ts'
import { DEFAULT_BUDGET } from '../../scenarios/runner/budget.ts'
import { exitStatusHelp } from '../exit-texts.ts'
import { baudOption, familiesOption, parseWholeNumber, seedOption } from '../options.ts'
import { outputOption, RUN_REPORTERS, reporterOption } from '../reporters.ts'
import { passportOption } from './declare-passport.ts'

function shard(text: string): { readonly index: number; readonly of: number } {
  const [index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).slice(1).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw new InvalidArgumentError('Must be a shard such as 1/4.')
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'iu')
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, ...text.split(',')]

export function declareRun(program: Command): void {
  const command = program
    .command('run')
    .description('run scenario files against an emulator, a device or a running service')
    .argument('<FILE...>', 'scenario files, folders or glob patterns')
  declareTarget(command)
  command
    .addOption(seedOption())
    .addOption(new Option('--only <NAME>', 'run only scenarios whose name contains NAME'))
    .addOption(
      new Option('--grep <PATTERN>', 'run only scenarios whose name matches this regular expression').argParser(
        pattern,
      ),
    )
    .addOption(
      new Option(
        '--tag <TAG>',
        'run only scenarios with at least one of these tags, a comma-separated list; may be repeated',
      )
        .argParser(collect)
        .default([], 'all scenarios'),
    )
    .addOption(new Option('--last-failed', 'run only scenarios that failed when they were last run from this folder'))
    .addOption(new Option('--list', 'list the selected scenarios with file and line, and exit'))
    .addOption(
      new Option('--repeat-each <N>', 'run each scenario N times, with consecutive seeds starting at --seed').argParser(
        parseWholeNumber(1, 1000),
      ),
    )
    .addOption(
      new Option(
        '--retries <N>',
        'retry a failed scenario up to N times; if a retry passes, it is reported as flaky',
      ).argParser(parseWholeNumber(0, 100)),
    )
    .addOption(
      new Option('--parallel <N>', 'number of scenarios to run in parallel')
        .argParser(parseWholeNumber(1, 64))
        .default(1),
    )
    .addOption(new Option('--shard <I/N>', 'run shard I of N').argParser(shard))
    .addOption(new Option('--bail', 'stop at the first failure'))
    .addOption(new Option('--watch', 'rerun when a file changes'))
    .addOption(
      new Option(
        '--debug',
        "pause before each step until Enter is pressed; the device's control panel is served on a port that is printed at the start",
      ),
    )
    .addOption(
      new Option('--step-limit <N>', 'maximum number of steps of one scenario, repeated ones included')
        .argParser(parseWholeNumber(1, 100_000_000))
        .default(DEFAULT_BUDGET.stepLimit),
    )
    .addOption(
      new Option(
        '--time-limit <S>',
        'maximum time of one scenario in seconds; also ends a request to a target that does not answer',
      )
        .argParser(parseWholeNumber(1, 1_000_000))
        .default(DEFAULT_BUDGET.timeLimitS),
    )
    .addOption(new Option('--update', 'update the golden files'))
    .addOption(new Option('--allow-outside', 'allow scenarios to reference files outside their own folder'))
    .addOption(reporterOption(RUN_REPORTERS))
    .addOption(outputOption())
    .addOption(new Option('--history <FILE...>', 'earlier JSON reports, or folders of them, to compare with'))
    .addOption(new Option('--trace <FILE>', 'record the run in FILE, for "fiscal-rig show FILE"'))
    .addHelpText(
      'after',
      exitStatusHelp({ 0: 'every scenario that ran passed', 1: 'a scenario failed, or none could be run' }),
    )
    .action(async (files, options) => (await import('./run.ts')).run(files, options))
}

function declareTarget(command: Command): void {
  command
    .addOption(
      new Option(
        '--target <TARGET>',
        '"emulator", "pty", a serial port path, tcp://HOST:PORT[?rfc2217], http(s)://HOST:PORT of a service, or fleet:NAME',
      ).default('emulator'),
    )
    .addOption(familiesOption('families to run (default: all); required with a serial port or a tcp:// target'))
    .addOption(
      new Option(
        '--profile <NAME>',
        'device profile for scenarios that do not set one; with a serial port or a tcp:// target, the profile of that device. Families without this profile are skipped',
      ),
    )
    .addOption(passportOption())
    .addOption(new Option('--panel <URL>', "URL of the control API of the target's emulated device"))
    .addOption(new Option('--ca <FILE>', 'CA certificate (PEM) of an https:// target on another machine'))
    .addOption(
      new Option(
        '--reset',
        "reset the target's emulated device before each scenario, deleting everything it has printed",
      ),
    )
    .addOption(
      new Option('--by-hand', 'prompt at the terminal for actions that only a person can perform on a real device'),
    )
    .addOption(new Option('--wire', 'include the surrounding frames in failure reports'))
    .addOption(new Option('--allow-none', 'exit with status 0 even if no scenario could be run'))
    .addOption(baudOption())
}
