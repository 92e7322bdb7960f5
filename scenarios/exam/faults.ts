/** The faults of an exam, one per row. To add a fault, add a row. */
import type { Effect } from '../../emulator/faults/effects.ts'
import type { Point } from '../../emulator/faults/points.ts'
import type { InitialState } from './initial-states.ts'
import type { ManualActionName } from './manual-actions.ts'

type Group = 'line' | 'device' | 'power' | 'till' | 'paper' | 'before'

export interface FaultTrigger {
  readonly bit: { readonly request: number; readonly answer: number }
  readonly garbage: string
}

export interface Fault {
  readonly id: string
  readonly group: Group
  readonly words: string
  readonly at: 'command' | 'start' | 'firstLine' | 'middleLine' | 'lastLine'
  readonly rules?: readonly { readonly at: Point; readonly do: Effect | ((trigger: FaultTrigger) => Effect) }[]
  /** Set if the rules apply until the faults are healed, and not only once. */
  readonly lasts?: true
  /** Manual action that takes place when the first rule is triggered or, without rules, at the start. */
  readonly hand?: ManualActionName
  /** Time until the manual action is undone, in ms. The default is the moment when the faults are healed. */
  readonly backAfterMs?: number
  readonly before?: InitialState
}

const at = (point: Point, effect: Effect | ((trigger: FaultTrigger) => Effect)) => ({ at: point, do: effect })

const SILENT_MS = 20_000
const SHORT_OUTAGE_MS = 3000
const POWER_OFF_MS = 5000

const LOST_REQUEST = [at('link.toDevice', 'drop')]
const LOST_ANSWER = [at('link.toHost', 'drop')]
const PAPER_ENDS = {
  group: 'paper',
  rules: [at('paper.line', 'paperOut')],
  hand: 'paper',
  backAfterMs: SHORT_OUTAGE_MS,
} as const

// biome-ignore format: a table
export const FAULTS: readonly Fault[] = [
  { id: 'answerLost', group: 'line', at: 'command', rules: LOST_ANSWER, words: 'executed, and the answer is lost' },
  { id: 'answerLostLong', group: 'line', at: 'command', rules: LOST_ANSWER, hand: 'answers', backAfterMs: SILENT_MS, words: 'executed, and nothing is answered for 20 s' },
  { id: 'requestLost', group: 'line', at: 'command', rules: LOST_REQUEST, words: 'the command does not arrive' },
  { id: 'requestLostLong', group: 'line', at: 'command', rules: LOST_REQUEST, hand: 'requests', backAfterMs: SILENT_MS, words: 'nothing arrives for 20 s' },
  { id: 'answerDamaged', group: 'line', at: 'command', rules: [at('link.toHost', ({ bit }) => ({ flip: bit.answer }))], words: 'one bit of the answer is damaged' },
  { id: 'requestDamaged', group: 'line', at: 'command', rules: [at('link.toDevice', ({ bit }) => ({ flip: bit.request }))], words: 'one bit of the command is damaged' },
  { id: 'answerLate', group: 'line', at: 'command', rules: [at('link.toHost', { delayMs: 5000 })], words: 'the answer comes 5 s late' },
  { id: 'answerSlow', group: 'line', at: 'command', rules: [at('link.toHost', { slowMs: 100 })], words: 'the answer comes byte by byte, 100 ms apart' },
  { id: 'busy', group: 'device', at: 'command', rules: [at('command.before', { busyMs: 10_000 })], words: 'the device works for 10 s' },
  { id: 'unplugged', group: 'line', at: 'command', rules: [at('command.after', 'drop')], hand: 'cable', backAfterMs: SHORT_OUTAGE_MS, words: 'executed, and the line is unplugged for 3 s' },
  { id: 'powerBefore', group: 'power', at: 'command', rules: [at('command.before', 'powerCut')], hand: 'power', backAfterMs: POWER_OFF_MS, words: 'the power fails before it is executed, for 5 s' },
  { id: 'powerAfter', group: 'power', at: 'command', rules: [at('command.after', 'powerCut')], hand: 'power', backAfterMs: POWER_OFF_MS, words: 'the power fails after it is executed, for 5 s' },
  { id: 'refused', group: 'device', at: 'command', rules: [at('command.before', 'refuse')], words: 'refused once' },
  // A delay of 0 ms changes nothing: the rule only determines when the till is killed.
  { id: 'killed', group: 'till', at: 'command', rules: [at('link.toDevice', { delayMs: 0 })], hand: 'till', words: 'the till is killed right after it wrote this' },

  { id: 'paperFirst', at: 'firstLine', ...PAPER_ENDS, words: 'the roll ends at the first line, for 3 s' },
  { id: 'paperMiddle', at: 'middleLine', ...PAPER_ENDS, words: 'the roll ends in the middle, for 3 s' },
  { id: 'paperLast', at: 'lastLine', ...PAPER_ENDS, words: 'the roll ends at the last line, for 3 s' },
  { id: 'coverMiddle', group: 'paper', at: 'middleLine', rules: [at('paper.line', 'coverOpen')], hand: 'cover', backAfterMs: SHORT_OUTAGE_MS, words: 'the cover is opened in the middle, for 3 s' },
  { id: 'paperOutBefore', group: 'before', at: 'start', hand: 'paper', words: 'there is no paper' },
  { id: 'offBefore', group: 'before', at: 'start', hand: 'power', words: 'the device is switched off' },
  { id: 'unpluggedBefore', group: 'before', at: 'start', hand: 'cable', words: 'the line is not plugged in' },
  { id: 'openFiscalBefore', group: 'before', at: 'start', before: 'openFiscal', words: 'another program has left a fiscal receipt open' },
  { id: 'paidFiscalBefore', group: 'before', at: 'start', before: 'paidFiscal', words: 'another program has left a fiscal receipt paid and not closed' },
  { id: 'openNonFiscalBefore', group: 'before', at: 'start', before: 'openNonFiscal', words: 'another program has left a non-fiscal receipt open' },
  { id: 'dayOver', group: 'before', at: 'start', before: 'dayOver', words: '24 hours have passed without a Z' },
  { id: 'memoryFull', group: 'before', at: 'start', rules: [at('memory.write', 'memoryFull')], lasts: true, words: 'the fiscal memory is full' },
  { id: 'noiseBefore', group: 'before', at: 'start', rules: [at('link.toDevice', ({ garbage }) => ({ noise: garbage })), at('link.toHost', ({ garbage }) => ({ noise: garbage }))], words: 'there is garbage on the line' },
  { id: 'portTaken', group: 'before', at: 'start', hand: 'port', backAfterMs: SHORT_OUTAGE_MS, words: 'another client holds the port, for 3 s' },
]

export const faultNamed = (id: string): Fault | undefined => FAULTS.find((one) => one.id === id)
