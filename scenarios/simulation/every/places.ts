/**
 * The places of `check --every`: each operation x each frame of it x what happens to that frame x what others do there x
 * what the caller does then. Each place is a case of `check`. The order of the places depends on the device alone.
 */
import type { Family } from '../../../drivers/model/families.ts'
import type { Hand } from '../hands.ts'
import { Run } from '../run.ts'
import type { Case, Step } from '../steps.ts'
import { ALIKE_DEEDS, STRANGER_DEEDS } from '../stranger.ts'
import { World } from '../world.ts'
import { type Operation, STEP_OPERATIONS } from './operations.ts'

/** The device of a place. */
export interface Device {
  readonly family: Family
  /** Default: the first of the family. */
  readonly profile?: string | undefined
}

/** A frame that the service writes during the undisturbed operation. */
export interface Frame {
  /** From 1. */
  readonly write: number
  readonly isCommand: boolean
  /** Number of commands, and of frames of the device, before this frame. */
  readonly commandsBefore: number
  readonly answersBefore: number
}

/** The fate of a frame. */
export interface Fate {
  readonly name: string
  readonly steps: (frame: Frame, operation: Operation) => readonly Step[]
  /** Applies to commands only, not to bytes that acknowledge an answer. */
  readonly ofCommands?: true
  readonly powerBackMs?: number
  /** The service is killed: others act after that, and a restart always follows. */
  readonly kills?: true
}

/** An act of others at a frame. Without `write`, the service is dead by then. */
export interface Deed {
  readonly name: string
  readonly steps: (write: number | undefined) => readonly Step[]
  /** Steps after the answer. */
  readonly afterwards?: readonly Step[]
}

export interface Place {
  readonly operation: Operation
  readonly frame: Frame
  readonly fate: Fate
  readonly deed: Deed
  readonly restarts: boolean
}

const ENDS: Step = { do: 'hand', what: 'the trouble ends' }
/** Shorter than a driver waits before it retransmits, and longer than a request may take. */
const BLINK_MS = 300
const LONG_MS = 150_000
/** Longer than a driver waits for an answer. */
const LATE_MS = 4000

const once = { times: 1 } as const

export const FATES: readonly Fate[] = [
  { name: 'arrives', steps: (_frame, { ask }) => [ask] },
  {
    name: 'is lost once',
    steps: ({ write }, { ask }) => [
      { do: 'fault', rule: { at: 'link.toDevice', skip: write - 1, ...once, do: 'drop' } },
      ask,
    ],
  },
  {
    name: 'arrives, and its answer is lost once',
    ofCommands: true,
    steps: ({ answersBefore: skip }, { ask }) => [
      { do: 'fault', rule: { at: 'link.toHost', skip, ...once, do: 'drop' } },
      ask,
    ],
  },
  {
    name: 'arrives, and its answer is late',
    ofCommands: true,
    steps: ({ answersBefore: skip }, { ask }) => [
      { do: 'fault', rule: { at: 'link.toHost', skip, ...once, do: { delayMs: LATE_MS } } },
      ask,
    ],
  },
  {
    name: 'is refused',
    ofCommands: true,
    steps: ({ commandsBefore: skip }, { ask }) => [
      { do: 'fault', rule: { at: 'command.before', skip, ...once, do: 'refuse' } },
      ask,
    ],
  },
  ...(
    [
      ['is executed, and again after a short power failure', BLINK_MS],
      ['is executed, and a long power failure follows', LONG_MS],
    ] as const
  ).map(
    ([name, powerBackMs]): Fate => ({
      name,
      powerBackMs,
      ofCommands: true,
      steps: ({ commandsBefore: skip }, { ask }) => [
        { do: 'fault', rule: { at: 'command.after', skip, ...once, do: 'powerCut' } },
        ask,
      ],
    }),
  ),
  ...(['frame', 'answer'] as const).map(
    (loses): Fate => ({
      name: loses === 'frame' ? 'is lost with the line' : 'arrives, and its answer is lost with the line',
      steps: ({ write }, { ask }) => [{ do: 'cut', write, loses }, ask],
    }),
  ),
  {
    name: 'is not sent, the service is killed',
    kills: true,
    steps: ({ write }, { ask }) => [{ do: 'crash', during: ask, write, unsent: true }],
  },
  {
    name: 'is the last before the service is killed',
    kills: true,
    steps: ({ write }, { ask }) => [{ do: 'crash', during: ask, write }],
  },
]

const at = (write: number | undefined) => (write === undefined ? {} : { write })
const hand = (what: Hand): Deed => ({ name: what, steps: (write) => [{ do: 'hand', what, ...at(write) }] })
const exchange: Deed['steps'] = (write) => [{ do: 'exchange', ...at(write) }]

export const DEEDS: readonly Deed[] = [
  { name: 'no other acts', steps: () => [] },
  ...[...STRANGER_DEEDS, ...ALIKE_DEEDS].map(
    (deed): Deed => ({
      name: `another program ${deed}`,
      steps: (write) => [{ do: 'stranger', deed, ...at(write) }],
    }),
  ),
  { ...hand('Z report'), name: 'a Z report is printed by hand' },
  { ...hand('clock one hour on'), name: "the device's clock is set one hour on" },
  { name: 'another device takes its place', steps: exchange },
  {
    name: 'another device takes its place until the answer',
    steps: exchange,
    afterwards: [{ do: 'exchange', back: true }],
  },
]

/** Yields the places of a frame: each fate, each deed, with and without a restart before the retry. */
function* variantsOf(operation: Operation, frame: Frame): Generator<Place> {
  for (const fate of FATES) {
    if (fate.ofCommands && !frame.isCommand) continue
    for (const deed of DEEDS)
      for (const restarts of fate.kills ? [true] : [false, true]) yield { operation, frame, fate, deed, restarts }
  }
}

/** Returns the frames of an undisturbed operation; none if the device does not support it. */
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

/** Returns all places of these operations, in their order. */
export async function placesOf(
  device: Device,
  operations: readonly Operation[] = STEP_OPERATIONS,
): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const operation of operations)
    for (const frame of await framesOf(device, operation)) places.push(...variantsOf(operation, frame))
  return places
}

export const describePlace = ({ operation, frame, fate, deed, restarts }: Place): string =>
  `${operation.name}: frame ${frame.write} ${fate.name}; ${deed.name}; ${restarts ? 'a restart, and then ' : ''}the retry`

/** Returns the case of a place: the operation with its trouble, the end of the trouble, the retry. */
export function caseAt({ family, profile }: Device, { operation, frame, fate, deed, restarts }: Place): Case {
  const { before, retry } = operation
  const steps: readonly Step[] = [
    ...before,
    ...(fate.kills ? [] : deed.steps(frame.write)),
    ...fate.steps(frame, operation),
    ...(fate.kills ? deed.steps(undefined) : []),
    ...(deed.afterwards ?? []),
    ENDS,
    ...(restarts ? [{ do: 'restart' } as const] : []),
    retry,
  ]
  const { powerBackMs = BLINK_MS } = fate
  return { family, seed: 1, ...(profile !== undefined && { profile }), slow: false, powerBackMs, steps }
}
