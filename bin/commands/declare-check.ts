/** Options of `fiscal-rig check`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { countOption, familiesOption } from '../options.ts'

const MINUTES_MAX = 525_600

function minutes(text: string): number {
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= MINUTES_MAX) return value
  throw new InvalidArgumentError(`Expected more than 0, to ${MINUTES_MAX}.`)
}

export function declareCheck(program: Command): void {
  program
    .command('check')
    .description('run random requests with faults: nothing may be printed twice, nothing may be lost')
    .addOption(
      new Option('--target <TARGET>', 'emulator, pty, the path of a port, or tcp://HOST:PORT').default('emulator'),
    )
    .addOption(familiesOption('families to run (default: all); for a single device, its family'))
    .addOption(new Option('--profile <NAME>', 'profile of the emulated device, for one family (default: its first)'))
    .addOption(countOption('--runs', 'number of runs for each family (default: 1000; on a pty 25, on a device 5)'))
    .addOption(new Option('--minutes <N>', 'run for so long instead').argParser(minutes))
    .addOption(new Option('--until-stopped', 'run until a signal comes (Ctrl+C) instead'))
    .addOption(countOption('--seed', 'seed of everything random'))
    .addOption(countOption('--chunk', 'runs that are dealt out at a time, with a seed of their own (default: 500)'))
    .addOption(countOption('--cores', 'number of cores (default: all); changes nothing but the time'))
    .addOption(new Option('--bail', 'stop at the first violation'))
    .addOption(new Option('--path <P>', 'path to a failure, as printed with it'))
    .addOption(countOption('--length', 'greatest number of steps in a run'))
    .addOption(new Option('--save <FILE>', 'file to save the reduced case in'))
    .addOption(new Option('--kept <FILE>', 'run a saved case again'))
    .addOption(new Option('--shop-year', 'a year of a device in a shop instead: books, memory, start, file size'))
    .addOption(countOption('--receipts-per-day', 'receipts of each day of that year (default: 250)'))
    .addOption(new Option('--data <DIR>', 'empty folder for the device of that year (default: one that is removed)'))
    .addOption(new Option('--output <FILE>', 'file for the report (default: stdout)'))
    .addOption(new Option('--json', 'print the results as JSON, one line for each family'))
    .action(async (options) => (await import('./check.ts')).check(options))
}
