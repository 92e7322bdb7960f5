/** Options of `fiscal-rig passport`. */
import { type Command, Option } from 'commander'
import { DEPTHS } from '../../drivers/wire/questionnaire.ts'
import { exits } from '../exit-words.ts'
import { baudOption, configOption, familyOption, whole } from '../options.ts'
import { PASSPORT_REPORTERS } from '../reporters.ts'

const SEED_MAX = 2_147_483_647

export function declarePassport(program: Command): void {
  const passport = program
    .command('passport')
    .description('ask a real printer what it does, and write down where the emulated one does otherwise')
    .enablePositionalOptions()
    .addOption(new Option('--device <DEVICE>', 'the path of a port, or tcp://HOST:PORT[?rfc2217]'))
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', 'profile (default: the one whose answers it gives)'))
    .addOption(baudOption())
    .addOption(
      new Option('--depth <DEPTH>', 'questions only; also what prints; also fiscal receipts')
        .choices(DEPTHS)
        .default('look'),
    )
    .addOption(new Option('--yes', 'agree that it prints (--depth paper)'))
    .addOption(new Option('--yes-fiscal', 'agree to fiscal receipts (--depth day)'))
    .addOption(new Option('--z', 'close the day at the end (--depth day)'))
    .addOption(
      new Option('--password <TEXT>', "password of operator 1 (default: the configuration's, else the factory's)"),
    )
    .addOption(new Option('--anonymous', 'leave out serial, fiscal memory and tax numbers'))
    .addOption(new Option('--dry-run', 'send nothing; list what would be sent'))
    .addOption(new Option('--output <FILE>', 'file of the passport (default: passport-MODEL-SERIAL.yaml)'))
    .addOption(new Option('--reporter <NAME>', 'form of the report').choices(PASSPORT_REPORTERS).default('pretty'))
    .addOption(new Option('--seed <N>', 'number of the first message').argParser(whole(0, SEED_MAX)).default(0))
    .addOption(configOption())
    .addHelpText(
      'after',
      exits({
        0: 'the passport is written',
        2: 'wrong usage, or a consent is missing; nothing was sent',
        3: 'the device cannot be reached, or stopped answering',
        130: 'interrupted',
      }),
    )
    .action(async (options) => (await import('./passport.ts')).passport(options))
  passport
    .command('compare')
    .description('show where two passports differ; exit status 1 if they do')
    .argument('<ONE>', 'a passport')
    .argument('<OTHER>', 'another one')
    .addHelpText('after', exits({ 0: 'they are the same', 1: 'they differ' }))
    .action(async (one, other) => (await import('./passport.ts')).compare(one, other))
}

export const passportOption = () => new Option('--passport <FILE>', 'be the device of this passport')
