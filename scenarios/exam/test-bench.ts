import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { type RealisticTimes, realisticDuration } from '../../emulator/line/durations.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import type { SwitchOptions } from '../../emulator/wire.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { ActionContext } from './manual-actions.ts'
import type { OpenTill, Till } from './till.ts'
import { type CaseTime, runningTime, simulatedTime } from './time.ts'

export interface TestBenchOptions {
  readonly family: Family
  readonly profile?: string
  /** Passport of a real device, which is emulated. */
  readonly passport?: Passport
  readonly seed: number
  readonly baud?: number
  readonly realistic?: RealisticTimes
  readonly switches?: SwitchOptions
  /** Fixed addresses, for a till that cannot read addresses from its environment. Cases then run one at a time. */
  readonly link?: string
  readonly tcp?: number
  readonly hasPty: boolean
  readonly timeoutMs: number
}

export interface TestBench extends ActionContext {
  readonly emulator: Emulator
  readonly time: CaseTime
  readonly till: OpenTill
  /** True if the port has rejected a client because another client holds it. */
  readonly hasRejectedClient: boolean
  close(): Promise<void>
}

/** Line speed for a till that must set one. Without `--baud` the device accepts any speed. */
const USUAL_BAUD = 115_200
const HOST = '127.0.0.1'
const FRAME_HISTORY_SIZE = 4000

export async function openTestBench(till: Till, caseId: string, options: TestBenchOptions): Promise<TestBench> {
  const { family, profile, passport, seed, baud, realistic, switches, timeoutMs } = options
  const isInside = till.way === 'inside'
  const time = isInside ? simulatedTime() : runningTime()
  let turnedAway = 0
  const emulator = createEmulator({
    family,
    clock: time.clock,
    seed,
    frameHistorySize: FRAME_HISTORY_SIZE,
    log: (line) => {
      if (/turned away/.test(line)) turnedAway++
    },
    ...omitUndefined({ profile, passport, baud, options: switches }),
    ...(realistic && { durationMs: realisticDuration(realistic) }),
  })
  const own = temporaryFolder('exam')
  const folder = own.path
  const state = join(folder, 'state')
  mkdirSync(state)
  const release = async () => {
    await emulator.close()
    time.close()
    own.remove()
  }
  try {
    const lines = isInside ? { port: 0 } : await openLines(emulator, join(folder, 'printer'), options)
    const work = till.open({
      caseId,
      emulator,
      time,
      host: HOST,
      ...lines,
      baud: baud ?? USUAL_BAUD,
      password: emulator.profile.factoryPassword(1),
      folder,
      state,
      timeoutMs,
    })
    return {
      emulator,
      time,
      till: work,
      get hasRejectedClient() {
        return turnedAway > 0
      },
      killTill: () => work.kill?.(),
      takePort: () => (isInside ? holdBinding(emulator, () => turnedAway++) : holdSocket(lines.port)),
      async close() {
        await work.close()
        await release()
      },
    }
  } catch (problem) {
    await release()
    throw problem
  }
}

async function openLines(emulator: Emulator, ownLink: string, { link, tcp, hasPty }: TestBenchOptions) {
  const { port } = await emulator.listenTcp(tcp ?? 0)
  if (!hasPty) return { port }
  const pty = await emulator.openPty(link ?? ownLink)
  return { port, link: pty.link }
}

function holdSocket(port: number): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.removeListener('error', reject).on('error', () => undefined)
      resolve(() => void socket.destroy())
    })
  })
}

/** Locks the port of the binding as another client does, and reports each attempt to open it. */
async function holdBinding(emulator: Emulator, turnedAway: () => void): Promise<() => void> {
  const { binding, path } = emulator
  const port = await binding.open({ path, baudRate: USUAL_BAUD, lock: true })
  const open = binding.open.bind(binding)
  binding.open = (options) => {
    turnedAway()
    return open(options)
  }
  return () => {
    binding.open = open
    void port.close().catch(() => undefined)
  }
}
