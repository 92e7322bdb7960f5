/**
 * Messages of the service advise what a client of the API can do. A user of the control panel has other means: the
 * fields of a form, the card "Open receipt" and the list of documents.
 */

const PAGE_ADVICE: readonly (readonly [advice: RegExp, onPage: string])[] = [
  [
    /This request had no Idempotency-Key, so a retry would print a second receipt\./,
    'Do not print it again: that would be a second receipt. Documents shows whether this one was printed.',
  ],
  [
    /Retry only with the same Idempotency-Key; a retry without it would print a second receipt\./,
    'Do not print it again here: that would be a second receipt. Documents shows whether this one was printed.',
  ],
  [/or call cancel-(?:non-)?fiscal-receipt\./, 'or cancel it under Open receipt.'],
  [
    /, opened with open-fiscal-receipt or open-non-fiscal-receipt, is still open/,
    ', opened by a client, is still open',
  ],
  [/Close or cancel it first\./, 'Close or cancel it first, under Open receipt.'],
  [
    /close it with close-non-fiscal-receipt or cancel it with cancel-non-fiscal-receipt first/,
    'close or cancel it first, under Open receipt',
  ],
  [/pay and close it, or cancel it with cancel-fiscal-receipt/, 'close or cancel it first, under Open receipt'],
  [/register a sale first, or cancel the receipt with cancel-fiscal-receipt/, 'cancel the receipt under Open receipt'],
  [/cancel the receipt with cancel-fiscal-receipt/, 'cancel the receipt under Open receipt'],
  [/, then call close-fiscal-receipt(?: first)?/, ' and close it, under Open receipt'],
  [/call payment, then close-fiscal-receipt/, 'pay and close it under Open receipt'],
  [/call close-fiscal-receipt(?: first)?/, 'close it under Open receipt'],
  [
    /call open-(?:non-)?fiscal-receipt(?: or open-non-fiscal-receipt)? first/,
    'another client has closed or cancelled it: try again',
  ],
  [/call report-z first/, 'the till must print a Z report first; under Setup, Try it sends report-z'],
  [
    /give the number of an article instead, with register-plu-sale or an item of Type 1 \(PluSale\)/,
    'add an article instead of a free row; Setup programs articles',
  ],
  [/use a PluNumber that is programmed in the device/, 'choose another article; Setup programs articles'],
  [/reduce DiscountValue/, 'reduce the discount'],
  [/reduce Price or Quantity/, 'reduce price or quantity'],
  [/reduce Quantity/, 'reduce the quantity'],
  [/Void must match the PLU, price and quantity/, 'a void must match the article, price and quantity'],
  [/use a TaxCode that has a rate/, 'choose another tax group'],
  [/send only one, or cancel the receipt and start again/, 'use only one'],
  [/only cash \(PaymentMode 0\) gives change/, 'only cash gives change'],
  [/correct OperatorPassword/, 'correct the password in the configuration of the service'],
  [/use an OperatorCode that the device has/, 'use an operator of the device in the configuration of the service'],
]

const PLACE_NAMES: Readonly<Record<string, string>> = { ReceiptItems: 'Row', Payments: 'Payment' }

/** Replaces a member of a request by the name of its row on the page. A member without a row is omitted. */
const asPlaceOnPage = (message: string): string =>
  message.replace(/\b([A-Z]\w+)(?:\[(\d+)\])?(?:\.\w+(?:\[\d+\])?)*: /, (whole, name: string, index?: string) => {
    const place = PLACE_NAMES[name]
    if (place !== undefined && index !== undefined) return `${place} ${Number(index) + 1}: `
    return name === 'OpenFiscalReceipt' ? '' : whole
  })

/** Replaces the advice of a message of the service by what a user of the control panel can do. */
export const asPageAdvice = (message: string): string =>
  PAGE_ADVICE.reduce((text, [advice, onPage]) => text.replace(advice, onPage), asPlaceOnPage(message))
