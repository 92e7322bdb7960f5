/**
 * The state machine of an exchange, as tables: events, and the state after each. Times are in ms from the beginning.
 */
import { describe, expect, it } from 'vitest'
import {
  begin,
  type ExchangeEvent,
  type ExchangeState,
  nextEventAt,
  type Question,
  step,
} from '../../drivers/link/exchange.ts'
import { PLAIN_RULES } from '../support/plain-wire.ts'

type Happening = ExchangeEvent extends infer Event
  ? Event extends { now: number }
    ? Omit<Event, 'now'>
    : never
  : never
type Line = readonly [now: number, kind: ExchangeEvent['kind'] | 'part', where: string]

const ANY: Question = { firstByteMs: 500, sendMs: 0, repeatable: true }
const ONCE: Question = { firstByteMs: 500, sendMs: 0, repeatable: false }

const happening = (kind: Line[1]): Happening =>
  (kind === 'part' ? { kind: 'answer', last: false } : kind === 'answer' ? { kind, last: true } : { kind }) as Happening

function where(state: ExchangeState): string {
  if (state.at === 'answered') return 'answered'
  if (state.at === 'failed') return `${state.why}${state.reached ? ', perhaps carried out' : ''}`
  const wake = nextEventAt(state)
  return `${state.at} ${state.attempt}${wake === undefined ? '' : ` until ${wake}`}`
}

function play(question: Question, lines: readonly Line[]): string[] {
  let state = begin(question, 0, 5000)
  return lines.map(([now, kind]) => {
    state = step(state, { ...happening(kind), now } as ExchangeEvent, PLAIN_RULES)
    return where(state)
  })
}

const REFUSED_THREE_TIMES: readonly Line[] = [
  [0, 'sent', 'waiting 1 until 500'],
  [10, 'refused', 'sending 2'],
  [10, 'sent', 'waiting 2 until 510'],
  [20, 'refused', 'sending 3'],
  [20, 'sent', 'waiting 3 until 520'],
  [30, 'refused', 'pausing 4 until 130'],
]

