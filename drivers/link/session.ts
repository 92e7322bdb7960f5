import { badValue, DeviceError, type DeviceProblem, isSilent } from '../model/errors.ts'
import { type DeviceAnswer, type DeviceNumbers, isSame, type Performed } from '../model/printer.ts'
import { badValueOf } from '../wire/bad-value.ts'
import type { ByteText, CodePage } from '../wire/charset.ts'
import { type AnyCommand, factsOf } from '../wire/command.ts'
import { FieldError } from '../wire/field.ts'
import { NumberTaken } from './failure.ts'
import type { Answer, Asking, Device, NameOf, Speech, Told, ToldBy, WireTypes } from './speech.ts'
import type { AskOptions, Heard, Link } from './types.ts'

/**
 * Commands and their answers, for every family: reaches the device when the first of them is asked for, numbers and
 * writes them, judges and reads what comes back. Knows no operation. What differs stands in the family's `Speech`.
 *
 *     closed ──port opened──► opened ──findOut──► found ──commands──► found        any ──port lost──► closed
 */

export interface Session<W extends WireTypes> {
  readonly link: Link<W['frame']>
  readonly edition: W['edition']
  /** Undefined before the start-up. */
  readonly facts: W['facts'] | undefined
  /** Opens the port and finds out what is there, unless that is done. */
  start(): Promise<W['facts']>
  /** What is told of a device from now on is told of this one: nothing is printed on another that comes in its place. */
  told(numbers: DeviceNumbers): void
  /** An operation that only asks. */
  look<T>(run: (device: Device<W>) => Promise<T>): Promise<T>
  /** The same, of the device that was told of last: rejects where another one answers. */
  lookAtTold<T>(run: (device: Device<W>) => Promise<T>): Promise<T>
  /** One that prints or changes something. */
  perform<T extends object>(run: (device: Device<W>) => Promise<T>): Promise<T & Performed>
  /** One whose answer is only text. */
  print(run: (device: Device<W>) => Promise<{ readonly text: string }>): Promise<DeviceAnswer>
}

/** So often a device may have something else to say first. */
const PUT_OFF_MAX = 3

export const createSession = <W extends WireTypes>(link: Link<W['frame']>, speech: Speech<W>): Session<W> =>
  new LinkSession(link, speech)

/** Its public functions are bound: the operations of the families receive them one by one. */
class LinkSession<W extends WireTypes> implements Session<W> {
  readonly link: Link<W['frame']>
  readonly #speech: Speech<W>
  #number: number
  #edition: W['edition']
  #facts: W['facts'] | undefined
  #starting: Promise<W['facts']> | undefined
  #toldOf: DeviceNumbers | undefined

  constructor(link: Link<W['frame']>, speech: Speech<W>) {
    this.link = link
    this.#speech = speech
    this.#number = speech.number.before()
    this.#edition = speech.edition
    link.onOpened(() => {
      this.#facts = undefined
      this.#starting = undefined
    })
  }

  get edition() {
    return this.#edition
  }

  get facts() {
    return this.#facts
  }

  readonly told = (numbers: DeviceNumbers): void => {
    this.#toldOf = numbers
  }

  readonly lookAtTold = async <T>(run: (device: Device<W>) => Promise<T>): Promise<T> => {
    await this.#stayPresent()
    const answer = await this.look(run)
    await this.#stayPresent()
    return answer
  }

  readonly print = (run: (device: Device<W>) => Promise<{ readonly text: string }>): Promise<DeviceAnswer> =>
    this.perform(async (device) => ({ text: (await run(device)).text }))

