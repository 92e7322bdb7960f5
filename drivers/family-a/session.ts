import type { DriverSettings } from '../family.ts'
import type { AskOptions, Link } from '../link/types.ts'
import { DeviceError, refused } from '../model/errors.ts'
import { badValueOf } from '../wire/bad-value.ts'
import { type CodePage, codePage } from '../wire/charset.ts'
import { type AnyCommand, factsOf } from '../wire/command.ts'
import { FieldError } from '../wire/field.ts'
import { answersWithoutCode, answerText, readCoded } from './protocol/answer.ts'
import { type ErrorKey, errorOf } from './protocol/errors.ts'
import { type DeviceFrame, encodeHostFrame, FIRST_SEQ, LAST_SEQ, nextSeq } from './protocol/frame.ts'
import { type CommandName, catalogueOf, type Requests, type Responses } from './protocol/index.ts'
import { type Flags, status } from './protocol/status.ts'

/** One command and its answer: numbering (sheet 2.6), writing, judging (sheet 4.1), reading. Knows no operation. */
export interface Answered<T> {
  readonly values: T
  /** The device's own answer as text, without the code. */
  readonly text: string
  readonly flags: Flags
}

/** Conditions that stop the printing, by the code that names them. */
const CANNOT_PRINT: Partial<Record<ErrorKey, 'noPaper' | 'coverOpen' | 'mechanism' | 'overheated'>> = {
  noPaper: 'noPaper',
  mechPaperEnd: 'noPaper',
  coverOpen: 'coverOpen',
  mechCoverOpen: 'coverOpen',
  printerFailure: 'mechanism',
  cutter: 'mechanism',
  noPrinter: 'mechanism',
  headHot: 'overheated',
}

/** Name and types belong together by `ask`'s signature; inside, a command is a command. */
const COMMANDS: Readonly<Record<CommandName, AnyCommand>> = catalogueOf('bg').byName

export class Session {
  readonly link: Link<DeviceFrame>
  readonly page: CodePage
  #seq: number

  constructor(link: Link<DeviceFrame>, settings: DriverSettings) {
    this.link = link
    const page = settings.options?.['codePage'] ?? 'cp1251'
    this.page = codePage(/^cp125[012]$/.test(page) ? page : 'cp1251')
    this.#seq = FIRST_SEQ + Math.floor(settings.random() * (LAST_SEQ - FIRST_SEQ + 1))
  }

  /** Throws DeviceError only; a value that the wire cannot carry is `badValue` before any byte. */
  async ask<Name extends CommandName>(name: Name, values: Requests[Name]): Promise<Answered<Responses[Name]>> {
    const command = COMMANDS[name]
    const data = this.#write(name, values)
    this.#seq = nextSeq(this.#seq)
    const request = encodeHostFrame({ seq: this.#seq, code: command.code, data })
    const options: AskOptions = {
      name: factsOf(command, values).runsAs,
      ...(command.limitMs === undefined ? {} : { totalMs: command.limitMs }),
      ...(command.fiscal ? { fiscal: true } : {}),
    }
    const frame = await this.link.ask(request, options)
    return this.#read(name, data, frame)
  }

  /** The answer, or undefined when the device refused with one of these codes. */
  async askUnless<Name extends CommandName>(
    keys: readonly ErrorKey[],
    name: Name,
    values: Requests[Name],
  ): Promise<Answered<Responses[Name]> | undefined> {
    try {
      return await this.ask(name, values)
    } catch (problem) {
      if (isRefusal(problem, keys)) return undefined
      throw problem
    }
  }

  #write<Name extends CommandName>(name: Name, values: Requests[Name]): string {
    try {
      return COMMANDS[name].request.write(values, this.page)
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      throw badValueOf(problem, COMMANDS[name].request.fields)
    }
  }

  #read<Name extends CommandName>(name: Name, asked: string, frame: DeviceFrame): Answered<Responses[Name]> {
    const command = COMMANDS[name]
    const flags = status.read(frame.status)
    const codeless = answersWithoutCode(command.code, asked) && !/^-?\d+\t/.test(frame.data)
    const rest = codeless ? frame.data : judge(frame.data, flags)
    try {
      const values = command.response.read(rest, this.page)
      return { values, text: answerText(this.page.decode(rest)), flags }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      throw new DeviceError({
        kind: 'notThisFamily',
        why: `its answer to ${name} has the wrong form, ${problem.message}`,
      })
    }
  }
}

/** Sheet 4.1: an empty answer, then the code, then the flags. Gives the fields behind the code. */
function judge(data: string, flags: Flags): string {
  const coded = readCoded(data)
  if (coded === undefined) {
    if (data === '' && flags.has('unknownCommand')) throw refusedWith(-112_000)
    if (data === '') throw withoutCode(flags)
    // Sheet 9: another national edition says P or F where this one has a number.
    const why = /^[PF](,|\t|$)/.test(data)
      ? 'it answers like another national edition, which is not supported'
      : 'its answer does not begin with a code'
    throw new DeviceError({ kind: 'notThisFamily', why })
  }
  if (coded.code !== 0) throw refusedWith(coded.code)
  return coded.rest
}

function refusedWith(code: number): DeviceError {
  const entry = errorOf(code)
  const condition = entry && CANNOT_PRINT[entry.key]
  if (condition !== undefined) return new DeviceError({ kind: 'cannotPrint', condition })
  return refused(code, entry?.key ?? 'unlisted', entry?.meaning ?? 'a code that the manual does not list')
}

function withoutCode(flags: Flags): DeviceError {
  if (flags.has('noPaper')) return new DeviceError({ kind: 'cannotPrint', condition: 'noPaper' })
  if (flags.has('coverOpen')) return new DeviceError({ kind: 'cannotPrint', condition: 'coverOpen' })
  if (flags.has('mechanismFailure')) return new DeviceError({ kind: 'cannotPrint', condition: 'mechanism' })
  if (flags.has('memoryFull')) return refusedWith(-100_114)
  if (flags.has('memoryDamaged') || flags.has('memoryAccessError')) return refusedWith(-100_101)
  if (flags.has('notPermitted')) return refusedWith(-112_002)
  if (flags.has('overflow')) return refusedWith(-112_003)
  return refusedWith(-112_001)
}

/** The device refused, with one of these codes. */
export const isRefusal = (problem: unknown, keys: readonly ErrorKey[]): boolean =>
  problem instanceof DeviceError &&
  problem.problem.kind === 'refused' &&
  (keys as readonly string[]).includes(problem.problem.key)
