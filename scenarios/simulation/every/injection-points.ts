/**
 * The positions of `check --every`: each operation, with each of its frames, outcomes of the frame, actions of other
 * programs and persons at the frame, and reactions of the caller. Each position is a case of `check`. The order of the
 * positions depends on the device only.
 */
import type { Family } from '../../../drivers/model/families.ts'
import type { FrameOutcomeName, OutsideActionName } from '../event-names.ts'
import type { ManualAction } from '../manual-actions.ts'
import { ACTION_NAMES, ALIKE_ACTIONS, OTHER_PROGRAM_ACTIONS } from '../other-program.ts'
import { Run } from '../run.ts'
import type { Case, OtherMemory, RequestStep, Step } from '../steps.ts'
import { World } from '../world.ts'
import { type Operation, STEP_OPERATIONS } from './operations.ts'

export interface Device {
  readonly family: Family
  readonly profile?: string | undefined
}

interface Frame {
  readonly write: number
  readonly isCommand: boolean
  readonly commandsBefore: number
  readonly answersBefore: number
}

interface FrameOutcome {
  readonly name: FrameOutcomeName
  readonly arm: (frame: Frame) => readonly Step[]
  readonly onlyCommands?: true
  readonly powerBackMs?: number
  /**
   * When the service is killed: together with the frame, which still arrives, or before the frame. Other programs and
   * persons act after the kill, and a restart follows.
   */
  readonly kills?: 'with the frame' | 'before the frame'
}

/** `write` is the number of the frame, or `undefined` if the service is dead by then. */
interface OutsideAction {
  readonly name: OutsideActionName
  readonly steps: (write: number | undefined) => readonly Step[]
  readonly afterwards?: readonly Step[]
  readonly duringRetry?: readonly Step[]
}

export interface InjectionPoint {
  readonly operation: Operation
  readonly frame: Frame
  readonly outcome: FrameOutcome
  readonly action: OutsideAction
  readonly restart: Restart
  readonly second?: SecondEvent
}

/** `of the computer`: a power failure, with the loss of everything that was not flushed to the disk. */
export type Restart = 'none' | 'of the service' | 'of the computer'
const RESTARTS: readonly Restart[] = ['none', 'of the service', 'of the computer']
const BEFORE_RETRY: Readonly<Record<Restart, string>> = {
  none: '',
  'of the service': 'a restart, and then ',
  'of the computer': 'a power failure of the computer, and then ',
}

const restartsAfter = ({ kills }: Pick<FrameOutcome, 'kills'>): readonly Restart[] =>
  kills ? RESTARTS.slice(1) : RESTARTS

/** A second event: after the first one in the same request (including its recovery), or in the retry. */
interface SecondEvent extends Event {
  readonly during: 'request' | 'retry'
  readonly frame: Frame
}

interface Event {
  readonly outcome: FrameOutcome
  readonly action: OutsideAction
}

export interface InjectionPoints {
  readonly length: number
  at(index: number): InjectionPoint | undefined
}

const TROUBLE_ENDS: Step = { do: 'hand', what: 'the trouble ends' }
/**
 * Durations of power failures, in ms: shorter than the wait of a driver before a retransmission, and longer than a
 * request may take.
 */
const BLINK_MS = 300
const LONG_MS = 150_000
/** Delay of an answer, in ms: longer than a driver waits. */
const LATE_MS = 4000

const ONE_TIME = { times: 1 } as const

const ARRIVES: FrameOutcome = { name: 'arrives', arm: () => [] }

export const FRAME_OUTCOMES: readonly FrameOutcome[] = [
  ARRIVES,
  {
    name: 'is lost once',
    arm: ({ write }) => [{ do: 'fault', rule: { at: 'link.toDevice', skip: write - 1, ...ONE_TIME, do: 'drop' } }],
  },
  {
    name: 'arrives, and its answer is lost once',
    onlyCommands: true,
    arm: ({ answersBefore: skip }) => [{ do: 'fault', rule: { at: 'link.toHost', skip, ...ONE_TIME, do: 'drop' } }],
  },
  {
    name: 'arrives, and its answer is late',
    onlyCommands: true,
    arm: ({ answersBefore: skip }) => [
      { do: 'fault', rule: { at: 'link.toHost', skip, ...ONE_TIME, do: { delayMs: LATE_MS } } },
    ],
  },
  {
    name: 'is refused',
    onlyCommands: true,
    arm: ({ commandsBefore: skip }) => [
      { do: 'fault', rule: { at: 'command.before', skip, ...ONE_TIME, do: 'refuse' } },
    ],
  },
  ...(
    [
      ['is executed, and again after a short power failure', BLINK_MS],
      ['is executed, and a long power failure follows', LONG_MS],
    ] as const
  ).map(
    ([name, powerBackMs]): FrameOutcome => ({
      name,
      powerBackMs,
      onlyCommands: true,
      arm: ({ commandsBefore: skip }) => [
        { do: 'fault', rule: { at: 'command.after', skip, ...ONE_TIME, do: 'powerCut' } },
      ],
    }),
  ),
  ...(['frame', 'answer'] as const).map(
    (loses): FrameOutcome => ({
      name: loses === 'frame' ? 'is lost on a silent line' : 'arrives, and its answer is lost on a silent line',
      arm: ({ write }) => [{ do: 'cut', write, loses }],
    }),
  ),
  { name: 'is lost, and the service is killed', kills: 'before the frame', arm: () => [] },
  { name: 'arrives, and the service is killed', kills: 'with the frame', arm: () => [] },
]

