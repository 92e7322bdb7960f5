import { resolve } from 'node:path'
import { inUrl, LOOPBACK, outsideHost, tcpPortTrouble } from '../../drivers/host/server-access.ts'
import { type StoreTrouble, troubleOf } from '../../drivers/host/sqlite.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../emulator.ts'
import { PlanError } from '../faults/fault-plan.ts'
import type { Store } from '../fiscal/store.ts'
import type { FleetRow, FleetState } from '../panel/contract.ts'
import type { PrinterFigures } from '../panel/fleet.ts'
import { headView } from '../panel/views.ts'
import { storePath } from '../profiles.ts'
import type { PrinterPlan } from './printer-plan.ts'

export interface RunningPrinter {
  readonly plan: PrinterPlan
  readonly emulator: Emulator
  readonly tcp?: number
  readonly figures: PrinterFigures
  row(): FleetRow
  close(): Promise<void>
}

export type StartFailure =
  /** Invalid fault rules; `path` is relative to their list. */
  | { readonly kind: 'rules'; readonly problems: PlanError['problems'] }
  | { readonly kind: 'plan'; readonly message: string }
  | { readonly kind: 'store'; readonly path: string; readonly trouble: StoreTrouble }
  /** A problem with the TCP port or the link; from another thread, also an internal error. */
  | { readonly kind: 'other'; readonly message: string }

export class StartError extends Error {
  readonly failure: StartFailure
  constructor(failure: StartFailure) {
    super(failure.kind)
    this.name = 'StartError'
    this.failure = failure
  }
}

/**
 * Starts a printer. `store` is the store of a device in memory. If it rejects (StartError), everything has been closed.
 */
export async function startPrinter(
  plan: PrinterPlan,
  log: (line: string) => void,
  store?: Store,
): Promise<RunningPrinter> {
  const figures = { commands: 0, refusals: 0, receipts: 0, faults: 0, busyMs: 0 }
  const emulator = made(plan, log, store, (isRefusal, busyMs) => {
    figures.commands += 1
    if (isRefusal) figures.refusals += 1
    figures.busyMs += busyMs
  })
  try {
    const tcp = plan.tcp === undefined ? undefined : await listenTcp(emulator, plan.tcp, plan.host)
    if (plan.link !== undefined) await emulator.openPty(plan.link)
    const paper = watchPaper(emulator)
    emulator.subscribe((event) => {
      if (event.type === 'fault') figures.faults += 1
      if (event.type === 'document' && (event.kind === 'fiscal' || event.kind === 'invoice')) figures.receipts += 1
    })
    const { name, family } = plan
    const line =
      tcp === undefined ? plan.link && resolve(plan.link) : `tcp://${inUrl(outsideHost(plan.host ?? LOOPBACK))}:${tcp}`
    return {
      plan,
      emulator,
      ...omitUndefined({ tcp }),
      get figures() {
        return { name, family, ...figures }
      },
      row: () => ({
        name,
        family,
        profile: emulator.profile.profile,
        serialNumber: emulator.profile.serialNumber,
        line: line ?? null,
        state: stateOf(emulator),
        ...paper(),
        total: formatMoney(emulator.device.day.total),
      }),
      async close() {
        if (plan.rules) logUnusedRules(emulator, log)
        await emulator.close()
      },
    }
  } catch (error) {
    await emulator.close()
    throw new StartError({ kind: 'other', message: messageOf(error) })
  }
}

async function listenTcp(emulator: Emulator, port: number, host: string = LOOPBACK): Promise<number> {
  try {
    return (await emulator.listenTcp(port, host)).port
  } catch (error) {
    const why = tcpPortTrouble(error, { port, host, option: '--tcp, or with tcp in the fleet file' })
    throw why === undefined ? error : new Error(why)
  }
}

function made(
  plan: PrinterPlan,
  log: (line: string) => void,
  store: Store | undefined,
  onCommand: NonNullable<EmulatorOptions['onCommand']>,
): Emulator {
  const { family, settings, data, times, rules, seed } = plan
  const { profile, deviceName, identity, passport, baud, frameHistorySize, switches } = plan
  const options: EmulatorOptions = {
    ...{ family, settings, seed, log, onCommand },
    clock: systemClock,
    data: data ?? 'memory',
    ...omitUndefined({
      profile,
      deviceName,
      identity,
      passport,
      baud,
      frameHistorySize,
      store,
      times,
      options: switches,
      plan: rules,
    }),
  }
  try {
    return createEmulator(options)
  } catch (error) {
    throw new StartError(failureOf(error, options))
  }
}

function failureOf(error: unknown, options: EmulatorOptions): StartFailure {
  if (error instanceof PlanError) return { kind: 'rules', problems: error.problems }
  if (error instanceof RangeError) return { kind: 'plan', message: error.message }
  const trouble = troubleOf(error)
  if (trouble) return { kind: 'store', path: storePath(options), trouble }
  throw error
}

function logUnusedRules({ faults }: Emulator, log: (line: string) => void): void {
  for (const { id, hits: _hits, ...rule } of faults.unused())
    log(`fault rule ${id} was never triggered: ${JSON.stringify(rule)}`)
}

function stateOf({ power, cable, device }: Emulator): FleetState {
  const { paper, coverOpen } = device.mechanism
  if (!power) return 'off'
  if (!cable) return 'unplugged'
  if (coverOpen) return 'coverOpen'
  if (paper === 'out') return 'paperOut'
  if (paper === 'low') return 'paperLow'
  return device.receipt ? 'receipt' : 'idle'
}

const STRIP_LINES = 12

function watchPaper(emulator: Emulator): () => Pick<FleetRow, 'lastDocument' | 'lastLine' | 'strip'> {
  const { device } = emulator
  const lines: string[] = []
  const add = (text: string) => {
    lines.push(text)
    if (lines.length > STRIP_LINES) lines.shift()
  }
  let lastDocument: FleetRow['lastDocument'] = null
  /** Id of the last document, which is read only when the row is requested. */
  let lastId: number | undefined
  const readAll = () => {
    lines.length = 0
    lastDocument = null
    lastId = device.documentHeads().at(-1)?.id
    for (const line of (lastId && device.document(lastId)?.text) || []) add(line)
  }
  let { generation } = emulator
  readAll()
  emulator.subscribe((event) => {
    if (event.type === 'frame') return
    if (event.type === 'line') add(event.text)
    if (event.type === 'document') lastId = event.id
    if (emulator.generation === generation) return
    generation = emulator.generation
    readAll()
  })
  const { lineWidth } = emulator.profile
  return () => {
    if (lastId !== undefined && lastId !== lastDocument?.id) {
      const [head] = device.documentHeads({ after: lastId - 1 })
      lastDocument = head ? headView(head) : null
    }
    return {
      lastDocument,
      lastLine: lines.findLast((line) => line.trim() !== '')?.trim() ?? '',
      strip: lines.map((line) => Math.min(9, Math.ceil((9 * line.trim().length) / lineWidth))).join(''),
    }
  }
}
