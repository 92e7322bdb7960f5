/** Options of `fiscal-rig check`, and of the commands of a campaign on many machines. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LENGTH_MAX } from '../../scenarios/campaign/campaign-plan.ts'
import { BY_SIGNAL, exits } from '../exit-words.ts'
import { coresOption, countOption, familiesOption, jsonOption, nonEmpty, whole } from '../options.ts'

const ADDRESS = 'redis://[USER:PASSWORD@]HOST[:PORT][/N], or rediss://'
const queueOption = () => new Option('--queue <URL>', ADDRESS).env('FISCAL_RIG_QUEUE').makeOptionMandatory()

const MINUTES_MAX = 525_600

function minutes(text: string): number {
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= MINUTES_MAX) return value
  throw new InvalidArgumentError(`Expected more than 0, to ${MINUTES_MAX}.`)
}

/** As fast-check tells it: numbers, the first of the run, the others of how it was reduced. */
function failurePath(text: string): string {
  if (/^\d+(?::\d+)*$/.test(text)) return text
  throw new InvalidArgumentError('Expected a path as it was printed with a violation, such as 12:0:3.')
}

/** `2/8`: the second of eight parts. */
function shard(text: string): readonly [part: number, parts: number] {
  const [, part = '', parts = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
  if (Number(part) >= 1 && Number(part) <= Number(parts)) return [Number(part), Number(parts)]
  throw new InvalidArgumentError('Expected a part such as 2/8.')
}

export function declareCheck(program: Command): void {
  program
    .command('check')
    .description('run random requests with faults: nothing may be printed twice, nothing may be lost')
    .addOption(
      new Option('--target <TARGET>', 'emulator, pty, a path, or tcp://HOST:PORT[?rfc2217]').default('emulator'),
    )
    .addOption(familiesOption('families to run (default: all); for a single device, its family'))
    .addOption(
      new Option(
        '--profile <NAME>',
        'profile of the emulated device, for one family (default: its first); with --every a list, or "all"',
      ),
    )
    .addOption(countOption('--runs', 'number of runs for each family (default: 1000; on a pty 25, on a device 5)'))
    .addOption(new Option('--minutes <N>', 'run for so long instead').argParser(minutes))
    .addOption(new Option('--until-stopped', 'run until a signal comes (Ctrl+C) instead'))
    .addOption(countOption('--seed', 'seed of everything random'))
    .addOption(countOption('--chunk', 'runs that are dealt out at a time, with a seed of their own (default: 500)'))
    .addOption(coresOption('number of cores (default: all); changes nothing but the time'))
    .addOption(
      new Option('--bail', 'stop at the first violation, in the order of the chunks; on a queue at the first brought'),
    )
    .addOption(new Option('--path <P>', 'path to a failure, as printed with it').argParser(failurePath))
    .addOption(new Option('--length <N>', 'greatest number of steps in a run').argParser(whole(1, LENGTH_MAX)))
    .addOption(
      new Option(
        '--save <FILE>',
        'file to save the reduced case in: a scenario where its name ends in .yaml, else for --kept',
      ).argParser(nonEmpty),
    )
    .addOption(
      new Option(
        '--kept <FILE>',
        'run a saved case again (a scenario: fiscal-rig run FILE); goes with --json and --output',
      ).argParser(nonEmpty),
    )
    .addOption(new Option('--queue <URL>', `distribute the runs, or the places of --every, to workers: ${ADDRESS}`))
    .addOption(
      new Option('--campaign <NAME>', 'name of the campaign on that queue; one that is there is taken up again'),
    )
    .addOption(
      new Option('--every', 'try every frame of every kind of request with every event, instead of random requests'),
    )
    .addOption(new Option('--pairs', 'with --every: each event with each second event behind it'))
    .addOption(
      new Option('--shard <I/N>', 'part of the places of --every: I of N equal parts (default: 1/1)').argParser(shard),
    )
    .addOption(new Option('--shop-year', 'a year of a device in a shop instead: books, memory, start, file size'))
    .addOption(countOption('--receipts-per-day', 'receipts of each day of that year (default: 250)'))
    .addOption(
      new Option('--data <DIR>', 'empty folder for the device of that year (default: one that is removed)').argParser(
        nonEmpty,
      ),
    )
    .addOption(new Option('--output <FILE>', 'file for the report (default: stdout)').argParser(nonEmpty))
    .addOption(new Option('--json', 'print the results as JSON, one line for each family'))
    .addHelpText(
      'after',
      exits({ 0: 'no violation', 1: 'a violation was found; the command that repeats it is printed' }),
    )
    .action(async (options) => (await import('./check.ts')).check(options))

  program
    .command('worker')
    .description('run chunks of the campaigns on a queue, until a signal comes')
    .addOption(queueOption())
    .addOption(coresOption('number of cores (default: all)'))
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(async (options) => (await import('./worker.ts')).worker(options))

  program
    .command('campaigns')
    .description('show the campaigns on a queue: progress, rates by worker, violations')
    .argument('[NAME]', 'only this one, with its violations in full')
    .addOption(queueOption())
    .addOption(new Option('--json', 'print them as JSON'))
    .addHelpText('after', exits())
    .action(async (name, options) => (await import('./campaigns.ts')).campaigns(name, options))
}
