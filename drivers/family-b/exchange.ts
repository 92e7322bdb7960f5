/** One command of family B over a link: sequence numbers, start-up and the reading of refusals (sheet 5, 8). */
import type { AskOptions, Link, LinkDialect } from '../link/types.ts'
import { DeviceError, refused } from '../model/errors.ts'
import type { DeviceIdentity } from '../model/printer.ts'
import { badValueOf } from '../wire/bad-value.ts'
import type { ByteText, CodePage } from '../wire/charset.ts'
import { type AnyCommand, factsOf } from '../wire/command.ts'
import { FieldError } from '../wire/field.ts'
import { cyrillic, georgian } from './protocol/charset.ts'
import { readStreamedLine } from './protocol/commands/stream.ts'
import { errorMeaning } from './protocol/errors.ts'
import {
  type AnswerFrame,
  answerShape,
  FIRST_SEQUENCE,
  type HostFrame,
  LAST_SEQUENCE,
  LINE_TAKEN,
  NAK,
  SYN,
  writeRequest,
} from './protocol/frame.ts'
import { type CommandName, catalogueOf, type Requests, type Responses } from './protocol/index.ts'
import { readStatus, type Status, type StatusName } from './protocol/status.ts'

/** Sheet 5.2: the driver's times; nothing there is published but the 500 ms. */
export const dialect: LinkDialect<HostFrame> = {
  shape: answerShape,
  rules: {
    writes: 3,
    firstByteMs: 500,
    gapMs: 500,
    totalMs: 30_000,
    busyByte: SYN,
    refusedByte: NAK,
    afterSilence: 'repeat',
  },
  matches: (answer, request) => answer.kind === 'line' || (answer.seq === request[2] && answer.command === request[3]),
}

export interface Told<T> {
  readonly values: T
  readonly status: Status
  /** The answer as text, trailing commas removed. */
  readonly raw: string
}

/** What the device told about itself at start-up. */
export interface Facts {
  readonly identity: DeviceIdentity
  readonly country: number
  readonly groups: number
  /** P7. */
  readonly firstGroup: ByteText
  readonly lineWidth: number
  readonly commentWidth: number
  readonly rates: readonly (number | null)[]
}

const COUNTRY_WITH_FIVE_GROUPS = 8

/** Country 8 is the five-group firmware of sheet 2. */
const pageOf = (country: number): CodePage => (country === COUNTRY_WITH_FIVE_GROUPS ? georgian : cyrillic)

const COMMANDS: Readonly<Record<CommandName, AnyCommand>> = catalogueOf('b8').byName

const CHANNELS: readonly (readonly [StatusName, string, string, string])[] = [
  ['invalidCommand', '0.1', 'invalidCommand', 'it does not know the command'],
  ['syntaxError', '0.0', 'syntaxError', 'it cannot read the data of the command'],
  ['wrongPassword', '1.6', 'wrongPassword', 'the password is wrong'],
  ['notAllowedNow', '1.1', 'notAllowedNow', 'the command is not allowed in this state'],
]

/** Throws when the status says that the command was not carried out (sheet 8). */
function checkStatus(prints: boolean, { flags, error }: Status): void {
  // A command that needs paper was not carried out when 2.0 stands in the answer (13).
  if (prints) {
    if (flags.has('paperOut')) throw new DeviceError({ kind: 'cannotPrint', condition: 'noPaper' })
    // 0.4 is all that this wire has for an open cover too.
    if (flags.has('mechanismError')) throw new DeviceError({ kind: 'cannotPrint', condition: 'coverOrMechanism' })
  }
  if (error !== 0) {
    const { key, meaning } = errorMeaning(error)
    throw refused(error, key, meaning)
  }
  for (const [flag, code, key, meaning] of CHANNELS) if (flags.has(flag)) throw refused(code, key, meaning)
}

export class Exchange {
  readonly #link: Link<HostFrame>
  readonly #random: () => number
  #seq: number
  #page: CodePage = cyrillic
  #facts: Facts | undefined
  #starting: Promise<Facts> | undefined

  constructor(link: Link<HostFrame>, random: () => number) {
    this.#link = link
    this.#random = random
    this.#seq = this.#firstSequence()
    link.onOpened(() => {
      this.#facts = undefined
      this.#starting = undefined
    })
  }

