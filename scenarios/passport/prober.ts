import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { frameOf, type Probe } from '../../drivers/wire/passport-probes.ts'
import type {
  CommandCall,
  OpenReceiptStatus,
  PrintBlocker,
  Questionnaire,
  RepeatedQuery,
  ResponseParts,
} from '../../drivers/wire/questionnaire.ts'
import type { Conversation, ConversationSetup, Exchange } from './conversation.ts'
import { LineFlooded, LineLost, type LineResponse, type LineTimeouts } from './line.ts'

const SILENCE_MS = 60_000
const SILENCE_PAUSE_MS = 2_000
/** Maximum number of queries until the first answer that can be decoded. */
const GREETINGS = 3
const READING_MAX = 400

export class ConversationEnd extends Error {
  readonly why: NonNullable<Conversation['ended']>
  constructor(why: ConversationEnd['why'], detail?: string) {
    super(detail ?? why)
    this.why = why
  }
}

/** Thrown if the device was silent and answers again: the silence may have had a cause other than the request. */
export class DeviceAway extends Error {}

function ignoreNoResponse(problem: unknown): readonly LineResponse[] {
  if (problem instanceof DeviceAway) return []
  throw problem
}

export class Prober {
  readonly #talk: ConversationSetup
  readonly #q: Questionnaire
  readonly #clock: Clock
  readonly #start: number
  readonly #exchanges: Exchange[] = []
  #number: number
  #isClosing = false
  #hasChanged = false
  #printBlockers: readonly PrintBlocker[] | undefined
  /**
   * Requests that were followed by a silence. A second silence after the same request is the answer of the device to
   * it.
   */
  readonly #unansweredRequests = new Set<string>()
  state: ReceiptPhase = 'idle'

  constructor(talk: ConversationSetup) {
    const { first, last } = talk.q.numbers
    this.#talk = talk
    this.#q = talk.q
    this.#clock = talk.clock
    this.#start = talk.clock.now()
    this.#number = first + ((talk.seed ?? 0) % (last - first))
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges
  }

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** Must be called before the open receipt is closed. After that, an interrupt no longer ends the conversation. */
  closes(): void {
    this.#isClosing = true
  }

  /** Waits for the first answer. Rejects if the device does not answer `GREETINGS` queries. */
  async greet(): Promise<void> {
    for (let turn = 0; turn < GREETINGS; turn++) {
      const { response } = await this.#query(this.#q.state)
      if (response.frames.length > 0) return
    }
    throw new ConversationEnd('silent')
  }

  async readPrintBlockers(): Promise<readonly PrintBlocker[]> {
    const { frame, response } = await this.#query(this.#q.mechanism)
    const now = this.#printBlockersIn(frame, response) ?? []
    this.#printBlockers = now
    return now
  }

  async sendProbe(probe: Probe, attempt: number, closures?: number): Promise<void> {
    await this.#record(probe.write(this.#q, this.#next(), closures), { probe, attempt })
  }

  async execute(ask: CommandCall, probe?: Probe): Promise<boolean> {
    const frame = this.#frameOf(ask)
    const [response] = await this.#record([frame], probe && { probe })
    const parts = response && this.readResponse(frame, response)
    return parts !== undefined && parts.refusal === undefined
  }

  async readReceiptStatus(): Promise<OpenReceiptStatus> {
    // The first answer may be a late one to an earlier request.
    for (let turn = 0; turn < GREETINGS; turn++) {
      const frame = this.#frameOf(this.#q.state)
      const [response] = await this.#record([frame]).catch(ignoreNoResponse)
      const parts = response && this.readResponse(frame, response)
      if (parts) return this.#q.readReceiptStatus(parts)
    }
    return { receipt: 'none', isFiscal: true }
  }

  async readToEnd(probe: Probe, reads: RepeatedQuery): Promise<void> {
    const atMs = this.#now()
    const requests: Uint8Array[] = []
    const responses: LineResponse[] = []
    for (let ask = reads.first; requests.length < READING_MAX; ask = reads.again) {
      const frame = this.#frameOf(ask)
      const answer = await this.#say(frame)
      if (!this.readResponse(frame, answer)) await this.#expectDevice(probe.id)
      requests.push(frame)
      responses.push(answer)
      const parts = this.readResponse(frame, answer)
      if (!parts || parts.refusal !== undefined) break
    }
    this.#exchanges.push({ probe, attempt: 0, state: this.state, atMs, requests, responses, reads })
  }

  readResponse(frame: Uint8Array, response: LineResponse): ResponseParts | undefined {
    const request = this.#q.readRequest(frame)
    return request && this.#q.readAnswer(response.frames, request)
  }

