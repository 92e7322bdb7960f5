/**
 * The tests' till for family A, in simulated time. Without a defect it passes the exam. The till follows the protocol
 * specification, reads frames with the oracle, and shares no code with the drivers.
 */
import type { TillJob } from '../../scenarios/exam/job.ts'
import { hundredthsOf } from '../../scenarios/exam/job.ts'
import type { OpenTill, Run, Till, TillEnvironment } from '../../scenarios/exam/till.ts'
import { fieldsA, readDeviceA } from '../../scenarios/oracle/frames-a.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { LineLost, PlainLine } from './plain-line.ts'

export type Defect =
  | 'uses a new number for a retry'
  | 'prints again without asking'
  | 'claims before the answer'
  | 'never gives up'
  | 'leaves a receipt open'
  | 'sells into a foreign receipt'
  | 'reports a failure for ever'
  | 'accepts a damaged answer'
  | 'takes busy for silence'
  | 'does not check the remaining amount'
  | 'takes a refusal for an answer'

export const plainTill = (defect?: Defect): Till => ({
  name: defect ?? 'a careful till',
  way: 'inside',
  open: (place) => new PlainTill(place, defect),
})

const SILENCE_MS = 600
const TRIES = 3
const PATIENCE_MS = 25_000
const PAPER_MS = 8000
const PAUSE_MS = 300
const NO_PAPER = '-112006'
const SILENCE = 'silence'
const LATER_MS = 12_000

class Unanswered extends Error {}
class Refused extends Error {}

interface Standing {
  readonly open: number
  readonly doc: number
  readonly items: number
  readonly amount: number
  readonly paid: number
}

class PlainTill implements OpenTill {
  readonly #place: TillEnvironment
  readonly #defect: Defect | undefined
  /** The note that the till stores before it begins a sale. The note survives a crash of the till. */
  #notes: { readonly id: string; readonly before: number } | undefined
  readonly #hasFailed = new Set<string>()
  #life: { isDead: boolean; readonly end: (run: Run) => void; readonly line: PlainLine } | undefined
  #seq = 0x40

  constructor(place: TillEnvironment, defect: Defect | undefined) {
    this.#place = place
    this.#defect = defect
  }

