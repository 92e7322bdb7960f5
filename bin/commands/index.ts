/** All commands with their options. The module of a command is loaded when the command runs. */
import { Argument, type Command, Option } from 'commander'
import { FAMILIES } from '../../drivers/families.ts'
import { USUAL_TIMES } from '../../emulator/line/durations.ts'
import { DEFAULT_LISTEN } from '../../server/config.ts'
import { LOG_FORMATS, LOG_LEVELS } from '../../server/log-options.ts'
import { endOnSignal } from '../exit.ts'
import { BY_SIGNAL, exitStatusHelp } from '../exit-texts.ts'
import {
  baud,
  baudOption,
  configOption,
  dataOption,
  deviceNameOption,
  familyOption,
  fleetDataOption,
  hostOption,
  jsonOption,
  millisecondsOption,
  namedSwitch,
  nameOption,
  notFiscalisedOption,
  openOption,
  panelHostOption,
  panelPortOption,
  parseWholeNumber,
  portOption,
  serialOption,
} from '../options.ts'
import { declareCheck } from './declare-check.ts'
import { declareExam } from './declare-exam.ts'
import { declarePassport, passportOption } from './declare-passport.ts'
import { declareRun } from './declare-run.ts'

/** Lets signals during the start of a long-running command stop it, too. */
const longRunning =
  <Options>(start: (options: Options) => Promise<void>) =>
  (options: Options): Promise<void> => {
    void endOnSignal()
    return start(options)
  }

export function declareCommands(program: Command): void {
  declareServe(program)
  declareEmulate(program)
  declareRun(program)
  declareShow(program)
  declareExam(program)
  declarePassport(program)
  declareMockPlatform(program)
  declareCapture(program)
  declareDecode(program)
  declareReplay(program)
  declareCheck(program)
  declareMemory(program)
  declareDoctor(program)
  declareTrust(program)
}

function declareServe(program: Command): void {
  program
    .command('serve')
    .description('run the REST service on an emulated device (default) or a real one')
    .addOption(familyOption(`device family (default: ${FAMILIES[0]})`))
    .addOption(
      new Option(
        '--device <DEVICE>',
        '"emulator", a serial port path, or tcp://HOST:PORT[?rfc2217] (default: "emulator")',
      ),
    )
    .addOption(new Option('--profile <NAME>', "profile of the emulated device (default: the family's first profile)"))
    .addOption(passportOption())
    .addOption(baudOption())
    .addOption(portOption('--http-port', `HTTP port (default: ${DEFAULT_LISTEN.httpPort})`))
    .addOption(portOption('--https-port', `HTTPS port (default: ${DEFAULT_LISTEN.httpsPort})`))
    .addOption(new Option('--no-https', 'do not open the HTTPS port or create a certificate'))
    .addOption(hostOption('address to listen on'))
    .addOption(
      openOption('allow listening beyond loopback without an API key; anyone who can reach the port can print'),
    )
    .addOption(nameOption())
    .addOption(panelPortOption("port of the emulated device's control panel"))
    .addOption(panelHostOption())
    .addOption(dataOption())
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(serialOption())
    .addOption(notFiscalisedOption())
    .addOption(new Option('--record <FILE>', 'record client requests as a scenario'))
    .addOption(
      new Option(
        '--with-passwords',
        "keep operators' passwords in the recording (default: replace them by the factory passwords)",
      ),
    )
    .addOption(
      new Option(
        '--log-level <LEVEL>',
        'minimum level of log messages on stderr (default: warn plus every printing request; info with --json; env: FISCAL_RIG_LOG)',
      ).choices([...LOG_LEVELS]),
    )
    .addOption(
      new Option('--log-format <FORMAT>', 'log format (default: pretty on a terminal, otherwise json)').choices([
        ...LOG_FORMATS,
      ]),
    )
    .addOption(
      new Option('--print-unit [KIND]', 'print a systemd unit for this command line ("system" or "user"), and exit')
        .choices(['system', 'user'])
        .preset('system'),
    )
    .addOption(new Option('--exit-with-parent', 'exit when the process that started this one has ended'))
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(longRunning(async (options) => (await import('./serve.ts')).serve(options)))
}

