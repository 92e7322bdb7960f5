import { type Command, Option } from 'commander'
import { exitStatusHelp } from '../exit-texts.ts'
import {
  baud,
  familyOption,
  fixedPortOption,
  namedSwitch,
  namedWait,
  parseWholeNumber,
  portOption,
  seedOption,
} from '../options.ts'
import { EXAM_REPORTERS, outputOption, reporterOption } from '../reporters.ts'
import { passportOption } from './declare-passport.ts'

const WORKERS_MAX = 256
const TIMEOUT_MAX_S = 3600

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

export function declareExam(program: Command): void {
  program
    .command('exam')
    .description('test how POS software (a till) behaves when responses are lost, power fails or paper runs out')
    .addOption(familyOption('device family; required without --passport'))
    .addOption(new Option('--profile <NAME>', "profile of the emulated device (default: the family's first profile)"))
    .addOption(passportOption())
    .addOption(
      new Option(
        '--till <COMMAND>',
        'shell command that prints one sale, or "service" to test this service; this or --till-url is required',
      ),
    )
    .addOption(new Option('--till-url <URL>', 'URL that accepts sales by POST; this or --till is required'))
    .addOption(
      new Option(
        '--depth <DEPTH>',
        'quick: inject faults at the first command of each kind; full: at every command the till sends',
      )
        .choices(['quick', 'full'])
        .default('quick'),
    )
    .addOption(new Option('--only <TEXT>', 'run only cases whose id contains TEXT; may be repeated').argParser(collect))
    .addOption(
      new Option(
        '--list',
        'list the cases for the four commands that every till sends (open, sale, payment, close), and exit',
      ),
    )
    .addOption(new Option('--job <FILE>', 'JSON file with your own sales: {"jobs": [...]}'))
    .addOption(seedOption())
    .addOption(
      new Option('--timeout <S>', 'seconds until a running till is considered hung')
        .argParser(parseWholeNumber(1, TIMEOUT_MAX_S))
        .default(60),
    )
    .addOption(
      new Option('--workers <N>', 'number of cases to run in parallel (default: four per core)').argParser(
        parseWholeNumber(1, WORKERS_MAX),
      ),
    )
    .addOption(new Option('--link <PATH>', 'fixed serial port path, for a till whose port cannot be configured'))
    .addOption(fixedPortOption('--tcp', 'fixed TCP port, for a till whose port cannot be configured'))
    .addOption(new Option('--baud <N>', 'line speed, 8N1 (default: unlimited)').argParser(baud))
    .addOption(new Option('--realistic', 'print at the speed of a real device, sending busy responses'))
    .addOption(
      new Option('--switch <NAME=VALUE>', 'enable a firmware quirk; an unknown NAME lists the valid ones').argParser(
        namedSwitch,
      ),
    )
    .addOption(
      new Option(
        '--wait <NAME=MS>',
        "with --till service: time limit of the service for its device, in ms; NAME is firstAnswerMs (until the first byte of an answer), gapMs (between two bytes of an answer) or documentMs (for one command with everything that it prints); may be repeated (default: the family's limits)",
      ).argParser(namedWait),
    )
    .addOption(reporterOption(EXAM_REPORTERS))
    .addOption(outputOption())
    .addOption(portOption('--panel-port', 'port of a page that shows the exam live (default: none)'))
    .addOption(new Option('--bail', 'stop at the first case that does not pass'))
    .addHelpText(
      'after',
      exitStatusHelp({
        0: 'every case passed',
        1: 'a case did not pass, or the exam was interrupted',
        3: 'the till cannot be started or does not print even without faults, or a port is in use',
      }),
    )
    .action(async (options) => (await import('./exam.ts')).exam(options))
}
