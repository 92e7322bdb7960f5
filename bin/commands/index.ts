/** All commands with their options. A command's own module is loaded only when it runs. */
import { Argument, type Command, Option } from 'commander'
import { LOG_FORMATS, LOG_LEVELS } from '../../server/log-words.ts'
import { endOnSignal } from '../exit.ts'
import { BY_SIGNAL, exits } from '../exit-words.ts'
import {
  baud,
  baudOption,
  configOption,
  dataOption,
  deviceNameOption,
  familyOption,
  hostOption,
  jsonOption,
  millisecondsOption,
  namedSwitch,
  nameOption,
  openOption,
  panelHostOption,
  portOption,
  serialOption,
  whole,
} from '../options.ts'
import { declareCheck } from './declare-check.ts'
import { declareExam } from './declare-exam.ts'
import { declarePassport, passportOption } from './declare-passport.ts'
import { declareRun } from './declare-run.ts'

/** A command that runs until a signal ends it: one that comes while it still starts is heard too. */
const lasting =
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
  declareStandIn(program)
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
    .addOption(familyOption())
    .addOption(new Option('--device <DEVICE>', 'emulator, the path of a port, or tcp://HOST:PORT[?rfc2217]'))
    .addOption(new Option('--profile <NAME>', 'profile of the emulated device (default: the first of its family)'))
    .addOption(passportOption())
    .addOption(baudOption())
    .addOption(portOption('--http-port', 'HTTP port'))
    .addOption(portOption('--https-port', 'HTTPS port'))
    .addOption(new Option('--no-https', 'open no HTTPS port, and make no certificate'))
    .addOption(hostOption('address to listen on'))
    .addOption(
      openOption('allow listening beyond loopback without an API key: everybody who reaches the port can print'),
    )
    .addOption(nameOption())
    .addOption(portOption('--panel-port', "port of the emulated device's panel"))
    .addOption(panelHostOption())
    .addOption(dataOption())
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(serialOption())
    .addOption(new Option('--record <FILE>', 'record what clients do as a scenario'))
    .addOption(
      new Option('--with-passwords', "keep operators' passwords in the recording (default: the factory's instead)"),
    )
    .addOption(
      new Option(
        '--log-level <LEVEL>',
        'least level of what stderr tells (default: warn, and every request that printed; info with --json); the environment variable FISCAL_RIG_LOG does the same',
      ).choices([...LOG_LEVELS]),
    )
    .addOption(
      new Option('--log-format <FORMAT>', 'form of the log (default: pretty on a terminal, else json)').choices([
        ...LOG_FORMATS,
      ]),
    )
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(lasting(async (options) => (await import('./serve.ts')).serve(options)))
}

function declareEmulate(program: Command): void {
  program
    .command('emulate')
    .description('run an emulated device on a pty or a TCP port, or many, for any program that drives printers')
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', 'profile (default: the first of the family)'))
    .addOption(passportOption())
    .addOption(new Option('--link <PATH>', 'path of the serial port that programs open (a link to a pty; needs socat)'))
    .addOption(portOption('--tcp', 'TCP port; with --count the first of N ports'))
    .addOption(hostOption('address that the TCP ports listen on'))
    .addOption(openOption('allow lines beyond loopback, and the panel without an API key: everybody can print there'))
    .addOption(nameOption())
    .addOption(
      new Option('--count <N>', 'so many devices, each with books and numbers of its own').argParser(whole(1, 10_000)),
    )
    .addOption(new Option('--fleet <FILE>', 'the devices that this file names (.json or .yaml)'))
    .addOption(
      new Option('--workers <N>', 'threads for many devices (default: one for each core)').argParser(whole(1, 64)),
    )
    .addOption(
      new Option('--strict', 'end when one of many devices cannot be started (default: report it and run the others)'),
    )
    .addOption(portOption('--panel-port', "port of the device's panel"))
    .addOption(panelHostOption())
    .addOption(dataOption())
    .addOption(new Option('--baud <N>', 'speed of the lines, 8N1 (default: as fast as possible)').argParser(baud))
    .addOption(new Option('--realistic', 'print as slowly as a real device, with busy answers'))
    .addOption(millisecondsOption('--line-ms', 'time to print a line in ms, with --realistic'))
    .addOption(millisecondsOption('--z-ms', 'time of a Z report in ms, its lines not counted, with --realistic'))
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(serialOption())
    .addOption(
      new Option(
        '--switch <NAME=VALUE>',
        'imitate particular firmware; an unknown name prints the list of names',
      ).argParser(namedSwitch),
    )
    .addOption(new Option('--faults <FILE>', 'file of fault rules (.json or .yaml)'))
    .addOption(new Option('--list-commands', 'print the commands that the device knows, with their codes, and exit'))
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(lasting(async (options) => (await import('./emulate.ts')).emulate(options)))
}

