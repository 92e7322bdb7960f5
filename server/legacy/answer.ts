import type { DeviceProblem } from '../../drivers/model/errors.ts'
import type { Reply } from '../envelope.ts'
import { leavesOf, type Outcome, problemIn } from '../operations/outcome.ts'
import { openSentenceOf } from '../operations/sentences.ts'
import { LegacyProblem, type ProblemCode } from './problem.ts'

/** The answer of POST /Receipt (specification 2.2). Always four strings, with HTTP 200. */
export interface LegacyAnswer {
  readonly ReceiptStatus: 'true' | 'false'
  readonly ReceiptNumber: string
  readonly ErrorCode: string
  readonly ErrorInfo: string
}

export const successAnswer = (receiptNumber: string, notExecuted = ''): LegacyAnswer => ({
  ReceiptStatus: 'true',
  ReceiptNumber: receiptNumber,
  ErrorCode: '',
  ErrorInfo: notExecuted,
})

export const refusedWith = (problem: LegacyProblem): LegacyAnswer => ({
  ReceiptStatus: 'false',
  ReceiptNumber: '',
  ErrorCode: problem.code,
  ErrorInfo: problem.message,
})

interface Envelope {
  readonly Data?: unknown
  readonly Message?: string
}

const envelopeOf = ({ body }: Reply): Envelope => JSON.parse(body) as Envelope

export const dataOf = (reply: Reply): unknown => envelopeOf(reply).Data

export function problemOf(reply: Reply): LegacyProblem {
  const { status, outcome } = reply
  const isJournal = outcome?.reasons.some((reason) => reason.kind === 'text' && reason.about === 'journal')
  // A receipt with an unknown outcome has its own code, so that a till does not take it for a refused one.
  if (outcome && isUnknown(outcome)) return new LegacyProblem('502', openSentenceOf(outcome))
  if (status === 503) return new LegacyProblem(isJournal ? '901' : '510', messageOf(reply))
  if (outcome?.effect === 'unforeseen') {
    return new LegacyProblem('901', 'unexpected internal error. See the service log for details')
  }
  if (!outcome) return new LegacyProblem(status === 400 ? '101' : '901', messageOf(reply))
  const problem = problemIn(outcome)
  if (!problem) return new LegacyProblem('509', messageOf(reply))
  return new LegacyProblem(problem.kind === 'outcomeUnknown' ? '501' : codeOf(problem), messageOf(reply))
}

/** Returns whether the outcome is unknown, at present or permanently. An unforeseen error has a separate code. */
const isUnknown = (outcome: Outcome): boolean =>
  outcome.effect !== 'unforeseen' && (leavesOf(outcome) === 'open' || outcome.effect === 'undecided')

const messageOf = (reply: Reply): string => envelopeOf(reply).Message ?? ''

function codeOf(problem: DeviceProblem): ProblemCode {
  switch (problem.kind) {
    case 'refused':
      return refusalCode(problem)
    case 'cannotPrint':
      if (problem.condition === 'noPaper' || problem.condition === 'paperOrCover') return '505'
      return problem.condition === 'coverOpen' || problem.condition === 'coverOrMechanism' ? '506' : '509'
    case 'unsupported':
    case 'badValue':
      return '402'
    case 'portMissing':
    case 'portLost':
    case 'noAnswer':
    case 'stillBusy':
    case 'notThisFamily':
    case 'lineNoise':
      return '501'
    case 'outcomeUnknown':
      return '502'
  }
}

/** Returns the code of a refusal by its meaning, because each family has different refusal numbers. */
function refusalCode({ key, meaning }: Extract<DeviceProblem, { kind: 'refused' }>): ProblemCode {
  if (/24 ?h(ours)?\b/i.test(`${meaning} ${key}`)) return '507'
  if (/fiscal memory/i.test(meaning)) return '508'
  return '509'
}
