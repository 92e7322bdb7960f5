/** Verdicts that may differ from the rule of indistinguishable worlds, each with its reason. */
import type { TriedStep } from './steps.ts'
import type { Truth } from './verdict-under-test.ts'
import type { PlayedWorld } from './worlds.ts'
import type { Group } from './worlds-table.ts'

export interface FalseVerdict {
  /** The reason. An unsound verdict must be fixed. */
  readonly why: string
  readonly is: (world: PlayedWorld, step: TriedStep) => boolean
}

export const FALSE_VERDICTS: readonly FalseVerdict[] = [
  {
    why: 'unsound: another memory answers under the same numbers, and none of them went back. The time and total of the last document before would show it; they are not asked.',
    is: ({ hasOtherMemory, isHeld }) => hasOtherMemory && !isHeld,
  },
  {
    why: 'unsound: a Z report that a person has printed, while the answer to ours was lost and the line was held, is taken for ours. A person needs no line for it.',
    is: ({ isHeld, verdict, truth }, { name }) =>
      name === 'prints a Z report' && isHeld && verdict === 'once' && truth === 'not',
  },
  {
    why: 'unsound: an opening that was not answered counts as not carried out when the receipt is not empty or not open now. Another program may have cancelled, filled or closed the receipt that we have opened.',
    is: ({ isHeld, verdict }, { name }) => name === 'whole receipt: opens' && !isHeld && verdict === 'not',
  },
  {
    why: 'unsound: family B takes a row off again that is voided, so that our row and the void of another program leave the state before.',
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
    why: 'Another device answers: what it says is never taken for a word about the device of the step.',
    is: ({ truths }) => [...truths.values()].flat().every(({ plan }) => plan.acts.some(({ deed }) => deed.isLast)),
  },
  {
    why: 'Of an opening, only the number and the open receipt are compared. What the electronic journal says of the documents since would show that none of them is a receipt of ours.',
    is: (group, step) => isOpening(step) && !group.isHeld && truthOf(group) === 'not',
  },
  {
    why: 'A Z report by hand comes before or after the opening while the line is held: the number is not the next one. The electronic journal would show the Z report.',
    is: (group, step) => isOpening(step) && group.isHeld,
  },
  {
    why: 'Another program has changed the receipt since, and by the sums only it has. The verdict asks that nothing has changed: a fourth event could make the same sum.',
    is: (group, step) => isInside(step) && !group.isHeld,
  },
  {
    why: 'The receipt was ended by another program: that is told as undecided, so that a person looks.',
    is: (group, { name }) => name === 'cancels a fiscal receipt' && truthOf(group) === 'not',
  },
  {
    why: 'The electronic journal cannot be read, and another receipt was closed since: the number of the last receipt is not that of the request. A receipt that was closed right after it proves nothing about the request.',
    is: (group, step) =>
      startsWith('closes', 'cancels', 'whole receipt: closes', 'whole receipt: is cancelled')(step) && !group.isHeld,
  },
  {
    why: 'The electronic journal cannot be read, and a Z report by hand has begun the day anew. The verdict does not use that nobody else could close the receipt while the line was held.',
    is: (group, step) => startsWith('closes', 'whole receipt: closes')(step) && group.isHeld,
  },
  {
    why: 'A document that the device has made twice is told as undecided, with both numbers: no answer of the service says twice.',
    is: (group, step) => isDocument(step) && truthOf(group) === 'twice',
  },
  {
    why: 'A Z report by hand comes before or after the document while the line is held. The day has begun again, and only the document after the last number before is expected to be that of the request.',
    is: (group, step) => isDocument(step) && group.isHeld,
  },
  {
    why: 'Only other documents came since, more than one of them. The verdict follows the first of them, and the sums of a day that a Z report has not ended.',
    is: (group, step) => isDocument(step) && !group.isHeld,
  },
  {
    why: 'Another program has put more on the receipt than was asked for, or the receipt comes to another sum: it is not told as ours.',
    is: (group, step) => isWhole(step) && !group.isHeld && truthOf(group) !== 'not',
  },
  {
    why: 'A receipt under a later number is open and empty: the electronic journal would show that the number that ours would have is a document of another program.',
    is: (group, { name }) => name === 'whole receipt: opens' && !group.isHeld && truthOf(group) === 'not',
  },
  {
    why: 'The receipt was cancelled, and the electronic journal cannot be read: nothing else tells a cancelled receipt of the same day.',
    is: (group, { name }) => name === 'whole receipt: is cancelled' && truthOf(group) === 'cancelled',
  },
]
