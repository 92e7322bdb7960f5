import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { autoDetect } from '@serialport/bindings-cpp'
import { commandsOf, type Family } from './core.ts'
import { type Figure, median, perSecond, residentMiB } from './measure.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const KILL_AFTER_MS = 5000

export interface Running {
  readonly child: ChildProcess
  readonly ready: Readonly<Record<string, unknown>>
  readonly readyMs: number
}

export interface StartOptions {
  readonly root?: string
  readonly wrapper?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly errors?: number
  readonly spawned?: (child: ChildProcess) => void
}

export async function start(
  args: readonly string[],
  { root = checkout, wrapper = [], env = process.env, errors, spawned }: StartOptions = {},
): Promise<Running> {
  const began = process.hrtime.bigint()
  const command = [...wrapper, process.execPath, join(root, 'bin', 'fiscal-rig.ts'), ...args, '--json']
  const [program = '', ...rest] = command
  const child = spawn(program, rest, { cwd: root, env, stdio: ['ignore', 'pipe', errors ?? 'ignore'] })
  spawned?.(child)
  if (!child.stdout) throw new Error('a child without an output')
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(() => undefined),
  ])
  if (line === undefined) throw new Error(`fiscal-rig ${args.join(' ')} ended before it was ready`)
  const readyMs = Number(process.hrtime.bigint() - began) / 1e6
  return { child, ready: JSON.parse(line) as Record<string, unknown>, readyMs }
}

export async function stop({ child }: Pick<Running, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await ended
  clearTimeout(timer)
}

export const folder = (): string => mkdtempSync(join(tmpdir(), 'fiscal-rig-bench-'))

export async function startFigures(): Promise<Figure[]> {
  const data = folder()
  try {
    const times: number[] = []
    for (let run = 0; run < 6; run++) {
      const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']
      const running = await start(['serve', '--data', data, ...ports])
      times.push(running.readyMs)
      await stop(running)
    }
    const [first = Number.NaN, ...later] = times
    return [
      { name: 'serve: ready line, first start (makes certificates)', value: first, unit: 'ms' },
      { name: 'serve: ready line, median of 5', value: median(later), unit: 'ms', target: { atMost: 1500 } },
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

export async function ptyFigures(family: Family, forMs: number): Promise<Figure[]> {
  const data = folder()
  const link = join(data, 'printer')
  const running = await start(['emulate', '--family', family, '--link', link, '--panel-port', '0', '--data', 'memory'])
  try {
    const value = await asking(link, family, (ask) => perSecond(forMs, 200, ask))
    return [{ name: `${family}: pty, status`, value, unit: 'commands/s', target: { atLeast: 1500 } }]
  } finally {
    await stop(running)
    rmSync(data, { recursive: true, force: true })
  }
}

export async function asking<T>(
  path: string,
  family: Family,
  use: (ask: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { build, end, status } = commandsOf[family]
  const port = await autoDetect().open({ path, baudRate: 115_200 })
  const buffer = Buffer.alloc(4096)
  let seq = 0x20
  try {
    return await use(async () => {
      seq = seq === 0x7f ? 0x20 : seq + 1
      await port.write(Buffer.from(build(seq, ...status)))
      let filled = 0
      do filled += (await port.read(buffer, filled, buffer.length - filled)).bytesRead
      while (buffer[filled - 1] !== end)
    })
  } finally {
    await port.close()
  }
}

const QUESTIONS = 500

async function exchangeMs(path: string): Promise<number> {
  return asking(path, 'A', async (ask) => {
    const times: number[] = []
    for (let question = 0; question < QUESTIONS; question++) {
      const began = process.hrtime.bigint()
      await ask()
      times.push(Number(process.hrtime.bigint() - began) / 1e6)
    }
    return median(times)
  })
}

/**
 * Measures the time that `capture` adds to a chunk of bytes. An exchange consists of two chunks, one in each direction.
 */
export async function captureFigures(): Promise<Figure[]> {
  const data = folder()
  const [device, link] = [join(data, 'device'), join(data, 'program')]
  const emulator = await start(['emulate', '--family', 'A', '--link', device, '--panel-port', '0', '--data', 'memory'])
  try {
    const straight = await exchangeMs(device)
    const options = ['--family', 'A', '--output', join(data, 'line.jsonl')]
    const capture = await start(['capture', '--device', device, '--link', link, ...options])
    try {
      const through = await exchangeMs(link)
      const value = (through - straight) / 2
      return [
        { name: 'pty: a question and its answer, median', value: straight, unit: 'ms' },
        { name: 'capture: adds to a burst of bytes', value, unit: 'ms', target: { atMost: 1 } },
      ]
    } finally {
      await stop(capture)
    }
  } finally {
    await stop(emulator)
    rmSync(data, { recursive: true, force: true })
  }
}

export async function memoryFigures(family: Family, receipts: number): Promise<Figure[]> {
  const data = folder()
  try {
    const script = fileURLToPath(new URL('./memory.ts', import.meta.url))
    const child = spawn(process.execPath, ['--expose-gc', script, data, family, String(receipts)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`the receipts of the memory figure ended with status ${code}`)
    type Held = Record<'resident' | 'used', number>
    const { early, late, seconds } = JSON.parse(output) as { early: Held; late: Held; seconds: number }
    const growth = (of: keyof Held) => (late[of] - early[of]) / 1024 / 1024
    return [
      {
        name: `${family}: memory in use after ${receipts} receipts, more than after 1000`,
        value: growth('used'),
        unit: 'MiB',
        target: { atMost: 64 },
      },
      {
        name: `${family}: the same with the engine's empty pages`,
        value: growth('resident'),
        unit: 'MiB',
      },
      {
        name: `${family}: receipts on disk (open, sale, payment, close)`,
        value: receipts / seconds,
        unit: 'receipts/s',
      },
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const STAGES = [1 / 20, 1 / 2, 1]

export async function serviceMemoryFigures(receipts: number): Promise<Figure[]> {
  const data = folder()
  const ports = ['--http-port', '0', '--no-https', '--panel-port', '0']
  const running = await start(['serve', '--data', data, ...ports])
  try {
    const held: { readonly after: number; readonly mebibytes: number }[] = []
    let printed = 0
    for (const stage of STAGES) {
      const after = Math.round(receipts * stage)
      await Promise.all(
        Array.from({ length: CLIENTS }, () => print(String(running.ready['http']), () => printed++ < after)),
      )
      printed = after
      held.push({ after, mebibytes: residentMiB(running.child.pid ?? 0) })
    }
    const [, before, last] = held
    const grown = (last?.mebibytes ?? Number.NaN) - (before?.mebibytes ?? Number.NaN)
    return [
      ...held.map(({ after, mebibytes }) => ({
        name: `serve: resident after ${after} receipts`,
        value: mebibytes,
        unit: 'MiB',
      })),
      {
        name: `serve: resident, ${last?.after} more than ${before?.after}`,
        value: grown,
        unit: 'MiB',
        target: { atMost: 32 },
      },
    ]
  } finally {
    await stop(running)
    rmSync(data, { recursive: true, force: true })
  }
}

const CLIENTS = 4
const RECEIPT = JSON.stringify({
  ReceiptItems: [
    { Type: 1, PluSale: { PluNumber: 1 } },
    { Type: 1, PluSale: { PluNumber: 2 } },
  ],
})

async function print(api: string, hasNext: () => boolean): Promise<void> {
  while (hasNext()) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${api}/print-fiscal-receipt`, { method: 'POST', headers, body: RECEIPT })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`a receipt was answered ${answer.status}: ${body}`)
  }
}
