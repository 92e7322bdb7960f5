/**
 * The same promises over a real wire, in real time: an emulated device on a pty, judged by its journal, or any device
 * at a path or an address, judged by what it answers. Only trouble that a wire can produce; the rest is named with the
 * reason why it was not run. On a device of somebody else nothing is reduced: every try is paper.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Binding, openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { readJson } from '../../drivers/model/json.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { effectName } from '../../emulator/faults/effects.ts'
import { compose } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import type { Service } from '../../server/service.ts'
import { caseOf, LEFT_OUT } from './arbitraries.ts'
import type { CheckResult, Failure } from './check.ts'
import { JournalReader } from './journal.ts'
import { Judge, Violation } from './judge.ts'
import { type Case, inWords, type RequestStep, type Step, sentBy } from './steps.ts'
import { ON_A_WIRE, type Tap, tapped } from './tap.ts'
import type { Family, Reply } from './world.ts'

export type WireTarget = { readonly kind: 'pty' } | { readonly kind: 'device'; readonly device: string }

export interface WireOptions {
  readonly target: WireTarget
  readonly family: Family
  readonly runs: number
  readonly seed: number
  readonly path?: string
  readonly length?: number
}

/** What is left out, and why. */
const NOT_RUN = [
  'command.before, command.after, memory.write, paper.line: these places are inside the device',
  'powerCut, paperOut, coverOpen, memoryFull, busyMs: nothing on a wire makes a device do that',
  'crash: a service that dies is run on the embedded device and with real processes',
  'waiting: a day takes a day here',
]
const ON_TCP = 'link.toDevice, link.toHost: trouble is put on serial ports only, this target is an address'

const LENGTH = 6

/** Few frames pass in the short runs of a wire: what is skipped first must leave something to strike at. */
const SKIPPED_AT_MOST = 5

/** A case with only what a wire can do. */
const onAWire = (one: Case, hasTap: boolean): Case => ({
  ...one,
  steps: one.steps.flatMap((step): Step[] => {
    if (step.do === 'hand' || step.do === 'wait' || step.do === 'crash') return []
    if (step.do !== 'fault') return [step]
    const { rule } = step
    if (!hasTap || !rule.at.startsWith('link.') || !ON_A_WIRE.includes(effectName(rule.do))) return []
    return [{ ...step, rule: { ...rule, skip: (rule.skip ?? 0) % (SKIPPED_AT_MOST + 1) } }]
  }),
})

export async function checkWire(options: WireOptions): Promise<CheckResult> {
  const { target, family, runs, seed, path } = options
  const began = performance.now()
  const isOurs = target.kind === 'pty'
  const hasTap = isOurs || !target.device.startsWith('tcp:')
  const sums = { runs: 0, requests: 0, hits: 0 }
  const cases = caseOf(family, options.length ?? LENGTH).map((one) => onAWire(one, hasTap))
  const property = fc.asyncProperty(cases, async (one) => {
    const ran = await runOnWire(one, target)
    sums.runs++
    sums.requests += ran.requests
    sums.hits += ran.hits
  })
  const result = await fc.check(property, {
    numRuns: runs,
    seed,
    ...(path !== undefined && { path }),
    endOnFailure: !isOurs,
  })
  const told = {
    family,
    seed,
    ...sums,
    simulatedMs: 0,
    tookMs: performance.now() - began,
    notRun: [...NOT_RUN, ...(hasTap ? LEFT_OUT[family] : [ON_TCP])],
  }
  const [reduced] = result.counterexample ?? []
  if (!result.failed || reduced === undefined) return told
  const why = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  const failure: Failure = {
    seed: result.seed,
    path: result.counterexamplePath ?? '',
    case: reduced,
    why,
    words: reduced.steps.map(inWords),
    trace: result.errorInstance instanceof WireFailed ? result.errorInstance.trace : [],
    shrinks: result.numShrinks,
  }
  return { ...told, failure }
}

class WireFailed extends Error {
  readonly trace: readonly string[]

  constructor(problem: unknown, trace: readonly string[]) {
    super(problem instanceof Error ? problem.message : String(problem), { cause: problem })
    this.trace = trace
  }
}

async function runOnWire(one: Case, target: WireTarget): Promise<{ requests: number; hits: number }> {
  const wire = await openWire(one, target)
  try {
    for (const step of one.steps) await wire.perform(step)
    await wire.end()
    return { requests: wire.requests, hits: wire.tap?.hits ?? 0 }
  } catch (problem) {
    throw new WireFailed(problem, wire.trace)
  } finally {
    await wire.close()
  }
}

async function openWire(one: Case, target: WireTarget): Promise<Wire> {
  // Of a device of somebody else only the names of its frames are used.
  const emulator = createEmulator({ family: one.family })
  if (target.kind === 'device') return new Wire(one, target.device, emulator, false)
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-check-'))
  const link = join(folder, 'printer')
  await emulator.openPty(link)
  return new Wire(one, link, emulator, true, () => rmSync(folder, { recursive: true, force: true }))
}

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))

