import { answersWithoutCode, readCoded, writeCoded } from '../../drivers/family-a/protocol/answer.ts'
import { codeOf, type ErrorKey, fieldErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import { splitTabs } from '../../drivers/family-a/protocol/fields.ts'
import {
  type DeviceFrame,
  deviceShape,
  encodeDeviceFrame,
  type HostFrame,
  hostShape,
  isClassicFrame,
  MAX_ANSWER_DATA,
  NAK,
  SYN,
} from '../../drivers/family-a/protocol/frame.ts'
import { type CommandName, catalogueOf, commands } from '../../drivers/family-a/protocol/index.ts'
import { type StatusFlag, status } from '../../drivers/family-a/protocol/status.ts'
import { type ByteText, codePage } from '../../drivers/wire/charset.ts'
import { type AnyCommand, factsOf, namesOf } from '../../drivers/wire/command.ts'
import type { Deframed } from '../../drivers/wire/deframer.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { receiptPhase } from '../fiscal/phase.ts'
import type { Answer, FrameDescription, Meeting, SwitchOptions, Wire } from '../wire.ts'
import { type Context, newWireState, type Result } from './context.ts'
import { handlers } from './handlers/index.ts'
import { openingBlocked } from './handlers/receipt.ts'
import type { National } from './profile.ts'
import { KEY_OF } from './refusals.ts'
import { refusedIn } from './states.ts'
import { statusBytes } from './status.ts'
import { quirksOf } from './switches.ts'

/** The device of family A behind its wire: sheet 2.4 to 2.7 (repeats, refusals) and 4.1 (order of checks). */
const GAP_MS = 500
const BUSY_MS = 60
/** The first byte comes within 60 ms (sheet 2.5), and a timer rings late. */
const FIRST_BUSY_MS = 40
const SOFTWARE_PASSWORD = 96
const ARTICLES = 107
/** Place of the quantity in 107 P, from 0. */
const STOCK_PIECE = 8

/** Flags of sheet 4.1 that go with a code. */
const FLAGS_OF: Partial<Record<ErrorKey, StatusFlag>> = {
  invalidSyntax: 'syntaxError',
  notPermitted: 'notPermitted',
  overflow: 'overflow',
}
const flagOf = (key: ErrorKey): StatusFlag | undefined =>
  FLAGS_OF[key] ?? (key.startsWith('syntaxField') ? 'syntaxError' : undefined)

interface Stored {
  readonly seq: number
  readonly request: Uint8Array
  readonly answer: Uint8Array
}

/** A command as it was taken apart: known or not, with values or with what is wrong. */
interface Understood {
  readonly command: AnyCommand | undefined
  readonly values: Readonly<Record<string, unknown>> | undefined
  readonly problem: FieldError | undefined
}

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<HostFrame> {
  const quirks = quirksOf(options)
  const { profile } = device
  const national: National = profile.profile === 'ro' ? 'ro' : 'bg'
  const page = codePage(quirks.codePage)
  const catalogue = catalogueOf(national)
  let context: Context = { device, profile, national, quirks, wire: newWireState() }
  let stored: Stored | undefined

  function understand(frame: HostFrame): Understood {
    const command = catalogue.find(frame.code, frame.data)
    if (!command) return { command: undefined, values: undefined, problem: undefined }
    try {
      return { command, values: command.request.read(dataOf(frame), page), problem: undefined }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      return { command, values: undefined, problem }
    }
  }

  /** 6.11: some devices take an empty quantity when an item is programmed. */
  function dataOf({ code, data }: HostFrame): ByteText {
    if (quirks.emptyStock === 'refused' || code !== ARTICLES || !data.startsWith('P\t')) return data
    const pieces = splitTabs(data)
    if (pieces[STOCK_PIECE] === '') pieces[STOCK_PIECE] = '0.000'
    return pieces.map((piece) => `${piece}\t`).join('')
  }

  /** The answer's data and the flags that belong to it alone. */
  function execute(frame: HostFrame, { command, values, problem }: Understood): readonly [ByteText, StatusFlag?] {
    if (!command) {
      const data = quirks.unknownCommand === 'code' ? writeCoded(codeOf('invalidCommand')) : ''
      return [data, 'unknownCommand']
    }
    const name = command.name as CommandName
    const key = blocked(frame, command, values, problem)
    if (key !== undefined) return refused(key)
    const handle = handlers[name] as (context: Context, values: unknown) => Result<unknown>
    const result = handle(context, values)
    if (!result.ok) return refused(result.key)
    const rest = command.response.write(result.values, page).slice(0, MAX_ANSWER_DATA - 2)
    return [answersWithoutCode(frame.code, frame.data) ? rest : writeCoded(0, rest)]
  }

  /** In this order: what cannot be taken apart, the state, paper, what blocks the day or the memory, wrong values. */
  function blocked(
    frame: HostFrame,
    command: AnyCommand,
    values: Understood['values'],
    problem: FieldError | undefined,
  ): ErrorKey | undefined {
    if (frame.code !== SOFTWARE_PASSWORD && !context.wire.unlocked) {
      if ((device.registers.parameter('softwarePassword') ?? '') !== '') return 'needSoftPassword'
    }
    if (problem?.problem === 'syntax') return fieldErrorKey('syntax', problem.index)
    const { allowedIn, prints, needs } = factsOf(command, values)
    const forbidden = refusedIn(allowedIn, receiptPhase(device))
    if (forbidden !== undefined) return forbidden
    const paper = prints ? device.refusals.print() : undefined
    if (paper !== undefined) return KEY_OF[paper]
    if (allowedIn === 'opening') {
      const refusal = openingBlocked(context)
      if (refusal) return refusal.key
      if (problem && problem.index > 2 && !passwordFits(frame)) return 'wrongPassword'
    } else if (needs?.includes('journal')) {
      const full = device.refusals.journal()
      if (full !== undefined) return KEY_OF[full]
    }
    return problem ? fieldErrorKey('value', problem.index) : undefined
  }

  /** 48 looks at the password before it looks at the till (sheet 6.3). */
  function passwordFits(frame: HostFrame): boolean {
    const [operator = '', password = ''] = splitTabs(frame.data)
    return device.refusals.operator(Number(operator), password) === undefined
  }

  const refused = (key: ErrorKey): readonly [ByteText, StatusFlag?] => {
    const flag = flagOf(key)
    return flag === undefined ? [writeCoded(codeOf(key))] : [writeCoded(codeOf(key)), flag]
  }

  function answer(frame: HostFrame, request: Uint8Array, act: () => readonly [ByteText, StatusFlag?]): Answer {
    const before = device.mechanism.linesPrinted
    const [data, flag] = act()
    const { seq, code } = frame
    const say = () => {
      const status = statusBytes(device, flag === undefined ? [] : [flag])
      const bytes = encodeDeviceFrame({ seq, code, data, status })
      stored = { seq, request: request.slice(), answer: bytes }
      return [bytes]
    }
    return { frames: say(), later: say, printedLines: device.mechanism.linesPrinted - before }
  }

  const repeats = (frame: HostFrame, request: Uint8Array): boolean =>
    stored !== undefined &&
    stored.seq === frame.seq &&
    (quirks.duplicateMatch === 'seq' || Buffer.from(stored.request).equals(request))

  return {
    shape: hostShape,
    timing: { busy: { byte: SYN, everyMs: BUSY_MS, firstMs: FIRST_BUSY_MS }, gapMs: GAP_MS },
    commands: commands.flatMap((one) => namesOf(one).map((name) => ({ name, code: one.code, source: one.source }))),

    meet(event: Deframed<HostFrame>): Meeting {
      if (event.kind === 'single') return { kind: 'ignore' }
      if (event.kind === 'damaged') {
        const bytes = isClassicFrame(event.bytes) ? Uint8Array.of(SYN, NAK) : Uint8Array.of(NAK)
        return { kind: 'reply', bytes }
      }
      const { frame, bytes } = event
      if (stored && repeats(frame, bytes)) return { kind: 'reply', bytes: stored.answer, repeated: true }
      const understood = understand(frame)
      const { command, values } = understood
      return {
        kind: 'run',
        command: command ? factsOf(command, values).runsAs : 'unknown',
        fields: values ?? {},
        run: () => answer(frame, bytes, () => execute(frame, understood)),
        refuse: () => answer(frame, bytes, () => refused('notPermitted')),
      }
    },
    // What comes while a command runs is dropped (sheet 2.6): a host that repeats still sees one answer.
    meetWhileBusy: () => undefined,
    expired: () => Uint8Array.of(NAK),
    restart() {
      stored = undefined
      context = { ...context, wire: newWireState() }
    },
    describe: (direction, bytes) => describe(direction, bytes),
  }

  function describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription {
    if (bytes.length === 1) {
      return { command: bytes[0] === NAK ? 'refused' : bytes[0] === SYN ? 'busy' : 'unknown', fields: {}, status: [] }
    }
    const frame = direction === 'toDevice' ? hostShape.parse(bytes) : deviceShape.parse(bytes)
    const command = frame && catalogue.find(frame.code, frame.data)
    if (!frame || !command) return { command: 'unknown', fields: frame ? { data: frame.data } : {}, status: [] }
    if (direction === 'toDevice') {
      const { values } = understand(frame)
      return {
        command: factsOf(command, values).runsAs,
        fields: values ?? { data: frame.data },
        status: [],
      }
    }
    const flags = [...status.read((frame as DeviceFrame).status)]
    return { command: command.name, fields: answerFields(command, frame.data), status: flags }
  }

  function answerFields(command: AnyCommand, data: ByteText): Readonly<Record<string, unknown>> {
    const coded = readCoded(data)
    if (coded && coded.code !== 0) return { code: coded.code }
    try {
      return { ...(coded ? { code: 0 } : {}), ...command.response.read(coded?.rest ?? data, page) }
    } catch {
      return { data }
    }
  }
}
