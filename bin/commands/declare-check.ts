/** Options of `check`, and of `worker` and `campaigns`, which run and show its campaigns. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LENGTH_MAX } from '../../scenarios/campaign/campaign-plan.ts'
import { DEFAULT_CASE_STEPS } from '../../scenarios/simulation/default-case-steps.ts'
import { BY_SIGNAL, exitStatusHelp } from '../exit-texts.ts'
import { coresOption, countOption, familiesOption, jsonOption, nonEmpty, parseWholeNumber } from '../options.ts'

const ADDRESS = 'URL of the queue (Redis or Valkey), redis://[USER:PASSWORD@]HOST[:PORT][/N] or rediss://'
const queueOption = () =>
  new Option('--queue <URL>', `${ADDRESS}; required`).env('FISCAL_RIG_QUEUE').makeOptionMandatory()

const MINUTES_MAX = 525_600

function minutes(text: string): number {
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= MINUTES_MAX) return value
  throw new InvalidArgumentError(`Must be a number greater than 0 and at most ${MINUTES_MAX}, with at most 3 decimals.`)
}

/** The path of a failure in fast-check's notation: the number of the run, followed by those of the shrinking. */
function failurePath(text: string): string {
  if (/^\d+(?::\d+)*$/.test(text)) return text
  throw new InvalidArgumentError('Must be the path printed with a violation, such as 12:0:3.')
}

/** `2/8` is the second of eight shards. */
function shard(text: string): readonly [part: number, parts: number] {
  const [, part = '', parts = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
  if (Number(part) >= 1 && Number(part) <= Number(parts)) return [Number(part), Number(parts)]
  throw new InvalidArgumentError('Must be a shard such as 2/8.')
}

const profileOption = () =>
  new Option(
    '--profile <NAME>',
    'profile of the emulated device; requires a single --family, except with --every, which accepts a list or "all" (default: each family\'s first profile)',
  )

const lengthOption = () =>
  new Option(
    '--length <N>',
    `maximum number of steps per run, at most ${LENGTH_MAX} (default: ${DEFAULT_CASE_STEPS})`,
  ).argParser(parseWholeNumber(1, LENGTH_MAX))

export function declareCheck(program: Command): void {
  program
    .command('check')
    .description('run randomized requests with fault injection and verify that nothing is printed twice or lost')
    .addOption(
      new Option('--target <TARGET>', '"emulator", "pty", a serial port path, or tcp://HOST:PORT[?rfc2217]').default(
        'emulator',
      ),
    )
    .addOption(familiesOption('families to run (default: all); required with a pty, a serial port or a tcp:// target'))
    .addOption(profileOption())
    .addOption(countOption('--runs', 'number of runs per family (default: 1000; 25 on a pty, 5 on a device)'))
    .addOption(new Option('--minutes <N>', 'run for N minutes instead of a number of runs').argParser(minutes))
    .addOption(new Option('--until-stopped', 'run until stopped (Ctrl+C)'))
    .addOption(countOption('--seed', 'random seed (default: chosen and printed)'))
    .addOption(countOption('--chunk', 'runs per chunk; each chunk has its own seed (default: 500)'))
    .addOption(coresOption('number of cores (default: all); changes nothing but the time'))
    .addOption(
      new Option('--bail', 'stop at the first violation (in chunk order; with --queue, the first one reported)'),
    )
    .addOption(
      new Option(
        '--path <P>',
        'repeat only the run, or with --every the combination (place), that was printed with a violation',
      ).argParser(failurePath),
    )
    .addOption(lengthOption())
    .addOption(
      new Option(
        '--save <FILE>',
        'save the shrunk case to FILE: a scenario if the name ends in .yaml, otherwise a case for --replay',
      ).argParser(nonEmpty),
    )
    .addOption(
      new Option(
        '--replay <FILE>',
        'rerun a saved case; only --json and --output apply (run a saved scenario with "fiscal-rig run FILE")',
      ).argParser(nonEmpty),
    )
    .addOption(
      new Option('--queue <URL>', `distribute the runs, or the combinations of --every, to workers; ${ADDRESS}`),
    )
    .addOption(new Option('--campaign <NAME>', 'campaign name on the queue; an existing campaign is resumed'))
    .addOption(
      new Option(
        '--every',
        'inject every fault at every frame of every kind of request, instead of running random requests',
      ),
    )
    .addOption(
      new Option('--pairs', 'with --every: inject two faults per run (each fault followed by every other fault)'),
    )
    .addOption(
      new Option(
        '--shard <I/N>',
        'with --every: run only part I of N equal parts of the combinations (default: 1/1)',
      ).argParser(shard),
    )
    .addOption(
      new Option(
        '--shop-year',
        'simulate one device for a year of shop use and check its sums, memory use, file size and start time',
      ),
    )
    .addOption(countOption('--receipts-per-day', 'with --shop-year: receipts per day (default: 250)'))
    .addOption(
      new Option(
        '--data <DIR>',
        'with --shop-year: empty folder for the device (default: a temporary folder)',
      ).argParser(nonEmpty),
    )
    .addOption(new Option('--output <FILE>', 'write the report to FILE (default: stdout)').argParser(nonEmpty))
    .addOption(new Option('--json', 'print the results as JSON, one line per family'))
    .addHelpText(
      'after',
      exitStatusHelp({ 0: 'no violation', 1: 'a violation was found; the command that reproduces it is printed' }),
    )
    .action(async (options) => (await import('./check.ts')).check(options))
  declareQueueCommands(program)
}

function declareQueueCommands(program: Command): void {
  program
    .command('worker')
    .description('run chunks of queued campaigns until stopped')
    .addOption(queueOption())
    .addOption(coresOption('number of cores (default: all)'))
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(async (options) => (await import('./worker.ts')).worker(options))

  program
    .command('campaigns')
    .description('show the campaigns on a queue: progress, rate per worker, violations')
    .argument('[NAME]', 'show only the campaign NAME, with all its violations')
    .addOption(queueOption())
    .addOption(new Option('--json', 'print the campaigns as JSON'))
    .addHelpText('after', exitStatusHelp())
    .action(async (name, options) => (await import('./campaigns.ts')).campaigns(name, options))
}
