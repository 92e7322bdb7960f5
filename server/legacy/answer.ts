import { DeviceError, type DeviceProblem, describeProblem, withoutRepeat } from '../../drivers/model/errors.ts'
import { COMPLETED, OUTCOME_UNKNOWN, ServiceError } from '../failure.ts'
import { LegacyProblem, type ProblemCode } from './problem.ts'

/** What POST /Receipt answers (specification 2.2): four strings, HTTP 200 whatever happened. */
export interface LegacyAnswer {
  readonly ReceiptStatus: 'true' | 'false'
  readonly ReceiptNumber: string
  readonly ErrorCode: string
  readonly ErrorInfo: string
}

export const succeeded = (receiptNumber: string): LegacyAnswer => ({
  ReceiptStatus: 'true',
  ReceiptNumber: receiptNumber,
  ErrorCode: '',
  ErrorInfo: '',
})

export const refusedWith = (problem: LegacyProblem): LegacyAnswer => ({
  ReceiptStatus: 'false',
  ReceiptNumber: '',
  ErrorCode: problem.code,
  ErrorInfo: problem.message,
})

/**
 * What the device or the service said, as an entry of the catalogue. `first` is the device's own problem, where a later
 * error only tells what became of the receipt.
 */
export function problemOf(error: unknown, first: DeviceProblem | undefined): LegacyProblem {
  if (error instanceof LegacyProblem) return error
  if (error instanceof DeviceError) return new LegacyProblem(codeOf(error.problem), error.message)
  if (error instanceof ServiceError) {
    if (error.effect === 'unknown') return new LegacyProblem('502', unknown(error.message))
    if (error.status === 503) return new LegacyProblem('510', error.message)
    // What became of the receipt is known by now, so a lost answer is only a device that was out of reach.
    return new LegacyProblem(first ? (first.kind === 'outcomeUnknown' ? '501' : codeOf(first)) : '509', error.message)
  }
  return new LegacyProblem('901', 'an unexpected error happened inside the service; its log says more')
}

/** A receipt that is paid and only not ended is known. */
const unknown = (message: string): string =>
  message.startsWith(OUTCOME_UNKNOWN) || message.startsWith(COMPLETED) ? message : `${OUTCOME_UNKNOWN} ${message}`

const CONDITIONS: readonly Extract<DeviceProblem, { kind: 'cannotPrint' }>['condition'][] = [
  'noPaper',
  'coverOpen',
  'coverOrMechanism',
]

/** A job that never began, as an earlier one could not be ended: its answer tells what the device lacks. */
export function codeOfCondition(message: string): ProblemCode | undefined {
  const lacking = CONDITIONS.find((condition) => {
    const sentence = describeProblem({ kind: 'cannotPrint', condition })
    return message.includes(sentence) || message.includes(withoutRepeat(sentence))
  })
  return lacking && codeOf({ kind: 'cannotPrint', condition: lacking })
}

function codeOf(problem: DeviceProblem): ProblemCode {
  switch (problem.kind) {
    case 'refused':
      return refusalCode(problem)
    case 'cannotPrint':
      if (problem.condition === 'noPaper') return '505'
      return problem.condition === 'coverOpen' || problem.condition === 'coverOrMechanism' ? '506' : '509'
    case 'unsupported':
    case 'badValue':
      return '402'
    case 'portMissing':
    case 'portLost':
    case 'noAnswer':
    case 'atWork':
    case 'notThisFamily':
    case 'lineNoise':
      return '501'
    case 'outcomeUnknown':
      return '502'
  }
}

/** The families number their refusals each in its own way; what they mean is said in words. */
function refusalCode({ key, meaning }: Extract<DeviceProblem, { kind: 'refused' }>): ProblemCode {
  if (/24 ?h(ours)?\b/i.test(`${meaning} ${key}`)) return '507'
  if (/fiscal memory/i.test(meaning)) return '508'
  return '509'
}
