/**
 * A page as its reader follows it: a folder with its files, and a shell that runs its lines one after the other.
 * `npx fiscal-rig` is the program of the checkout, ports are free ones, and the printer at /dev/ttyUSB0 is emulated on
 * a pty.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { type FamilyName, type Printer, startPrinter } from '../../bin/library.ts'
import { startProgram } from '../support/command.ts'
import { PLACES } from '../support/required-program.ts'
import { freed, lastsOf, portsOf, withPorts } from './command-lines.ts'
import { root } from './pages.ts'
import type { Program } from './program-client.ts'

export interface ShellResult {
  readonly status: number
  readonly out: string
}

/** Addresses of printers that the reader has and the test emulates. */
const REAL_PORT = '/dev/ttyUSB0'
const REAL_ADDRESS = '192.168.1.40:8000'

/**
 * The script that replaces `npx` and other programs. It sends its arguments as a form to the test, which responds with
 * the status and the output.
 */
const RELAY = `#!/bin/sh
count=$#
for word; do set -- "$@" --data-urlencode "word=$word"; done
shift $count
reply=$(RIG_CURL -s --unix-socket "$RIG_SOCKET" --data-urlencode "cwd=$PWD" "$@" http://rig/) || exit 99
printf '%s\\n' "\${reply#*
}"
exit "\${reply%%
*}"
`
const LINE_END = `#!/bin/sh
RIG_CURL "$@"
status=$?
echo
exit $status
`

const OUR_PROGRAM = `${process.execPath} --disable-warning=ExperimentalWarning ${join(root, 'bin', 'fiscal-rig.ts')}`

export class Session {
  readonly folder: string
  readonly #program: Program
  /** Results of command lines. Equal command lines are run once. */
  readonly #known: Map<string, ShellResult>
  readonly #ports = new Map<number, number>()
  #server: Server | undefined
  readonly #printers: Printer[] = []
  #link: string | undefined
  #lasting = 0

  constructor(folder: string, program: Program, known: Map<string, ShellResult>) {
    this.folder = folder
    this.#program = program
    this.#known = known
  }

  async open(): Promise<void> {
    // Tills of an exam inherit the environment of the test, in which the exam runs.
    process.env['FISCAL_RIG'] = OUR_PROGRAM
    const bin = join(this.folder, '.bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(join(root, 'scenarios'), join(this.folder, 'scenarios'))
    cpSync(join(root, 'fixtures'), join(this.folder, 'fixtures'), { recursive: true })
    const curl = PLACES.map((place) => join(place, 'curl')).find((path) => existsSync(path)) ?? 'curl'
    const script = (name: string, text: string) =>
      writeFileSync(join(bin, name), text.replaceAll('RIG_CURL', `'${curl}'`), { mode: 0o755 })
    script('npx', RELAY)
    script('npm', RELAY.replace('for word', 'set -- npm "$@"\ncount=$#\nfor word'))
    script('curl', LINE_END)
    script('node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
    if (existsSync('/usr/bin/python3')) script('python3', `#!/bin/sh\nexec /usr/bin/python3 "$@"\n`)
    this.#server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (more: string) => (text += more))
      request.on('end', () => {
        this.#runRequested(new URLSearchParams(text)).then(
          ({ status, out }) => response.end(`${status}\n${out}`),
          (problem) => response.end(`98\n${problem instanceof Error ? problem.message : problem}`),
        )
      })
    })
    await new Promise<void>((resolve) => this.#server?.listen(this.#socket, resolve))
  }

  get #socket(): string {
    return join(this.folder, '.bin', 'rig')
  }

  write(name: string, content: string): string {
    const path = join(this.folder, name)
    // Printers of a fleet get free ports.
    const text = /^printers:/m.test(content) ? content.replace(/\btcp: \d+/g, 'tcp: 0') : content
    writeFileSync(path, `${text}\n`)
    return path
  }

  async shell(script: string): Promise<ShellResult> {
    const text = withPorts(await this.#withDevices(script), this.#ports)
    const { ended } = startProgram('/bin/sh', ['-c', text], {
      cwd: this.folder,
      env: {
        PATH: [join(this.folder, '.bin'), ...PLACES].join(':'),
        RIG_SOCKET: this.#socket,
        FISCAL_RIG: OUR_PROGRAM,
        XDG_DATA_HOME: join(this.folder, '.data'),
        PYTHONDONTWRITEBYTECODE: '1',
        NODE_OPTIONS: undefined,
      },
    })
    const { status, out, err } = await ended
    return { status: status ?? 99, out: out + err }
  }

  /** Ends every long-running command, as if the reader had pressed Ctrl+C. */
  async endLongRunning(): Promise<void> {
    await this.#program.end()
    this.#ports.clear()
  }

  async close(): Promise<void> {
    delete process.env['FISCAL_RIG']
    for (const printer of this.#printers) await printer.close()
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)))
  }

  async #runRequested(form: URLSearchParams): Promise<ShellResult> {
    const words = form.getAll('word')
    const [command, ...argv] = words.join(' ') === 'npm start' ? ['fiscal-rig', 'serve'] : words
    if (command !== 'fiscal-rig') throw new Error(`npx ${command} is none of the examples' programs`)
    const cwd = form.get('cwd') ?? this.folder
    if (lastsOf(argv))
      return this.#start(
        argv.map((word) => this.#configured(word, cwd)),
        cwd,
      )
    if (argv.some((word) => word.startsWith('fleet:')))
      argv.push('--panel', `http://127.0.0.1:${this.#ports.get(65_402)}`)
    const key = argv.join(' ')
    const known = argv[0] === 'exam' ? this.#known.get(key) : undefined
    if (known) return known
    const env = { XDG_DATA_HOME: join(this.folder, '.data') }
    const { status, out, err } = await this.#program.run(argv, { cwd, env, isLongRunning: false })
    const result = { status, out: out + err }
    this.#known.set(key, result)
    return result
  }

  #configured(word: string, cwd: string): string {
    const path = join(cwd, word)
    if (!/\.yaml$/.test(word) || !existsSync(path)) return word
    const text = readFileSync(path, 'utf8')
    if (!text.includes('127.0.0.1:')) return word
    const name = `.ports-${this.#lasting}.yaml`
    writeFileSync(join(this.folder, name), withPorts(text, this.#ports))
    return join(this.folder, name)
  }

  async #start(argv: readonly string[], cwd: string): Promise<ShellResult> {
    this.#lasting++
    const line = freed(argv)
    const env = { XDG_DATA_HOME: join(this.folder, `.data-${this.#lasting}`) }
    const { status, out, err } = await this.#program.run(line.argv, { cwd, env, isLongRunning: true })
    const [first = ''] = out.split('\n')
    if (!first.startsWith('{')) throw new Error(`fiscal-rig ${argv.join(' ')} did not start (${status}): ${out}${err}`)
    for (const [port, actual] of portsOf(line, JSON.parse(first))) this.#ports.set(port, actual)
    return { status: 0, out: first }
  }

  async #withDevices(script: string): Promise<string> {
    let text = script
    if (text.includes(REAL_PORT)) {
      this.#link ??= await (await this.#printer('A')).link(join(this.folder, 'tty'))
      text = text.replaceAll(REAL_PORT, this.#link)
    }
    if (text.includes(REAL_ADDRESS)) {
      const { port } = await (await this.#printer('C')).listen({ port: 0 })
      text = text.replaceAll(REAL_ADDRESS, `localhost:${port}`)
    }
    return text
  }

  async #printer(family: FamilyName): Promise<Printer> {
    const printer = await startPrinter({ family })
    this.#printers.push(printer)
    return printer
  }
}