  readonly start = async (): Promise<W['facts']> => {
    if (!this.link.isOpen) await this.link.open()
    if (this.#facts !== undefined) return this.#facts
    this.#starting ??= this.#findOut()
    const mine = this.#starting
    try {
      const answers = await mine
      if (this.#starting === mine) this.#facts = answers
      return answers
    } finally {
      if (this.#starting === mine) this.#starting = undefined
    }
  }

  #findOut(): Promise<W['facts']> {
    this.#number = this.#speech.number.before()
    this.#edition = this.#speech.edition
    const speak = (next: W['edition']) => {
      this.#edition = next
    }
    return this.#speech.findOut(Object.assign(this.#asking(), { speak }))
  }

  /** Whoever prints goes by what he was told: it is about this device, or he is told so once. */
  async #stayPresent(): Promise<void> {
    const { identity } = await this.start()
    const before = this.#toldOf
    if (before === undefined || isSame(before, identity)) return
    this.#toldOf = undefined
    throw this.#exchanged(before)
  }

  #exchanged(before: DeviceNumbers): DeviceError {
    return exchangedError(this.link, before, this.#facts?.identity)
  }

  // ---------------------------------------------------------------- one command

  #request(command: AnyCommand, values: unknown): { readonly bytes: Uint8Array; readonly data: ByteText } {
    try {
      const data = command.request.write(values, this.#speech.page(this.#edition))
      this.#number = this.#speech.number.next(this.#number)
      return { bytes: this.#speech.write(this.#number, command.code, data), data }
    } catch (problem) {
      if (problem instanceof FieldError) throw badValueOf(problem, command.request.fields)
      // Every field is within its own limits, and all of them together are longer than a frame.
      if (problem instanceof RangeError) throw new DeviceError(badValue(command.name, problem.message))
      throw problem
    }
  }

  /** Other frames than the answer are collected, and every line of a stream is acknowledged. */
  #until(streams: boolean): Pick<AskOptions<W['frame']>, 'until'> {
    const { isLast, lineTaken } = this.#speech
    if (!isLast) return {}
    return {
      until: (frame) => {
        const last = isLast(frame, streams)
        // Behind the turn in which the line was heard: an embedded device would send the next one within it.
        if (streams && !last && lineTaken) queueMicrotask(() => void this.link.write(lineTaken).catch(() => undefined))
        return last
      },
    }
  }

  /** Throws what the device said when it did not carry the command out. */
  async #exchange(
    name: NameOf<W>,
    values: unknown,
    streams: boolean,
    { note, device, operation }: Asker<W>,
  ): Promise<Exchanged<W>> {
    for (let puttingOff = 0; ; puttingOff++) {
      await this.#speech.ready?.()
      const command = this.#speech.command(name, this.#edition)
      const { bytes, data } = this.#request(command, values)
      const { limitMs, fiscal } = command
      if (fiscal) await this.#stayPresent()
      if (fiscal && operation && operation.hold !== this.link.hold)
        throw new DeviceError(this.link.lostBecause('it was opened anew in the middle of an operation'))
      const facts = factsOf(command, values)
      const asked = this.link.ask(bytes, {
        name: facts.runsAs,
        ...(this.#speech.times?.(command, streams) ?? (limitMs !== undefined && { totalMs: limitMs })),
        ...(fiscal && { fiscal }),
        ...this.#until(streams),
      })
      const heard = await noting(note, asked).catch((problem: unknown) => {
        if (problem instanceof NumberTaken && puttingOff < PUT_OFF_MAX) return undefined
        if (operation && isUnknown(problem)) operation.done = facts.runsAs
        throw problem
      })
      if (!heard) continue
      const { frames, repeated } = heard
      const page = this.#speech.page(this.#edition)
      const lines = frames.map((frame) => (streams ? this.#speech.lines?.(frame, page) : undefined))
      const frame = streams ? frames.find((_, place) => lines[place] === undefined) : frames.at(-1)
      const answer = frame === undefined ? undefined : this.#speech.read(frame, command, data)
      const verdict = answer && (await this.#speech.judge(answer, facts, device()))
      if (verdict === 'again') {
        if (puttingOff < PUT_OFF_MAX) continue
        throw new DeviceError({ kind: 'notThisFamily', why: `it puts ${name} off again and again` }, repeated)
      }
      if (verdict) {
        const problem = new DeviceError(verdict, repeated)
        if (!fiscal && operation?.done !== undefined) operation.refusedBehind = problem
        throw problem
      }
      if (fiscal && operation) operation.done = facts.runsAs
      return { answer: answer && this.#tell(answer, command, page), lines: lines.flatMap((some) => some ?? []) }
    }
  }

  #tell({ data, status }: Answer<W>, command: AnyCommand, page: CodePage): Told<unknown, W['status']> {
    if (data === undefined) return { values: undefined, text: '', status }
    try {
      return { values: command.response.read(data, page), text: this.#speech.text(page.decode(data)), status }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      const why = `its answer to ${command.name} has the wrong form, ${problem.message}`
      throw new DeviceError({ kind: 'notThisFamily', why })
    }
  }

  // ---------------------------------------------------------------- whoever asks

  /** `atOnce`: the same without the start-up, which comes before everything that is asked here; absent: there is none. */
  #asking(note: Note = () => {}, atOnce?: Asking<W>, operation?: Operation): Asking<W> {
    const asker: Asker<W> = { note, device: () => atOnce ?? own, operation }
    const isReady = (): boolean => atOnce === undefined || (this.#facts !== undefined && this.link.isOpen)
    const ask: Asking<W>['ask'] = async (name, values) => {
      if (!isReady()) await this.start()
      const { answer } = await this.#exchange(name, values, false, asker)
      return answer as ToldBy<W, typeof name>
    }
    const session = this
    const own: Asking<W> = {
      link: this.link,
      get edition() {
        return session.#edition
      },
      get page() {
        return session.#speech.page(session.#edition)
      },
      ask,
      async askUnless(refusals, name, values) {
        try {
          return await ask(name, values)
        } catch (problem) {
          if (isRefusal(problem, refusals)) return undefined
          throw problem
        }
      },
      lines: async (name, values) => {
        if (!isReady()) await this.start()
        return (await this.#exchange(name, values, true, asker)).lines
      },
    }
    return own
  }

  #operating(began: W['facts'], note?: Note, operation?: Operation): Device<W> {
    const atOnce = this.#asking(note, undefined, operation)
    const stay = (): void => {
      if (this.#facts === undefined || !isSame(this.#facts.identity, began.identity))
        throw this.#exchanged(began.identity)
    }
    return Object.assign(this.#asking(note, atOnce, operation), { facts: began, atOnce, stay })
  }

  readonly perform = async <T extends object>(run: (device: Device<W>) => Promise<T>): Promise<T & Performed> => {
    let repeated = false
    const note = (performed: Performed) => {
      repeated ||= performed.repeated
    }
    const began = await this.start()
    const operation: Operation = { hold: this.link.hold }
    try {
      const answer = await run(this.#operating(began, note, operation))
      return { ...answer, repeated }
    } catch (problem) {
      const unknown = unknownBehind(operation, problem)
      if (unknown) throw new DeviceError(unknown, repeated)
      if (!repeated || !(problem instanceof DeviceError) || problem.repeated) throw problem
      throw new DeviceError(problem.problem, repeated)
    }
  }

  readonly look = async <T>(run: (device: Device<W>) => Promise<T>): Promise<T> =>
    run(this.#operating(await this.start()))
}

/** `now`: undefined before the start-up of the device that came. */
export function exchangedError<Frame>(
  link: Link<Frame>,
  before: DeviceNumbers,
  now: DeviceNumbers | undefined,
): DeviceError {
  const answers = now?.serialNumber ?? 'another device'
  return new DeviceError(link.lostBecause(`${answers} answers there now, and it was ${before.serialNumber}`))
}

/** What a failure means behind a command that may be carried out; undefined: nothing else than it says itself. */
function unknownBehind({ done: command, refusedBehind }: Operation, problem: unknown): DeviceProblem | undefined {
  if (command === undefined || !(problem instanceof DeviceError)) return undefined
  const because = (what: string): DeviceProblem => ({ kind: 'outcomeUnknown', what, command })
  if (problem === refusedBehind) return because('the device refused to tell more')
  const { kind } = problem.problem
  if (kind === 'outcomeUnknown') return undefined
  if (kind === 'notThisFamily') return because('the device was not understood any more')
  return isSilent(problem.problem) ? because('the device was not heard any more') : undefined
}

type Note = (performed: Performed) => void

/** What became of an operation of several commands: one that may be carried out is not refused any more. */
interface Operation {
  /** Of the line on which it began: what it has asked before its command is not known of another. */
  readonly hold: number
  /** The last command that the device has carried out, or may have. */
  done?: string
  /** A question behind it that was refused. */
  refusedBehind?: DeviceError
}

/** Who asks: told what the link repeated, and asked when an answer is judged. */
interface Asker<W extends WireTypes> {
  readonly note: Note
  device(): Asking<W>
  /** Absent: it only asks. */
  readonly operation: Operation | undefined
}

interface Exchanged<W extends WireTypes> {
  /** Undefined: lines and nothing else. */
  readonly answer: Told<unknown, W['status']> | undefined
  readonly lines: readonly string[]
}

/** What the link repeated is told by a failure too. */
async function noting<Frame>(note: Note, answer: Promise<Heard<Frame>>): Promise<Heard<Frame>> {
  try {
    const heard = await answer
    note(heard)
    return heard
  } catch (problem) {
    if (problem instanceof DeviceError) note(problem)
    throw problem
  }
}

const isUnknown = (problem: unknown): boolean =>
  problem instanceof DeviceError && problem.problem.kind === 'outcomeUnknown'

/** The device refused with one of these. */
export const isRefusal = (problem: unknown, keys: readonly string[] | 'any'): problem is DeviceError =>
  problem instanceof DeviceError &&
  problem.problem.kind === 'refused' &&
  (keys === 'any' || keys.includes(problem.problem.key))
