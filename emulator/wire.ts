import {
  type AnyCommand,
  type Change,
  type Facts,
  factsOf,
  type Need,
  namesOf,
  type Situation,
} from '../drivers/wire/command.ts'
import type { Deframed, FrameShape } from '../drivers/wire/deframer.ts'
import { FieldError } from '../drivers/wire/field.ts'
import type { Asker, Questionnaire } from '../drivers/wire/probe.ts'
import type { FieldTable } from '../drivers/wire/row.ts'
import type { Advice } from './advice.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { type ReceiptPhase, receiptPhase } from './fiscal/phase.ts'
import type { Refusal } from './fiscal/types/outcome.ts'
import type { DeviceProfile } from './fiscal/types/profile.ts'
import { type Done, type Reply, refused } from './handler.ts'

/**
 * A family as the device loop sees it: bytes of its wire in, bytes out, the books in between. The loop owns time,
 * faults, the busy byte's rhythm and the port; a wire owns meaning. It holds no timers and sends nothing itself.
 */
export interface Wire<Frame = unknown> {
  readonly shape: FrameShape<Frame>
  readonly timing: DeviceTiming
  /** Every command it knows, for `--list-commands` and for checking the `on` of fault rules. */
  readonly commands: readonly {
    readonly name: string
    readonly code: number
    readonly source: string
    readonly changes: Change
  }[]

  /** What to do about a frame, a single byte or a damaged piece. Executes nothing yet. */
  meet(event: Deframed<Frame>): Meeting
  /** The same while a command is still running (SYN goes on meanwhile): what to send at once, if anything. */
  meetWhileBusy(event: Deframed<Frame>): Uint8Array | undefined
  /** Half a frame, and the gap limit has passed: what to send, if anything. */
  expired(piece: Uint8Array): Uint8Array | undefined

  /** Speed of the line now, on a wire that has a command for it. */
  baud?(): number
  /** The speed that a person chose on such a device; it comes back with the power. */
  setUpBaud?(baud: number): void

  /** The power went and came back: what the wire remembers (stored answer, half-read streams) is gone. */
  restart(): void
  /** Decodes a frame of either direction for the frame log; never throws. `question`: the frame that it may answer. */
  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array, question?: Uint8Array): FrameDescription
}

export interface DeviceTiming {
  /** Rhythm of the busy byte while a command runs, and when the first comes; undefined: this wire stays silent. */
  readonly busy?: { readonly byte: number; readonly everyMs: number; readonly firstMs?: number }
  /** Longest gap inside a frame. */
  readonly gapMs: number
  /** Silence after which a postponed receipt is ended by the device (C 4.7): asked after every command. */
  readonly idle?: () => { readonly afterMs: number; readonly act: () => void } | undefined
}

export type Meeting =
  | { readonly kind: 'ignore' }
  /** NAK, a ping's answer, a stored answer: sent as it is, nothing executed. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'run'
      /** Name of the command, the same in every family (decisions 8); `unknown` for what the wire does not know. */
      readonly command: string
      /** Executes once, synchronously. Throws nothing but PowerCut. */
      run(): Answer
      /** What to answer when a fault rule says that the device refuses this command (its own "not possible now"). */
      refuse(): Answer
    }

export interface Answer {
  /** The frames of the answer, in order; usually one. */
  readonly frames: readonly Uint8Array[]
  /** The same once the work has taken its time: with the status that the device has by then. */
  readonly later?: () => readonly Uint8Array[]
  /** With lines that the host acknowledges one by one (B 153, 195): sent before `frames`. */
  readonly stream?: LineStream
  /** Lines printed by this command, for the realistic printing time. */
  readonly printedLines?: number
  /** The device has refused the command. */
  readonly isRefusal?: boolean
  /** This wire does not answer until the mechanism is unblocked (B, C); A answers with the paper bit. */
  readonly waitsForPaper?: boolean
}

export interface LineStream {
  readonly lines: readonly Uint8Array[]
  acknowledges(byte: number): boolean
}

export interface FrameDescription {
  readonly command: string
  readonly fields: Fields
  /** What is known of these fields; absent: no layout read them. */
  readonly known?: FieldTable | undefined
  /** Names of the status bits that are set, of an answer. */
  readonly status: readonly string[]
}

