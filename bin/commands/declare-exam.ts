/** Options of `fiscal-rig exam`. */
import { type Command, Option } from 'commander'
import { exits } from '../exit-words.ts'
import { baud, familyOption, namedSwitch, namedWait, portOption, whole } from '../options.ts'
import { EXAM_REPORTERS, outputOption, reporterOption } from '../reporters.ts'
import { passportOption } from './declare-passport.ts'

const SEED_MAX = 2_147_483_647
const WORKERS_MAX = 256
const TIMEOUT_MAX_S = 3600

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

export function declareExam(program: Command): void {
  program
    .command('exam')
    .description('examine a till: what does it do when an answer is lost, the power fails, the paper ends?')
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', 'profile of the device (default: the first of its family)'))
    .addOption(passportOption())
    .addOption(new Option('--till <COMMAND>', 'command that prints one sale, or "service" for the service itself'))
    .addOption(new Option('--till-url <URL>', 'address that takes sales by POST'))
    .addOption(
      new Option('--depth <DEPTH>', 'quick: the first command of each kind; full: every command that the till sends')
        .choices(['quick', 'full'])
        .default('quick'),
    )
    .addOption(new Option('--only <TEXT>', 'only cases with this in their id; may be repeated').argParser(collect))
    .addOption(new Option('--list', 'run nothing; list the cases of the four commands that every till sends'))
    .addOption(new Option('--job <FILE>', 'sales of your own (JSON): {"jobs": [...]}'))
    .addOption(new Option('--seed <N>', 'seed of everything random').argParser(whole(0, SEED_MAX)).default(0))
    .addOption(
      new Option('--timeout <S>', 'seconds after which a till that is still running counts as hung')
        .argParser(whole(1, TIMEOUT_MAX_S))
        .default(60),
    )
    .addOption(
      new Option('--workers <N>', 'cases side by side (default: four for each core)').argParser(whole(1, WORKERS_MAX)),
    )
    .addOption(new Option('--link <PATH>', 'fixed path of the serial port, for a till that takes no other'))
    .addOption(portOption('--tcp', 'fixed TCP port, for a till that takes no other'))
    .addOption(new Option('--baud <N>', 'speed of the line, 8N1 (default: as fast as possible)').argParser(baud))
    .addOption(new Option('--realistic', 'print as slowly as a real device, with busy answers'))
    .addOption(new Option('--switch <NAME=VALUE>', 'imitate particular firmware').argParser(namedSwitch))
    .addOption(
      new Option('--wait <NAME=MS>', 'how long --till service waits: firstAnswerMs, gapMs, documentMs').argParser(
        namedWait,
      ),
    )
    .addOption(reporterOption(EXAM_REPORTERS))
    .addOption(outputOption())
    .addOption(portOption('--panel-port', 'port of a page to watch the exam on (default: none)'))
    .addOption(new Option('--bail', 'stop at the first case that does not pass'))
    .addHelpText(
      'after',
      exits({
        0: 'every case passes',
        1: 'a case does not pass, or the exam was interrupted',
        3: 'the till does not even print when nothing is broken, or a port is taken',
      }),
    )
    .action(async (options) => (await import('./exam.ts')).exam(options))
}
