/**
 * Faults that affect an operation at one place: the columns of the fault table (fault-table.ts). A place is a number
 * within its kind.
 */

import type { LinkPoint } from '../../emulator/faults/points.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { Step } from '../../scenarios/simulation/steps.ts'
import type { Operation } from './fault-rows.ts'
import type { PlayedStep } from './play.ts'

export type PlaceKind = 'frame' | 'command' | 'answer' | 'byteToDevice' | 'byteToHost' | 'memoryWrite' | 'paperLine'

export interface FaultColumn {
  readonly name: string
  readonly at: PlaceKind
  steps(operation: Operation, place: number, lengths: Lengths): readonly PlayedStep[]
  /** True if the device at the end of the case has printed all its documents. */
  readonly onOneDevice: boolean
  /** True if the caller retries until the request succeeds. The document must then be printed. */
  readonly retries?: true
  /** True if the link handles the fault. The request must then succeed at once. */
  readonly isMinor?: true
}

const fault = (rule: Rule): Step => ({ do: 'fault', rule })
const ENDS: Step = { do: 'hand', what: 'the trouble ends' }
const PAPER_IN: Step = { do: 'hand', what: 'paper in' }
/** A fault on this number of occasions lasts longer than any request. */
const FOR_LONG = 300

interface Options {
  readonly at: FaultColumn['at']
  readonly isMinor?: true
}

const once = (name: string, { at, isMinor }: Options, rule: (place: number) => Rule): FaultColumn => ({
  ...{ name, at, onOneDevice: true, retries: true, ...(isMinor && { isMinor }) },
  steps: ({ ask, retry }, place) => [fault(rule(place)), ask, ENDS, retry],
})

const MINOR = { isMinor: true } as const

export const SINGLE_FAULTS: readonly FaultColumn[] = [
  once('one answer is lost', { at: 'answer', ...MINOR }, (skip) => ({ at: 'link.toHost', skip, times: 1, do: 'drop' })),
  once('one command is lost', { at: 'frame', ...MINOR }, (skip) => ({
    ...{ at: 'link.toDevice', skip, times: 1, do: 'drop' },
  })),
  once('one answer is damaged', { at: 'answer', ...MINOR }, (skip) => ({
    ...{ at: 'link.toHost', skip, times: 1, do: { flip: 21 } },
  })),
  once('one answer comes twice', { at: 'answer', ...MINOR }, (skip) => ({
    ...{ at: 'link.toHost', skip, times: 1, do: 'duplicate' },
  })),
  once('the line is noisy', { at: 'answer', ...MINOR }, (skip) => ({
    ...{ at: 'link.toHost', skip, times: 1, do: { noise: 'noise' } },
  })),
  once('the device works on in silence', { at: 'answer' }, (skip) => ({
    ...{ at: 'link.toHost', skip, times: FOR_LONG, do: 'drop' },
  })),
  once('the device receives nothing', { at: 'frame' }, (skip) => ({
    ...{ at: 'link.toDevice', skip, times: FOR_LONG, do: 'drop' },
  })),
  once('the cable is unplugged during an answer', { at: 'answer' }, (skip) => ({
    ...{ at: 'link.toHost', skip, times: 1, do: 'unplug' },
  })),
  once('the cable is unplugged during a command', { at: 'frame' }, (skip) => ({
    ...{ at: 'link.toDevice', skip, times: 1, do: 'unplug' },
  })),
  once('power fails after a command', { at: 'command' }, (skip) => ({
    ...{ at: 'command.after', skip, times: 1, do: 'powerCut' },
  })),
  once('power fails after two commands', { at: 'command' }, (skip) => ({
    ...{ at: 'command.after', skip, times: 2, do: 'powerCut' },
  })),
  {
    ...{ name: 'power fails after a command, and the device is silent then', at: 'command', onOneDevice: true },
    retries: true,
    steps: ({ ask, retry }, skip) => [
      fault({ at: 'command.after', skip, times: 1, do: 'powerCut' }),
      fault({ at: 'link.toHost', skip: skip + 1, times: FOR_LONG, do: 'drop' }),
      ...[ask, ENDS, retry],
    ],
  },
  ...[undefined, true as const].map(
    (unsent): FaultColumn => ({
      name: `the service is killed ${unsent ? 'before' : 'after'} a frame`,
      ...{ at: 'frame', onOneDevice: true, retries: true },
      steps: ({ ask, retry }, place) => [
        { do: 'crash', during: ask, write: place + 1, ...(unsent && { unsent }) },
        { do: 'restart' },
        retry,
      ],
    }),
  ),
  ...[1, 2, 4, 8, 16].map(
    (write): FaultColumn => ({
      name: `the service is killed after a frame, and again at frame ${write} of its start`,
      ...{ at: 'frame', onOneDevice: true, retries: true },
      steps: ({ ask, retry }, place) => [
        { do: 'crash', during: ask, write: place + 1 },
        { do: 'restart', write },
        retry,
      ],
    }),
  ),
  {
    ...{ name: 'another device takes its place', at: 'frame', onOneDevice: false },
    steps: ({ ask }, place) => [{ do: 'replaceDevice', write: place + 1 }, ask],
  },
  ...[false, true].map(
    (behindAdapter): FaultColumn => ({
      name: `another device takes its place until the answer${behindAdapter ? ', behind an adapter' : ''}`,
      ...{ at: 'frame', onOneDevice: false },
      steps: ({ ask }, place) => [
        { do: 'replaceDevice', write: place + 1 },
        ask,
        { do: 'replaceDevice', back: true, ...(behindAdapter && { behindAdapter }) },
      ],
    }),
  ),
]