export type Fields = Readonly<Record<string, unknown>>

export const described = (command: string, fields: Fields = {}, known?: FieldTable): FrameDescription => ({
  command,
  fields,
  known,
  status: [],
})

/** A family of emulated devices: what `emulator/family-x/index.ts` exports. */
export interface EmulatedFamily {
  /** The first is the default. */
  readonly profiles: readonly string[]
  /** Throws RangeError with a sentence for an unknown profile. */
  profile(name: string): DeviceProfile
  /** What the sheet speaks of and the devices do not do, each with the reason. */
  readonly notModelled: readonly (readonly [what: string, why: string])[]
  /** What a program has to do in trouble; the first that fits. Absent: nothing is known of it. */
  readonly advice?: readonly Advice[]
  /** How a device of this profile is got to know (`fiscal-rig passport`). Absent: nobody has written it down. */
  readonly questionnaire?: (profile: string, asker: Asker) => Questionnaire
  /** What each of its switches may be, the default first. */
  readonly switches?: Readonly<Record<string, readonly string[]>>
  /** Throws RangeError with a sentence for a switch that the family does not have. */
  wire(device: FiscalDevice, options?: SwitchOptions): Wire
}

/** Named switches of the sheets that imitate particular firmware, e.g. `duplicateMatch=frame` of A 2.6. */
export type SwitchOptions = Readonly<Record<string, string>>

// ---------------------------------------------------------------- a wire put together

/** A command as it was taken apart, once. */
export interface Question<Frame> {
  readonly frame: Frame
  /** Undefined: the wire has no such command. */
  readonly command: AnyCommand | undefined
  readonly facts: Facts & { readonly runsAs: string }
  /** Undefined: its data could not be read, and `problem` says why. */
  readonly values: Fields | undefined
  readonly problem: FieldError | undefined
}

const UNKNOWN = { changes: 'nothing', prints: false, allowedIn: 'anywhere', runsAs: 'unknown' } as const

/** Reads the data of a frame that holds this command. */
export function questionOf<Frame>(
  frame: Frame,
  command: AnyCommand | undefined,
  read: (request: AnyCommand['request']) => Fields,
): Question<Frame> {
  if (!command) return { frame, command, facts: UNKNOWN, values: undefined, problem: undefined }
  try {
    const values = read(command.request)
    return { frame, command, facts: factsOf(command, values), values, problem: undefined }
  } catch (problem) {
    if (!(problem instanceof FieldError)) throw problem
    return { frame, command, facts: factsOf(command), values: undefined, problem }
  }
}

/** Why a command is refused; undefined: this check lets it pass. */
export type Check<Frame, Reason> = (question: Question<Frame>) => Reason | undefined

/** The checks that every family puts in an order of its own. */
export function commonChecks<Reason>(
  device: FiscalDevice,
  reasons: Readonly<Record<Refusal, Reason>>,
  refusedIn: (situation: Situation, phase: ReceiptPhase) => Reason | undefined,
) {
  const reasonOf = (refusal: Refusal | undefined): Reason | undefined => refusal && reasons[refusal]
  return {
    receipt: ({ facts }: Question<unknown>, phase = receiptPhase(device)) => refusedIn(facts.allowedIn, phase),
    paper: ({ facts }: Question<unknown>) => reasonOf(facts.prints ? device.refusals.print() : undefined),
    need:
      (need: Exclude<Need, 'pcMode'>) =>
      ({ facts }: Question<unknown>) =>
        reasonOf(facts.needs?.includes(need) ? device.refusals[need]() : undefined),
  }
}

type FrameEvent<Frame> = Extract<Deframed<Frame>, { kind: 'frame' }>

interface WireContext {
  readonly device: FiscalDevice
}

