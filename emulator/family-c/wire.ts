import { printType } from '../../drivers/family-c/protocol/commands/receipt.ts'
import type { Dialect } from '../../drivers/family-c/protocol/dialect.ts'
import { ILLEGAL_STATE, type Nibbles, OK, SYNTAX, UNKNOWN_COMMAND } from '../../drivers/family-c/protocol/errors.ts'
import {
  ACK, type CommandFrame, deviceShape, type HostFrame, hostShape, NACK, RETRY, writeAck, writeFrame,
} from '../../drivers/family-c/protocol/frame.ts' // biome-ignore format: one list
import { type CommandName, catalogueOf } from '../../drivers/family-c/protocol/index.ts'
import { status } from '../../drivers/family-c/protocol/status.ts'
import {
  type GsRequest, PING_ALIVE, PING_READY, PING_STATE, writePing, writeWidths,
} from '../../drivers/family-c/protocol/unframed.ts' // biome-ignore format: one list
import { type ByteText, type CodePage, codePage, fromBytes, toBytes } from '../../drivers/wire/charset.ts'
import { type AnyCommand, factsOf, type Need, namesOf } from '../../drivers/wire/command.ts'
import type { Deframed } from '../../drivers/wire/deframer.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { receiptPhase } from '../fiscal/phase.ts'
import type { Answer, DeviceTiming, FrameDescription, Meeting, SwitchOptions, Wire } from '../wire.ts'
import { automaticZAt, makeAutomaticZ } from './automatic-z.ts'
import { type Context, type Handler, newWireState, operatorRefusal, type Reply } from './context.ts'
import { handlers } from './handlers/index.ts'
import { parametersOf } from './handlers/reading.ts'
import { cancelReceipt, closeNonFiscal, openReceipt } from './handlers/receipts.ts'
import { dialectOf } from './profile.ts'
import { NIBBLES_OF } from './refusals.ts'
import { refusedIn } from './states.ts'
import { statusOf } from './status.ts'
import { quirksOf } from './switches.ts'

/** A device of family C as its line knows it: frames and pings in, frames and single bytes out (sheet 2 and 5). */

/** 2.6: a half-received frame is dropped after so long without a byte. */
const GAP_MS = 500
/** 4.7: a postponed receipt is ended after 5 s without a command, an electronic one after a minute. */
const POSTPONED_MS = 5_000
const ELECTRONIC_MS = 60_000
/** 4.15: readers of a stream stop at the first 40h anywhere. */
const STREAM_STOP = 0x40
const LOGO_NUMBER = 0x37

type Found = AnyCommand & { readonly name: CommandName }

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<HostFrame> {
  return new FamilyC(device, options)
}

class FamilyC implements Wire<HostFrame> {
  readonly shape = hostShape
  readonly timing: DeviceTiming
  readonly commands: Wire['commands']
  readonly #context: Context
  readonly #catalogue: ReturnType<typeof catalogueOf>
  readonly #dialect: Dialect
  readonly #page: CodePage
  /** Sheet 1: the factory's speed. */
  #setUpBaud = 115_200

  constructor(device: FiscalDevice, options: SwitchOptions) {
    this.#dialect = dialectOf(device)
    this.#catalogue = catalogueOf(this.#dialect.name)
    this.#page = codePage(this.#dialect.codePage)
    this.#context = { device, dialect: this.#dialect, quirks: quirksOf(options), wire: newWireState() }
    this.timing = { gapMs: GAP_MS, idle: () => this.#idle() }
    this.commands = this.#catalogue.all.flatMap((one) =>
      namesOf(one).map((name) => ({ name, code: one.code, source: one.source })),
    )
    // A receipt that stands open at the start was cut off with the process that printed it.
    this.#rememberPowerCut()
  }

