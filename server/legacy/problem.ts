/**
 * The problems of legacy lines: the catalogue of ErrorCode and ErrorInfo (legacy formats 6). ErrorInfo has the form
 * `NAME: line N: text`. The line is missing if the problem concerns none.
 */

export const CATALOGUE = {
  '101': 'BODY_INVALID',
  '102': 'BODY_EMPTY',
  '103': 'FORMAT_UNKNOWN',
  '104': 'FORMAT_MIXED',
  '105': 'TOO_LARGE',
  '201': 'LINE_MALFORMED',
  '202': 'COMMAND_UNKNOWN',
  '203': 'FIELD_MISSING',
  '204': 'FIELD_EXTRA',
  '210': 'NAME_INVALID',
  '211': 'PRICE_INVALID',
  '212': 'QUANTITY_INVALID',
  '213': 'VAT_INVALID',
  '214': 'DEPARTMENT_INVALID',
  '215': 'UNIT_INVALID',
  '216': 'AMOUNT_INVALID',
  '217': 'PERCENT_INVALID',
  '218': 'PAYMENT_TYPE_INVALID',
  '219': 'TAX_ID_INVALID',
  '220': 'BARCODE_INVALID',
  '221': 'TEXT_INVALID',
  '222': 'OPERATOR_INVALID',
  '223': 'OPTION_INVALID',
  '301': 'NO_SALE',
  '302': 'ADJUSTMENT_MISPLACED',
  '303': 'ADJUSTMENT_REPEATED',
  '304': 'ADJUSTMENT_TOO_LARGE',
  '305': 'VOID_UNMATCHED',
  '306': 'ORDER_INVALID',
  '307': 'LINE_AFTER_PAYMENT',
  '308': 'LINE_AFTER_CLOSE',
  '309': 'PAYMENT_MISSING',
  '310': 'PAYMENT_SHORT',
  '311': 'PAYMENT_NONCASH_OVER',
  '312': 'JOB_MIXED',
  '313': 'JOB_SECOND_DOCUMENT',
  '314': 'TOTAL_ZERO',
  '401': 'COMMAND_UNSUPPORTED',
  '402': 'FAMILY_UNSUPPORTED',
  '403': 'VAT_NOT_PROGRAMMED',
  '501': 'DEVICE_UNREACHABLE',
  '502': 'DEVICE_OUTCOME_UNKNOWN',
  '503': 'DEVICE_RECEIPT_OPEN',
  '504': 'DEVICE_NO_RECEIPT',
  '505': 'DEVICE_PAPER_OUT',
  '506': 'DEVICE_COVER_OPEN',
  '507': 'DEVICE_DAY_CLOSE_REQUIRED',
  '508': 'DEVICE_FISCAL_MEMORY',
  '509': 'DEVICE_REJECTED',
  '510': 'DEVICE_BUSY',
  '901': 'INTERNAL',
} as const

export type ProblemCode = keyof typeof CATALOGUE

/** Thrown only in this folder. `parseJob` and `answerJob` catch it. */
export class LegacyProblem extends Error {
  readonly code: ProblemCode
  /** Position in the array of the request, counted from 1. Absent if the problem concerns no single line. */
  readonly line: number | undefined
  readonly text: string

  constructor(code: ProblemCode, text: string, line?: number) {
    super(`${CATALOGUE[code]}: ${line === undefined ? '' : `line ${line}: `}${text}`)
    this.name = 'LegacyProblem'
    this.code = code
    this.line = line
    this.text = text
  }
}

export function fail(code: ProblemCode, line: number | undefined, text: string): never {
  throw new LegacyProblem(code, text, line)
}