export interface WireParts<Frame, Context extends WireContext, Reason, More, Asked extends Frame = Frame>
  extends Pick<Wire<Frame>, 'shape' | 'timing' | 'expired' | 'describe' | 'baud' | 'setUpBaud' | 'restart'> {
  readonly catalogue: readonly AnyCommand[]
  /** Takes a command apart; undefined: this frame is none. */
  read(frame: Frame): Question<Asked> | undefined
  /** The first that has a reason refuses the command; whether the wire knows it at all comes first. */
  readonly orderOfChecks: readonly Check<Asked, Reason>[]
  readonly handlers: Readonly<Record<string, (context: Context, values: never) => Reply<unknown, Reason, More>>>
  /** The frames of an answer, with the status that the device has now. */
  write(question: Question<Asked>, reply: Reply<unknown, Reason, More>, waitsForPaper: boolean): readonly Uint8Array[]

  /** What is sent at once for that which is no command: pings, damaged pieces, and anything while a command runs. */
  beside(event: Deframed<Frame>, isBusy: boolean): Uint8Array | undefined
  /** The device's reason when a fault rule lets it refuse. */
  readonly notNow: Reason
  /** What the device does by itself before it looks at a command. */
  due?(): void
  /** Is the frame the same command again, whose answer got lost? Absent: this wire knows no repeats. */
  isRepeat?(event: FrameEvent<Frame>, before: FrameEvent<Frame>): boolean
  /** Does the answer to a command that no check has refused wait for paper? Absent: it never does. */
  waitsForPaper?(print: { readonly lines: number; readonly wasBlocked: boolean; readonly isDone: boolean }): boolean
  stream?(reply: Done<unknown> & More): LineStream | undefined
}

/** A wire of its parts: each command is decoded once, checked in the family's order, carried out and answered. */
export function composeWire<Frame, Context extends WireContext, Reason, More, Asked extends Frame = Frame>(
  context: Context,
  parts: WireParts<Frame, Context, Reason, More, Asked>,
): Wire<Frame> {
  const { mechanism } = context.device
  /** The last command that was answered, for those who ask again. */
  let last: { readonly event: FrameEvent<Frame>; readonly answer: Uint8Array } | undefined

  function refusal(question: Question<Asked>): Reason | undefined {
    for (const check of parts.orderOfChecks) {
      const reason = check(question)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  function carryOut(question: Question<Asked>): Reply<unknown, Reason, More> {
    const handle = parts.handlers[question.command?.name ?? '']
    if (!handle) throw new Error(`nothing carries out ${question.facts.runsAs}, and no check refuses it`)
    return handle(context, question.values as never)
  }

  function run(event: FrameEvent<Frame>, question: Question<Asked>): Answer {
    parts.due?.()
    const reason = refusal(question)
    if (reason !== undefined) return answer(event, question, refused(reason))
    const [before, wasBlocked] = [mechanism.linesPrinted, mechanism.blocked]
    const reply = carryOut(question)
    const lines = mechanism.linesPrinted - before
    const waitsForPaper = parts.waitsForPaper?.({ lines, wasBlocked, isDone: reply.ok })
    const stream = reply.ok ? parts.stream?.(reply) : undefined
    return { ...answer(event, question, reply, waitsForPaper), printedLines: lines, ...(stream && { stream }) }
  }

  function answer(
    event: FrameEvent<Frame>,
    question: Question<Asked>,
    reply: Reply<unknown, Reason, More>,
    waitsForPaper = false,
  ): Answer {
    const say = (): readonly Uint8Array[] => {
      const frames = parts.write(question, reply, waitsForPaper)
      const [first] = frames
      if (first) last = { event, answer: first }
      return frames
    }
    return { frames: say(), later: say, isRefusal: !reply.ok, waitsForPaper }
  }

  const { shape, timing, catalogue, expired, describe, baud, setUpBaud } = parts
  return {
    shape,
    timing,
    commands: catalogue.flatMap((one) => {
      const { code, source, changes } = one
      return namesOf(one).map((name) => ({ name, code, source, changes }))
    }),
    meet(event) {
      if (event.kind === 'frame') {
        if (last && parts.isRepeat?.(event, last.event)) return { kind: 'reply', bytes: last.answer }
        const question = parts.read(event.frame)
        if (question) {
          return {
            kind: 'run',
            command: question.facts.runsAs,
            run: () => run(event, question),
            refuse: () => answer(event, question, refused(parts.notNow)),
          }
        }
      }
      const bytes = parts.beside(event, false)
      return bytes ? { kind: 'reply', bytes } : { kind: 'ignore' }
    },
    meetWhileBusy: (event) => parts.beside(event, true),
    expired,
    ...(baud && { baud }),
    ...(setUpBaud && { setUpBaud }),
    restart() {
      last = undefined
      parts.restart()
    },
    describe,
  }
}