const EXCHANGES: readonly { readonly name: string; readonly question: Question; readonly lines: readonly Line[] }[] = [
  {
    name: 'between two frames of an answer a piece of the next frame prolongs the wait, and damage ends it',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [100, 'part', 'collecting 1 until 600'],
      [550, 'partial', 'collecting 1 until 750'],
      [700, 'busy', 'collecting 1 until 900'],
      [710, 'sent', 'collecting 1 until 900'],
      [720, 'stale', 'collecting 1 until 900'],
      [740, 'damaged', 'broken stream, perhaps carried out'],
    ],
  },
  {
    name: 'a device that is busy is given up when the whole time is over',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [4990, 'busy', 'waiting 1 until 5000'],
      [4999, 'time', 'waiting 1 until 5000'],
      [5000, 'time', 'too long, perhaps carried out'],
    ],
  },
  {
    name: 'a device that was busy has accepted the command, and may have executed it although it then seems to refuse it',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'sending 2'],
      [10, 'sent', 'waiting 2 until 510'],
      [60, 'busy', 'waiting 2 until 260'],
      [70, 'refused', 'sending 3'],
      [70, 'sent', 'waiting 3 until 570'],
      [80, 'refused', 'pausing 4 until 180'],
      [180, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  ...(['echo', 'taken'] as const).map((kind) => ({
    name: `a device that was busy may have executed the command if something else ends the exchange: ${kind}`,
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'busy', 'waiting 1 until 210'],
      [20, kind, `${kind === 'echo' ? 'echo' : 'number taken'}, perhaps carried out`],
    ] as const,
  })),
  {
    name: 'a device that is busy in the quiet after its refusal may have executed the command',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'pausing 2 until 210'],
      [20, 'refused', 'pausing 2 until 210'],
      [160, 'busy', 'pausing 2 until 360'],
      [360, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  {
    name: 'an answer in time ends the exchange',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [40, 'answer', 'answered'],
      [41, 'answer', 'answered'],
    ],
  },
  {
    name: 'three silences count as no answer, and the device may have executed the command',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [499, 'time', 'waiting 1 until 500'],
      [500, 'time', 'sending 2'],
      [500, 'sent', 'waiting 2 until 1000'],
      [1000, 'time', 'sending 3'],
      [1000, 'sent', 'waiting 3 until 1500'],
      [1500, 'time', 'no answer, perhaps carried out'],
    ],
  },
  {
    name: 'a command that must not be executed twice is not retransmitted after silence',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [500, 'time', 'no answer, perhaps carried out'],
    ],
  },
  {
    name: 'every busy byte gives another gap, until the whole time is over',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [60, 'busy', 'waiting 1 until 260'],
      [120, 'busy', 'waiting 1 until 320'],
      [4900, 'busy', 'waiting 1 until 5000'],
      [5000, 'time', 'too long, perhaps carried out'],
    ],
  },
  {
    name: 'a request is retransmitted after a busy byte and silence',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [60, 'busy', 'waiting 1 until 260'],
      [260, 'time', 'sending 2'],
    ],
  },
  {
    name: 'a frame that was refused three times may have been executed: a refusal is one byte, which may be noise',
    question: ANY,
    lines: [...REFUSED_THREE_TIMES, [130, 'time', 'refused frame, perhaps carried out']],
  },
  {
    name: 'an echo instead of an answer to the retransmission leave the outcome of the first write unknown',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'sending 2'],
      [10, 'sent', 'waiting 2 until 510'],
      [20, 'echo', 'echo, perhaps carried out'],
    ],
  },
  {
    name: 'a retransmission that could not be written leaves the outcome of the first write unknown',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'sending 2'],
      [10, 'sent', 'waiting 2 until 510'],
      [11, 'unsent', 'port closed, perhaps carried out'],
    ],
  },
  {
    name: 'an answer after the last refusal shows that the refusal was noise',
    question: ANY,
    lines: [...REFUSED_THREE_TIMES, [31, 'answer', 'answered']],
  },
  {
    name: 'damage after the last refusal leaves it unknown whether the refusal was real',
    question: ANY,
    lines: [
      ...REFUSED_THREE_TIMES,
      [31, 'damaged', 'pausing 4 until 131'],
      [131, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'a device that reports busy after the last refusal leaves it unknown whether the refusal was real',
    question: ANY,
    lines: [
      ...REFUSED_THREE_TIMES,
      [60, 'busy', 'pausing 4 until 260'],
      [260, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  {
    name: 'a refusal after a silence leaves the outcome of the first write unknown',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [500, 'time', 'sending 2'],
      [500, 'sent', 'waiting 2 until 1000'],
      [510, 'refused', 'sending 3'],
      [510, 'sent', 'waiting 3 until 1010'],
      [520, 'refused', 'pausing 4 until 620'],
      [620, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  {
    name: 'a command that must not be executed twice is not retransmitted after a refusal, however quiet it is',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'pausing 2 until 210'],
      [209, 'time', 'pausing 2 until 210'],
      [210, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  {
    name: 'an answer that arrives as late as one byte may follow another shows that the refusal was noise',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'pausing 2 until 210'],
      [200, 'answer', 'answered'],
    ],
  },
  {
    name: 'a frame after a refusal that answers no request may be the end of a damaged answer',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'later', 'pausing 2 until 210'],
      [11, 'stale', 'pausing 2 until 211'],
      [211, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'a frame after the last refusal of a command that may be retransmitted may be the end of a damaged answer too',
    question: ANY,
    lines: [
      ...REFUSED_THREE_TIMES,
      [31, 'stale', 'pausing 4 until 131'],
      [131, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'a refusal after a damaged frame is a piece of that frame',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'damaged', 'waiting 1 until 210'],
      [20, 'refused', 'pausing 2 until 220'],
      [220, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'a refusal with more bytes after it was a damaged answer',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'later', 'pausing 2 until 210'],
      [11, 'noise', 'pausing 2 until 211'],
      [211, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'after "later" to a refused frame the device may be executing it, so nothing is retransmitted',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'refused', 'pausing 2 until 210'],
      [150, 'later', 'pausing 2 until 250'],
      [250, 'time', 'refused frame, perhaps carried out'],
    ],
  },
  {
    name: '"later" pauses, and does not use up a write',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'later', 'pausing 2 until 110'],
      [110, 'time', 'sending 2'],
      [110, 'sent', 'waiting 2 until 610'],
      [120, 'later', 'pausing 3 until 220'],
      [220, 'time', 'sending 3'],
      [220, 'sent', 'waiting 3 until 720'],
      [720, 'time', 'sending 4'],
      [720, 'sent', 'waiting 4 until 1220'],
      [730, 'refused', 'sending 5'],
      [730, 'sent', 'waiting 5 until 1230'],
      [740, 'later', 'pausing 6 until 840'],
      [750, 'answer', 'answered'],
    ],
  },
  {
    name: 'a damaged answer is requested again',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [20, 'damaged', 'sending 2'],
      [20, 'sent', 'waiting 2 until 520'],
      [30, 'answer', 'answered'],
    ],
  },
  {
    name: 'a damaged answer to a command that must not be executed twice may still be followed by a good answer',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [20, 'damaged', 'waiting 1 until 220'],
      [30, 'answer', 'answered'],
    ],
  },
  {
    name: 'a damaged answer to a command that must not be executed twice, and nothing more, leaves the outcome unknown',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [20, 'damaged', 'waiting 1 until 220'],
      [220, 'time', 'damaged answer, perhaps carried out'],
    ],
  },
  {
    name: 'a number that the device has had before ends the exchange immediately',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'taken', 'number taken'],
    ],
  },
  {
    name: 'a late answer of an earlier number gives the whole first wait again',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [300, 'stale', 'waiting 1 until 800'],
      [700, 'answer', 'answered'],
    ],
  },
  {
    name: 'a frame that has begun gets the time of the gap, and noise gets no additional time',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [100, 'noise', 'waiting 1 until 500'],
      [490, 'partial', 'waiting 1 until 690'],
      [600, 'answer', 'answered'],
    ],
  },
  {
    name: 'an answer of several frames is collected up to the last',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [100, 'part', 'collecting 1 until 600'],
      [590, 'part', 'collecting 1 until 1090'],
      [600, 'answer', 'answered'],
    ],
  },
  {
    name: 'an answer of several frames that stops is not requested again',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [100, 'part', 'collecting 1 until 600'],
      [600, 'time', 'broken stream, perhaps carried out'],
    ],
  },
  {
    name: 'an echo of the request ends the exchange immediately',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [3, 'echo', 'echo'],
    ],
  },
  {
    name: 'a write that failed has not reached the device',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [1, 'unsent', 'port closed'],
    ],
  },
  {
    name: 'an exchange that has ended keeps its outcome',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [500, 'time', 'no answer, perhaps carried out'],
      [501, 'answer', 'no answer, perhaps carried out'],
      [502, 'flood', 'no answer, perhaps carried out'],
      [503, 'closed', 'no answer, perhaps carried out'],
    ],
  },
  {
    name: 'a device that sends endlessly may have executed the command',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'flood', 'flood, perhaps carried out'],
    ],
  },
  {
    name: 'bytes received before the write are ignored',
    question: ANY,
    lines: [
      [0, 'noise', 'sending 1'],
      [0, 'time', 'sending 1'],
      [0, 'sent', 'waiting 1 until 500'],
    ],
  },
  {
    name: 'a port lost before the write has not reached the device',
    question: ANY,
    lines: [[0, 'closed', 'port closed']],
  },
  {
    name: 'a port lost before the second write leaves the outcome of the first write unknown',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [500, 'time', 'sending 2'],
      [500, 'closed', 'port closed, perhaps carried out'],
    ],
  },
  {
    name: 'every "later" restarts the pause, and the pause lasts to its end',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [10, 'later', 'pausing 2 until 110'],
      [50, 'time', 'pausing 2 until 110'],
      [60, 'later', 'pausing 2 until 160'],
      [159, 'time', 'pausing 2 until 160'],
      [160, 'time', 'sending 2'],
    ],
  },
  {
    name: 'a pause ends with the whole time, and "later" is one byte too',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [4960, 'later', 'pausing 2 until 5000'],
      [4999, 'time', 'pausing 2 until 5000'],
      [5000, 'time', 'too long, perhaps carried out'],
    ],
  },
  {
    name: 'more frames of an answer are waited for as long as for the first',
    question: ANY,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [100, 'part', 'collecting 1 until 600'],
      [599, 'time', 'collecting 1 until 600'],
      [600, 'time', 'broken stream, perhaps carried out'],
    ],
  },
  {
    name: 'a port lost after the write leaves the outcome unknown',
    question: ONCE,
    lines: [
      [0, 'sent', 'waiting 1 until 500'],
      [50, 'closed', 'port closed, perhaps carried out'],
    ],
  },
]

