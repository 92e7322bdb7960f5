/** The steps of a scenario, one after the other: requests, hands, clock, faults, waiting, repeating, checking. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from './checks.ts'
import type { HttpAnswer, HttpCall } from './inject.ts'
import type { LoadedStep } from './load.ts'
import { differences, shown } from './match.ts'
import type { Check, Expectation } from './schema.ts'
import type { Rig } from './target/target.ts'
import { milliseconds } from './time.ts'
import { fill, partOf, UnknownName } from './values.ts'
import type { FrameView, RuleView } from './views.ts'

export class StepFailed extends Error {
  readonly step: LoadedStep
  readonly problems: readonly Problem[]

  constructor(step: LoadedStep, problems: readonly Problem[]) {
    super(problems.map(({ what }) => what).join('\n'))
    this.step = step
    this.problems = problems
  }
}

interface Answered {
  readonly http: HttpAnswer | undefined
  /** Members of the envelope, and `headers`. */
  readonly members: Readonly<Record<string, unknown>>
}

type Values = Readonly<Record<string, unknown>>

const HTTP_VERB = /^(get|post|put|delete|patch) (.+)$/
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 50
const SHOWN_MAX = 2000

export class Stepper {
  readonly #rig: Rig
  readonly #scope: Map<string, unknown>
  readonly #check: (check: Check) => Promise<Problem[]>
  /** Faults that never struck are no mistake. */
  readonly #isLenient: boolean
  asked: string | undefined
  answered: string | undefined
  /** Frames that had passed before the step at hand. */
  heardBefore = 0
  hasFaults = false
  isUnheard = false
  #printed = 0

  constructor(rig: Rig, scope: Map<string, unknown>, check: (check: Check) => Promise<Problem[]>, isLenient: boolean) {
    this.#rig = rig
    this.#scope = scope
    this.#check = check
    this.#isLenient = isLenient
  }

