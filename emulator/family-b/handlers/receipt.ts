/** Fiscal receipts: commands 48 to 56 (sheet 10.3 and 10.5). */
import type { OpeningKind } from '../../../drivers/family-b/protocol/commands/opening.ts'
import type { Commands } from '../../../drivers/family-b/protocol/index.ts'
import { readDateTime } from '../../../drivers/family-b/protocol/numbers.ts'
import type { RequestOf } from '../../../drivers/wire/command.ts'
import { FieldError } from '../../../drivers/wire/field.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import type { OpenFiscal, ReversalReason } from '../../fiscal/types/receipt.ts'
import type { OperatorRecord } from '../../fiscal/types/registers.ts'
import { showAmount } from '../configured-display.ts'
import {
  type Context,
  error,
  failedAnswer,
  from,
  type Handlers,
  type Reply,
  refused,
  refusedInState,
} from '../context.ts'
import { countersOf, groupsOf, RECEIPT_DIGITS } from '../day-lists.ts'
import { blocked } from '../document-blockers.ts'
import { adjustmentOf } from './sale.ts'
import { comment } from './text.ts'

const REASONS: readonly ReversalReason[] = ['refund', 'operatorError', 'taxBaseReduction']
const SALE_NUMBER = /^[A-Z]{2}\d{6}-[A-Z0-9]{4}-\d{7,}$/

const samePassword = (operator: OperatorRecord, password: string): boolean =>
  operator.password === password ||
  // A client sends four digits: 0001 for password 1.
  (/^\d+$/.test(operator.password) && /^\d+$/.test(password) && Number(operator.password) === Number(password))

/**
 * Special passwords of operators 19 and 20 (sheet 10.3), one of which a client uses for refunds. They are valid while
 * the operator's own password is the factory one.
 */
const MANAGERS: Readonly<Record<number, string>> = { 19: '8888', 20: '9999' }

const managerAsMade = ({ device }: Context, { code, password: own }: OperatorRecord, password: string): boolean =>
  own === device.profile.factoryPassword(code) && MANAGERS[code] === password

export const isPassword = (context: Context, operator: OperatorRecord, password: string): boolean =>
  samePassword(operator, password) || managerAsMade(context, operator, password)

export function wrongOperator(context: Context, code: number, password: string): Reply<never> | undefined {
  const { device, switches } = context
  const operator = code <= device.profile.operators ? device.registers.operator(code) : undefined
  if (!operator) return error(21)
  // Sheet 10.3: password 0 locks the operator.
  if (/^0+$/.test(operator.password)) return error(118)
  if (isPassword(context, operator, password)) return undefined
  return switches.passwordBit === 'set' ? refused({ channel: 'error', error: 66, flag: 'wrongPassword' }) : error(66)
}

type Form = Pick<OpenFiscal, 'kind' | 'invoice' | 'reason' | 'original'>

function dateOf(raw: string): string | undefined {
  try {
    return readDateTime('original', raw)
  } catch (problem) {
    if (problem instanceof FieldError) return undefined
    throw problem
  }
}

/** Returns the receipt form after the TAB. Firmware without `openingForms` ignores it. */
function formOf(context: Context, document: OpeningKind | undefined): Form | 'malformed' | 'badReason' | 'badDate' {
  if (!document || !context.edition.openingForms) return { kind: 'sale', invoice: false }
  switch (document.kind) {
    case 'invoice':
      return { kind: 'sale', invoice: true }
    case 'ticket':
      return { kind: 'sale', invoice: false }
    case 'unknown':
      return 'malformed'
    case 'refund':
    case 'creditNote': {
      const reason = REASONS[document.reason]
      if (!reason) return 'badReason'
      const at = dateOf(document.at)
      if (at === undefined) return 'badDate'
      const original = {
        document: document.document,
        at,
        fiscalMemoryNumber: document.fiscalMemory,
        ...(document.kind === 'creditNote' ? { invoice: document.invoice } : {}),
      }
      return { kind: 'reversal', reason, invoice: document.kind === 'creditNote', original }
    }
  }
}