function declareEmulate(program: Command): void {
  program
    .command('emulate')
    .description('run one or many emulated devices on pseudo-terminals or TCP ports')
    .addOption(familyOption('device family; required unless --passport, --fleet or --config names it'))
    .addOption(new Option('--profile <NAME>', "device profile (default: the family's first profile)"))
    .addOption(passportOption())
    .addOption(
      new Option('--link <PATH>', 'path of the serial port to create (a symbolic link to a pty; requires socat)'),
    )
    .addOption(portOption('--tcp', 'TCP port, or with --count the first of N consecutive ports'))
    .addOption(hostOption('address of the TCP ports'))
    .addOption(
      openOption(
        'allow TCP ports beyond loopback, and a control panel there without an API key; anyone who can reach them can print',
      ),
    )
    .addOption(nameOption())
    .addOption(
      new Option('--count <N>', 'run N devices, each with its own serial number and fiscal memory').argParser(
        parseWholeNumber(1, 10_000),
      ),
    )
    .addOption(new Option('--fleet <FILE>', 'run the devices listed in FILE (.json or .yaml)'))
    .addOption(
      new Option('--workers <N>', 'number of threads for multiple devices (default: one per core)').argParser(
        parseWholeNumber(1, 64),
      ),
    )
    .addOption(new Option('--strict', 'exit if any device fails to start (default: report it and run the others)'))
    .addOption(panelPortOption("port of the device's control panel"))
    .addOption(panelHostOption())
    .addOption(fleetDataOption())
    .addOption(new Option('--baud <N>', 'line speed, 8N1 (default: unlimited)').argParser(baud))
    .addOption(new Option('--realistic', 'print at the speed of a real device, sending busy responses'))
    .addOption(
      millisecondsOption(
        '--line-ms',
        `with --realistic: time per printed line in ms (default: that of the passport, otherwise ${USUAL_TIMES.lineMs})`,
      ),
    )
    .addOption(
      millisecondsOption(
        '--z-ms',
        `with --realistic: time per Z report in ms, excluding its lines (default: that of the passport, otherwise ${USUAL_TIMES.reportZMs})`,
      ),
    )
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(serialOption())
    .addOption(notFiscalisedOption())
    .addOption(
      new Option('--switch <NAME=VALUE>', 'enable a firmware quirk; an unknown NAME lists the valid ones').argParser(
        namedSwitch,
      ),
    )
    .addOption(new Option('--faults <FILE>', 'fault rules (.json or .yaml)'))
    .addOption(new Option('--list-commands', "list the device's commands with their codes, and exit"))
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(longRunning(async (options) => (await import('./emulate.ts')).emulate(options)))
}

function declareShow(program: Command): void {
  program
    .command('show')
    .description('open the trace of a run in the browser: steps, paper, requests, responses and frames')
    .argument('<FILE>', 'trace file written by run --trace')
    .addOption(new Option('--output <FILE>', 'write the page to FILE and exit'))
    .addOption(portOption('--port', 'port of the page (default: a free port)'))
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(async (file, options) => (await import('./show.ts')).show(file, options))
}

function declareMockPlatform(program: Command): void {
  program
    .command('mock-platform')
    .description('run a mock server of the order platform: tokens, orders over GraphQL, throttling, faults')
    .addOption(portOption('--port', 'port (default: 4010)'))
    .addOption(new Option('--orders <FILE>', 'JSON file with the orders to serve (default: built-in examples)'))
    .addOption(configOption())
    .addOption(
      new Option(
        '--use-config-secret',
        'sign tokens with the client secret from the configuration instead of a generated one',
      ),
    )
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(longRunning(async (options) => (await import('./mock-platform.ts')).mockPlatform(options)))
}

function declareCapture(program: Command): void {
  program
    .command('capture')
    .description('record all traffic between a program and its device')
    .addOption(
      new Option('--device <DEVICE>', 'serial port path, or tcp://HOST:PORT[?rfc2217]; required').makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--link <PATH>',
        'path of the serial port to create for the program (requires socat); this or --tcp is required',
      ),
    )
    .addOption(portOption('--tcp', 'TCP port for the program to connect to; this or --link is required'))
    .addOption(hostOption('address of the TCP port'))
    .addOption(openOption('allow a TCP port beyond loopback; anyone who can reach it can print'))
    .addOption(new Option('--output <FILE>', 'recording file (JSON lines); required').makeOptionMandatory())
    .addOption(new Option('--with-passwords', 'keep passwords in the recording (default: replace them by zeros)'))
    .addOption(familyOption('device family, which is stored in the recording (default: none)'))
    .addOption(
      new Option('--baud <N>', "speed of the device's line (default: the speed that the program sets)").argParser(baud),
    )
    .addOption(jsonOption())
    .addHelpText('after', exitStatusHelp(BY_SIGNAL))
    .action(longRunning(async (options) => (await import('./capture.ts')).capture(options)))
}