export type Lengths = Readonly<Record<LinkPoint, readonly number[]>>

function byteAt(lengths: readonly number[], place: number): { readonly skip: number; readonly byte: number } {
  let byte = place
  for (const [skip, length] of lengths.entries()) {
    if (byte < length) return { skip, byte }
    byte -= length
  }
  return { skip: lengths.length, byte }
}

const BYTE_RULES: Readonly<Record<string, (byte: number) => Pick<Rule, 'do' | 'byte' | 'after'>>> = {
  'power fails after a byte': (after) => ({ do: 'powerCut', after }),
  'the cable is unplugged after a byte': (after) => ({ do: 'unplug', after }),
  'a byte is lost': (byte) => ({ do: 'drop', byte }),
  'a byte is damaged': (byte) => ({ do: { flip: byte * 8 + (byte % 8) } }),
  'the rest after a byte is lost': (after) => ({ do: 'drop', after }),
  'a byte comes twice': (byte) => ({ do: 'duplicate', byte }),
}

export const BYTE_FAULTS: readonly FaultColumn[] = Object.entries(BYTE_RULES).flatMap(([name, rule]) =>
  (['link.toDevice', 'link.toHost'] as const).map(
    (at): FaultColumn => ({
      name: `${name}, ${at === 'link.toDevice' ? 'to the device' : 'to the service'}`,
      at: at === 'link.toDevice' ? 'byteToDevice' : 'byteToHost',
      ...{ onOneDevice: true, retries: true },
      steps: ({ ask, retry }, place, lengths) => {
        const { skip, byte } = byteAt(lengths[at], place)
        return [fault({ at, skip, times: 1, ...rule(byte) }), ask, retry, ENDS]
      },
    }),
  ),
)

export const POWER_FAULTS: readonly FaultColumn[] = (
  [
    ['command.before', 'command'],
    ['command.after', 'command'],
    ['memory.write', 'memoryWrite'],
    ['paper.line', 'paperLine'],
  ] as const
).map(
  ([at, kind]): FaultColumn => ({
    ...{ name: `power fails at ${at}`, at: kind, onOneDevice: true, retries: true },
    steps: ({ ask, retry }, skip) => [fault({ at, skip, times: 1, do: 'powerCut' }), ask, retry, ENDS],
  }),
)

/** Maximum number of commands between the first fault and the second. */
const AFTER = 12

const second = (
  name: string,
  at: Rule['at'],
  more: Pick<Rule, 'times' | 'do'>,
): readonly [string, (place: number, ask: Operation['ask']) => readonly PlayedStep[]] => [
  name,
  (skip, ask) => [fault({ at, skip, ...more }), ask],
]

const SECOND: readonly (readonly [string, (place: number, ask: Operation['ask']) => readonly PlayedStep[]])[] = [
  second('is silent', 'link.toHost', { times: 200, do: 'drop' }),
  second('receives nothing', 'link.toDevice', { times: 200, do: 'drop' }),
  second('loses its power again', 'command.after', { times: 6, do: 'powerCut' }),
  second('refuses', 'command.before', { times: 3, do: 'refuse' }),
  second('has no paper', 'command.before', { times: 3, do: 'paperOut' }),
  ['has lost the service', (write, during) => [{ do: 'crash', during, write }]],
]

/** The device loses its power after a command, and a second fault follows before the caller gets the response. */
export const SECOND_FAULTS: readonly FaultColumn[] = SECOND.flatMap(([then, at]) =>
  [1, 2, 3].flatMap((times) =>
    Array.from({ length: AFTER }, (_nothing, index): FaultColumn => {
      const later = index + 1
      return {
        name: `power fails after ${times === 1 ? 'a command' : `${times} commands`}, and ${later} later the device ${then}`,
        ...{ at: 'command', onOneDevice: true },
        steps: ({ ask, retry }, skip) => [
          fault({ at: 'command.after', skip, times, do: 'powerCut' }),
          ...at(skip + later, ask),
          ...[ENDS, PAPER_IN, retry],
        ],
      }
    }),
  ),
)