  async run(job: TillJob): Promise<Run> {
    const { timeoutMs, time } = this.#place
    const line = new PlainLine(this.#place)
    const { promise, resolve } = Promise.withResolvers<Run>()
    const life = { isDead: false, end: resolve, line }
    this.#life = life
    const cancel = time.clock.after(timeoutMs, () => resolve({ claim: 'hung' }))
    this.#sold(job).then(resolve, () => resolve({ claim: 'crashed', message: 'an unforeseen error' }))
    const run = await promise
    cancel()
    life.isDead = true
    await line.close()
    return run
  }

  kill(): void {
    const life = this.#life
    if (!life) return
    life.isDead = true
    life.end({ claim: 'crashed', message: 'killed by the exam' })
  }

  async close(): Promise<void> {
    this.kill()
  }

  async #sold(job: TillJob): Promise<Run> {
    const is = (defect: Defect) => this.#defect === defect
    if (is('reports a failure for ever') && this.#hasFailed.has(job.id)) return { claim: 'failed' }
    try {
      return { claim: 'printed', receipt: String(await this.#sell(job)) }
    } catch (problem) {
      this.#hasFailed.add(job.id)
      if (problem instanceof Refused) return { claim: 'failed', message: problem.message }
      if (problem instanceof Unanswered) return { claim: is('reports a failure for ever') ? 'failed' : 'unknown' }
      throw problem
    }
  }

  async #sell(job: TillJob): Promise<number> {
    const is = (defect: Defect) => this.#defect === defect
    if (is('claims before the answer')) return this.#fireAndForget(job)
    let standing = await this.#queryReceipt()
    const printed = is('prints again without asking') ? undefined : await this.#earlier(job, standing)
    if (printed !== undefined) return printed
    standing = await this.#queryReceipt()
    if (standing.open > 0 && is('leaves a receipt open')) throw new Refused('a receipt is open')
    const isInside = standing.open > 0 && standing.open < 5 && is('sells into a foreign receipt')
    if (!isInside) await this.#clear(standing)
    const { doc: before } = isInside ? { doc: standing.doc - 1 } : await this.#queryReceipt()
    this.#notes = { id: job.id, before }
    if (!isInside) await this.#step(48, `1\t${this.#place.password}\t1\t\t`, (it) => it.open > 0 && it.doc > before)
    const already = isInside ? standing.items : 0
    for (const [index, { name, taxCode, price, quantity }] of job.items.entries()) {
      const data = `${name}\t${taxCode}\t${price}\t${quantity}\t0\t\t0\t\t`
      await this.#step(49, data, (it) => it.items > already + index)
    }
    await this.#pay(isInside ? undefined : job, 0)
    await this.#step(56, '', (it) => it.open === 0 && it.doc > before)
    return (await this.#queryReceipt()).doc
  }

  async #pay(job: TillJob | undefined, already: number): Promise<void> {
    if (!job) {
      await this.#step(53, '\t\t\t', (it) => it.paid >= it.amount)
      return
    }
    let paid = 0
    for (const { mode, amount } of job.payments) {
      paid += hundredthsOf(amount)
      const due = paid
      if (due > already) await this.#step(53, `${mode}\t${amount}\t\t`, (it) => it.paid >= due)
    }
  }

  async #finish(standing: Standing, job?: TillJob): Promise<void> {
    if (standing.paid < standing.amount && this.#defect !== 'does not check the remaining amount')
      await this.#pay(job, standing.paid)
    await this.#step(56, '', (it) => it.open === 0 && it.doc === standing.doc)
  }

  async #clear(standing: Standing): Promise<void> {
    if (standing.open === 5) await this.#step(39, '', (it) => it.open === 0)
    else if (standing.open > 0 && standing.paid === 0) await this.#step(60, '', (it) => it.open === 0)
    else if (standing.open > 0) await this.#finish(standing)
  }

  /** Resolves to the number of the receipt that an earlier attempt has printed, or to `undefined`. */
  async #earlier(job: TillJob, standing: Standing): Promise<number | undefined> {
    if (this.#notes?.id !== job.id || standing.doc <= this.#notes.before) return undefined
    const isWhole = standing.amount === hundredthsOf(job.total)
    if (standing.open > 0 && standing.paid > 0 && isWhole) {
      await this.#finish(standing, job)
      return standing.doc
    }
    return standing.open === 0 && isWhole && standing.paid >= standing.amount ? standing.doc : undefined
  }

  async #fireAndForget(job: TillJob): Promise<number> {
    const send = (command: number, data: string) =>
      this.#line()
        .write(buildHostA(this.#next(), command, data))
        .catch(() => undefined)
    await send(48, `1\t${this.#place.password}\t1\t\t`)
    for (const { name, taxCode, price, quantity } of job.items)
      await send(49, `${name}\t${taxCode}\t${price}\t${quantity}\t0\t\t0\t\t`)
    for (const { mode, amount } of job.payments) await send(53, `${mode}\t${amount}\t\t`)
    await send(56, '')
    return 0
  }

  /** Executes a command once. `isDone` determines from the receipt whether the device has executed it. */
  async #step(command: number, data: string, isDone: (standing: Standing) => boolean): Promise<void> {
    const until = this.#place.time.clock.now() + PAPER_MS
    for (let refusals = 0; ; ) {
      try {
        await this.#act(command, data)
        return
      } catch (problem) {
        if (problem instanceof Refused) {
          if (this.#defect === 'takes a refusal for an answer') return
          const isSilence = problem.message === SILENCE
          if (!isSilence && problem.message !== NO_PAPER && ++refusals > 1) throw problem
          if (!isSilence && this.#place.time.clock.now() > until) throw problem
          await this.#line().sleep(isSilence ? LATER_MS : PAUSE_MS)
        } else if (!(problem instanceof Unanswered)) throw problem
        // A refused command was not executed. Only a missing response requires a query.
        else if (this.#defect === 'uses a new number for a retry') await this.#line().sleep(PAUSE_MS)
        else if (isDone(await this.#queryReceipt())) return
      }
    }
  }

  async #queryReceipt(): Promise<Standing> {
    const { clock } = this.#place.time
    for (const until = clock.now() + PATIENCE_MS; clock.now() < until || this.#defect === 'never gives up'; ) {
      try {
        const fields = await this.#exchange(this.#next(), 76, '')
        if (fields) {
          const [, open, doc, items, amount = '', paid = ''] = fields
          return {
            open: Number(open),
            doc: Number(doc),
            items: Number(items),
            amount: hundredthsOf(amount),
            paid: hundredthsOf(paid),
          }
        }
      } catch (problem) {
        if (!(problem instanceof LineLost)) throw problem
        await this.#line().sleep(PAUSE_MS)
      }
    }
    throw new Unanswered()
  }

  /**
   * Sends a command and retransmits it under its own number for a while. A device recognizes the number until it loses
   * its power.
   */
  async #act(command: number, data: string): Promise<void> {
    const seq = this.#next()
    for (let n = 0; n < TRIES; n++) {
      const isNew = this.#defect === 'uses a new number for a retry' && n > 0
      try {
        if (await this.#exchange(isNew ? this.#next() : seq, command, data)) return
      } catch (problem) {
        if (!(problem instanceof LineLost)) throw problem
        throw new Unanswered()
      }
    }
    throw new Unanswered()
  }

  async #exchange(seq: number, command: number, data: string): Promise<readonly string[] | undefined> {
    await this.#line().write(buildHostA(seq, command, data))
    const since = this.#place.time.clock.now()
    for (;;) {
      const piece = await this.#line().next(SILENCE_MS)
      if (!piece || piece.kind === 'nak') return undefined
      if (piece.kind === 'busy') {
        const isImpatient = this.#defect === 'takes busy for silence'
        // An impatient till mistakes a busy device for a silent device, assumes that nothing was received, and tries
        // again later.
        if (isImpatient && this.#place.time.clock.now() - since > SILENCE_MS * TRIES) throw new Refused(SILENCE)
        continue
      }
      const answer = this.#read(piece.bytes)
      if (!answer) return undefined
      // A late frame is the response to an earlier command.
      if (answer.seq !== seq || answer.command !== command) continue
      const [code = ''] = answer.fields
      if (code !== '0') throw new Refused(code)
      return answer.fields
    }
  }

  #read(bytes: Uint8Array): { readonly seq: number; readonly command: number; readonly fields: string[] } | undefined {
    const answer = readDeviceA(bytes)
    if (!('wrong' in answer)) return { ...answer, fields: [...answer.fields] }
    if (this.#defect !== 'accepts a damaged answer' || bytes.length < 26) return undefined
    const command = [...bytes.subarray(6, 10)].reduce((value, nibble) => value * 16 + (nibble & 15), 0)
    const data = Buffer.from(bytes.subarray(10, -15)).toString('latin1')
    return { seq: bytes[5] ?? 0, command, fields: fieldsA(data) }
  }

  #next(): number {
    this.#seq = this.#seq < 0xff ? this.#seq + 1 : 0x20
    return this.#seq
  }

  #line(): PlainLine {
    if (!this.#life || this.#life.isDead) throw new Error('dead')
    return this.#life.line
  }
}