const at = (write: number | undefined) => (write === undefined ? {} : { write })
const manualAction = (name: OutsideActionName, what: ManualAction): OutsideAction => ({
  name,
  steps: (write) => [{ do: 'hand', what, ...at(write) }],
})
const replaceDevice =
  (memory?: OtherMemory): OutsideAction['steps'] =>
  (write) => [{ do: 'replaceDevice', ...(memory !== undefined && { memory }), ...at(write) }]

const UNREADABLE: ManualAction = 'electronic journal unreadable'

const NO_ACTION: OutsideAction = { name: 'no other acts', steps: () => [] }

export const OUTSIDE_ACTIONS: readonly OutsideAction[] = [
  NO_ACTION,
  ...[...OTHER_PROGRAM_ACTIONS, ...ALIKE_ACTIONS].map(
    (action): OutsideAction => ({
      name: `another program ${ACTION_NAMES[action]}`,
      steps: (write) => [{ do: 'otherProgram', deed: action, ...at(write) }],
    }),
  ),
  manualAction('a Z report is printed by hand', 'Z report'),
  manualAction('the clock of the device is set one hour on', 'clock one hour on'),
  {
    ...manualAction('the electronic journal cannot be read', UNREADABLE),
    duringRetry: [{ do: 'hand', what: UNREADABLE }],
  },
  manualAction('the electronic journal cannot be read until the answer has arrived', UNREADABLE),
  { name: 'another device takes its place', steps: replaceDevice() },
  {
    name: 'another device takes its place until the answer has arrived',
    steps: replaceDevice(),
    afterwards: [{ do: 'replaceDevice', back: true }],
  },
  { name: 'the memory of the device is a new one', steps: replaceDevice('new') },
  {
    name: 'the memory of the device is replaced by another one with the same number of documents',
    steps: replaceDevice('as many documents'),
  },
]

type Variant = Pick<InjectionPoint, 'outcome' | 'action' | 'restart'>

const VARIANTS: readonly Variant[] = FRAME_OUTCOMES.flatMap((outcome) =>
  OUTSIDE_ACTIONS.flatMap((action) => restartsAfter(outcome).map((restart) => ({ outcome, action, restart }))),
)
const VARIANTS_OF_BYTES = VARIANTS.filter(({ outcome }) => !outcome.onlyCommands)
const variantsAt = ({ isCommand }: Frame): readonly Variant[] => (isCommand ? VARIANTS : VARIANTS_OF_BYTES)

export async function framesOf({ family, profile }: Device, { before, ask }: Operation): Promise<readonly Frame[]> {
  const world = new World({ family, profile, seed: 1 })
  try {
    const run = new Run(world)
    for (const step of before) await run.perform(step)
    const frames: Frame[] = []
    let [commandsBefore, answersBefore] = [0, 0]
    world.onEvent = (event) => {
      if (event.type !== 'frame') return
      const { direction, bytes } = event.entry
      const isCommand = bytes.length > 1
      if (direction === 'toHost') answersBefore++
      else {
        frames.push({ write: frames.length + 1, isCommand, commandsBefore, answersBefore })
        if (isCommand) commandsBefore++
      }
    }
    const reply = await run.request(ask)
    return reply?.status === 200 ? frames : []
  } finally {
    await world.close()
  }
}

export async function injectionPointsOf(
  device: Device,
  operations: readonly Operation[] = STEP_OPERATIONS,
): Promise<InjectionPoints> {
  const counted: { readonly operation: Operation; readonly frame: Frame; readonly from: number }[] = []
  let length = 0
  for (const operation of operations)
    for (const frame of await framesOf(device, operation)) {
      counted.push({ operation, frame, from: length })
      length += variantsAt(frame).length
    }
  return {
    length,
    at(index) {
      const one = counted.findLast(({ from }) => from <= index)
      const variant = one && variantsAt(one.frame)[index - one.from]
      return variant && { operation: one.operation, frame: one.frame, ...variant }
    },
  }
}

/** Number of frames, beyond those of the undisturbed operation, at which a second event is tried. */
const RECOVERY_FRAMES = 30

export const EVENTS: readonly Event[] = [
  ...FRAME_OUTCOMES.slice(1).map((outcome) => ({ outcome, action: NO_ACTION })),
  ...OUTSIDE_ACTIONS.slice(1).map((action) => ({ outcome: ARRIVES, action })),
]

/**
 * Resolves to the positions with two events: each event at each frame; each second event at a later frame of the
 * request or at any frame of the retry; each kind of restart before the retry.
 */
