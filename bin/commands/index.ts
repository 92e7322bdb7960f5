/** All commands with their options. A command's own module is loaded only when it runs. */
import { Argument, type Command, Option } from 'commander'
import { endOnSignal } from '../exit.ts'
import {
  baud,
  baudOption,
  configOption,
  countOption,
  dataOption,
  deviceNameOption,
  familiesOption,
  familyOption,
  jsonOption,
  millisecondsOption,
  namedSwitch,
  portOption,
} from '../options.ts'
import { declareRun } from './declare-run.ts'

/** A command that runs until a signal ends it: one that comes while it still starts is heard too. */
const lasting =
  <Options>(start: (options: Options) => Promise<void>) =>
  (options: Options): Promise<void> => {
    void endOnSignal()
    return start(options)
  }

export function declareCommands(program: Command): void {
  program
    .command('serve')
    .description('the REST service, on an emulated device (default) or a real one')
    .addOption(familyOption())
    .addOption(new Option('--device <DEVICE>', 'emulator, the path of a port, or tcp://HOST:PORT'))
    .addOption(new Option('--profile <NAME>', 'profile of the emulated device'))
    .addOption(baudOption())
    .addOption(portOption('--http-port', 'HTTP port'))
    .addOption(portOption('--https-port', 'HTTPS port'))
    .addOption(new Option('--host <ADDR>', 'address to listen on; loopback without it'))
    .addOption(portOption('--panel-port', "port of the emulated device's panel"))
    .addOption(dataOption())
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(new Option('--record <FILE>', 'write what clients do as a scenario'))
    .addOption(jsonOption())
    .action(lasting(async (options) => (await import('./serve.ts')).serve(options)))

  program
    .command('emulate')
    .description('an emulated device on a pty or a TCP port, for any program that drives printers')
    .addOption(familyOption().makeOptionMandatory())
    .addOption(new Option('--profile <NAME>', "profile; the family's first without it"))
    .addOption(new Option('--link <PATH>', 'where the link to the pty shall stand (needs socat)'))
    .addOption(portOption('--tcp', 'TCP port'))
    .addOption(portOption('--panel-port', "port of the device's panel"))
    .addOption(dataOption())
    .addOption(new Option('--baud <N>', 'true speed of the lines, 8N1; as fast as possible without it').argParser(baud))
    .addOption(new Option('--realistic', 'printing takes its time, with busy answers'))
    .addOption(millisecondsOption('--line-ms', 'time of a printed line in ms, with --realistic'))
    .addOption(millisecondsOption('--z-ms', 'time of a Z report besides its lines in ms, with --realistic'))
    .addOption(configOption())
    .addOption(deviceNameOption())
    .addOption(
      new Option(
        '--switch <NAME=VALUE>',
        'imitate particular firmware; a wrong name is answered with all that there are',
      ).argParser(namedSwitch),
    )
    .addOption(new Option('--faults <FILE>', 'fault rules, JSON or YAML by its ending'))
    .addOption(new Option('--list-commands', 'print the commands that the device knows, with their codes, and end'))
    .addOption(jsonOption())
    .action(lasting(async (options) => (await import('./emulate.ts')).emulate(options)))

  declareRun(program)

  program
    .command('stand-in')
    .description("the order platform's emulator: tokens, orders over GraphQL, throttling, faults")
    .addOption(portOption('--port', 'port; 4010 without it'))
    .addOption(new Option('--orders <FILE>', 'orders to serve, as JSON; the ones of the program without it'))
    .addOption(configOption())
    .addOption(jsonOption())
    .action(lasting(async (options) => (await import('./stand-in.ts')).standIn(options)))

  program
    .command('capture')
    .description('sits between a program and its device and records every byte that passes')
    .addOption(new Option('--device <DEVICE>', 'the path of a port, or tcp://HOST:PORT').makeOptionMandatory())
    .addOption(new Option('--link <PATH>', 'where the program finds a port in its place (needs socat)'))
    .addOption(portOption('--tcp', 'TCP port for the program'))
    .addOption(new Option('--output <FILE>', 'the recording, JSON lines').makeOptionMandatory())
    .addOption(familyOption())
    .addOption(new Option('--baud <N>', "speed of the device's line; what the program sets without it").argParser(baud))
    .addOption(jsonOption())
    .action(lasting(async (options) => (await import('./capture.ts')).capture(options)))

  program
    .command('decode')
    .description('a recording as frames with their meaning, as a fixture or as a scenario')
    .argument('<FILE>', 'what capture wrote')
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', "profile; the family's first without it"))
    .addOption(new Option('--as <FORM>', 'something to keep').choices(['fixture', 'scenario']))
    .addOption(new Option('--output <FILE>', 'write to a file'))
    .addOption(new Option('--json', 'one line of JSON for each frame'))
    .action(async (file, options) => (await import('./decode.ts')).decode(file, options))

  program
    .command('replay')
    .description("plays a recording's host against a device and shows the first difference in bytes and in meaning")
    .argument('<FILE>', 'what capture wrote')
    .addOption(new Option('--target <TARGET>', 'emulator (default), pty, the path of a port, or tcp://HOST:PORT'))
    .addOption(familyOption())
    .addOption(new Option('--profile <NAME>', "profile of the emulated device; the family's first without it"))
    .addOption(baudOption())
    .addOption(new Option('--all', 'show every difference'))
    .addOption(new Option('--json', 'print the result as JSON'))
    .action(async (file, options) => (await import('./replay.ts')).replay(file, options))

  program
    .command('check')
    .description('property runs with faults: nothing is printed twice, nothing is lost')
    .addOption(
      new Option('--target <TARGET>', 'emulator, pty, the path of a port, or tcp://HOST:PORT').default('emulator'),
    )
    .addOption(familiesOption('families to run, all without it; of one device: its family'))
    .addOption(countOption('--runs', 'runs of each family'))
    .addOption(countOption('--seed', 'everything random comes from it'))
    .addOption(new Option('--path <P>', 'goes straight to a failure, as it was printed'))
    .addOption(countOption('--length', 'longest list of steps in a run'))
    .addOption(new Option('--save <FILE>', 'keeps the reduced case'))
    .addOption(new Option('--kept <FILE>', 'runs a kept case again'))
    .addOption(new Option('--json', 'print the results as JSON, one line a family'))
    .action(async (options) => (await import('./check.ts')).check(options))

  program
    .command('memory')
    .description("reads an emulated device's fiscal memory and journal")
    .addArgument(new Argument('<what>', 'what to do').choices(['show', 'verify', 'export']))
    .argument('<DIR>', 'data folder, or the file of one device')
    .addOption(new Option('--output <FILE>', 'where the export goes; standard output without it'))
    .addOption(new Option('--json', 'print as JSON'))
    .action(async (what, folder, options) => (await import('./memory.ts')).memory(what, folder, options))

  program
    .command('doctor')
    .description('checks socat, ptys, ports, certificates and the data folder, and finds the devices on serial ports')
    .addOption(new Option('--device <PATH>', 'a serial port to look at besides those that are found'))
    .addOption(new Option('--baud <N>', 'ask at this speed only').argParser(baud))
    .addOption(new Option('--no-ask', 'find serial ports and send nothing to them'))
    .addOption(dataOption())
    .addOption(configOption())
    .addOption(new Option('--json', 'print the findings as JSON'))
    .action(async (options) => (await import('./doctor.ts')).doctor(options))

  program
    .command('trust')
    .description("prints how to trust this machine's HTTPS certificate")
    .addOption(dataOption())
    .addOption(configOption())
    .action(async (options) => (await import('./trust.ts')).trust(options))
}
