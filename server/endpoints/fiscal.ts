import { passwordViolations, paymentViolations, saleViolations, subtotalViolations } from '../limits.ts'
import { freeSale, openFiscalReceipt, paymentProblems, pluSale, problemsFrom, registerPayment, subtotalBody, textObject, textWarnings } from './bodies.ts' // biome-ignore format: one line
import { RECEIPT_NUMBER, step } from './shared.ts'

export const fiscalEndpoints = [
  step({
    path: '/open-fiscal-receipt',
    section: '4.3',
    summary: 'Open a fiscal receipt or an invoice',
    notes:
      'Invoice: true is an invoice on [[invoice]]; [[!invoice: ignores|ignore]] it. [[ExactPassword]]: the password is padded or truncated. Factory password of operator 1: 0000 on A (0001 on the edition ro), 1 on B, 0000 on C (000000 on c6).',
    body: openFiscalReceipt,
    example: { OperatorCode: 1, OperatorPassword: '0000', PointOfSaleNumber: 1, Invoice: false },
    check: ({ operator }, capabilities) => problemsFrom(passwordViolations(operator.password, capabilities)),
    step: (opening) => ({ does: 'open', opening }),
  }),
  step({
    path: '/print-fiscal-text',
    section: '4.3',
    summary: 'Print one line of text on the open fiscal receipt',
    notes: '[[Formatting: uses|use]] every formatting option; [[!formatting: prints|print]] the Message only.',
    body: textObject,
    example: { Message: 'Thank you' },
    warnings: (line, capabilities) => textWarnings(line, capabilities),
    step: (line) => ({ does: 'print', element: { is: 'text', line }, on: 'fiscal' }),
  }),
  step({
    path: '/register-free-sale',
    section: '4.3',
    summary: 'Sell an item that is not programmed in the device',
    notes: '[[!FreeSale: refuses|refuse]] free sales with 400: use register-plu-sale.',
    body: freeSale,
    example: { ProductName: 'Bread', TaxCode: 1, Price: 0.29, Department: 0, Unit: 'pcs', Quantity: 2 },
    refuses: ({ freeSale: supported }) => (supported === true ? undefined : supported.refusedBecause),
    check: (body, capabilities) => problemsFrom(saleViolations(body, capabilities)),
    step: (sale) => ({ does: 'sell', sale }),
  }),
  step({
    path: '/register-plu-sale',
    section: '4.3',
    summary: 'Sell an article that is programmed in the device',
    body: pluSale,
    example: { PluNumber: 1, Quantity: 2, DiscountType: 2, DiscountValue: 10 },
    check: (body, capabilities) => problemsFrom(saleViolations(body, capabilities)),
    step: (sale) => ({ does: 'sell', sale }),
  }),
  step({
    path: '/subtotal',
    section: '4.3',
    summary: 'Subtotal, optionally printed, displayed, with a discount or surcharge',
    body: subtotalBody,
    example: { Print: true, DiscountType: 2, DiscountValue: 5 },
    bodyOptional: true,
    check: (body, capabilities) => (body ? problemsFrom(subtotalViolations(body, capabilities)) : []),
    step: (subtotal = { print: false, display: false }) => ({ does: 'subtotal', subtotal }),
  }),
  step({
    path: '/payment',
    section: '4.3',
    summary: 'Register a payment',
    notes:
      'Several payments may be mixed. Only cash (0) gives change: another payment may not exceed the remaining amount.',
    body: registerPayment,
    example: { PaymentMode: 0, Amount: 5 },
    check: (body, capabilities) => [
      ...paymentProblems(body, capabilities, ''),
      ...problemsFrom(paymentViolations(body, capabilities)),
    ],
    step: (payment) => ({ does: 'pay', payment }),
  }),
  step({
    path: '/close-fiscal-receipt',
    section: '4.3',
    summary: 'Close the paid fiscal receipt',
    data: RECEIPT_NUMBER,
    step: () => ({ does: 'close' }),
  }),
  step({
    path: '/cancel-fiscal-receipt',
    section: '4.3',
    summary: 'Cancel the open fiscal receipt',
    notes: 'Refused with 400 once a payment was registered.',
    step: () => ({ does: 'cancel' }),
  }),
]
