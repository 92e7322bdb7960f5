import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import {
  DATA_MAX,
  LINE_START,
  LINE_TAKEN,
  NAK,
  parseAnswer,
  parseRequest,
  type RequestFrame,
  requestShape,
  SYN,
  writeAnswer,
  writeLine,
} from '../../drivers/family-b/protocol/frame.ts'
import { type CommandName, catalogueOf, commands } from '../../drivers/family-b/protocol/index.ts'
import { readStatus, writeStatus } from '../../drivers/family-b/protocol/status.ts'
import type { ByteText, CodePage } from '../../drivers/wire/charset.ts'
import { type AnyCommand, factsOf, namesOf } from '../../drivers/wire/command.ts'
import type { Deframed } from '../../drivers/wire/deframer.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { receiptPhase } from '../fiscal/phase.ts'
import type { Answer, FrameDescription, Meeting, SwitchOptions, Wire } from '../wire.ts'
import { type Context, type Failure, newWireState, type Reply } from './context.ts'
import { strictTexts } from './forms.ts'
import { handlers } from './handlers/index.ts'
import { EDITIONS, type Edition } from './profile.ts'
import { refusedIn } from './states.ts'
import { statusOf } from './status.ts'
import { switchesOf } from './switches.ts'

/** Family B as the device loop sees it: sheet 5 (link rules), 8 (errors) and the order of checks of 8. */

const GAP_MS = 500
/** The first reaction comes within 60 ms (sheet 5), and a timer rings late. */
const FIRST_SYN_MS = 40
const IGNORE: Meeting = { kind: 'ignore' }
const NAK_BYTES = Uint8Array.of(NAK)

/** Names under which a command runs, each with its code (decisions 8). */
const COMMAND_LIST = commands.flatMap((one) =>
  namesOf(one).map((name) => ({ name, code: one.code, source: one.source })),
)

interface Decoded {
  readonly values?: Readonly<Record<string, unknown>>
  /** `late`: a wrong value, which is looked at only after state and paper. */
  readonly wrong?: { readonly failure: Failure; readonly late: boolean }
}

const MALFORMED: Decoded = { wrong: { failure: { channel: 'syntax' }, late: false } }

/** 8: malformed data are 0.0, bad values have a number in byte 3. */
function failureOfField(problem: FieldError): Decoded {
  if (problem.code !== undefined) {
    return { wrong: { failure: { channel: 'error', error: problem.code as ErrorNumber }, late: true } }
  }
  return problem.problem === 'syntax' ? MALFORMED : { wrong: { failure: { channel: 'error', error: 21 }, late: true } }
}

/** 10h is how a display command escapes a control byte. */
const STRAY = /[\x00-\x08\x0b-\x0f\x11-\x1f]/

class FamilyB implements Wire<RequestFrame> {
  readonly shape = requestShape
  readonly timing: Wire['timing']
  readonly commands = COMMAND_LIST
  readonly #catalogue: ReturnType<typeof catalogueOf>
  readonly #edition: Edition
  readonly #context: Context & { readonly wire: ReturnType<typeof newWireState> }
  /** Of what the host says. */
  readonly #page: CodePage
  /** The answer to the last correct packet (sheet 5.4). */
  #last: { readonly seq: number; readonly command: number; readonly bytes: Uint8Array } | undefined

