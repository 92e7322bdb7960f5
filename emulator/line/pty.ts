/**
 * The device on a pseudo-terminal that any program can open like a serial port. A socat child process creates the pty
 * and the link, and passes bytes over its standard input and output. socat ends when its standard input ends, so that
 * it does not outlive this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readForeignFile } from '../../drivers/host/foreign-file.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { LineEnd, LineHandle } from './device-line.ts'
import { isUsualSpeed, speedReader } from './terminal-speed.ts'
import { createUnread } from './unread-answers.ts'

interface PtyOptions {
  /** Path of the link to the pty. A stale link is replaced; anything else at the path is an error. */
  readonly link: string
  readonly attach: (end: LineEnd) => LineHandle
  readonly log: (line: string) => void
  /** Speed of the device in baud, which is also the initial speed of the pty if socat supports it. */
  readonly baud?: number
}

export interface PtyLine {
  readonly link: string
  /** False removes the pty, true restores it under the same link. */
  setConnected(connected: boolean): Promise<void>
  close(): Promise<void>
}

/** A failure to create the pty, for example no socat, a file at the path, or no permission. */
export class PtyError extends Error {
  readonly lacksSocat: boolean

  constructor(sentence: string, lacksSocat = false) {
    super(sentence)
    this.name = 'PtyError'
    this.lacksSocat = lacksSocat
  }
}

/** Rejects with PtyError. */
export async function openPty(options: PtyOptions): Promise<PtyLine> {
  const link = resolve(options.link)
  let child = await start(link, options)
  let closed = false

  const onDeath = () => {
    if (closed || child.stopped) return
    // If another process ended socat, the device must not lose its port.
    options.log(`${link}: socat ended and will be restarted`)
    restart().catch((problem: unknown) => options.log(`${link}: ${messageOf(problem)}`))
  }
  const restart = async () => {
    child = await start(link, options)
    child.died.then(onDeath, onDeath)
  }
  child.died.then(onDeath, onDeath)

  return {
    link,
    async setConnected(connected) {
      if (closed || connected === !child.stopped) return
      if (connected) await restart()
      else await child.stop()
    },
    async close() {
      if (closed) return
      closed = true
      await child.stop()
    },
  }
}

interface RunningTerminal {
  readonly stopped: boolean
  readonly died: Promise<void>
  stop(): Promise<void>
}

/**
 * Maximum time until the link exists, in ms. A busy machine takes seconds to start a program; a socat that cannot make
 * the link ends immediately.
 */
const LINK_WAIT_MS = 20_000
const LINK_POLL_MS = 3
const STOP_WAIT_MS = 1000
/** Round-trip time of bytes through the terminal and socat on a mostly idle machine, in ms. */
const CARRIED_MS = 0.2
/**
 * Maximum number of unsent bytes for a client that does not read. Further bytes are lost, as on a port with a full
 * buffer.
 */
const UNSENT_LIMIT = 64 * 1024