export async function pairsOf(
  device: Device,
  operations: readonly Operation[] = STEP_OPERATIONS,
): Promise<InjectionPoints> {
  const counted: { readonly operation: Operation; readonly frames: readonly Frame[]; readonly from: number }[] = []
  let length = 0
  for (const operation of operations) {
    const frames = await framesOf(device, operation)
    if (frames.length === 0) continue
    counted.push({ operation, frames, from: length })
    length += frames.length * EVENTS.length * 2 * (frames.length + RECOVERY_FRAMES) * EVENTS.length * RESTARTS.length
  }
  return {
    length,
    at(index) {
      const one = counted.findLast(({ from }) => from <= index)
      if (!one || index >= length) return undefined
      const { operation, frames } = one
      let rest = index - one.from
      const next = (size: number): number => {
        const digit = rest % size
        rest = (rest - digit) / size
        return digit
      }
      const drawn = RESTARTS[next(RESTARTS.length)] as Restart
      const second = EVENTS[next(EVENTS.length)] as Event
      const slot = next(frames.length + RECOVERY_FRAMES)
      const during = next(2) === 0 ? 'request' : 'retry'
      const first = EVENTS[next(EVENTS.length)] as Event
      const frame = frames[next(frames.length)] as Frame
      const write = during === 'request' ? frame.write + 1 + slot : 1 + slot
      return {
        ...{ operation, frame, ...first },
        restart: drawn === 'none' && first.outcome.kills ? 'of the service' : drawn,
        second: { ...second, during, frame: frameAt(frames, write) },
      }
    },
  }
}

/**
 * Returns the frame with this number. After the frames of the undisturbed operation, each frame counts as an answered
 * command.
 */
function frameAt(frames: readonly Frame[], write: number): Frame {
  const frame = frames[write - 1]
  if (frame) return frame
  const last = frames.at(-1) as Frame
  const writesBetween = write - last.write
  return {
    ...{ write, isCommand: true },
    commandsBefore: last.commandsBefore + writesBetween,
    answersBefore: last.answersBefore + writesBetween,
  }
}

const describeEvent = ({ frame, outcome, action }: Event & { readonly frame: Frame }): string =>
  `frame ${frame.write} ${outcome.name}; ${action.name}`

export function describePoint({ operation, restart, second, ...first }: InjectionPoint): string {
  const retry = `${BEFORE_RETRY[restart]}the retry`
  const at = `${operation.name}: ${describeEvent(first)}`
  if (!second) return `${at}; ${retry}`
  if (second.during === 'request') return `${at}; then ${describeEvent(second)}; ${retry}`
  return `${at}; ${retry}, and its ${describeEvent(second)}; the retry`
}

export function caseAt({ family, profile }: Device, place: InjectionPoint): Case {
  const { operation, restart, second, ...first } = place
  const { before, ask, retry } = operation
  const inRequest = second?.during === 'request' ? second : undefined
  const inRetry = second?.during === 'retry' ? second : undefined
  const restarted: readonly Step[] = [{ do: 'restart', ...(restart === 'of the computer' && { losesPower: true }) }]
  const isKilled = first.outcome.kills ?? inRequest?.outcome.kills
  const ends = (events: readonly Event[]): readonly Step[] => [
    TROUBLE_ENDS,
    ...events.flatMap(({ action }) => action.duringRetry ?? []),
  ]
  const events = inRequest ? [first, inRequest] : [first]
  const steps: readonly Step[] = [
    ...before,
    ...sent(ask, events),
    ...ends(events),
    ...(restart !== 'none' || isKilled ? restarted : []),
    ...(inRetry
      ? [...sent(retry, [inRetry]), ...ends([first, inRetry]), ...(inRetry.outcome.kills ? restarted : [])]
      : []),
    // A killed retry that is a mere query is replaced by the request.
    inRetry?.outcome.kills && retry.do === 'status' ? ask : retry,
  ]
  const { powerBackMs = second?.outcome.powerBackMs ?? BLINK_MS } = first.outcome
  return { family, seed: 1, ...(profile !== undefined && { profile }), slow: false, powerBackMs, steps }
}

/** Steps that may be pending twice in one request. */
const ALSO: ReadonlySet<Step['do']> = new Set(['otherProgram', 'hand', 'replaceDevice'])

/** Only the first kill happens, because later acts meet a dead service. */
function sent(request: RequestStep, events: readonly (Event & { readonly frame: Frame })[]): Step[] {
  const killing = events.find(({ outcome }) => outcome.kills !== undefined)
  const alive = events.filter((one) => one !== killing)
  const crash = killing && {
    ...({ do: 'crash', during: request, write: killing.frame.write } as const),
    ...(killing.outcome.kills === 'before the frame' && ({ unsent: true } as const)),
  }
  return [
    ...alive.flatMap(({ action, frame }, index) =>
      action
        .steps(frame.write)
        .map((step): Step => (index > 0 && ALSO.has(step.do) ? ({ ...step, also: true } as Step) : step)),
    ),
    ...events.flatMap(({ outcome, frame }) => outcome.arm(frame)),
    crash ?? request,
    ...(killing ? killing.action.steps(undefined) : []),
    ...events.flatMap(({ action }) => action.afterwards ?? []),
  ]
}