function wrongSaleNumber({ switches, edition }: Context, ask: RequestOf<Commands['openFiscal']>) {
  if (switches.strictUnp === 'false' || !edition.openingForms || ask.document?.kind === 'ticket') return undefined
  if (!ask.third) return error(120)
  return SALE_NUMBER.test(ask.third) ? undefined : error(119)
}

const MODES: Readonly<Record<string, number>> = { P: 0, N: 1, C: 2, D: 3, U: 3, B: 4, E: 4 }

const restOf = ({ receipt }: FiscalDevice): number => (receipt?.kind === 'fiscal' ? receipt.fiscal.rest : 0)

export const receipt = {
  openFiscal(context, ask) {
    const { device } = context
    const form = formOf(context, ask.document)
    if (form === 'malformed') return refused({ channel: 'syntax' })
    if (form === 'badDate') return error(10)
    const wrong = wrongOperator(context, ask.operator, ask.password) ?? wrongSaleNumber(context, ask)
    if (wrong) return wrong
    if (form === 'badReason') return error(119)
    const stop = blocked(context, ['clock', 'journal', 'fiscalMemory', 'day'])
    if (stop) return stop
    const before = countersOf(device)
    const saleNumber = ask.third && SALE_NUMBER.test(ask.third) ? { saleNumber: ask.third } : {}
    const outcome = device.openFiscal({ ...form, operator: ask.operator, pointOfSale: 1, ...saleNumber })
    if (outcome.ok && ask.document?.kind === 'ticket') {
      for (const field of ask.document.fields) comment(context, field)
    }
    return from(outcome, () => before)
  },

  subtotal({ device, edition }, ask) {
    if (ask.percent !== undefined && ask.netto !== undefined) return error(22)
    const adjustment = adjustmentOf(ask)
    const request = { print: ask.print, display: false, ...(adjustment ? { adjustment } : {}) }
    return from(device.subtotal(request), ({ total, groups }) => {
      if (ask.display) showAmount(device, device.profile.paper.words.subtotal, total)
      return { subtotal: total, sums: groupsOf(edition, groups), digits: RECEIPT_DIGITS }
    })
  },

  payment(context, ask) {
    const { device } = context
    const { receipt: open } = device
    const mode = MODES[ask.letter ?? 'P'] ?? 0
    if (open?.kind === 'fiscal' && open.fiscal.kind === 'reversal' && mode !== 0) return error(7)
    // Sheet 10.5: an overpayment by a mode other than cash is not booked.
    if (mode !== 0 && ask.amount !== undefined && ask.amount > restOf(device)) {
      if (open?.kind === 'fiscal' && open.fiscal.rows.length > 0) return failedAnswer({ result: 'failed' as const }, 21)
    }
    const outcome = device.pay({ mode, ...(ask.amount === undefined ? {} : { amount: ask.amount }) })
    if (outcome.ok) for (const text of [ask.text1, ask.text2]) if (text) comment(context, text)
    return from(outcome, ({ rest, change }) =>
      rest > 0 ? { result: 'owing' as const, amount: rest } : { result: 'covered' as const, amount: change },
    )
  },

  invoiceData({ device }, { fields }) {
    const { receipt: open } = device
    if (open?.kind !== 'fiscal' || !open.fiscal.invoice) return refusedInState(20)
    const [taxNumber = '', , , , name = '', ...address] = fields
    return from(device.setCustomer({ fields, taxNumber, name, address: address.join(' ') }))
  },

  closeFiscal({ device }) {
    const outcome = device.closeFiscal()
    // Sheet 10.5: an invoice without customer data (57) is refused because of the receipt state.
    if (!outcome.ok && outcome.refusal === 'customerMissing') return refusedInState(20)
    return from(outcome, () => countersOf(device))
  },

  cancelFiscal({ device }) {
    return from(device.cancelFiscal(), () => countersOf(device))
  },
} satisfies Partial<Handlers>
