import type { Link } from '../link/types.ts'
import { DeviceError, refused } from '../model/errors.ts'
import { badValueOf } from '../wire/bad-value.ts'
import { type ByteText, type CodePage, codePage } from '../wire/charset.ts'
import type { AnyCommand } from '../wire/command.ts'
import { FieldError } from '../wire/field.ts'
import { C4, type Dialect } from './protocol/dialect.ts'
import { type Nibbles, nibbleCode, nibbleMeaning } from './protocol/errors.ts'
import { type DeviceFrame, writeFrame } from './protocol/frame.ts'
import { type CommandName, catalogueOf, type Requests, type Responses } from './protocol/index.ts'
import {
  GS_WIDTHS,
  PING_ALIVE,
  PING_ECHO,
  PING_STATE,
  type PingState,
  readPing,
  readWidths,
} from './protocol/unframed.ts'

/**
 * One command and its answer: ping (sheet 2.5, 2.6), message numbers (sheet 2.4), nibbles (sheet 2.3), streams (sheet 4.15). A command
 * that may have been carried out although no answer came is settled by reading 72h, 71h or 20h, never by repeating it
 * blindly. Knows no operation.
 */
export interface Answered<T> {
  /** Absent: an ACK without data, or an answer that was lost though the command was carried out. */
  readonly values?: T
  readonly text: string
}

/** What tells whether a command was carried out: the open receipt, the last document's number, or what is open. */
export type Probe = 'transactionStatus' | 'lastDocument' | 'status'

const FIRST_NUMBER = 0x20
const LAST_NUMBER = 0x9f
/** Readers of a stream stop at the first 40h, so a device streams under another number (sheet 4.15): not used. */
const SKIPPED_NUMBER = 0x40

const PING_MS = 500
const POLL_MS = 40
const READY_MS = 60_000
/** A device that is out of paper in the middle of something stays busy until there is paper. */
const PAPER_PATIENCE_MS = 2_000
const SILENT_PINGS = 3
const SETTLE_TRIES = 3
const POWER_CUT = 13

export class Session {
  readonly link: Link<DeviceFrame>
  #dialect: Dialect = C4
  #page: CodePage = codePage(C4.codePage)
  #number = LAST_NUMBER