function declareShow(program: Command): void {
  program
    .command('show')
    .description('open the trace of a run in the browser: every step with its paper, questions, answers and frames')
    .argument('<FILE>', 'file made by run --trace')
    .addOption(new Option('--output <FILE>', 'write the page to this file instead, and end'))
    .addOption(portOption('--port', 'port of the page (default: any free one)'))
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(async (file, options) => (await import('./show.ts')).show(file, options))
}

function declareStandIn(program: Command): void {
  program
    .command('stand-in')
    .description('run a stand-in for the order platform: tokens, orders over GraphQL, throttling, faults')
    .addOption(portOption('--port', 'port (default: 4010)'))
    .addOption(new Option('--orders <FILE>', 'JSON file of the orders to serve (default: built-in examples)'))
    .addOption(configOption())
    .addOption(new Option('--configured-secret', 'sign with the secret of that configuration instead of its own'))
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(lasting(async (options) => (await import('./stand-in.ts')).standIn(options)))
}

function declareCapture(program: Command): void {
  program
    .command('capture')
    .description('sit between a program and its device and record every byte that passes')
    .addOption(
      new Option('--device <DEVICE>', 'the path of a port, or tcp://HOST:PORT[?rfc2217]').makeOptionMandatory(),
    )
    .addOption(new Option('--link <PATH>', 'path of the serial port that the program opens instead (needs socat)'))
    .addOption(portOption('--tcp', 'TCP port that the program connects to instead'))
    .addOption(hostOption('address that the TCP port listens on'))
    .addOption(openOption('allow listening beyond loopback: everybody who reaches the port can print'))
    .addOption(new Option('--output <FILE>', 'file for the recording (JSON lines)').makeOptionMandatory())
    .addOption(new Option('--with-passwords', 'keep passwords in the recording (default: zeros instead)'))
    .addOption(familyOption())
    .addOption(
      new Option('--baud <N>', "speed of the device's line (default: the speed that the program sets)").argParser(baud),
    )
    .addOption(jsonOption())
    .addHelpText('after', exits(BY_SIGNAL))
    .action(lasting(async (options) => (await import('./capture.ts')).capture(options)))
}

function declareDecode(program: Command): void {
  program
    .command('decode')
    .description('show a recording as frames with their meaning, or turn it into a fixture or a scenario')
    .argument('<FILE>', 'recording made by capture')
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', 'profile (default: the first of the family)'))
    .addOption(new Option('--as <FORM>', 'make a fixture or a scenario of it').choices(['fixture', 'scenario']))
    .addOption(new Option('--output <FILE>', 'file to write to (default: stdout)'))
    .addOption(new Option('--json', 'print one line of JSON for each frame'))
    .addHelpText('after', exits())
    .action(async (file, options) => (await import('./decode.ts')).decode(file, options))
}

function declareReplay(program: Command): void {
  program
    .command('replay')
    .description("play a recording's host side against a device and show the first difference, in bytes and in meaning")
    .argument('<FILE>', 'recording made by capture')
    .addOption(
      new Option('--target <TARGET>', 'emulator (default), pty, the path of a port, or tcp://HOST:PORT[?rfc2217]'),
    )
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', 'profile of the emulated device (default: the first of its family)'))
    .addOption(baudOption())
    .addOption(new Option('--all', 'show every difference'))
    .addOption(new Option('--json', 'print the result as JSON'))
    .addHelpText('after', exits({ 0: 'the device answers as in the recording', 1: 'it answers otherwise' }))
    .action(async (file, options) => (await import('./replay.ts')).replay(file, options))
}

function declareMemory(program: Command): void {
  program
    .command('memory')
    .description("show, verify or export an emulated device's fiscal memory and journal")
    .addArgument(new Argument('<what>', 'what to do').choices(['show', 'verify', 'export']))
    .argument('<DIR>', 'data folder, or the file of one device')
    .addOption(new Option('--output <FILE>', 'file for the export (default: stdout)'))
    .addOption(new Option('--json', 'print as JSON'))
    .addHelpText('after', exits({ 1: 'verify: something was changed; or the file is damaged' }))
    .action(async (what, folder, options) => (await import('./memory.ts')).memory(what, folder, options))
}

function declareDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check socat, ptys, ports, certificates and the data folder, and find devices on serial ports')
    .addOption(new Option('--device <PATH>', 'a serial port to check besides those found'))
    .addOption(new Option('--baud <N>', 'ask at this speed only').argParser(baud))
    .addOption(new Option('--no-ask', 'list serial ports, but send nothing to them'))
    .addOption(dataOption())
    .addOption(configOption())
    .addOption(new Option('--json', 'print the findings as JSON'))
    .addHelpText('after', exits({ 0: 'nothing is missing', 3: 'something is missing; each finding says what to do' }))
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
}

function declareTrust(program: Command): void {
  program
    .command('trust')
    .description("print how to trust this machine's HTTPS certificate")
    .addOption(dataOption())
    .addOption(configOption())
    .addHelpText('after', exits())
    .action(async (options) => (await import('./trust.ts')).trust(options))
}
