/**
 * Commands and their answers, for every family. Reads the start-up facts before the first command, numbers and writes
 * commands, parses and judges answers. The `ProtocolAdapter` contains the differences of the family.
 */
import { badValue, DeviceError, type DeviceProblem, isOutcomeUnknown, isUnanswered } from '../model/errors.ts'
import {
  type Condition,
  type DeviceAnswer,
  type DeviceNumbers,
  isSame,
  nameOfDevice,
  type PrintResult,
} from '../model/printer.ts'
import { badValueOf } from '../wire/bad-value.ts'
import type { ByteText, CodePage } from '../wire/charset.ts'
import { type AnyCommand, factsOf } from '../wire/command.ts'
import { FieldError } from '../wire/field.ts'
import { SequenceNumberTaken } from './failure.ts'
import type {
  Answer,
  CommandResult,
  Device,
  DeviceClient,
  NameOf,
  ProtocolAdapter,
  ResultOf,
  StartupClient,
  WireTypes,
} from './protocol-adapter.ts'
import type { AskOptions, Link, LinkResponse } from './types.ts'

export interface Session<W extends WireTypes> {
  readonly link: Link<W['frame']>
  readonly edition: W['edition']
  readonly facts: W['facts'] | undefined
  readonly identity: W['facts']['identity'] | undefined
  readonly conditions: ReadonlySet<Condition>
  /** Opens the port and reads the start-up facts, if that has not been done. */
  start(): Promise<W['facts']>
  /** Records the device that the caller now knows. Later operations do not print on another device. */
  noteReportedDevice(numbers: DeviceNumbers): void
  look<T>(run: (device: Device<W>) => Promise<T>): Promise<T>
  /** Runs a query. Rejects if the device is not the one that the caller knows. */
  queryReportedDevice<T>(run: (device: Device<W>) => Promise<T>): Promise<T>
  perform<T extends object>(run: (device: Device<W>) => Promise<T>): Promise<T & PrintResult>
  print(run: (device: Device<W>) => Promise<{ readonly text: string }>): Promise<DeviceAnswer>
}

const NO_CONDITIONS: ReadonlySet<Condition> = new Set()

const POSTPONED_MAX = 3

export const createSession = <W extends WireTypes>(
  link: Link<W['frame']>,
  protocolAdapter: ProtocolAdapter<W>,
  documentMs?: number,
): Session<W> => new LinkSession(link, protocolAdapter, documentMs)

class LinkSession<W extends WireTypes> implements Session<W> {
  readonly link: Link<W['frame']>
  readonly protocolAdapter: ProtocolAdapter<W>
  readonly #documentMs: number | undefined
  edition: W['edition']
  facts: W['facts'] | undefined
  identity: W['facts']['identity'] | undefined
  conditions: ReadonlySet<Condition> = NO_CONDITIONS
  #number: number
  #starting: Promise<W['facts']> | undefined
  #reportedDevice: DeviceNumbers | undefined

  constructor(link: Link<W['frame']>, protocolAdapter: ProtocolAdapter<W>, documentMs: number | undefined) {
    this.link = link
    this.protocolAdapter = protocolAdapter
    this.#documentMs = documentMs
    this.edition = protocolAdapter.edition
    this.#number = protocolAdapter.number.before()
    link.onOpened(() => {
      this.facts = undefined
      this.conditions = NO_CONDITIONS
      this.#starting = undefined
    })
  }

  // Arrow functions, because the families destructure the session.