  get #device(): FiscalDevice {
    return this.#context.device
  }

  // ---------------------------------------------------------------- what comes in

  meet(event: Deframed<HostFrame>): Meeting {
    const { wire } = this.#context
    if (wire.silent && !isWakeUp(event)) return { kind: 'ignore' }
    switch (event.kind) {
      case 'damaged':
        return { kind: 'reply', bytes: Uint8Array.of(NACK) }
      case 'single':
        return reply(this.#ping(event.byte, false))
      case 'frame':
        return this.#meetFrame(event.frame)
    }
  }

  meetWhileBusy(event: Deframed<HostFrame>): Uint8Array | undefined {
    if (this.#context.wire.silent) return undefined
    switch (event.kind) {
      case 'damaged':
        return Uint8Array.of(NACK)
      case 'single':
        return this.#ping(event.byte, true)
      case 'frame':
        // 2.2: not executed and not queued; GS commands have no such answer and are left alone.
        return event.frame.kind === 'command' || event.frame.kind === 'logo' ? Uint8Array.of(RETRY) : undefined
    }
  }

  /** Half a frame is dropped silently (sheet 2.6). */
  expired(): Uint8Array | undefined {
    return undefined
  }

  restart(): void {
    const { wire } = this.#context
    wire.silent = false
    wire.baud = this.#setUpBaud
    this.#rememberPowerCut()
  }

  baud(): number {
    return this.#context.wire.baud
  }

  setUpBaud(baud: number): void {
    this.#setUpBaud = baud
    this.#context.wire.baud = baud
  }

  #rememberPowerCut(): void {
    const { wire } = this.#context
    if (this.#device.receipt?.kind !== 'fiscal') return
    wire.powerCut = true
    wire.powerCutTold = false
  }

  #ping(byte: number, busy: boolean): Uint8Array | undefined {
    const { mechanism, display } = this.#device
    const noPaper = mechanism.paper === 'out' || mechanism.coverOpen
    switch (byte) {
      case PING_ALIVE:
        return busy && this.#context.quirks.busyPing === 'silent' ? undefined : Uint8Array.of(PING_ALIVE)
      case PING_READY:
        // Silent when busy; 07h instead of 05h is "out of paper".
        return busy ? undefined : Uint8Array.of(noPaper ? 0x07 : PING_READY)
      case PING_STATE:
        return Uint8Array.of(writePing({ busy, noPaper, overheated: false, noDisplay: !display.attached }))
      default:
        return undefined
    }
  }

  #meetFrame(frame: HostFrame): Meeting {
    switch (frame.kind) {
      case 'gs':
        return reply(this.#gs(frame.request))
      case 'mode':
        return { kind: 'ignore' }
      case 'logo': {
        const data = fromBytes(frame.bitmap)
        return this.#meetCommand({ kind: 'command', number: LOGO_NUMBER, code: frame.code, data })
      }
      case 'command':
        return this.#meetCommand(frame)
    }
  }

  #meetCommand(frame: CommandFrame): Meeting {
    const { command, fields } = this.#describeCommand(frame)
    return {
      kind: 'run',
      command,
      fields,
      run: () => this.#run(frame),
      refuse: () => this.#acknowledge(frame, ILLEGAL_STATE),
    }
  }

  // ---------------------------------------------------------------- one command

  #run(frame: CommandFrame): Answer {
    makeAutomaticZ(this.#context)
    const found = this.#catalogue.find(frame.code, frame.data)
    if (!found) return this.#acknowledge(frame, UNKNOWN_COMMAND)
    let ask: unknown
    try {
      ask = found.request.read(frame.data, this.#page)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      if (error.problem === 'syntax') return this.#acknowledge(frame, SYNTAX)
      // A number with more symbols than its cell has is an input register overflow, which the state comes before (sheet 5.1).
      return this.#acknowledge(frame, this.#refusal(found, undefined) ?? NIBBLES_OF.rowTooLarge)
    }
    const refused = this.#refusal(found, ask)
    if (refused) return this.#acknowledge(frame, refused)
    const before = this.#device.mechanism.linesPrinted
    const handle = handlers[found.name] as Handler<CommandName>
    const answer = this.#answer(frame, found, handle(this.#context, ask as never))
    const printedLines = this.#device.mechanism.linesPrinted - before
    return { ...answer, printedLines, waitsForPaper: this.#device.mechanism.blocked }
  }

  /** `ask` undefined: not readable. Sheet 5.1: hard errors, state, (password: the handler's), 24 hours, paper, journal; then the values. */
  #refusal(found: Found, ask: unknown): Nibbles | undefined {
    const { device, quirks, wire } = this.#context
    const { allowedIn, prints, needs = [] } = factsOf(found, ask)
    if (wire.powerCut && !wire.powerCutTold && allowedIn !== 'anywhere') {
      wire.powerCutTold = true
      return { device: 13, command: 2 }
    }
    const { refusals } = device
    const first = (...asked: readonly Exclude<Need, 'pcMode'>[]) => {
      const refusal = asked
        .filter((need) => needs.includes(need))
        .map((need) => refusals[need]())
        .find(Boolean)
      return refusal && NIBBLES_OF[refusal]
    }
    const paper = () => {
      const refusal = prints ? refusals.print() : undefined
      return refusal && NIBBLES_OF[refusal]
    }
    const idleText = allowedIn === 'inReceipt' && quirks.idleText === 'allowed'
    const phase = idleText && device.receipt === null ? 'selling' : receiptPhase(device)
    return (
      first('fiscalMemory', 'clock') ??
      refusedIn(allowedIn, phase) ??
      this.#password(found, ask) ??
      first('day') ??
      paper() ??
      first('journal')
    )
  }

  /** The password stands before the 24 hours and the paper in the order of checks. */
  #password(found: Found, ask: unknown): Nibbles | undefined {
    const asked = (ask ?? {}) as { readonly operator?: unknown; readonly password?: unknown }
    const opens = found.name === 'openNonFiscal' || found.name === 'openFiscal' || found.name === 'openReversal'
    if ((!opens && found.name !== 'cashInOut') || typeof asked.operator !== 'number') return undefined
    const refused = operatorRefusal(this.#context, asked.operator, String(asked.password))
    return refused?.kind === 'refused' ? refused.nibbles : undefined
  }

  // ---------------------------------------------------------------- what goes out

  #answer(frame: CommandFrame, found: Found, reply: Reply<unknown>): Answer {
    switch (reply.kind) {
      case 'ack':
        return this.#acknowledge(frame, OK)
      case 'refused':
        return this.#acknowledge(frame, reply.nibbles)
      case 'values': {
        const say = (values: unknown) => {
          const data = found.response.write(values, this.#page)
          const { statusBytes } = this.#context.quirks
          const told = found.name === 'status' ? data.slice(0, Number(statusBytes)) : data
          return [writeFrame(frame.number, frame.code, told)]
        }
        if (found.name !== 'status') return { frames: say(reply.values) }
        // An ACK tells of the command, which is over by then; only 20h tells how the device stands (sheet 2.2, 5.3).
        const { powerCut } = this.#context.wire
        return { frames: say(reply.values), later: () => say({ flags: statusOf(this.#context, powerCut) }) }
      }
      case 'stream':
        return this.#stream(frame, reply)
    }
  }

  #acknowledge({ number }: CommandFrame, nibbles: Nibbles): Answer {
    const ack = writeAck(number, nibbles.device, nibbles.command)
    if (this.#context.quirks.errorDigits === 'letters') return { frames: [withLetters(ack)] }
    return { frames: [ack] }
  }

  /** An ACK, a message per line, the end. No byte before the end is 40h: not in text, nor as length or number. */
  #stream(frame: CommandFrame, reply: Extract<Reply<unknown>, { kind: 'stream' }>): Answer {
    const number = frame.number === STREAM_STOP ? STREAM_STOP + 1 : frame.number
    const width = this.#device.profile.lineWidth
    const message = (line: string): Uint8Array => {
      const bytes = safe(this.#page.encode(line))
      const padded = reply.raw ? bytes : bytes.slice(0, width).padEnd(width, ' ')
      // 29 bytes of data would make LEN 40h.
      return writeFrame(number, frame.code, padded.length === 29 ? `${padded} ` : padded.slice(0, 220))
    }
    return {
      frames: [
        writeAck(frame.number, 0, 0),
        ...reply.lines.map(message),
        writeFrame(number, frame.code, reply.end ?? '@'),
      ],
    }
  }

  #gs(request: GsRequest): Uint8Array | undefined {
    const { device, dialect, wire } = this.#context
    const { profile } = device
    switch (request.kind) {
      case 'widths':
        return writeWidths({
          line: profile.lineWidth,
          articles: profile.articles.capacity,
          departments: profile.departments,
          operators: profile.operators,
          taxClasses: dialect.taxClasses,
          headerLines: dialect.headerLines,
          payments: dialect.payments,
          logos: 10,
          sales: 120,
          customers: 1000,
        })
      case 'table': {
        const country = dialect.name === 'cr' ? 'RO' : 'BG'
        const page = dialect.codePage.slice(-4)
        return toBytes(`M${country};${page};2;0;1;${profile.lineWidth};${profile.displayWidth}\n`)
      }
      case 'firmware':
        return toBytes(`F01${profile.firmware.padEnd(38, ' ').slice(0, 38)}`)
      case 'select': {
        if (Number(request.device) !== parametersOf(device).pos) return undefined
        wire.silent = request.silent
        return toBytes('ACK')
      }
      case 'speed':
        wire.baud = request.baud
        return undefined
    }
  }

  // ---------------------------------------------------------------- time and the log

  #idle(): { readonly afterMs: number; readonly act: () => void } | undefined {
    const context = this.#context
    if (this.#device.receipt?.kind === 'nonFiscal') {
      if (!context.wire.postponedNonFiscal) return undefined
      return { afterMs: POSTPONED_MS, act: () => void closeNonFiscal(context) }
    }
    const receipt = openReceipt(context)
    if (!receipt) return this.#automaticZ()
    const type = printType(receipt.extra?.['print'] ?? '0')
    const afterMs = type.electronic ? ELECTRONIC_MS : POSTPONED_MS
    return type.postponed || type.electronic ? { afterMs, act: () => void cancelReceipt(context) } : undefined
  }

  #automaticZ(): { readonly afterMs: number; readonly act: () => void } | undefined {
    const dueAt = automaticZAt(this.#context)
    if (dueAt === undefined) return undefined
    return { afterMs: Math.max(0, dueAt - this.#device.now()), act: () => makeAutomaticZ(this.#context) }
  }

  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array, asked?: Uint8Array): FrameDescription {
    return direction === 'toDevice' ? this.#describeRequest(bytes) : this.#describeAnswer(bytes, asked)
  }

  #describeRequest(bytes: Uint8Array): FrameDescription {
    if (bytes.length === 1) return described('ping', { byte: bytes[0] })
    const frame = readWhole(hostShape, bytes)
    if (frame === undefined) return described('unknown', {})
    if (frame.kind === 'command') return described(...asPair(this.#describeCommand(frame)))
    if (frame.kind === 'gs') return described('gs', { ...frame.request })
    return frame.kind === 'logo' ? described('loadLogo', { bytes: frame.bitmap.length }) : described('printMode', {})
  }

  #describeCommand(frame: CommandFrame): {
    readonly command: string
    readonly fields: Readonly<Record<string, unknown>>
  } {
    const found = this.#catalogue.find(frame.code, frame.data)
    if (!found) return { command: 'unknown', fields: { code: frame.code } }
    // One command of the wire, two names: by the receipt that it prints on.
    const text = found.name === 'fiscalText' && this.#device.receipt?.kind === 'nonFiscal'
    const command = text ? 'nonFiscalText' : found.name
    try {
      return { command, fields: found.request.read(frame.data, this.#page) as Readonly<Record<string, unknown>> }
    } catch {
      return { command, fields: { data: frame.data } }
    }
  }

  #describeAnswer(bytes: Uint8Array, asked: Uint8Array | undefined): FrameDescription {
    const first = bytes[0] ?? 0
    if (bytes.length === 1) {
      return described(first === NACK ? 'nack' : first === RETRY ? 'retry' : 'ping', { byte: first })
    }
    const frame = first === ACK || first === 0x02 ? readWhole(deviceShape, bytes) : undefined
    if (frame === undefined) return described('gs', { text: fromBytes(bytes) })
    if (frame.kind === 'ack') return described('ack', { device: frame.device, command: frame.command })
    if (frame.kind === 'widths') return described('gs', { text: frame.data })
    const found = this.#foundBy(asked, frame) ?? this.#catalogue.find(frame.code, frame.data)
    if (found?.name === 'status') return { command: 'status', fields: {}, status: [...status.read(frame.data)] }
    return described(found?.name ?? 'unknown', this.#answerFields(found, frame.data))
  }

  /** The command of the question with the same number and code: several commands share a code. */
  #foundBy(asked: Uint8Array | undefined, { number, code }: Pick<CommandFrame, 'number' | 'code'>): Found | undefined {
    const question = asked && readWhole(hostShape, asked)
    if (question?.kind !== 'command' || question.number !== number || question.code !== code) return undefined
    return this.#catalogue.find(code, question.data)
  }

  /** A line of a stream is text, whatever its command's other answers are. */
  #answerFields(found: Found | undefined, data: ByteText): Readonly<Record<string, unknown>> {
    try {
      const fields = found?.response.read(data, this.#page) as Readonly<Record<string, unknown>> | undefined
      if (fields && Object.keys(fields).length > 0) return fields
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
    }
    return { data: this.#page.decode(data) }
  }
}

const reply = (bytes: Uint8Array | undefined): Meeting =>
  bytes === undefined ? { kind: 'ignore' } : { kind: 'reply', bytes }

const isWakeUp = (event: Deframed<HostFrame>): boolean =>
  event.kind === 'frame' && event.frame.kind === 'gs' && event.frame.request.kind === 'select'

const described = (command: string, fields: Readonly<Record<string, unknown>>): FrameDescription => ({
  command,
  fields,
  status: [],
})
const asPair = ({ command, fields }: { command: string; fields: Readonly<Record<string, unknown>> }) =>
  [command, fields] as const

function readWhole<Frame>(
  shape: { measure: typeof hostShape.measure; parse(frame: Uint8Array): Frame | undefined },
  bytes: Uint8Array,
): Frame | undefined {
  return shape.measure(bytes, 0, bytes.length) === bytes.length ? shape.parse(bytes) : undefined
}

/** Control bytes and 40h would end or split what a client reads (sheet 2.2, 4.15). */
const safe = (bytes: ByteText): ByteText => bytes.replace(/[\x00-\x1f]/g, ' ').replaceAll('@', '#')

/** 2.3: codes 10 to 15 as `A` to `F`, the way of older firmware; the checksum follows. */
function withLetters(ack: Uint8Array): Uint8Array {
  const letter = (byte: number): number => (byte > 0x39 ? byte + 7 : byte)
  const [, number = 0, device = 0, command = 0] = ack
  const [one, two] = [letter(device), letter(command)]
  const sum = number ^ one ^ two
  return Uint8Array.of(ACK, number, one, two, 0x30 + (sum >> 4), 0x30 + (sum & 15), 0x0a)
}
