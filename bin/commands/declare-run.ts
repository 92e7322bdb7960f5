/** Options of `fiscal-rig run`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../../drivers/model/errors.ts'
import { DEFAULT_BUDGET } from '../../scenarios/runner/budget.ts'
import { exits } from '../exit-words.ts'
import { baudOption, familiesOption, whole } from '../options.ts'
import { outputOption, RUN_REPORTERS, reporterOption } from '../reporters.ts'
import { passportOption } from './declare-passport.ts'

const SEED_MAX = 2_147_483_647

function shard(text: string): { readonly index: number; readonly of: number } {
  const [index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).slice(1).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw new InvalidArgumentError('Expected a part such as 1/4.')
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
    .description('play scenario files against the emulator, a pty, a device or a running service')
    .argument('<FILE...>', 'scenario files, folders or patterns')
  declareTarget(command)
  command
    .addOption(new Option('--seed <N>', 'seed of everything random').argParser(whole(0, SEED_MAX)).default(0))
    .addOption(new Option('--only <NAME>', 'play only scenarios whose name contains this'))
    .addOption(
      new Option('--grep <PATTERN>', 'play only scenarios whose name matches this regular expression').argParser(
        pattern,
      ),
    )
    .addOption(
      new Option('--tag <TAG>', 'play only scenarios with this tag; may be repeated').argParser(collect).default([]),
    )
    .addOption(new Option('--last-failed', 'play only what failed when it was played last from this folder'))
    .addOption(new Option('--list', 'play nothing; list what would be played, with file and line'))
    .addOption(
      new Option('--repeat-each <N>', 'play each scenario N times, with the seeds from --seed on').argParser(
        whole(1, 1000),
      ),
    )
    .addOption(
      new Option(
        '--retries <N>',
        'play a scenario that fails up to N times more; one that passes then is reported as such',
      ).argParser(whole(0, 100)),
    )
    .addOption(new Option('--parallel <N>', 'number of scenarios at a time').argParser(whole(1, 64)).default(1))
    .addOption(new Option('--shard <I/N>', 'play only this part of N').argParser(shard))
    .addOption(new Option('--bail', 'stop at the first failure'))
    .addOption(new Option('--watch', 'play again when a file changes'))
    .addOption(
      new Option('--debug', "wait for Enter before each step, and open the device's page on a port that is told"),
    )
    .addOption(
      new Option('--step-limit <N>', 'maximum number of steps of one scenario, repeated ones included')
        .argParser(whole(1, 100_000_000))
        .default(DEFAULT_BUDGET.stepLimit),
    )
    .addOption(
      new Option(
        '--time-limit <S>',
        'maximum time of one scenario in seconds; also ends a request to a target that does not answer',
      )
        .argParser(whole(1, 1_000_000))
        .default(DEFAULT_BUDGET.timeLimitS),
    )
    .addOption(new Option('--update', 'rewrite the golden files of the paper'))
    .addOption(new Option('--allow-outside', 'allow files that a scenario names outside the folder of the scenario'))
    .addOption(reporterOption(RUN_REPORTERS))
    .addOption(outputOption())
    .addOption(
      new Option('--history <FILE...>', 'earlier reports of --reporter json, or folders of them, to compare with'),
    )
    .addOption(new Option('--trace <FILE>', 'keep everything of the run in one file; the command show opens it'))
    .addHelpText('after', exits({ 0: 'all that ran has passed', 1: 'something failed, or nothing could be run' }))
    .action(async (files, options) => (await import('./run.ts')).run(files, options))
}

/** The options that choose the devices. */
function declareTarget(command: Command): void {
  command
    .addOption(
      new Option(
        '--target <TARGET>',
        'emulator, pty, the path of a port, tcp://HOST:PORT[?rfc2217], http(s)://HOST:PORT of a service, or fleet:NAME',
      ).default('emulator'),
    )
    .addOption(familiesOption('families to play (default: all); for a single device, its family'))
    .addOption(
      new Option(
        '--profile <NAME>',
        'profile of the devices where a scenario names none, or of the device at a port; only families that have it',
      ),
    )
    .addOption(passportOption())
    .addOption(new Option('--panel <URL>', "control interface of the target's emulated device"))
    .addOption(
      new Option('--ca <FILE>', 'certificate of the authority of an https:// target that is not on this machine (PEM)'),
    )
    .addOption(
      new Option(
        '--reset',
        "reset the target's emulated device before each scenario: everything it has printed is lost",
      ),
    )
    .addOption(new Option('--by-hand', 'ask at the terminal for what only a hand can do to a real device'))
    .addOption(new Option('--wire', 'show failures with the frames around them'))
    .addOption(new Option('--allow-none', 'exit with status 0 even if nothing could be run'))
    .addOption(baudOption())
}
