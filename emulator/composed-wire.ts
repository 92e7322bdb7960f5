import { memoize } from '../drivers/model/memoize.ts'
import { type AnyCommand, type Facts, factsOf, type Need, namesOf, type Situation } from '../drivers/wire/command.ts'
import type { Deframed } from '../drivers/wire/deframer.ts'
import { FieldError } from '../drivers/wire/field.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { type ReceiptPhase, receiptPhase } from './fiscal/receipt-phase.ts'
import type { Refusal } from './fiscal/types/outcome.ts'
import { type Done, type Reply, refused } from './handler.ts'
import type { Answer, Fields, LineStream, Wire } from './wire.ts'

export interface Question<Frame> {
  readonly frame: Frame
  readonly command: AnyCommand | undefined
  readonly facts: Facts & { readonly runsAs: string }
  /** `undefined` if the data could not be parsed; `problem` then contains the reason. */
  readonly values: Fields | undefined
  readonly problem: FieldError | undefined
}

const UNKNOWN = { changes: 'nothing', prints: false, allowedIn: 'anywhere', runsAs: 'unknown' } as const

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

export type Check<Frame, Reason> = (question: Question<Frame>) => Reason | undefined

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

interface WireParts<Frame, Context extends WireContext, Reason, More, RequestFrame extends Frame = Frame>
  extends Pick<Wire<Frame>, 'shape' | 'timing' | 'expired' | 'describe' | 'baud' | 'setUpBaud' | 'restart'> {
  readonly catalogue: readonly AnyCommand[]
  read(frame: Frame): Question<RequestFrame> | undefined
  /** The first check that returns a reason refuses the command. The check for unknown commands must come first. */
  readonly orderOfChecks: readonly Check<RequestFrame, Reason>[]
  readonly handlers: Readonly<Record<string, (context: Context, values: never) => Reply<unknown, Reason, More>>>
  write(
    question: Question<RequestFrame>,
    reply: Reply<unknown, Reason, More>,
    waitsForPaper: boolean,
  ): readonly Uint8Array[]

  /** Returns the immediate answer to pings and damaged pieces, and to every event that arrives while a command runs. */
  beside(event: Deframed<Frame>, isBusy: boolean): Uint8Array | undefined
  /** The reason that the device reports if a fault rule makes it refuse a command. */
  readonly notNow: Reason
  /** Executes overdue actions of the device (for example an automatic Z report) before each command. */
  due?(): void
  /** Returns true if the frame retransmits the previous command. Absent: the wire protocol has no retransmissions. */
  isRepeat?(event: FrameEvent<Frame>, before: FrameEvent<Frame>): boolean
  /** Returns true if the answer to an accepted command waits until paper is loaded. Absent: it never waits. */
  waitsForPaper?(print: { readonly lines: number; readonly wasBlocked: boolean; readonly isDone: boolean }): boolean
  stream?(reply: Done<unknown> & More): LineStream | undefined
}

const commandsOf = memoize((catalogue: readonly AnyCommand[]): Wire['commands'] =>
  catalogue.flatMap((one) => {
    const { code, source, changes } = one
    return namesOf(one).map((name) => ({ name, code, source, changes }))
  }),
)

/**
 * Creates a wire protocol from its parts. Each command is decoded once, checked in the family's order, executed and
 * answered.
 */
export function composeWire<Frame, Context extends WireContext, Reason, More, RequestFrame extends Frame = Frame>(
  context: Context,
  parts: WireParts<Frame, Context, Reason, More, RequestFrame>,
): Wire<Frame> {
  const { mechanism } = context.device
  let last: { readonly event: FrameEvent<Frame>; readonly answer: Uint8Array } | undefined

  function refusal(question: Question<RequestFrame>): Reason | undefined {
    for (const check of parts.orderOfChecks) {
      const reason = check(question)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  function execute(question: Question<RequestFrame>): Reply<unknown, Reason, More> {
    const handle = parts.handlers[question.command?.name ?? '']
    if (!handle) throw new Error(`no handler executes ${question.facts.runsAs}, and no check refuses it`)
    return handle(context, question.values as never)
  }

  function run(event: FrameEvent<Frame>, question: Question<RequestFrame>): Answer {
    parts.due?.()
    const reason = refusal(question)
    if (reason !== undefined) return answer(event, question, refused(reason))
    const [before, wasBlocked] = [mechanism.linesPrinted, mechanism.blocked]
    const reply = execute(question)
    const lines = mechanism.linesPrinted - before
    const waitsForPaper = parts.waitsForPaper?.({ lines, wasBlocked, isDone: reply.ok })
    const stream = reply.ok ? parts.stream?.(reply) : undefined
    return { ...answer(event, question, reply, waitsForPaper), printedLines: lines, ...(stream && { stream }) }
  }

  function answer(
    event: FrameEvent<Frame>,
    question: Question<RequestFrame>,
    reply: Reply<unknown, Reason, More>,
    waitsForPaper = false,
  ): Answer {
    const framesNow = (): readonly Uint8Array[] => {
      const frames = parts.write(question, reply, waitsForPaper)
      const [first] = frames
      if (first) last = { event, answer: first }
      return frames
    }
    const frames = framesNow()
    // A refusal contains the status that caused it. After the duration of the command, that status may have changed, so
    // only successful answers are written again later.
    return { frames, ...(reply.ok && { later: framesNow }), isRefusal: !reply.ok, waitsForPaper }
  }

  const { shape, timing, catalogue, expired, describe, baud, setUpBaud } = parts
  return {
    shape,
    timing,
    commands: commandsOf(catalogue),
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