  readonly start = async (): Promise<W['facts']> => {
    if (!this.link.isOpen) await this.link.open()
    if (this.facts !== undefined) return this.facts
    this.#starting ??= this.#readStartupFacts()
    const mine = this.#starting
    try {
      const answers = await mine
      if (this.#starting === mine) {
        this.facts = answers
        this.identity = answers.identity
      }
      return answers
    } finally {
      if (this.#starting === mine) this.#starting = undefined
    }
  }

  readonly noteReportedDevice = (numbers: DeviceNumbers): void => {
    this.#reportedDevice = numbers
  }

  readonly look = async <T>(run: (device: Device<W>) => Promise<T>): Promise<T> => {
    return run(this.#operating(await this.start()))
  }

  readonly queryReportedDevice = async <T>(run: (device: Device<W>) => Promise<T>): Promise<T> => {
    await this.#assertReportedDevice()
    const answer = await this.look(run)
    await this.#assertReportedDevice()
    return answer
  }

  readonly perform = async <T extends object>(run: (device: Device<W>) => Promise<T>): Promise<T & PrintResult> => {
    const began = await this.start()
    const operation: Operation = { hold: this.link.hold, retransmitted: false }
    try {
      const answer = await run(this.#operating(began, operation))
      return { ...answer, retransmitted: operation.retransmitted }
    } catch (problem) {
      const { retransmitted } = operation
      const unknown = unknownOutcomeAfter(operation, problem)
      if (unknown) throw new DeviceError(unknown, retransmitted)
      if (!retransmitted || !(problem instanceof DeviceError) || problem.retransmitted) throw problem
      throw new DeviceError(problem.problem, retransmitted)
    }
  }

  readonly print = (run: (device: Device<W>) => Promise<{ readonly text: string }>): Promise<DeviceAnswer> =>
    this.perform(async (device) => ({ text: (await run(device)).text }))

  #operating(began: W['facts'], operation?: Operation): Device<W> {
    return new OperatedDevice(this, operation, began)
  }

  #readStartupFacts(): Promise<W['facts']> {
    const { protocolAdapter } = this
    this.#number = protocolAdapter.number.before()
    this.edition = protocolAdapter.edition
    return protocolAdapter.readStartupFacts(new StartingDevice(this))
  }

  /** Throws once if the device was replaced since the caller last queried it. */
  async #assertReportedDevice(): Promise<void> {
    const { identity } = await this.start()
    const before = this.#reportedDevice
    if (before === undefined || isSame(before, identity)) return
    this.#reportedDevice = undefined
    throw this.exchanged(before)
  }

  exchanged(before: DeviceNumbers): DeviceError {
    return replacedDeviceError(this.link, before, this.facts?.identity)
  }

  #request(command: AnyCommand, values: unknown): { readonly bytes: Uint8Array; readonly data: ByteText } {
    const { protocolAdapter } = this
    try {
      const data = command.request.write(values, protocolAdapter.page(this.edition))
      this.#number = protocolAdapter.number.next(this.#number)
      return { bytes: protocolAdapter.write(this.#number, command.code, data), data }
    } catch (problem) {
      if (problem instanceof FieldError) throw badValueOf(problem, command.request.fields)
      // Every field is within its limits, but together they do not fit into a frame.
      if (problem instanceof RangeError) throw new DeviceError(badValue(command.name, problem.message))
      throw problem
    }
  }

  /**
   * Returns the condition that ends an answer of several frames. The condition also acknowledges each line of a stream.
   */
  #until(streams: boolean): Pick<AskOptions<W['frame']>, 'until'> {
    const { link, protocolAdapter } = this
    const { isLast, lineAcknowledgement } = protocolAdapter
    if (!isLast) return {}
    return {
      until(frame) {
        const last = isLast(frame, streams)
        // The acknowledgement waits for the end of the current turn. Otherwise an embedded device would send the next
        // line within this turn.
        if (streams && !last && lineAcknowledgement)
          queueMicrotask(() => void link.write(lineAcknowledgement).catch(() => undefined))
        return last
      },
    }
  }