async function start(link: string, options: PtyOptions): Promise<RunningTerminal> {
  if (!existsSync(dirname(link)))
    throw new PtyError(`cannot make a pty at ${link}: there is no folder ${dirname(link)}`)
  clearLink(link)
  // A separate session, so that Ctrl-C in the terminal reaches only this process. socat ends when its input is closed.
  const speed = options.baud !== undefined && isUsualSpeed(options.baud) ? `,b${options.baud}` : ''
  const pty = `PTY,raw,echo=0${speed},link=${escapeAddress(basename(link))}`
  const child = spawn('socat', ['-t', '0.2', 'STDIO', pty], {
    cwd: dirname(link),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let complaint = ''
  let lacksSocat = false
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  const died = new Promise<void>((done) => {
    child.on('exit', () => done())
    child.on('error', (problem: NodeJS.ErrnoException) => {
      lacksSocat = problem.code === 'ENOENT'
      complaint = lacksSocat ? 'socat is not installed (apt-get install socat)' : problem.message
      done()
    })
  })
  const held = await waitForLink(link, child, died)
  if (held === undefined) {
    child.kill()
    throw new PtyError(`cannot make a pty at ${link}: ${complaint.trim() || 'socat made no link in time'}`, lacksSocat)
  }

  let stopped = false
  // Only Linux reports which processes have a terminal open.
  const unread =
    process.platform === 'linux'
      ? createUnread(realpathSync(link), held, child.pid, (line) => options.log(`${link}: ${line}`))
      : undefined
  const end: LineEnd = {
    send: (bytes) => {
      unread?.sent()
      if (child.stdin.writable && child.stdin.writableLength < UNSENT_LIMIT) child.stdin.write(Buffer.from(bytes))
    },
    unplug: () => {
      stop().catch(() => undefined)
    },
    carriedMs: CARRIED_MS,
    hold: (on) => void (on ? child.stdout.pause() : child.stdout.resume()),
    ...(options.baud !== undefined && { speed: await speedReader(held, speed !== '') }),
  }
  const line = options.attach(end)
  child.stdout.on('data', (bytes: Buffer) => {
    unread?.received()
    line.receive(bytes)
  })
  child.stdin.on('error', () => undefined)
  const finished = died.then(() => {
    line.detach()
    unread?.close()
    closeSync(held)
    try {
      clearLink(link)
    } catch (problem) {
      options.log(messageOf(problem))
    }
  })
  const stop = async () => {
    stopped = true
    child.stdin.end()
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
    await finished
    clearTimeout(late)
  }
  return {
    get stopped() {
      return stopped
    },
    died: finished,
    stop,
  }
}

/**
 * Waits for the link and opens the pty. While this descriptor is open, socat's side sees no end when clients close, so
 * that they can reconnect any number of times.
 */
async function waitForLink(link: string, child: ChildProcess, died: Promise<void>): Promise<number | undefined> {
  let dead = false
  died.then(
    () => {
      dead = true
    },
    () => undefined,
  )
  const until = performance.now() + LINK_WAIT_MS
  while (!dead && performance.now() < until && child.exitCode === null) {
    try {
      const path = realpathSync(link)
      if (path.startsWith('/dev/')) return openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
    } catch {
      // The link does not exist yet.
    }
    await new Promise((done) => setTimeout(done, LINK_POLL_MS))
  }
  return undefined
}

/** Removes a stale link. Throws PtyError if something else exists at the path, or if a running device uses the link. */
function clearLink(link: string): void {
  let kind: ReturnType<typeof lstatSync>
  try {
    kind = lstatSync(link)
  } catch {
    return
  }
  if (!kind.isSymbolicLink())
    throw new PtyError(`${link} exists and is not a link, so it is left as it is: choose another path`)
  const target = readlinkSync(link)
  if (!/^\/dev\/(pts\/\d+|tty[p-za-e][0-9a-f])$/.test(target)) {
    throw new PtyError(`${link} leads to ${target}, which is not a pty, so it is left as it is: choose another path`)
  }
  const owner = ownerOf(link)
  if (owner !== undefined)
    throw new PtyError(
      `${link} is in use by another emulator (socat, process ${owner}): stop it, or choose another path`,
    )
  unlinkSync(link)
}

function ownerOf(link: string): string | undefined {
  let processes: string[]
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
  const option = `link=${escapeAddress(basename(link))}`
  return processes.find((pid) => {
    try {
      const words = readForeignFile(join('/proc', pid, 'cmdline')).split('\0')
      const isOurs = words[0] === 'socat' && words.some((word) => word.split(',').includes(option))
      return isOurs && realpathSync(join('/proc', pid, 'cwd')) === realpathSync(dirname(link))
    } catch {
      return false
    }
  })
}

const escapeAddress = (text: string): string => text.replace(/[\\,:!"'(){}[\]]/g, '\\$&')