  /** Throws StepFailed at the first step that fails. */
  async playAll(steps: readonly LoadedStep[]): Promise<void> {
    for (const step of steps) {
      const families = step.raw['families'] as readonly string[] | undefined
      if (families && !families.includes(this.#rig.family)) continue
      if (step.children.length === 0) {
        this.heardBefore = this.#rig.heard?.() ?? 0
        this.asked = undefined
        this.answered = undefined
      }
      await this.#one(step)
    }
  }

  async #one(step: LoadedStep): Promise<void> {
    let problems: readonly Problem[]
    try {
      problems = await this.#do(step)
    } catch (error) {
      if (error instanceof StepFailed || (error instanceof Error && error.constructor.name === 'Unreachable'))
        throw error
      problems = [{ what: error instanceof UnknownName || error instanceof Error ? error.message : String(error) }]
    }
    if (problems.length > 0) throw new StepFailed(step, problems)
  }

  async #do(step: LoadedStep): Promise<readonly Problem[]> {
    const { verb, raw, children } = step
    const value = children.length > 0 ? undefined : fill(raw[verb], this.#scope)
    switch (verb) {
      case 'paper':
        return this.#hand('paper', { state: value })
      case 'cover':
        return this.#hand('cover', { open: value === 'open' })
      case 'power':
        this.isUnheard = true
        return this.#hand('power', { on: value === 'on' })
      case 'cable':
        return this.#hand('cable', { connected: value === 'in' })
      case 'display':
        this.#rig.setDisplay?.(value === 'in')
        return []
      case 'clock':
        return this.#clock(value as { set?: string; advance?: string })
      case 'articles':
        return this.#hand('articles', value)
      case 'reset':
        return this.#hand('reset', value)
      case 'fault':
        return this.#fault(value)
      case 'clearFaults':
        return this.#clearFaults()
      case 'platformFault':
        await this.#rig.platform?.fault(value as object)
        return []
      case 'wire':
        return this.#wire(value as { send: string; answer?: unknown })
      case 'restart':
        await this.#rig.restart?.()
        return []
      case 'wait':
        return this.#wait(value)
      case 'repeat':
        return this.#repeat(raw['repeat'] as { times: unknown; as?: string }, children)
      case 'together':
        return this.#together(step)
      case 'check':
        return this.#check(value as Check)
      case 'include':
        for (const [name, given] of Object.entries((raw['with'] ?? {}) as Values))
          this.#scope.set(name, fill(given, this.#scope))
        await this.playAll(children)
        return []
      default:
        return this.#request(step)
    }
  }

  // ---------------------------------------------------------------- requests

  async #request(step: LoadedStep): Promise<readonly Problem[]> {
    const call = await this.#callOf(step)
    const answered = await this.#ask(call, step)
    const problems = judge(expectationOf(step, this.#scope), answered, isLegacy(step))
    return problems.length > 0 ? problems : this.#keep(step.raw['keep'], answered, isLegacy(step))
  }

  async #callOf({ verb, raw }: LoadedStep): Promise<HttpCall> {
    const literal = HTTP_VERB.exec(verb)
    const path = verb === 'legacy' ? '/Receipt' : String(fill(literal ? literal[2] : raw[verb], this.#scope))
    const method = verb === 'legacy' ? 'post' : (literal?.[1] ?? verb)
    const body: unknown = fill(verb === 'legacy' || literal ? raw[verb] : raw['body'], this.#scope)
    const text =
      typeof raw['raw'] === 'string'
        ? raw['raw']
        : body === undefined || body === null
          ? undefined
          : JSON.stringify(body)
    const headers: Record<string, string> = {}
    if (text !== undefined) headers['Content-Type'] = 'application/json'
    if (raw['key'] !== undefined) headers['Idempotency-Key'] = String(fill(raw['key'], this.#scope))
    if (raw['session'] !== undefined) headers['Authorization'] = `Bearer ${await this.#token(raw['session'])}`
    Object.assign(headers, fill(raw['headers'] ?? {}, this.#scope))
    return { method, path: `/api${path}`, headers, ...(text !== undefined && { body: text }) }
  }

  async #token(session: unknown): Promise<string> {
    const query = session === true ? {} : (fill(session, this.#scope) as Readonly<Record<string, string>>)
    return (await this.#rig.platform?.token(query)) ?? ''
  }

  async #ask(call: HttpCall, { raw }: LoadedStep): Promise<Answered> {
    const { time } = this.#rig
    this.asked = `${call.method.toUpperCase()} ${call.path}${call.body === undefined ? '' : ` ${call.body.slice(0, SHOWN_MAX)}`}`
    const pending = this.#rig.call(call)
    const patience = raw['giveUpAfter'] as string | undefined
    const cancel = patience === undefined ? undefined : time.clock.after(milliseconds(patience), pending.hangUp)
    const http = await time.until(pending.answer)
    cancel?.()
    this.answered = http ? `${http.status} ${http.text.slice(0, SHOWN_MAX)}` : 'no answer: the client gave up'
    return { http, members: membersOf(http) }
  }

  /** What is not there cannot be kept: better said here than where it is used. */
  #keep(keep: unknown, { members }: Answered, whole: boolean): readonly Problem[] {
    const wanted =
      typeof keep === 'string' ? { [keep]: whole ? '' : 'Data' } : ((keep ?? {}) as Readonly<Record<string, string>>)
    return Object.entries(wanted).flatMap(([name, path]) => {
      const value = partOf(members, path)
      if (value === undefined) return [{ what: `there is no ${path} to keep as ${name}` }]
      this.#scope.set(name, value)
      return []
    })
  }

  /** All requests of the children, as many times as is said, at the same moment. */
  async #together(step: LoadedStep): Promise<readonly Problem[]> {
    const { times = 1 } = step.raw['together'] as { times?: unknown }
    const count = Number(fill(times, this.#scope))
    const asked = step.children.flatMap((child) => Array.from({ length: count }, () => child))
    const calls = await Promise.all(asked.map((child) => this.#callOf(child)))
    this.asked = `${calls.length} requests at once, the first: ${calls[0]?.method.toUpperCase()} ${calls[0]?.path}`
    const pending = calls.map((call) => this.#rig.call(call).answer)
    const answers = await this.#rig.time.until(Promise.all(pending))
    const counts = new Map<string, number>()
    for (const http of answers) {
      const status = http ? String(http.status) : 'none'
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    this.answered = [...counts].map(([status, number]) => `${number} x ${status}`).join(', ')
    const expect = fill(step.raw['expect'], this.#scope) as { statuses?: Values } | undefined
    if (expect?.statuses) return plain(differences(expect.statuses, Object.fromEntries(counts), 'statuses'))
    return asked.flatMap((child, index) =>
      judge(
        expectationOf(child, this.#scope),
        { http: answers[index], members: membersOf(answers[index]) },
        isLegacy(child),
      ),
    )
  }

  // ---------------------------------------------------------------- the device

  async #hand(what: string, body: unknown): Promise<readonly Problem[]> {
    this.asked = `POST /emulator/${what} ${JSON.stringify(body)}`
    await this.#rig.panel?.('POST', `/emulator/${what}`, body)
    return []
  }

  /** The control interface knows whole seconds. */
  #clock({ set, advance }: { set?: string; advance?: string }): Promise<readonly Problem[]> {
    if (set !== undefined) return this.#hand('clock', { set })
    return this.#hand('clock', { advance: `PT${Math.round(milliseconds(advance ?? '0s') / 1000)}S` })
  }

  async #fault(value: unknown): Promise<readonly Problem[]> {
    const rules = (Array.isArray(value) ? value : [value]) as readonly { readonly do?: unknown }[]
    this.hasFaults = true
    if (rules.some((rule) => rule.do === 'powerCut')) this.isUnheard = true
    for (const rule of rules) await this.#rig.panel?.('POST', '/emulator/faults', rule)
    return []
  }

  /** What was there without ever striking is a mistake here as at the end. */
  async #clearFaults(): Promise<readonly Problem[]> {
    const rules = (await this.#rig.panel?.('GET', '/emulator/faults')) as readonly RuleView[] | undefined
    await this.#rig.panel?.('DELETE', '/emulator/faults')
    if (this.#isLenient) return []
    return (rules ?? [])
      .filter(({ hits }) => hits === 0)
      .map(({ id: _id, hits: _hits, ...rule }) => ({ what: `the fault never struck: ${shown(rule)}` }))
  }

  async #wire({ send, answer }: { send: string; answer?: unknown }): Promise<readonly Problem[]> {
    const { wire, panel } = this.#rig
    if (!wire || !panel) return [{ what: 'no line of our own leads to the device' }]
    const before = ((await panel('GET', '/emulator/frames')) as readonly FrameView[]).at(-1)?.id ?? 0
    this.asked = send
    const heard = Buffer.from(await wire.ask(Buffer.from(send.replaceAll(' ', ''), 'hex')))
    const hex = heard
      .toString('hex')
      .toUpperCase()
      .replace(/(..)(?=.)/g, '$1 ')
    this.answered = hex
    if (answer === undefined) return []
    if (typeof answer === 'string')
      return answer.toUpperCase() === hex ? [] : [{ what: `expected the bytes ${answer}, there came ${hex}` }]
    const frames = (await panel('GET', `/emulator/frames?after=${before}`)) as readonly FrameView[]
    const last = frames.filter(({ direction, command }) => direction === 'toHost' && command !== 'unknown').at(-1)
    if (!last) return [{ what: `there came no frame, but ${hex === '' ? 'nothing' : hex}` }]
    return plain(differences(answer, last, 'answer'))
  }

  // ---------------------------------------------------------------- order of things

  async #wait(value: unknown): Promise<readonly Problem[]> {
    const { time } = this.#rig
    if (typeof value === 'string') {
      await time.sleep(milliseconds(value))
      return []
    }
    const { until, atMost } = value as { until: Check; atMost?: string }
    const end = time.clock.now() + (atMost === undefined ? WAIT_MS : milliseconds(atMost))
    for (;;) {
      const problems = await this.#check(until)
      if (problems.length === 0) return []
      if (time.clock.now() >= end) return [{ what: `it did not come within ${atMost ?? '10s'}` }, ...problems]
      await time.sleep(LOOK_AGAIN_MS)
    }
  }

  async #repeat(
    { times, as }: { times: unknown; as?: string },
    children: readonly LoadedStep[],
  ): Promise<readonly Problem[]> {
    const count = Number(fill(times, this.#scope))
    for (let n = 1; n <= count; n++) {
      if (as !== undefined) this.#scope.set(as, n)
      await this.playAll(children)
    }
    return []
  }

  // ---------------------------------------------------------------- before and after

  readJson(folder: string, file: string): unknown {
    return JSON.parse(readFileSync(resolve(folder, file), 'utf8'))
  }

  /** So many receipts of article 1, or the given ones. */
  async printBefore(receipts: number | readonly unknown[]): Promise<void> {
    const bodies =
      typeof receipts === 'number'
        ? Array.from({ length: receipts }, () => ({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }))
        : receipts
    for (const body of bodies) {
      const answer = await this.#post('/print-fiscal-receipt', body)
      if (answer['StatusCode'] !== 200) throw new Error(`a receipt printed before was refused: ${shown(answer)}`)
    }
  }

  /** A lasting device begins with no open receipt. */
  async mustBeClosed(): Promise<void> {
    const status = await this.#status()
    this.#printed = Number(status['ReceiptNumber'] ?? 0)
    if (status['IsOpen'] === true) await this.#closeOpen(String(status['Kind']))
  }

  /** One sentence; undefined: nothing was left. */
  async leave(): Promise<string | undefined> {
    const status = await this.#status()
    const parts: string[] = []
    if (status['IsOpen'] === true) parts.push(await this.#closeOpen(String(status['Kind'])))
    const last = Number((await this.#status())['ReceiptNumber'] ?? 0)
    if (last > this.#printed) parts.push(`documents up to number ${last} (it was ${this.#printed})`)
    return parts.length === 0 ? undefined : parts.join('; ')
  }

  async #closeOpen(kind: string): Promise<string> {
    const ways =
      kind === 'NonFiscal' ? ['/cancel-non-fiscal-receipt', '/close-non-fiscal-receipt'] : ['/cancel-fiscal-receipt']
    for (const way of ways) {
      if ((await this.#post(way, undefined))['StatusCode'] === 200)
        return `an open receipt was ended by ${way.slice(1)}`
    }
    const rest = (await this.#status())['Remaining']
    if (typeof rest === 'number' && rest > 0) await this.#post('/payment', { PaymentMode: 0, Amount: rest })
    const closed = await this.#post('/close-fiscal-receipt', undefined)
    if (closed['StatusCode'] === 200)
      return `an open receipt was paid in cash and closed as number ${shown(closed['Data'])}`
    throw new Error(`the device has an open receipt that cannot be ended: ${shown(closed)}`)
  }

  async #status(): Promise<Values> {
    const answer = await this.#post('/status-of-the-fiscal-transaction', undefined)
    if (answer['StatusCode'] !== 200) throw new Error(`the device does not tell its state: ${shown(answer)}`)
    return answer['Data'] as Values
  }

  async #post(path: string, body: unknown): Promise<Values> {
    const headers = { 'Content-Type': 'application/json' }
    const text = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    const { answer } = this.#rig.call({ method: 'post', path: `/api${path}`, ...text })
    return membersOf(await this.#rig.time.until(answer))
  }
}

/** POST /Receipt answers in a form of its own. */
const isLegacy = ({ verb }: LoadedStep): boolean => verb === 'legacy' || verb === 'post /Receipt'

const plain = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

function membersOf(http: HttpAnswer | undefined): Values {
  if (!http) return {}
  let json: unknown
  try {
    json = http.text === '' ? {} : JSON.parse(http.text)
  } catch {
    json = { text: http.text }
  }
  return { ...(typeof json === 'object' && json !== null ? json : { text: json }), headers: http.headers }
}

const expectationOf = ({ raw }: LoadedStep, scope: Map<string, unknown>): Expectation | undefined =>
  fill(raw['expect'], scope) as Expectation | undefined

/** Without an expectation a request must succeed; with one, what it leaves open is not looked at. */
function judge(expect: Expectation | undefined, { http, members }: Answered, legacy: boolean): Problem[] {
  if (expect === 'no answer')
    return http ? [{ what: `expected no answer, it is ${http.status} ${http.text.slice(0, SHOWN_MAX)}` }] : []
  if (!http) return [{ what: 'expected an answer; the client gave up before it came' }]
  const { status, headers, statuses: _statuses, ...envelope } = expect ?? {}
  const wanted = { ...defaults(envelope, legacy), ...envelope }
  const named = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const problems = [
    ...differences(wanted, members, ''),
    ...differences(named, http.headers, 'header'),
    ...differences(status ?? (legacy ? 200 : wanted['StatusCode']) ?? http.status, http.status, 'HTTP status'),
  ]
  const message = members['Message'] ?? members['ErrorInfo']
  const said = problems.length > 0 && envelope['Message'] === undefined && typeof message === 'string' && message !== ''
  return plain(said ? [...problems, `the service says: ${message}`] : problems)
}

function defaults(envelope: Values, legacy: boolean): Values {
  if (legacy)
    return envelope['ErrorCode'] === undefined && envelope['ReceiptStatus'] === undefined
      ? { ReceiptStatus: 'true' }
      : {}
  return envelope['StatusCode'] === undefined && envelope['Message'] === undefined ? { StatusCode: 200 } : {}
}
