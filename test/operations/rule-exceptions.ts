/** Verdicts that may differ from the rule of indistinguishable worlds (worlds.suite.ts), each with its reason. */
import type { TriedStep } from './steps.ts'
import type { Truth } from './verdict-under-test.ts'
import type { PlayedWorld } from './worlds.ts'
import type { Group } from './worlds-table.ts'

export interface FalseVerdict {
  readonly why: string
  readonly is: (world: PlayedWorld, step: TriedStep) => boolean
}

export const FALSE_VERDICTS: readonly FalseVerdict[] = [
  {
    why: 'unsound: another memory responds under the same numbers, and no number is smaller than before. The time and total of the last document before would show it, but the service does not query them.',
    is: ({ hasOtherMemory, isHeld }) => hasOtherMemory && !isHeld,
  },
  {
    why: 'unsound: while the line was held and the answer to the Z report of the request was lost, a person printed a Z report, which needs no line. The verdict takes it for that of the request.',
    is: ({ isHeld, verdict, truth }, { name }) =>
      name === 'prints a Z report' && isHeld && verdict === 'once' && truth === 'not',
  },
  {
    why: 'unsound: an opening without an answer counts as not executed if the receipt is not empty or not open now. Another program may have cancelled, filled or closed the receipt that the service opened.',
    is: ({ isHeld, verdict }, { name }) => name === 'whole receipt: opens' && !isHeld && verdict === 'not',
  },
  {
    why: 'unsound: family B removes a voided row, so that the row of the request and the void of another program result in the state before.',
    is: ({ isHeld, verdict }, { name }) =>
      (name === 'sells an article' || name === 'voids a row') && !isHeld && verdict === 'not',
  },
]

export interface Unsharp {
  readonly why: string
  readonly is: (group: Group, step: TriedStep) => boolean
}

const truthOf = ({ truths }: Group): Truth | undefined => [...truths.keys()][0]

const startsWith =
  (...beginnings: readonly string[]) =>
  ({ name }: TriedStep): boolean =>
    beginnings.some((beginning) => name.startsWith(beginning))

const isOpening = startsWith('opens')
const isInside = startsWith('sells', 'voids', 'takes a discount', 'pays')
const isDocument = startsWith('prints an X', 'prints a Z', 'prints a copy', 'puts cash in', 'takes cash out')
const isWhole = startsWith('whole receipt')

export const UNSHARP: readonly Unsharp[] = [
  {
    why: 'Another device responds: its responses say nothing about the device of the step.',
    is: ({ truths }) => [...truths.values()].flat().every(({ plan }) => plan.acts.some(({ deed }) => deed.isLast)),
  },
  {
    why: 'Of an opening, only the number and the open receipt are compared. The later documents in the electronic journal would show that the request has no receipt among them.',
    is: (group, step) => isOpening(step) && !group.isHeld && truthOf(group) === 'not',
  },
  {
    why: 'A Z report by hand comes before or after the opening while the line is held: the number is not the next one. The electronic journal would show the Z report.',
    is: (group, step) => isOpening(step) && group.isHeld,
  },
  {
    why: 'Another program has changed the receipt since, and the sums show only its changes. The verdict requires that nothing has changed: a fourth event could result in the same sum.',
    is: (group, step) => isInside(step) && !group.isHeld,
  },
  {
    why: 'The receipt was closed or cancelled by another program: the verdict is undecided, so that a person checks.',
    is: (group, { name }) => name === 'cancels a fiscal receipt' && truthOf(group) === 'not',
  },
  {
    why: 'The electronic journal cannot be read, and another receipt was closed since: the number of the last receipt is not that of the request. A receipt that was closed right after it proves nothing about the request.',
    is: (group, step) =>
      startsWith('closes', 'cancels', 'whole receipt: closes', 'whole receipt: is cancelled')(step) && !group.isHeld,
  },
  {
    why: 'The electronic journal cannot be read, and a Z report by hand has begun a new day. The verdict does not use that no other program could close the receipt while the line was held.',
    is: (group, step) => startsWith('closes', 'whole receipt: closes')(step) && group.isHeld,
  },
  {
    why: 'A document that the device printed twice is undecided, with both numbers: the service has no answer for a document that was printed twice.',
    is: (group, step) => isDocument(step) && truthOf(group) === 'twice',
  },
  {
    why: 'A Z report by hand comes before or after the document while the line is held. A new day has begun, and only the document after the last number before is expected to be that of the request.',
    is: (group, step) => isDocument(step) && group.isHeld,
  },
  {
    why: 'Only other documents were printed since, more than one. The verdict uses the first of them, and the sums of a day that no Z report has closed.',
    is: (group, step) => isDocument(step) && !group.isHeld,
  },
  {
    why: 'Another program has sold more on the receipt than was requested, or the receipt has another sum: the service does not report it as its own.',
    is: (group, step) => isWhole(step) && !group.isHeld && truthOf(group) !== 'not',
  },
  {
    why: 'A receipt under a later number is open and empty: the electronic journal would show that the number of the receipt of the request belongs to a document of another program.',
    is: (group, { name }) => name === 'whole receipt: opens' && !group.isHeld && truthOf(group) === 'not',
  },
  {
    why: 'The receipt was cancelled, and the electronic journal cannot be read: nothing else reports a cancelled receipt of the same day.',
    is: (group, { name }) => name === 'whole receipt: is cancelled' && truthOf(group) === 'cancelled',
  },
]