  /**
   * Sends a command. `judging`: the client for queries during the judgement. Throws the reported problem if the device
   * did not execute the command.
   */
  async exchange(
    name: NameOf<W>,
    values: unknown,
    streams: boolean,
    operation: Operation | undefined,
    judging: DeviceClient<W>,
  ): Promise<ExchangeResult<W>> {
    const { link, protocolAdapter } = this
    for (let postponements = 0; ; postponements++) {
      await protocolAdapter.ready?.()
      const command = protocolAdapter.command(name, this.edition)
      const { bytes, data } = this.#request(command, values)
      const { fiscal } = command
      const limitMs = command.limitMs === undefined ? undefined : (this.#documentMs ?? command.limitMs)
      if (fiscal) await this.#assertReportedDevice()
      if (fiscal && operation && operation.hold !== link.hold)
        throw new DeviceError(link.connectionLost('it was reopened in the middle of an operation'))
      const facts = factsOf(command, values)
      let response: LinkResponse<W['frame']>
      try {
        response = await link.ask(bytes, {
          name: facts.runsAs,
          ...(protocolAdapter.times?.({ name, limitMs }, streams) ?? (limitMs !== undefined && { totalMs: limitMs })),
          ...(fiscal && { fiscal }),
          ...(facts.once && { once: true }),
          ...(fiscal && facts.prints && facts.allowedIn !== 'betweenReceipts' && { mayWait: true }),
          ...this.#until(streams),
        })
        noteRetransmission(operation, response)
      } catch (problem) {
        if (problem instanceof DeviceError) noteRetransmission(operation, problem)
        if (problem instanceof SequenceNumberTaken && postponements < POSTPONED_MAX) continue
        if (operation && isOutcomeUnknown(problem)) operation.lastExecuted = facts.runsAs
        throw problem
      }
      const { frames, retransmitted } = response
      const page = protocolAdapter.page(this.edition)
      const lines = frames.map((frame) => (streams ? protocolAdapter.lines?.(frame, page) : undefined))
      const frame = streams ? frames.find((_, place) => lines[place] === undefined) : frames.at(-1)
      const answer = frame === undefined ? undefined : protocolAdapter.read(frame, command, data)
      this.conditions = (answer && protocolAdapter.conditions?.(answer, command)) ?? this.conditions
      const verdict = answer && (await protocolAdapter.judge(answer, facts, judging))
      if (verdict === 'again') {
        if (postponements < POSTPONED_MAX) continue
        throw new DeviceError(
          { kind: 'notThisFamily', why: `it postponed ${name} ${postponements + 1} times` },
          retransmitted,
        )
      }
      if (verdict) {
        if (fiscal && retransmitted) link.doubtIfShared()
        const problem = new DeviceError(verdict, retransmitted)
        if (!fiscal && operation?.lastExecuted !== undefined) operation.refusedQuery = problem
        throw problem
      }
      if (fiscal && operation) operation.lastExecuted = facts.runsAs
      return { answer: answer && this.#read(answer, command, page), lines: lines.flatMap((some) => some ?? []) }
    }
  }

  #read({ data, status }: Answer<W>, command: AnyCommand, page: CodePage): CommandResult<unknown, W['status']> {
    if (data === undefined) return { values: undefined, text: '', status }
    try {
      return { values: command.response.read(data, page), text: this.protocolAdapter.text(page.decode(data)), status }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      const why = `its response to ${command.name} has the wrong form: ${problem.message}`
      throw new DeviceError({ kind: 'notThisFamily', why })
    }
  }
}

/**
 * Sends commands without a start-up before them: the base of the other clients, and the client `withoutStartup` of an
 * operation. A class, because every operation creates two clients and closures would cost more.
 */
class OperatingDevice<W extends WireTypes> implements DeviceClient<W> {
  protected readonly session: LinkSession<W>
  protected readonly operation: Operation | undefined

  constructor(session: LinkSession<W>, operation?: Operation) {
    this.session = session
    this.operation = operation
  }

  get link(): Link<W['frame']> {
    return this.session.link
  }

  get edition(): W['edition'] {
    return this.session.edition
  }

  get page(): CodePage {
    return this.session.protocolAdapter.page(this.session.edition)
  }

  /** Resolves when the start-up is complete; `undefined` if no wait is necessary. */
  protected ready(): Promise<unknown> | undefined {
    return undefined
  }

  protected get judging(): DeviceClient<W> {
    return this
  }

