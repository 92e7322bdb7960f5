/** Violations that `check --every` finds and that are not fixed yet, each with its reason. A fix removes its entry. */
import type { PointFailure } from '../../scenarios/simulation/every/try-points.ts'

interface KnownViolation {
  readonly why: string
  readonly is: (failure: PointFailure) => boolean
}

const KNOWN: readonly KnownViolation[] = [
  {
    why: 'unsound: another memory answers under the same numbers, and none of them went back (test/operations/rule-exceptions.ts says the same of verdicts). The time and total of the last document before would show it; they are not asked.',
    is: ({ place, why }) =>
      place.name.includes('the memory of the device is replaced by another one with the same number of documents') &&
      /(?:is|are) (?:not )?on paper/.test(why),
  },
  {
    why: 'untrue words: the memory of the device was exchanged, or its electronic journal cannot be read, and the answer says that another program has ended the receipt.',
    is: ({ place, why }) =>
      /the memory of the device is a new one|the electronic journal cannot be read/.test(place.name) &&
      /^request \d+: no other program has used the device: /.test(why),
  },
  {
    why: 'unsound: a person prints a Z report at the frame of a Z report that is lost, or on family C of cash that is retransmitted. The Z report is taken for ours, as the number of the last Z shows one more, or the device executes the cash again and the answer says once. A person needs no line for it.',
    is: ({ place, why, case: { family } }) =>
      place.name.includes('a Z report is printed by hand') &&
      (/: \d+ answers say that z was printed/.test(why) || (family === 'C' && /: \d+ of cash are on paper/.test(why))),
  },
  {
    why: 'undecided whose duty it is: the device returns with its first memory, on which a receipt of the request is open. The service has given the final answer "Outcome unknown" since, because the numbers of the new memory went back, and does not cancel that receipt.',
    is: ({ place, why }) =>
      place.pairs &&
      place.name.includes('the memory of the device is a') &&
      place.name.includes('another device takes its place until the answer has arrived') &&
      /of a finished request is open/.test(why),
  },
  {
    why: 'untrue words on the edition cr, whose journal is not told: another program cancels the slip at the frame of its close, which is lost; the answer says that it is still open.',
    is: ({ place, why, case: { profile } }) =>
      profile === 'cr' &&
      /^closeSlip.*another program cancels what is open/.test(place.name) &&
      /it says that a receipt is open: .*The receipt is still open\.$/.test(why),
  },
]

export const isKnown = (failure: PointFailure): boolean => KNOWN.some(({ is }) => is(failure))
