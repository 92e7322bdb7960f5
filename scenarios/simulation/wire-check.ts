/**
 * Checks the promises over a real wire, in real time: on an emulated device on a pty, judged by its journal, or on any
 * device at a path or an address, judged by its answers. Only faults that a wire can produce are injected.
 */

import { join } from 'node:path'
import { type Binding, openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { effectName, faultLine } from '../../emulator/faults/effects.ts'
import { compose } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { caseOf, omittedFaults } from './arbitraries.ts'
import { type CheckResult, search } from './check.ts'
import { Client, describeCall, describeReply, endsWell, type NumberedRequest, type Reply } from './client.ts'
import { JournalReader } from './journal.ts'
import { Judge } from './judge.ts'
import { type FaultyBinding, LINE_EFFECTS, withLineFaults } from './line-faults.ts'
import { RequestChannel } from './request-channel.ts'
import { RunFailed, type RunResult } from './run.ts'
import { passwordOf } from './sent-requests.ts'
import { type Case, describeStep, isRequest, type Step } from './steps.ts'
import { Violation } from './violation.ts'

export type WireTarget = { readonly kind: 'pty' } | { readonly kind: 'device'; readonly device: string }

interface WireOptions {
  readonly target: WireTarget
  readonly family: Family
  readonly runs: number
  readonly seed: number
  readonly path?: string
  readonly length?: number
}

const NOT_RUN = [
  'command.before, command.after, memory.write, paper.line: these places are inside the device',
  'powerCut, paperOut, coverOpen, memoryFull, busyMs: nothing on a wire makes a device do that',
  'crash: a service that dies is run on the embedded device and with real processes',
  'waiting: a day takes a day here',
]
const ON_TCP = 'link.toDevice, link.toHost: trouble is put on serial ports only, this target is an address'

const DEFAULT_WIRE_STEPS = 6

/** Maximum of `skip`. Runs on a wire are short, so a rule that skips more frames would not be triggered. */
const SKIPPED_AT_MOST = 5

const onAWire = (one: Case, hasTap: boolean): Case => ({
  ...one,
  steps: one.steps.flatMap((step): Step[] => {
    if (isRequest(step)) return [step]
    if (step.do !== 'fault') return []
    const { rule } = step
    if (!hasTap || !rule.at.startsWith('link.') || !LINE_EFFECTS.includes(effectName(rule.do))) return []
    return [{ ...step, rule: { ...rule, skip: (rule.skip ?? 0) % (SKIPPED_AT_MOST + 1) } }]
  }),
})

export function checkWire({ target, ...options }: WireOptions): Promise<CheckResult> {
  const { family, length = DEFAULT_WIRE_STEPS } = options
  const hasTap = target.kind === 'pty' || !target.device.startsWith('tcp:')
  return search(options, {
    cases: caseOf(family, length).map((one) => onAWire(one, hasTap)),
    run: (one) => runOnWire(one, target),
    notRun: [...NOT_RUN, ...(hasTap ? omittedFaults(family) : [ON_TCP])],
    // A real device needs paper for each attempt.
    isExpensive: target.kind === 'device',
  })
}

async function runOnWire(one: Case, target: WireTarget): Promise<RunResult> {
  const wire = await openWire(one, target)
  try {
    for (const step of one.steps) await wire.perform(step)
    await wire.end()
    return { requests: wire.requests, hits: wire.tap?.hits ?? 0, simulatedMs: 0 }
  } catch (problem) {
    throw new RunFailed(problem, wire.trace)
  } finally {
    await wire.close()
  }
}

async function openWire(one: Case, target: WireTarget): Promise<Wire> {
  // A real device is not emulated, and the emulator only names the frames.
  const emulator = createEmulator({ family: one.family })
  if (target.kind === 'device') return new Wire(one, target.device, emulator, false)
  const folder = temporaryFolder('check')
  const link = join(folder.path, 'printer')
  await emulator.openPty(link)
  return new Wire(one, link, emulator, true, () => folder.remove())
}

class Wire {
  readonly trace: string[] = []
  readonly tap: FaultyBinding | undefined
  readonly #client: Client
  readonly #ends: (() => void | Promise<void>)[]
  readonly #judge: Judge | undefined
  readonly #numbered = new Set<number>()
  #lastNumber = 0

  constructor(one: Case, device: string, emulator: Emulator, isOurs: boolean, after: () => void = () => undefined) {
    const { family, seed } = one
    const hasTap = !device.startsWith('tcp:')
    const began = performance.now()
    const note = (text: string) => {
      const time = (performance.now() - began).toFixed(0).padStart(8)
      this.trace.push(`${time} ms    ${text}`)
    }
    this.tap = hasTap
      ? withLineFaults(lateBinding(), emulator.wire, seed, undefined, (fault) => note(faultLine(fault)))
      : undefined
    const printer = openPrinter(
      { family, device },
      {
        ...(this.tap && { binding: this.tap }),
        trace: ({ direction, bytes }) => {
          const { command } = emulator.wire.describe(direction, bytes)
          const sign = direction === 'toDevice' ? '>' : '<'
          note(`${sign} ${command} ${Buffer.from(bytes).toString('hex')}`)
        },
      },
    )
    const troubles: string[] = []
    const log = { trouble: (error: unknown) => troubles.push(String(error)) }
    const clock = systemClock
    const { service, stores } = compose({ settings: settingsOf({}, { family }), printer, clock, log })
    const channel = new RequestChannel(service, stores)
    this.#judge = isOurs
      ? new Judge({ devices: [emulator], journals: [new JournalReader(emulator)], troubles })
      : undefined
    this.#client = new Client({
      password: passwordOf(family),
      clock,
      send: async (call) => {
        this.trace.push(describeCall(call))
        const reply = await channel.handle(call)
        this.trace.push(describeReply(reply))
        return reply
      },
      onReply: (numbered, sent, reply) => {
        if (this.#judge) this.#judge.onReply(numbered, sent, reply)
        else if (numbered.step.do === 'receipt') this.#judgeByNumber(numbered, reply)
      },
    })
    this.#ends = [() => printer.disconnect(), () => stores.close(), () => emulator.close(), after]
  }

  get requests(): number {
    return this.#client.requests
  }

  async perform(step: Step): Promise<void> {
    if (step.do === 'fault') {
      this.trace.push(describeStep(step))
      this.tap?.add(step.rule)
    } else if (isRequest(step)) await this.#client.send(step)
  }

  async end(): Promise<void> {
    this.tap?.clear()
    const must = await endsWell((step) => this.#client.send(step), { fiscal: true, slip: true, untouched: true })
    this.#judge?.books()
    await must({ do: 'receipt', rows: 1, paying: 'nothing said', key: true })
    await must({ do: 'z' })
    this.#judge?.final()
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end()
  }

  /** A real device shows only the order of its receipt numbers. */
  #judgeByNumber({ request }: NumberedRequest, { status, data }: Reply): void {
    if (status !== 200 || this.#numbered.has(request)) return
    this.#numbered.add(request)
    const number = Number(data)
    if (!(number > this.#lastNumber)) throw new Violation(`receipt ${String(data)} follows receipt ${this.#lastNumber}`)
    this.#lastNumber = number
  }
}

/** Loads the binding of the system, which is native code, when the first port is opened. */
const lateBinding = (): Binding => ({
  open: async (options) => {
    const binding: Binding = (await import('@serialport/bindings-cpp')).autoDetect()
    return binding.open(options)
  },
})