const FAMILY_OF_RECORDING = 'device family (default: the one that the recording names)'

function declareDecode(program: Command): void {
  program
    .command('decode')
    .description('show a recording as decoded frames, or convert it to a fixture or a scenario')
    .argument('<FILE>', 'recording made by capture')
    .addOption(familyOption(FAMILY_OF_RECORDING))
    .addOption(new Option('--profile <NAME>', "device profile (default: the family's first profile)"))
    .addOption(new Option('--as <FORM>', 'convert to a fixture or a scenario').choices(['fixture', 'scenario']))
    .addOption(new Option('--output <FILE>', 'write to FILE (default: stdout)'))
    .addOption(new Option('--json', 'print one line of JSON per frame'))
    .addHelpText('after', exitStatusHelp())
    .action(async (file, options) => (await import('./decode.ts')).decode(file, options))
}

function declareReplay(program: Command): void {
  program
    .command('replay')
    .description('replay the host side of a recording against a device and show the first difference')
    .argument('<FILE>', 'recording made by capture')
    .addOption(
      new Option('--target <TARGET>', '"emulator" (default), "pty", a serial port path, or tcp://HOST:PORT[?rfc2217]'),
    )
    .addOption(familyOption(FAMILY_OF_RECORDING))
    .addOption(new Option('--profile <NAME>', "profile of the emulated device (default: the family's first profile)"))
    .addOption(baudOption())
    .addOption(new Option('--all', 'show every difference'))
    .addOption(new Option('--json', 'print the result as JSON'))
    .addHelpText(
      'after',
      exitStatusHelp({ 0: 'the device responded as recorded', 1: 'the device responded differently' }),
    )
    .action(async (file, options) => (await import('./replay.ts')).replay(file, options))
}

function declareMemory(program: Command): void {
  program
    .command('memory')
    .description("show, verify or export an emulated device's fiscal memory and electronic journal")
    .addArgument(new Argument('<ACTION>', 'action to perform').choices(['show', 'verify', 'export']))
    .argument('<DIR>', 'data folder, or the file of one device')
    .addOption(new Option('--output <FILE>', 'write the export to FILE (default: stdout)'))
    .addOption(new Option('--json', 'print as JSON'))
    .addHelpText('after', exitStatusHelp({ 1: 'verify found a modification, or the file is damaged' }))
    .action(async (what, folder, options) => (await import('./memory.ts')).memory(what, folder, options))
}

const OWN_DATA_FOLDER = "that of the configuration, otherwise the user's data folder"

function declareDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'check socat, pseudo-terminals, ports, certificates and the data folder, and detect devices on serial ports',
    )
    .addOption(
      new Option('--device <DEVICE>', 'additional device to check: a serial port path, or tcp://HOST:PORT[?rfc2217]'),
    )
    .addOption(new Option('--baud <N>', 'probe at this speed only').argParser(baud))
    .addOption(new Option('--no-probe', 'list serial ports without sending anything to them'))
    .addOption(dataOption(`data folder to check, or "memory" to check none (default: ${OWN_DATA_FOLDER})`))
    .addOption(configOption())
    .addOption(new Option('--json', 'print the findings as JSON'))
    .addHelpText(
      'after',
      exitStatusHelp({ 0: 'no problem found', 3: 'a problem was found; each finding says how to fix it' }),
    )
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
}

function declareTrust(program: Command): void {
  program
    .command('trust')
    .description("print how to trust this machine's HTTPS certificate")
    .addOption(dataOption(`data folder of the service (default: ${OWN_DATA_FOLDER})`))
    .addOption(configOption())
    .addHelpText('after', exitStatusHelp())
    .action(async (options) => (await import('./trust.ts')).trust(options))
}
