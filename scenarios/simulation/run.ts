/** A run in two phases: safety under faults, then liveness without faults. Throws Violation. */
import { simulate } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { ActiveRule } from '../../emulator/faults/injector.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { playCalls, programArticles, viewOf } from '../model/calls.ts'
import type { RecordedSubject } from '../model/subject.ts'
import type { Piece } from '../oracle/ledger.ts'
import { Client, endsWell, type Reply } from './client.ts'
import { Judge } from './judge.ts'
import { MANUAL_ACTIONS, type ManualAction, type ManualActionStep } from './manual-actions.ts'
import { memoryIdOf } from './memory-id.ts'
import { passwordOf } from './sent-requests.ts'
import { type Case, describeStep, type RequestStep, type Step } from './steps.ts'
import { World } from './world.ts'
import { isOnSqlite, type WorldOptions } from './world-options.ts'

export type DeliberateErrors = Pick<WorldOptions, 'families' | 'breakDevice' | 'breakPrinter'>

export interface RunResult {
  readonly requests: number
  readonly hits: number
  readonly simulatedMs: number
}

export class RunFailed extends Error {
  readonly trace: readonly string[]

  constructor(problem: unknown, trace: readonly string[]) {
    super(messageOf(problem), { cause: problem })
    this.name = 'RunFailed'
    this.trace = trace
  }
}

export async function runCase(one: Case, broken: DeliberateErrors = {}): Promise<RunResult> {
  const world = new World({ ...one, ...broken, onSqlite: isOnSqlite(one.seed) })
  let hits = 0
  world.onEvent = (event) => {
    if (event.type === 'fault') hits++
  }
  const run = new Run(world)
  const since = world.clock.now()
  try {
    const [only] = one.steps
    if (only?.do === 'calls') {
      const requests = await callsOn(world, only.draws)
      return { requests, hits, simulatedMs: world.clock.now() - since }
    }
    for (const step of one.steps) await run.perform(step)
    await run.liveness()
    return { requests: run.requests, hits, simulatedMs: world.clock.now() - since }
  } catch (problem) {
    throw new RunFailed(problem, world.trace())
  } finally {
    await world.close()
  }
}

async function callsOn(world: World, draws: readonly number[]): Promise<number> {
  let requests = 0
  const pieces: Piece[] = []
  const { onEvent } = world
  world.onEvent = (event) => {
    onEvent?.(event)
    if (event.type === 'frame') pieces.push({ direction: event.entry.direction, bytes: event.entry.bytes })
  }
  const ask = (path: string, body?: object) => {
    requests++
    return world.request(path, body)
  }
  programArticles(world.emulator)
  const subject: RecordedSubject = {
    post: (path, body) => ask(path, body as object | undefined),
    get: (path) => ask(path),
    device: async <T>(path: string) => viewOf(world.emulator, path) as T,
    troubles: world.troubles,
    pieces,
  }
  await playCalls(world.emulator, subject, draws)
  return requests
}

/**
 * Two flipped bits can result in another valid frame, which a 16-bit checksum cannot detect. Only one rule that damages
 * bytes may be active.
 */
const damages = ({ do: what }: Rule): boolean => what === 'refuse' || (typeof what === 'object' && 'flip' in what)
const isActive = ({ hits, times }: ActiveRule): boolean => times === undefined || hits < times

/**
 * Maximum wait while a device executes a command, in ms. A busy device sends busy bytes all the time, and minutes of
 * them show as much as a day.
 */
const BUSY_ENOUGH_MS = 600_000

/**
 * Age of a day, in ms, that is closed before the last receipt: after 24 hours a device accepts no sale before its Z
 * report.
 */
const LATE_MS = 23 * 3_600_000

function isLate({ device }: Emulator): boolean {
  const { since } = device.day
  return since !== null && device.now() - since >= LATE_MS
}

export class Run {
  readonly world: World
  readonly judge: Judge
  readonly #concurrentRequests: Promise<unknown>[] = []
  readonly #client: Client

