import { type Command, Option } from 'commander'
import { DEPTHS } from '../../drivers/wire/questionnaire.ts'
import { exitStatusHelp } from '../exit-texts.ts'
import { baudOption, configOption, familyOption, seedOption } from '../options.ts'
import { PASSPORT_REPORTERS } from '../reporters.ts'

export function declarePassport(program: Command): void {
  const passport = program
    .command('passport')
    .description('record how a real printer behaves and where the emulated one differs')
    .enablePositionalOptions()
    .addOption(
      new Option('--device <DEVICE>', 'serial port path, or tcp://HOST:PORT[?rfc2217]; required without --dry-run'),
    )
    .addOption(familyOption("device family; required with --dry-run (default: detected from the device's answers)"))
    .addOption(new Option('--profile <NAME>', "device profile (default: detected from the device's answers)"))
    .addOption(baudOption('serial line speed (default: detected)'))
    .addOption(
      new Option(
        '--depth <DEPTH>',
        'read: read-only queries; print: also non-fiscal printing; fiscal: also fiscal receipts',
      )
        .choices(DEPTHS)
        .default('read'),
    )
    .addOption(new Option('--yes', 'confirm that the device may print (--depth print)'))
    .addOption(new Option('--yes-fiscal', 'confirm that the device may print fiscal receipts (--depth fiscal)'))
    .addOption(new Option('--z', 'close the day with a Z report at the end (--depth fiscal)'))
    .addOption(
      new Option('--password <TEXT>', 'password of operator 1 (default: the configured one, or the factory password)'),
    )
    .addOption(new Option('--anonymous', 'omit the serial number, the fiscal memory number and the tax number'))
    .addOption(new Option('--dry-run', 'list what would be sent, and send nothing'))
    .addOption(new Option('--output <FILE>', 'passport file (default: passport-MODEL-SERIAL.yaml)'))
    .addOption(new Option('--reporter <NAME>', 'report format').choices(PASSPORT_REPORTERS).default('pretty'))
    .addOption(seedOption('first sequence number of the messages'))
    .addOption(configOption())
    .addHelpText(
      'after',
      exitStatusHelp({
        0: 'the passport was written',
        2: 'invalid usage or missing consent; nothing was sent except read-only queries',
        3: 'the device is unreachable or stopped responding',
        130: 'interrupted',
      }),
    )
    .action(async (options) => (await import('./passport.ts')).passport(options))
  passport
    .command('compare')
    .description('show the differences between two passports')
    .argument('<ONE>', 'first passport file')
    .argument('<OTHER>', 'second passport file')
    .addHelpText('after', exitStatusHelp({ 0: 'no differences', 1: 'differences found' }))
    .action(async (one, other) => (await import('./passport.ts')).compare(one, other))
}

export const passportOption = () => new Option('--passport <FILE>', 'emulate the printer that this passport describes')