describe('the exchange of a request and its answer:', () => {
  it.each(EXCHANGES.map((one) => [one.name, one] as const))('%s', (_name, { question, lines }) => {
    expect(play(question, lines)).toEqual(lines.map(([, , expected]) => expected))
  })

  it('the time that the bytes take on a slow line counts in the wait and in the whole time', () => {
    const sent = step(begin({ ...ANY, sendMs: 1700 }, 0, 5000), { kind: 'sent', now: 0 }, PLAIN_RULES)
    expect(where(sent)).toBe('waiting 1 until 2200')
    expect(where(step(sent, { kind: 'busy', now: 6690 }, PLAIN_RULES))).toBe('waiting 1 until 6700')
  })

  it('the pause before a retransmission is that of the wire protocol, or as long as the wait for quiet', () => {
    const { laterByte: _, ...silent } = PLAIN_RULES
    const pauses = [{ ...PLAIN_RULES, laterByte: { byte: 44, pauseMs: 250 } }, silent].map((rules) => {
      const sent = step(begin(ANY, 0, 5000), { kind: 'sent', now: 0 }, rules)
      const later = step(sent, { kind: 'later', now: 10 }, rules)
      return [where(later), where(step(later, { kind: 'later', now: 20 }, rules))]
    })
    expect(pauses).toEqual([
      ['pausing 2 until 260', 'pausing 2 until 270'],
      ['pausing 2 until 110', 'pausing 2 until 120'],
    ])
  })
})