  async #exchange(name: NameOf<W>, values: unknown, streams: boolean): Promise<ExchangeResult<W>> {
    await this.ready()
    return this.session.exchange(name, values, streams, this.operation, this.judging)
  }

  async ask<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<ResultOf<W, Name>> {
    return (await this.#exchange(name, values, false)).answer as ResultOf<W, Name>
  }

  async askUnlessRefused<Name extends NameOf<W>>(
    refusals: readonly W['refusal'][] | 'any',
    name: Name,
    values: W['requests'][Name],
  ): Promise<ResultOf<W, Name> | undefined> {
    try {
      return await this.ask(name, values)
    } catch (problem) {
      if (isRefusal(problem, refusals)) return undefined
      throw problem
    }
  }

  async lines<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<readonly string[]> {
    return (await this.#exchange(name, values, true)).lines
  }
}

class StartingDevice<W extends WireTypes> extends OperatingDevice<W> implements StartupClient<W> {
  useEdition(edition: W['edition']): void {
    this.session.edition = edition
  }
}

class OperatedDevice<W extends WireTypes> extends OperatingDevice<W> implements Device<W> {
  readonly facts: W['facts']
  readonly withoutStartup: DeviceClient<W>
  readonly #hold: number

  constructor(session: LinkSession<W>, operation: Operation | undefined, facts: W['facts']) {
    super(session, operation)
    this.facts = facts
    this.#hold = session.link.hold
    this.withoutStartup = new OperatingDevice(session, operation)
  }

  protected override ready(): Promise<unknown> | undefined {
    const { session } = this
    return session.facts !== undefined && session.link.isOpen ? undefined : session.start()
  }

  protected override get judging(): DeviceClient<W> {
    return this.withoutStartup
  }

  get isHeld(): boolean {
    return this.session.link.hold === this.#hold
  }

  assertSameDevice(): void {
    const { facts } = this.session
    if (facts === undefined || !isSame(facts.identity, this.facts.identity))
      throw this.session.exchanged(this.facts.identity)
  }
}

export function replacedDeviceError<Frame>(
  link: Link<Frame>,
  before: DeviceNumbers,
  now: DeviceNumbers | undefined,
): DeviceError {
  const answers = now ? nameOfDevice(now, before) : 'another device'
  const expected = now ? nameOfDevice(before, now) : before.serialNumber
  return new DeviceError(link.connectionLost(`${answers} responds there now instead of ${expected}`))
}

/**
 * Returns `outcomeUnknown` for a failure after a command that the device executed or may have executed. Returns
 * `undefined` if the problem is to be reported unchanged.
 */
function unknownOutcomeAfter(
  { lastExecuted: command, refusedQuery }: Operation,
  problem: unknown,
): DeviceProblem | undefined {
  if (command === undefined || !(problem instanceof DeviceError)) return undefined
  const because = (what: string): DeviceProblem => ({ kind: 'outcomeUnknown', what, command })
  if (problem === refusedQuery) return because('the device rejected further queries')
  const { kind } = problem.problem
  if (kind === 'outcomeUnknown') return undefined
  if (kind === 'notThisFamily') return because('the device no longer sent valid responses')
  return isUnanswered(problem.problem) ? because('the device stopped responding') : undefined
}

interface Operation {
  /** `hold` of the line at the beginning of the operation. Answers from another line do not count. */
  readonly hold: number
  retransmitted: boolean
  lastExecuted?: string
  refusedQuery?: DeviceError
}

interface ExchangeResult<W extends WireTypes> {
  /** `undefined` if the answer consists only of lines. */
  readonly answer: CommandResult<unknown, W['status']> | undefined
  readonly lines: readonly string[]
}

function noteRetransmission(operation: Operation | undefined, { retransmitted }: PrintResult): void {
  if (operation && retransmitted) operation.retransmitted = true
}

export const isRefusal = (problem: unknown, keys: readonly string[] | 'any'): problem is DeviceError =>
  problem instanceof DeviceError &&
  problem.problem.kind === 'refused' &&
  (keys === 'any' || keys.includes(problem.problem.key))
