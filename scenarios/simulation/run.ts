/**
 * One run in two phases: safety under faults, then liveness with faults off. Throws Violation.
 */
import { simulate } from '../../drivers/model/clock.ts'
import type { ActiveRule } from '../../emulator/faults/injector.ts'
import type { Rule } from '../../emulator/faults/plan.ts'
import { Judge, Violation } from './judge.ts'
import { type Case, type Hand, inWords, type RequestStep, type Step, sentBy } from './steps.ts'
import { type Reply, World, type WorldOptions } from './world.ts'

export type Broken = Pick<WorldOptions, 'breakDevice' | 'breakPrinter'>

export interface Ran {
  readonly requests: number
  /** Hits of fault rules. */
  readonly hits: number
  readonly simulatedMs: number
}

/** A violation with the wire before it. */
export class RunFailed extends Error {
  readonly trace: readonly string[]

  constructor(problem: unknown, world: World) {
    super(problem instanceof Error ? problem.message : String(problem), { cause: problem })
    this.name = 'RunFailed'
    this.trace = world.trace().map(({ at, what }) => `${String(at).padStart(8)} ms  ${what}`)
  }
}

export async function runCase(one: Case, broken: Broken = {}): Promise<Ran> {
  const world = new World({ ...one, ...broken })
  let hits = 0
  world.emulator.subscribe((event) => {
    if (event.type === 'fault') hits++
  })
  const run = new Run(world)
  const since = world.clock.now()
  try {
    for (const step of one.steps) await run.perform(step)
    await run.liveness()
    return { requests: run.requests, hits, simulatedMs: world.clock.now() - since }
  } catch (problem) {
    throw new RunFailed(problem, world)
  } finally {
    await world.close()
  }
}

/**
 * Two bits flipped in one frame may make another good frame: sums of 16 bits cannot see that, and no driver can. So one
 * rule at a time damages bytes.
 */
const damages = ({ do: what }: Rule): boolean => what === 'refuse' || (typeof what === 'object' && 'flip' in what)
const isActive = ({ hits, times }: ActiveRule): boolean => times === undefined || hits < times

interface Keyed {
  readonly key: string
  readonly request: number
  readonly step: RequestStep
  readonly at: number
}

/** A device in the middle of a command beats on its line for as long as it waits: minutes of that tell all about a day. */
const BUSY_ENOUGH_MS = 600_000

/** Answers are kept for 24 hours (decisions 3): no client asks for one that may be forgotten meanwhile. */
const ASKED_AGAIN_WITHIN_MS = 23 * 3_600_000

export class Run {
  readonly world: World
  readonly judge: Judge
  requests = 0
  #keyed: Keyed | undefined

  constructor(world: World) {
    this.world = world
    this.judge = new Judge(world)
  }

  async perform(step: Step): Promise<void> {
    const { world } = this
    switch (step.do) {
      case 'fault':
        if (damages(step.rule) && world.emulator.faults.list().some((one) => damages(one) && isActive(one))) return
        world.note(inWords(step))
        world.emulator.faults.add(step.rule)
        return
      case 'hand':
        world.note(inWords(step))
        return this.#byHand(step.what)
      case 'wait':
        return world.wait(world.emulator.loop.busy ? Math.min(step.ms, BUSY_ENOUGH_MS) : step.ms)
      case 'crash':
        world.dieAtWrite(step.write)
        await this.request(step.during)
        world.spare()
        return world.restart()
      default:
        await this.request(step)
    }
  }

  /** One request to its answer, judged. */
  request(step: RequestStep): Promise<Reply | undefined> {
    return simulate(this.world.clock, this.send(step))
  }

  /** The same without moving the time: for clients at once. */
  async send(step: RequestStep): Promise<Reply | undefined> {
    const keyed = step.do === 'again' ? this.#keyed : this.#prepare(step)
    if (!keyed || this.world.clock.now() - keyed.at > ASKED_AGAIN_WITHIN_MS) return undefined
    const { request, step: asked } = keyed
    if (asked.do === 'again') return undefined
    const { path, body, total } = sentBy(asked, request, this.world.family)
    const key = keyed.key === '' ? undefined : keyed.key
    const reply = await this.world.send(path, body, key)
    this.judge.heard(request, asked, total, reply)
    return reply
  }

  #prepare(step: RequestStep): Keyed {
    const request = ++this.requests
    const hasKey = 'key' in step && step.key
    const keyed = { key: hasKey ? `key-${request}` : '', request, step, at: this.world.clock.now() }
    if (hasKey) this.#keyed = keyed
    return keyed
  }

  async #byHand(what: Hand): Promise<void> {
    const { emulator } = this.world
    switch (what) {
      case 'paper out':
        return emulator.setPaper('out')
      case 'paper in':
        return emulator.setPaper('ok')
      case 'cover open':
      case 'cover closed':
        return emulator.setCover(what === 'cover open')
      case 'power off':
      case 'power on':
        return emulator.setPower(what === 'power on')
      case 'cable out':
      case 'cable in':
        return emulator.setCable(what === 'cable in')
    }
  }

  /** Faults off: the next requests succeed, and the day balances. `zFirst`: the day may be older than 24 hours. */
  async liveness(zFirst = true): Promise<void> {
    await this.world.heal()
    const open = await this.#must({ do: 'status' })
    const { IsOpen, Kind } = open.data as { IsOpen: boolean; Kind: string }
    if (IsOpen) await this.#endOpen(Kind)
    if (zFirst) await this.#must({ do: 'z' })
    await this.#must({ do: 'receipt', rows: 2, paying: 'card and cash', key: false })
    await this.#must({ do: 'z' })
    this.judge.final()
  }

  async #endOpen(kind: string): Promise<void> {
    if (!this.judge.mayBeOpen || kind === 'NonFiscal') {
      throw new Violation(`a ${kind} receipt of a request that has ended stands open`)
    }
    const cancelled = await this.request({ do: 'cancel' })
    if (cancelled?.status === 200) return
    await this.request({ do: 'payRest' })
    await this.#must({ do: 'close' })
  }

  async #must(step: RequestStep): Promise<Reply> {
    const reply = await this.request(step)
    if (reply?.status === 200) return reply
    throw new Violation(`with all faults off, "${inWords(step)}" was answered ${reply?.status}: ${reply?.message}`)
  }
}