  #now(): number {
    return this.#clock.now() - this.#start
  }

  #next(): number {
    const { first, last, skipped } = this.#q.numbers
    this.#number = this.#number >= last ? first : this.#number + 1
    if (this.#number === skipped) this.#number++
    return this.#number
  }

  #frameOf(ask: CommandCall): Uint8Array {
    return frameOf(this.#q, ask, this.#next())
  }

  #timeoutsFor(frame: Uint8Array): LineTimeouts {
    const request = this.#q.readRequest(frame)
    const command = request && this.#q.catalogue.find(request.code, request.data)
    const isPrinting = command?.prints === true
    const totalMs = command?.limitMs ?? (isPrinting ? 30_000 : 10_000)
    const firstMs = this.#q.busyByte === undefined ? (isPrinting ? totalMs : 3_000) : 1_500
    return { firstMs, gapMs: 1_500, totalMs, isWhole: command !== undefined && command.changes !== 'nothing' }
  }

  async #say(frame: Uint8Array): Promise<LineResponse> {
    this.#expectNoInterrupt()
    const request = this.#q.readRequest(frame)
    const command = request && this.#q.catalogue.find(request.code, request.data)
    if (command && command.changes !== 'nothing') this.#hasChanged = true
    try {
      return await this.#talk.line.ask(frame, this.#timeoutsFor(frame))
    } catch (problem) {
      if (problem instanceof LineFlooded) throw new ConversationEnd('flooded')
      if (problem instanceof LineLost) throw new ConversationEnd('lost', problem.message)
      throw problem
    }
  }

  async #query(ask: CommandCall): Promise<{ readonly frame: Uint8Array; readonly response: LineResponse }> {
    const frame = this.#frameOf(ask)
    const atMs = this.#now()
    const response = await this.#say(frame)
    this.#exchanges.push({ attempt: 0, state: this.state, atMs, requests: [frame], responses: [response] })
    return { frame, response }
  }

  async #record(
    frames: readonly Uint8Array[],
    probeFacts: Partial<Pick<Exchange, 'probe' | 'attempt'>> = {},
  ): Promise<readonly LineResponse[]> {
    const atMs = this.#now()
    const responses: LineResponse[] = []
    for (const frame of frames) responses.push(await this.#say(frame))
    // An interrupt may have cut the answer short.
    this.#expectNoInterrupt()
    const pairs = frames.map((frame, at) => [frame, responses[at] as LineResponse] as const)
    const isNotUnderstood = pairs.some(([frame, answer]) =>
      this.#q.readRequest(frame) ? !this.readResponse(frame, answer) : answer.bytes.length === 0,
    )
    if (isNotUnderstood) await this.#expectDevice(probeFacts.probe?.id ?? this.#textOf(frames[0] as Uint8Array))
    for (const [frame, answer] of pairs) await this.#expectSameMechanism(frame, answer)
    this.#exchanges.push({ attempt: 0, ...probeFacts, state: this.state, atMs, requests: frames, responses })
    return responses
  }

  #textOf(frame: Uint8Array): string {
    const { code, data } = this.#q.readRequest(frame) ?? { code: 0, data: hexOf(frame) }
    return `${code} ${data}`
  }

  #expectNoInterrupt(): void {
    if (!this.#isClosing && this.#talk.signal?.aborted) throw new ConversationEnd('interrupted')
  }

  #printBlockersIn(frame: Uint8Array, response: LineResponse): readonly PrintBlocker[] | undefined {
    const request = this.#q.readRequest(frame)
    const parts = this.readResponse(frame, response)
    return request && parts && this.#q.printBlockers(parts, request)
  }

  /**
   * Rejects if the conditions that block printing have changed since they were last read, and a second query confirms
   * that.
   */
  async #expectSameMechanism(frame: Uint8Array, response: LineResponse): Promise<void> {
    const printBlockers = this.#printBlockersIn(frame, response)
    const blockers = this.#printBlockers?.join()
    if (this.#isClosing || printBlockers === undefined || blockers === undefined || printBlockers.join() === blockers)
      return
    const question = this.#frameOf(this.#q.mechanism)
    const now = this.#printBlockersIn(question, await this.#say(question))
    if (now !== undefined && now.join() !== blockers) throw new ConversationEnd('hindered')
  }

  /**
   * Must be called if an answer could not be decoded. Resolves if the device answers the next query, or if the same
   * request was followed by a silence before. Rejects with DeviceAway if the device answers only later, and with
   * ConversationEnd after `SILENCE_MS`.
   */
  async #expectDevice(what: string): Promise<void> {
    const since = this.#clock.now()
    for (let turn = 0; ; turn++) {
      const frame = this.#frameOf(this.#q.state)
      const { frames } = await this.#say(frame)
      if (frames.length > 0) {
        if (turn === 0 || this.#unansweredRequests.has(what)) return
        this.#unansweredRequests.add(what)
        throw new DeviceAway()
      }
      if (this.#clock.now() - since >= SILENCE_MS) throw new ConversationEnd('silent')
      await new Promise<void>((resolve) => void this.#clock.after(SILENCE_PAUSE_MS, resolve))
    }
  }
}