  constructor(link: Link<DeviceFrame>) {
    this.link = link
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  speak(dialect: Dialect): void {
    this.#dialect = dialect
    this.#page = codePage(dialect.codePage)
  }

  get page(): CodePage {
    return this.#page
  }

  // ---------------------------------------------------------------- pings

  /** 03h before 04h: what comes back with the 03h is no device but a loop (sheet 2.5). */
  async greet(): Promise<void> {
    const heard = (byte: number): boolean => byte === PING_ECHO || byte === PING_ALIVE
    const byte = await this.link.ping(Uint8Array.of(PING_ECHO, PING_ALIVE), heard, PING_MS)
    if (byte !== PING_ECHO) return
    const why = 'our own bytes come back, as from a loop-back plug or an echoing modem'
    throw new DeviceError({ kind: 'notThisFamily', why })
  }

  /** Waits until the device is ready for a command. `patient`: also through missing paper, to learn what was done. */
  async ready(patient = false): Promise<PingState | undefined> {
    const { clock } = this.link
    const since = clock.now()
    for (let silent = 0; silent < SILENT_PINGS; ) {
      const byte = await this.link.ping(Uint8Array.of(PING_STATE), isState, PING_MS)
      if (byte === undefined) {
        // Old firmware knows only 04h; then a RETRY tells that it is busy.
        const alive = await this.link.ping(Uint8Array.of(PING_ALIVE), (heard) => heard === PING_ALIVE, PING_MS)
        if (alive !== undefined) return undefined
        silent++
        continue
      }
      silent = 0
      const state = readPing(byte)
      if (state === undefined || !state.busy) return state
      const waited = clock.now() - since
      if (state.noPaper && !patient && waited >= PAPER_PATIENCE_MS) throw cannotPrint('noPaper')
      if (waited >= READY_MS)
        throw new DeviceError(state.noPaper ? { kind: 'cannotPrint', condition: 'noPaper' } : { kind: 'noAnswer' })
      await this.#pause(POLL_MS)
    }
    throw new DeviceError(this.link.silence())
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.link.clock.after(ms, resolve)
    })
  }

  // ---------------------------------------------------------------- commands

  /** Throws DeviceError only. A refusal carries the two nibbles as its code, `34/32`. */
  async ask<N extends CommandName>(name: N, values: Requests[N]): Promise<Answered<Responses[N]>> {
    await this.ready()
    return this.#exchange(name, values)
  }

  /** As `ask`; when the answer is lost, `probe` tells whether the command was carried out. */
  async askOnce<N extends CommandName>(name: N, values: Requests[N], probe: Probe): Promise<Answered<Responses[N]>> {
    const before = await this.#look(probe)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.ask(name, values)
      } catch (problem) {
        if (!(problem instanceof DeviceError) || problem.problem.kind !== 'outcomeUnknown') throw problem
        if ((await this.#lookAfterTrouble(probe, problem)) !== before) return { text: '' }
        if (attempt >= SETTLE_TRIES)
          throw new DeviceError({ kind: 'lineNoise', why: `${name} does not reach the device` })
      }
    }
  }

  async #look(probe: Probe): Promise<string> {
    // A power cut marks the open receipt (4.14, 72h) and is no sign that a command was carried out.
    if (probe === 'transactionStatus')
      return JSON.stringify({ ...(await this.ask(probe, {})).values, powerDown: false })
    if (probe === 'lastDocument') return (await this.ask(probe, {})).text
    const { values } = await this.ask('status', {})
    const { text } = await this.ask('lastDocument', {})
    return `${values?.flags.has('fiscalOpen')} ${values?.flags.has('nonFiscalOpen')} ${text}`
  }

  async #lookAfterTrouble(probe: Probe, unknown: DeviceError): Promise<string> {
    try {
      if (!this.link.isOpen) await this.link.open()
      await this.ready(true)
      return await this.#look(probe)
    } catch (problem) {
      // Still silent: the outcome stays unknown, which says more than "no answer".
      if (problem instanceof DeviceError && problem.problem.kind !== 'refused') throw unknown
      throw problem
    }
  }

  /** The answer, or undefined when the device refused. */
  async askUnlessRefused<N extends CommandName>(
    name: N,
    values: Requests[N],
  ): Promise<Answered<Responses[N]> | undefined> {
    try {
      return await this.ask(name, values)
    } catch (problem) {
      if (isRefusal(problem)) return undefined
      throw problem
    }
  }

  /** Lines of a stream, without the blanks behind them; undefined when the device refused. */
  async lines<N extends CommandName>(name: N, values: Requests[N]): Promise<string[] | undefined> {
    await this.ready()
    const { request } = this.#request(name, values)
    const frames = await this.link.askAll(request, { name, totalMs: READY_MS, until: endsStream })
    const [ack, ...messages] = frames
    if (ack?.kind === 'ack' && isFailure(ack)) {
      if (await this.#isPowerCut(ack)) return this.lines(name, values)
      return undefined
    }
    return messages
      .slice(0, -1)
      .map((frame) => (frame.kind === 'message' ? this.#page.decode(frame.data).trimEnd() : ''))
  }

  /** Width of the paper by 1Dh 49h; undefined where the device does not tell. */
  async columns(): Promise<number | undefined> {
    try {
      const answer = await this.link.ask(GS_WIDTHS, { name: 'widths', firstByteMs: PING_MS, totalMs: 3 * PING_MS })
      return answer.kind === 'widths' ? readWidths(answer.data)?.line : undefined
    } catch (problem) {
      if (problem instanceof DeviceError && ['noAnswer', 'atWork', 'lineNoise'].includes(problem.problem.kind))
        return undefined
      throw problem
    }
  }

  async #exchange<N extends CommandName>(name: N, values: Requests[N]): Promise<Answered<Responses[N]>> {
    const { request, command } = this.#request(name, values)
    const limitMs = command.limitMs
    const frame = await this.link.ask(request, {
      name,
      ...(limitMs === undefined ? {} : { totalMs: limitMs, firstByteMs: limitMs }),
      ...(command.fiscal ? { fiscal: true } : {}),
    })
    if (frame.kind === 'widths')
      throw new DeviceError({ kind: 'notThisFamily', why: `its answer to ${name} is no frame` })
    if (frame.kind === 'ack') {
      if (!isFailure(frame)) return { text: '' }
      // 3Dh is told once after a power cut: the status is read, which ends it, and the command asked for again.
      if (await this.#isPowerCut(frame)) return this.ask(name, values)
      throw await this.#refusal(frame)
    }
    return { values: this.#read(command, frame.data) as Responses[N], text: answerText(this.#page.decode(frame.data)) }
  }

  #request<N extends CommandName>(name: N, values: Requests[N]): { request: Uint8Array; command: AnyCommand } {
    const command: AnyCommand = catalogueOf(this.#dialect.name).byName[name]
    let data: ByteText
    try {
      data = command.request.write(values, this.#page)
      // A frame holds no more; a name or text of such length was cut before.
      return { request: writeFrame(this.#nextNumber(), command.code, data), command }
    } catch (problem) {
      if (problem instanceof FieldError) throw badValueOf(problem, command.request.fields)
      if (problem instanceof RangeError) throw new DeviceError({ kind: 'badValue', field: name, why: problem.message })
      throw problem
    }
  }

  #nextNumber(): number {
    this.#number = this.#number >= LAST_NUMBER ? FIRST_NUMBER : this.#number + 1
    if (this.#number === SKIPPED_NUMBER) this.#number++
    return this.#number
  }

  #read(command: AnyCommand, data: ByteText): unknown {
    try {
      return command.response.read(data, this.#page)
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      const why = `its answer to ${command.name} has the wrong form, ${problem.message}`
      throw new DeviceError({ kind: 'notThisFamily', why })
    }
  }

  async #isPowerCut({ device }: Nibbles): Promise<boolean> {
    if (device !== POWER_CUT) return false
    await this.ask('status', {})
    return true
  }

  /** 31h does not say what keeps the device from printing: 66h and the ping do (sheet 4.1). */
  async #refusal(nibbles: Nibbles): Promise<DeviceError> {
    if (nibbles.device === 1) {
      const answer = await this.askUnlessRefused('printerStatus', {})
      const flags = answer?.values?.flags
      if (flags?.has('coverOpen')) return cannotPrint('coverOpen')
      if (flags?.has('paperEnd')) return cannotPrint('noPaper')
      const state = await this.ready()
      return cannotPrint(flags === undefined || state?.noPaper ? 'noPaper' : 'mechanism')
    }
    if (nibbles.device === 12) return cannotPrint('overheated')
    return refusalOf(nibbles)
  }
}

const isState = (byte: number): boolean =>
  readPing(byte) !== undefined || byte === 0x50 || byte === 0x60 || byte === 0x70

const isFailure = ({ device, command }: Nibbles): boolean => device !== 0 || command !== 0

const cannotPrint = (condition: 'noPaper' | 'coverOpen' | 'mechanism' | 'overheated'): DeviceError =>
  new DeviceError({ kind: 'cannotPrint', condition })

export function refusalOf(nibbles: Nibbles): DeviceError {
  const { key, text } = nibbleMeaning(nibbles)
  return refused(nibbleCode(nibbles), key, text)
}

export const isRefusal = (problem: unknown): boolean =>
  problem instanceof DeviceError && problem.problem.kind === 'refused'

/** The last frame of a stream: a refusal, or the message that holds only `@`, perhaps behind a number (sheet 4.14). */
function endsStream(frame: unknown): boolean {
  const answer = frame as DeviceFrame
  if (answer.kind === 'ack') return isFailure(answer)
  return answer.kind === 'message' && /^(\d{4})?@$/.test(answer.data)
}

/** The device's own answer: cells joined as on the wire, without separators behind (decisions 2). */
const answerText = (data: string): string => data.replace(/[; ]+$/, '').trimStart()
