import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import { frameOf, type Probe } from '../../drivers/wire/probe.ts'
import type { Ask, Questionnaire, Reading, Said, Standing } from '../../drivers/wire/questionnaire.ts'
import type { Conversation, Exchange, Talk } from './conversation.ts'
import { type Heard, LineLost, type Patience } from './line.ts'

/** One thing is said to a device, is numbered, waited for, and kept with what it answered. */

/** A device that says nothing for so long has stopped. */
const SILENCE_MS = 60_000
const SILENCE_PAUSE_MS = 2_000
/** Questions to one who has not said anything yet. */
const GREETINGS = 3
const READING_MAX = 400

/** What ends a conversation before its end. */
export class Ended extends Error {
  readonly why: NonNullable<Conversation['ended']>
  constructor(why: Ended['why']) {
    super(why)
    this.why = why
  }
}

export class Voice {
  readonly #talk: Talk
  readonly #q: Questionnaire
  readonly #clock: Clock
  readonly #start: number
  readonly #exchanges: Exchange[] = []
  #number: number
  #isClosing = false
  /** In which the device stands, as far as we know. */
  state: ReceiptPhase = 'idle'

  constructor(talk: Talk) {
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

  /** From now on an interrupt does not end it: what stands open is being closed. */
  closes(): void {
    this.#isClosing = true
  }

  /** Nobody who is asked for the first time is waited for as long as one who has answered. */
  async greet(): Promise<void> {
    for (let turn = 0; turn < GREETINGS; turn++) {
      const frame = this.#frameOf(this.#q.state)
      const atMs = this.#now()
      const heard = await this.#say(frame)
      this.#exchanges.push({ attempt: 0, state: this.state, atMs, requests: [frame], heard: [heard] })
      if (heard.frames.length > 0) return
    }
    throw new Ended('silent')
  }

  async asks(probe: Probe, attempt: number): Promise<void> {
    await this.#record(probe.write(this.#q, this.#next()), { probe, attempt })
  }

  /** Whether it was carried out. */
  async does(ask: Ask, probe?: Probe): Promise<boolean> {
    const frame = this.#frameOf(ask)
    const [heard] = await this.#record([frame], probe && { probe })
    const said = heard && this.saidBy(frame, heard)
    return said !== undefined && said.refusal === undefined
  }

  async stand(): Promise<Standing> {
    const frame = this.#frameOf(this.#q.state)
    const [heard] = await this.#record([frame])
    const said = heard && this.saidBy(frame, heard)
    return said ? this.#q.standing(said) : { receipt: 'none', isFiscal: true }
  }

  async readsToItsEnd(probe: Probe, reads: Reading): Promise<void> {
    const atMs = this.#now()
    const requests: Uint8Array[] = []
    const heard: Heard[] = []
    for (let ask = reads.first; requests.length < READING_MAX; ask = reads.again) {
      const frame = this.#frameOf(ask)
      const answer = await this.#say(frame)
      requests.push(frame)
      heard.push(answer)
      const said = this.saidBy(frame, answer)
      if (!said || said.refusal !== undefined) break
    }
    this.#exchanges.push({ probe, attempt: 0, state: this.state, atMs, requests, heard, reads })
  }

  saidBy(frame: Uint8Array, heard: Heard): Said | undefined {
    const request = this.#q.request(frame)
    return request && this.#q.said(heard.frames, request)
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

  #frameOf(ask: Ask): Uint8Array {
    return frameOf(this.#q, ask, this.#next())
  }

  #patienceFor(frame: Uint8Array): Patience {
    const request = this.#q.request(frame)
    const command = request && this.#q.catalogue.find(request.code, request.data)
    const isPrinting = command?.prints === true
    const totalMs = command?.limitMs ?? (isPrinting ? 30_000 : 10_000)
    return { firstMs: this.#q.busyByte === undefined ? (isPrinting ? totalMs : 3_000) : 1_500, gapMs: 1_500, totalMs }
  }

  async #say(frame: Uint8Array): Promise<Heard> {
    if (!this.#isClosing && this.#talk.signal?.aborted) throw new Ended('interrupted')
    try {
      return await this.#talk.line.ask(frame, this.#patienceFor(frame))
    } catch (problem) {
      if (problem instanceof LineLost) throw new Ended('lost')
      throw problem
    }
  }

  async #record(
    frames: readonly Uint8Array[],
    of: Partial<Pick<Exchange, 'probe' | 'attempt'>> = {},
  ): Promise<readonly Heard[]> {
    const atMs = this.#now()
    const heard: Heard[] = []
    for (const frame of frames) heard.push(await this.#say(frame))
    this.#exchanges.push({ attempt: 0, ...of, state: this.state, atMs, requests: frames, heard })
    const isSilent = heard.some(({ bytes }, at) => bytes.length === 0 && this.#q.request(frames[at] as Uint8Array))
    if (isSilent) await this.#isThere()
    return heard
  }

  /** A command that said nothing at all: is somebody still there? */
  async #isThere(): Promise<void> {
    const since = this.#clock.now()
    while (true) {
      const heard = await this.#say(this.#frameOf(this.#q.state))
      if (heard.bytes.length > 0) return
      if (this.#clock.now() - since >= SILENCE_MS) throw new Ended('silent')
      await new Promise<void>((resolve) => void this.#clock.after(SILENCE_PAUSE_MS, resolve))
    }
  }
}