  constructor(device: FiscalDevice, options: SwitchOptions) {
    const switches = switchesOf(options)
    this.#edition = device.profile.profile as Edition
    this.#catalogue = catalogueOf(this.#edition)
    const edition = EDITIONS[this.#edition]
    this.#page = strictTexts(edition.page)
    this.#context = { device, edition, switches, wire: newWireState(), status: () => statusOf(device, switches) }
    this.timing = { busy: { byte: SYN, everyMs: Number(switches.synMs), firstMs: FIRST_SYN_MS }, gapMs: GAP_MS }
  }

  meet(event: Deframed<RequestFrame>): Meeting {
    if (event.kind === 'single') return IGNORE
    if (event.kind === 'damaged') return { kind: 'reply', bytes: NAK_BYTES }
    const { frame } = event
    const last = this.#last
    if (last && last.seq === frame.seq && last.command === frame.command) {
      return { kind: 'reply', bytes: last.bytes, repeated: true }
    }
    const command = this.#catalogue.find(frame.command, frame.data)
    if (!command || (command.optional && this.#context.switches.freeSale === 'false')) {
      const run = () => this.#answer(frame, { failure: { channel: 'invalid' } })
      return { kind: 'run', command: 'unknown', fields: {}, run, refuse: run }
    }
    const decoded = this.#decode(command, frame.data)
    const { values } = decoded
    return {
      kind: 'run',
      command: factsOf(command, values).runsAs,
      fields: values ?? {},
      run: () => this.#run(frame, command, decoded),
      refuse: () => this.#answer(frame, { failure: { channel: 'state', error: 20 } }),
    }
  }

  meetWhileBusy(): undefined {
    // A repeat gets its answer with the first one; anything else is lost on a device that works (sheet 5.4).
    return undefined
  }

  expired(): Uint8Array | undefined {
    return this.#context.switches.partialFrame === 'nak' ? NAK_BYTES : undefined
  }

  restart(): void {
    this.#last = undefined
    Object.assign(this.#context.wire, newWireState())
  }

  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription {
    if (bytes.length === 1) return { command: single(bytes[0] ?? 0), fields: {}, status: [] }
    if (bytes[0] === LINE_START) return { command: 'streamedLine', fields: {}, status: [] }
    const answer = direction === 'toHost' ? parseAnswer(bytes) : undefined
    const frame = answer ?? (direction === 'toDevice' ? parseRequest(bytes) : undefined)
    if (!frame) return { command: 'damaged', fields: {}, status: [] }
    const status = answer ? readStatus(answer.status) : undefined
    const names = status ? [...status.flags, ...(status.error === 0 ? [] : [`error ${status.error}`])] : []
    const command = this.#catalogue.find(frame.command, frame.data)
    if (!command) return { command: 'unknown', fields: { code: frame.command, data: frame.data }, status: names }
    const fields = this.#readQuietly(answer ? command.response : command.request, frame.data)
    return {
      // An answer does not say which of its command's several things was asked for.
      command: direction === 'toHost' || !('values' in fields) ? command.name : factsOf(command, fields.values).runsAs,
      fields: 'values' in fields ? (fields.values as Record<string, unknown>) : { data: frame.data },
      status: names,
    }
  }

  // ---------------------------------------------------------------- one command

  #decode(command: AnyCommand, data: ByteText): Decoded {
    if (data.length > DATA_MAX || (STRAY.test(data) && command.name !== 'displayRaw')) {
      return MALFORMED
    }
    try {
      const values = command.request.read(data, this.#page)
      // Forms that only the other edition reads (2, 10.5, 10.7).
      const { editions } = factsOf(command, values)
      return editions?.includes(this.#edition) === false ? MALFORMED : { values }
    } catch (problem) {
      if (problem instanceof FieldError) return failureOfField(problem)
      throw problem
    }
  }

  /** The order of sheet 8: mode, syntax, state, paper, values; memory, clock and the 24 hours are the handler's. */
  #refusal(command: AnyCommand, { values, wrong }: Decoded): Failure | undefined {
    const { device, switches } = this.#context
    const { allowedIn, prints, needs } = factsOf(command, values)
    if (needs?.includes('pcMode') && switches.pcMode === 'off') return { channel: 'state', error: 20 }
    if (wrong && !wrong.late) return wrong.failure
    const forbidden = refusedIn(allowedIn, receiptPhase(device))
    if (forbidden) return forbidden
    if (prints && device.refusals.print() && !this.#sendsText(command)) return { channel: 'mechanism' }
    return wrong?.failure
  }

  /** 153 came before: this report needs no paper. */
  #sendsText({ name }: AnyCommand): boolean {
    const { wire, device } = this.#context
    return wire.textUntil !== undefined && device.now() <= wire.textUntil && /Report|taxRatesByDate/.test(name)
  }

  #run(frame: RequestFrame, command: AnyCommand, decoded: Decoded): Answer {
    const failure = this.#refusal(command, decoded)
    if (failure) return this.#answer(frame, { failure })
    const { device, edition } = this.#context
    const before = device.mechanism.linesPrinted
    const wasBlocked = device.mechanism.blocked
    const reply = this.#handle(command.name as CommandName, decoded.values)
    if (!reply.ok) return this.#answer(frame, { failure: reply.failure })
    const data = command.response.write(reply.values, edition.page)
    const printedLines = device.mechanism.linesPrinted - before
    // All that it printed may wait; a line that waited before is not this command's.
    const waits = printedLines > 0 || (device.mechanism.blocked && !wasBlocked)
    const answer = this.#answer(frame, {
      data,
      waits,
      ...(reply.error === undefined ? {} : { failure: { channel: 'error', error: reply.error } }),
    })
    return {
      ...answer,
      ...(printedLines > 0 ? { printedLines } : {}),
      ...(waits ? { waitsForPaper: true } : {}),
      ...(reply.stream ? { stream: { lines: reply.stream.map(writeLine), acknowledges } } : {}),
    }
  }

  #handle(name: CommandName, values: unknown): Reply<unknown> {
    const handler = handlers[name] as (context: Context, ask: unknown) => Reply<unknown>
    try {
      return handler(this.#context, values)
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      const { wrong } = failureOfField(problem)
      return { ok: false, failure: wrong?.failure ?? { channel: 'syntax' } }
    }
  }

  #answer(
    { seq, command }: RequestFrame,
    said: { readonly data?: ByteText; readonly failure?: Failure; readonly waits?: boolean },
  ): Answer {
    const { device, switches } = this.#context
    const say = () => {
      const status = writeStatus(statusOf(device, switches, said.failure, said.waits))
      const bytes = writeAnswer({ seq, command, data: said.data ?? '', status })
      this.#last = { seq, command, bytes }
      return [bytes]
    }
    return { frames: say(), later: say }
  }

  #readQuietly(
    layout: AnyCommand['request'],
    data: ByteText,
  ): { readonly values: unknown } | { readonly data: ByteText } {
    if (data === '') return { values: {} }
    try {
      return { values: layout.read(data, this.#context.edition.page) }
    } catch {
      return { data }
    }
  }
}

const acknowledges = (byte: number): boolean => byte === LINE_TAKEN || byte === LINE_START

function single(byte: number): string {
  switch (byte) {
    case NAK:
      return 'NAK'
    case SYN:
      return 'SYN'
    case LINE_TAKEN:
    case LINE_START:
      return 'lineTaken'
    default:
      return 'noise'
  }
}

/** Throws RangeError with a sentence for a switch that the family does not have. */
export const wire = (device: FiscalDevice, options: SwitchOptions = {}): Wire => new FamilyB(device, options) as Wire