  get facts(): Facts | undefined {
    return this.#facts
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  /** Opens the port and detects the device, unless that is done. */
  async ready(): Promise<Facts> {
    await this.#link.open()
    if (this.#facts) return this.#facts
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** Asks once; rejects when the device refuses. */
  async ask<Name extends CommandName>(name: Name, values: Requests[Name]): Promise<Told<Responses[Name]>> {
    await this.ready()
    return this.#ask(name, values)
  }

  /** The lines that the device sends before its answer (10.9). */
  async stream<Name extends CommandName>(name: Name, values: Requests[Name]): Promise<string[]> {
    await this.ready()
    const lines: string[] = []
    const frames = await this.#link.askAll(this.#write(name, values), {
      ...this.#options(name),
      until: (frame) => {
        const heard = frame as HostFrame
        if (heard.kind === 'answer') return true
        // Behind the turn in which the line was heard: an embedded device would send the next one within it.
        queueMicrotask(() => void this.#link.write(Uint8Array.of(LINE_TAKEN)).catch(() => undefined))
        return false
      },
    })
    for (const frame of frames) {
      if (frame.kind === 'line') {
        const text = readStreamedLine(frame.text, this.#page)
        if (text !== undefined) lines.push(text)
      } else this.#read(name, values, frame)
    }
    return lines
  }

  // ---------------------------------------------------------------- start-up

  #firstSequence(): number {
    return FIRST_SEQUENCE + Math.floor(this.#random() * (LAST_SEQUENCE - FIRST_SEQUENCE + 1))
  }

  /** 5.4: two questions of different numbers, so that no stored answer is taken for a new one. */
  async #start(): Promise<Facts> {
    this.#seq = this.#firstSequence()
    await this.#ask('status', {})
    await this.#ask('status', {})
    const info = await this.#ask('deviceInfo', { checksum: 'calculate' })
    const { constants } = (await this.#ask('constants', {})).values
    const { rates } = (await this.#ask('taxRates', {})).values
    const { firmware, country, serialNumber = '', fiscalMemoryNumber = '' } = info.values
    this.#page = pageOf(country)
    const number = (constant: number): number => Number(constants[constant - 1] ?? 0)
    const groups = number(4)
    if (groups < 1 || groups > 8) {
      throw new DeviceError({ kind: 'notThisFamily', why: `it names ${constants[3] ?? 'no'} tax groups` })
    }
    const named = modelAndVersion(firmware)
    const facts: Facts = {
      identity: { family: 'B', ...named, serialNumber, fiscalMemoryNumber },
      country,
      groups,
      firstGroup: constants[6] ?? ' ',
      lineWidth: number(9),
      commentWidth: number(10),
      rates,
    }
    this.#facts = facts
    return facts
  }

  // ---------------------------------------------------------------- one command

  async #ask<Name extends CommandName>(name: Name, values: Requests[Name]): Promise<Told<Responses[Name]>> {
    const frames = await this.#link.askAll(this.#write(name, values), {
      ...this.#options(name),
      // A line without its stream is the remainder of something else.
      until: (heard) => (heard as HostFrame).kind === 'answer',
    })
    const answer = frames.at(-1)
    if (answer?.kind !== 'answer') {
      throw new DeviceError({ kind: 'lineNoise', why: 'a line of a report came instead of an answer' })
    }
    return this.#read(name, values, answer)
  }

  #options(name: CommandName): AskOptions {
    const { limitMs, fiscal } = COMMANDS[name]
    return {
      name,
      ...(limitMs === undefined ? {} : { totalMs: limitMs }),
      ...(fiscal === undefined ? {} : { fiscal }),
    }
  }

  #write<Name extends CommandName>(name: Name, values: Requests[Name]): Uint8Array {
    const { code, request } = COMMANDS[name]
    this.#seq = this.#seq >= LAST_SEQUENCE ? FIRST_SEQUENCE : this.#seq + 1
    try {
      return writeRequest({ seq: this.#seq, command: code, data: request.write(values, this.#page) })
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      throw badValueOf(problem, request.fields)
    }
  }

  #read<Name extends CommandName>(name: Name, asked: Requests[Name], frame: AnswerFrame): Told<Responses[Name]> {
    const command = COMMANDS[name]
    const status = readStatus(frame.status)
    checkStatus(factsOf(command, asked).prints, status)
    try {
      const values: Responses[Name] = command.response.read(frame.data, this.#page)
      return { values, status, raw: this.#page.decode(frame.data).replace(/,+$/, '') }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      throw new DeviceError({ kind: 'notThisFamily', why: `its answer to ${name} cannot be read, ${problem.message}` })
    }
  }
}

/** Four blank-separated tokens, or three with model and version in one (sheet 2). */
function modelAndVersion(firmware: string): { readonly model: string; readonly firmware: string } {
  const [first = '', second = '', ...rest] = firmware.split(' ')
  if (rest.length >= 2) return { model: first, firmware: second }
  const dash = first.indexOf('-')
  return dash < 0
    ? { model: first, firmware: second }
    : { model: first.slice(0, dash), firmware: first.slice(dash + 1) }
}