  constructor(world: World) {
    this.world = world
    this.judge = new Judge(world)
    world.onReplacement = () => this.judge.noteReplacement()
    this.#client = new Client({
      password: passwordOf(world.family, world.families, world.emulator.profile.profile),
      clock: world.clock,
      send: ({ path, body, key }) => world.send(path, body, key),
      asks: (numbered) => this.judge.asks(numbered),
      onReply: (...args) => this.judge.onReply(...args),
    })
  }

  get requests(): number {
    return this.#client.requests
  }

  async perform(step: Step): Promise<void> {
    const { world } = this
    switch (step.do) {
      case 'fault':
        if (damages(step.rule) && world.emulator.faults.list().some((one) => damages(one) && isActive(one))) return
        world.note(() => describeStep(step))
        world.emulator.faults.add(step.rule)
        return
      case 'hand':
        world.note(() => describeStep(step))
        if (step.write === undefined) return this.#act(step.what)
        return world.atWrite('hand', step.write, () => this.#inTheMiddle(this.#act(step.what)), step.also)
      case 'cut':
        world.note(() => describeStep(step))
        return world.cutAtWrite(step.write, step.loses)
      case 'wait':
        return world.wait(world.devices.some(({ loop }) => loop.busy) ? Math.min(step.ms, BUSY_ENOUGH_MS) : step.ms)
      case 'otherProgram':
        world.note(() => describeStep(step))
        if (step.write === undefined) return world.otherProgram.act(step.deed, world.emulator)
        return world.atWrite(
          'otherProgram',
          step.write,
          () => {
            this.#inTheMiddle(this.#takeLine().then(() => world.otherProgram.begin(step.deed, world.emulator)))
          },
          step.also,
        )
      case 'replaceDevice':
        world.note(() => describeStep(step))
        if (step.write !== undefined) return world.replaceDeviceAtWrite(step, step.write, step.also)
        // Frames do not name their device, so concurrent requests must end before the cable is moved at the far end of
        // an open port.
        if (step.behindAdapter) await simulate(world.clock, this.#withOthers(Promise.resolve(undefined)))
        this.judge.noteReplacement()
        return world.replaceDevice(step)
      case 'meanwhile':
        world.note(() => describeStep(step))
        return world.atWrite('meanwhile', step.write, () => this.#meanwhile(step.request))
      case 'journal':
        world.note(() => describeStep(step))
        world.disk.fail(step.trouble, step.skip, step.times)
        return
      case 'wall clock':
        world.note(() => describeStep(step))
        world.jumpWallClock(step.byMs, step.write)
        return
      case 'crash':
        world.dieAtWrite(step.write, step.unsent)
        await this.request(step.during)
        world.spare()
        return world.restart()
      case 'calls':
        throw new RangeError('a case with calls that the model judges has no other steps')
      case 'restart':
        world.note(() => describeStep(step))
        return this.#restart(step)
      default:
        await this.request(step)
    }
  }

  async #act(what: ManualAction): Promise<void> {
    const { emulator, attribution } = this.world
    const { play, makesDocuments } = MANUAL_ACTIONS[what] as ManualActionStep
    if (makesDocuments) await attribution.as('hand', emulator, () => play(emulator))
    else await play(emulator)
    if (what === 'the trouble ends') this.world.mendLine()
  }

  async #restart({ write, losesPower }: Extract<Step, { do: 'restart' }>): Promise<void> {
    const { world } = this
    await world.restart({ losesPower: losesPower === true })
    if (write !== undefined) world.dieAtWrite(write)
    await world.start()
    world.spare()
    if (write !== undefined) await world.restart()
  }

  request(step: RequestStep): Promise<Reply | undefined> {
    return simulate(this.world.clock, this.#withOthers(this.send(step)))
  }

  #meanwhile(step: RequestStep): void {
    this.#inTheMiddle(this.send(step))
  }

  /**
   * Takes the line from the service, as another program must: pulls the cable and plugs it in again, unless the line is
   * cut.
   */
  async #takeLine(): Promise<void> {
    const { world } = this
    if (world.isLineCut) return
    await world.emulator.setCable(false)
    await world.emulator.setCable(true)
  }

  #inTheMiddle(other: Promise<unknown>): void {
    other.catch(() => undefined)
    this.#concurrentRequests.push(other)
  }

  async #withOthers(reply: Promise<Reply | undefined>): Promise<Reply | undefined> {
    await reply
    await Promise.all(this.#concurrentRequests.splice(0))
    return reply
  }

  send(step: RequestStep): Promise<Reply | undefined> {
    return this.#client.send(step)
  }

  /** Ends all faults. The next requests must succeed, and the totals must balance. */
  async liveness(): Promise<void> {
    const { world } = this
    await world.heal()
    const { device } = world.emulator
    const { lastDocument } = device.counters
    // After a receipt of another program, a late opening does not have the number that the service looks for.
    const { attribution } = world
    const isDecided =
      attribution.hasOtherDecided(memoryIdOf(world.emulator), lastDocument) ||
      (world.cameLate && attribution.isOthers(memoryIdOf(world.emulator), lastDocument - 1))
    const isOthers = (): boolean => attribution.openOfOthers(world.emulator) !== undefined
    // The query lets the service close or cancel the receipt, if it can.
    if (isDecided && !isOthers()) await this.request({ do: 'status' })
    if (isOthers() || (isDecided && device.receipt !== null)) {
      await world.otherProgram.act('cancels what is open', world.emulator)
      await world.otherProgram.act('ends what is open', world.emulator)
    }
    const must = await endsWell((step) => this.request(step), this.judge.mayBeOpen)
    // After its Z report, a day contains nothing to judge.
    this.judge.books()
    if (isLate(world.emulator)) await must({ do: 'z' })
    await must({ do: 'receipt', rows: 2, paying: 'card and cash', key: false })
    await must({ do: 'z' })
    this.judge.final()
  }
}