class Wire {
  readonly trace: string[] = []
  readonly tap: Tap | undefined
  requests = 0
  readonly #family: Family
  readonly #service: Service
  readonly #ends: (() => void | Promise<void>)[]
  /** Only our own device shows its journal. */
  readonly #judge: Judge | undefined
  #lastNumber = 0
  #keyed: { readonly key: string; readonly request: number; readonly step: RequestStep } | undefined

  constructor(one: Case, device: string, emulator: Emulator, isOurs: boolean, after: () => void = () => undefined) {
    this.#family = one.family
    const hasTap = !device.startsWith('tcp:')
    this.tap = hasTap ? tapped(lateBinding(), emulator.wire, one.seed) : undefined
    const began = Date.now()
    const printer = openPrinter(
      { family: one.family, device },
      {
        ...(this.tap && { binding: this.tap }),
        trace: ({ direction, bytes }) => {
          const { command } = emulator.wire.describe(direction, bytes)
          const sign = direction === 'toDevice' ? '>' : '<'
          this.trace.push(
            `${String(Date.now() - began).padStart(8)} ms    ${sign} ${command} ${Buffer.from(bytes).toString('hex')}`,
          )
        },
      },
    )
    const troubles: string[] = []
    const log = { trouble: (error: unknown) => troubles.push(String(error)) }
    const settings = settingsOf({}, { family: one.family })
    const { service, stores } = compose({ settings, printer, clock: systemClock, log })
    this.#service = service
    this.#judge = isOurs ? new Judge({ emulator, journal: new JournalReader(emulator), troubles }) : undefined
    this.#ends = [() => printer.disconnect(), () => stores.close(), () => emulator.close(), after]
  }

  async perform(step: Step): Promise<void> {
    if (step.do === 'fault') {
      this.trace.push(inWords(step))
      this.tap?.add(step.rule)
    } else if (step.do !== 'hand' && step.do !== 'wait' && step.do !== 'crash') await this.#request(step)
  }

  /** No more trouble: the next requests succeed. */
  async end(): Promise<void> {
    this.tap?.clear()
    const status = await this.#must({ do: 'status' })
    const { IsOpen, Kind } = status.data as { IsOpen: boolean; Kind: string }
    if (IsOpen) await this.#endOpen(Kind)
    await this.#must({ do: 'receipt', rows: 1, paying: 'nothing said', key: true })
    await this.#must({ do: 'z' })
    this.#judge?.final()
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end()
  }

  async #endOpen(kind: string): Promise<void> {
    if (kind === 'NonFiscal') throw new Violation('a non-fiscal receipt of a request that has ended stands open')
    const cancelled = await this.#request({ do: 'cancel' })
    if (cancelled?.status === 200) return
    await this.#request({ do: 'payRest' })
    await this.#must({ do: 'close' })
  }

  async #must(step: RequestStep): Promise<Reply> {
    const reply = await this.#request(step)
    if (reply?.status === 200) return reply
    throw new Violation(`with all faults off, "${inWords(step)}" was answered ${reply?.status}: ${reply?.message}`)
  }

  async #request(step: RequestStep): Promise<Reply | undefined> {
    const asked = step.do === 'again' ? this.#keyed : this.#prepare(step)
    if (!asked || asked.step.do === 'again') return undefined
    const { path, body, total } = sentBy(asked.step, asked.request, this.#family)
    this.trace.push(`request: ${path} ${JSON.stringify(body ?? {})}`)
    const reply = await this.#send(path, body, asked.key === '' ? undefined : asked.key)
    this.trace.push(`answer: ${reply.status} ${JSON.stringify(reply.data)} ${reply.message}`)
    this.#judge?.heard(asked.request, asked.step, total, reply)
    if (!this.#judge && asked.step.do === 'receipt' && step.do !== 'again') this.#judgeByNumber(reply)
    return reply
  }

  #prepare(step: RequestStep): { key: string; request: number; step: RequestStep } {
    const request = ++this.requests
    const hasKey = 'key' in step && step.key
    const asked = { key: hasKey ? `check-${request}` : '', request, step }
    if (hasKey) this.#keyed = asked
    return asked
  }

  /** All that a foreign device shows: its numbers grow, and no document that nobody asked for lies between. */
  #judgeByNumber(reply: Reply): void {
    if (reply.status !== 200) return
    const number = Number(reply.data)
    if (!(number > this.#lastNumber))
      throw new Violation(`receipt ${String(reply.data)} follows receipt ${this.#lastNumber}`)
    this.#lastNumber = number
  }

  async #send(path: string, body: object | undefined, key: string | undefined): Promise<Reply> {
    const endpoint = byPath.get(path)
    if (!endpoint) throw new RangeError(`no endpoint ${path}`)
    const since = Date.now()
    const asked = { params: {}, body: body === undefined ? undefined : readJson(JSON.stringify(body)) }
    const reply = await this.#service.handle(endpoint, asked, key, { until: since + REQUEST_MAX_MS })
    const said = JSON.parse(reply.body) as { Data?: unknown; Message?: string }
    return { status: reply.status, data: said.Data, message: said.Message ?? '', tookMs: Date.now() - since }
  }
}

/** The system's binding is native code: loaded when the first port is opened. */
const lateBinding = (): Binding => ({
  open: async (options) => {
    const binding: Binding = (await import('@serialport/bindings-cpp')).autoDetect()
    return binding.open(options)
  },
})
