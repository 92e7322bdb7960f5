/** Error numbers of family B (sheet 8.1): byte 3 of the status, with descriptions of this project. */

interface ErrorMeaning {
  /** A stable key for programs. */
  readonly key: string
  readonly meaning: string
}

const TABLE = {
  1: { key: 'overflow', meaning: 'a sum would become too large' },
  3: { key: 'tooManySales', meaning: 'this receipt takes no more sales' },
  4: { key: 'tooManyPayments', meaning: 'this receipt takes no more payments' },
  5: { key: 'zeroTransaction', meaning: 'the amount is zero' },
  6: { key: 'paymentBegun', meaning: 'no sale is possible after the first payment' },
  7: { key: 'notPermitted', meaning: 'the operation is not permitted' },
  8: { key: 'taxGroupForbidden', meaning: 'the tax group is forbidden' },
  9: { key: 'invoiceRangeMissing', meaning: 'the range of invoice numbers is missing or used up' },
  10: { key: 'badDateTime', meaning: 'the date or the time is wrong' },
  11: { key: 'twoPoints', meaning: 'a number has two decimal points' },
  12: { key: 'twoSigns', meaning: 'a number has more than one sign' },
  13: { key: 'signNotFirst', meaning: 'the sign of a number is not its first character' },
  14: { key: 'illegalCharacter', meaning: 'there is an illegal character' },
  15: { key: 'tooManyDecimals', meaning: 'a number has too many decimals' },
  16: { key: 'tooManyCharacters', meaning: 'there are too many characters' },
  19: { key: 'receiptOpen', meaning: 'a receipt is open' },
  20: { key: 'notNow', meaning: 'the command is not served in this situation' },
  21: { key: 'outOfRange', meaning: 'a value is out of range' },
  22: {
    key: 'operationForbidden',
    meaning: 'the settings forbid the operation, or the subtotal has been adjusted already',
  },
  23: { key: 'voidAfterSubtotal', meaning: 'nothing can be voided after a discount on the subtotal' },
  24: { key: 'notSold', meaning: 'the item to void was not sold in this receipt' },
  25: { key: 'noSales', meaning: 'nothing was sold, so nothing can be paid' },
  26: { key: 'stockTooSmall', meaning: 'the stock of the article is too small' },
  27: { key: 'scale', meaning: 'the answer of the scale is bad' },
  28: { key: 'nothingOnHand', meaning: 'there is not enough on hand' },
  29: { key: 'emptyName', meaning: 'the name is empty' },
  30: { key: 'fiscalMemoryFull', meaning: 'the fiscal memory is full' },
  31: { key: 'fiscalMemoryNearlyFull', meaning: 'the fiscal memory is nearly full' },
  41: { key: 'barcodeCheckDigit', meaning: 'the check digit of the barcode is wrong' },
  42: { key: 'barcodeZero', meaning: 'the barcode is zero' },
  43: { key: 'barcodeWeight', meaning: 'a barcode of the weight kind cannot be programmed' },
  44: { key: 'notProgrammed', meaning: 'the article or barcode is not programmed' },
  45: { key: 'barcodeExists', meaning: 'the barcode exists already' },
  48: { key: 'negativeTurnover', meaning: 'the turnover would become negative' },
  50: { key: 'notFound', meaning: 'nothing was found' },
  61: { key: 'journalMediumDamaged', meaning: 'the medium of the journal is damaged' },
  66: { key: 'wrongPassword', meaning: 'the password of the operator is wrong' },
  70: { key: 'fiscalMemoryMissing', meaning: 'the fiscal memory is missing' },
  71: { key: 'fiscalMemoryWrong', meaning: 'the data of the fiscal memory are wrong' },
  72: { key: 'fiscalMemoryWrite', meaning: 'the fiscal memory could not be written' },
  76: { key: 'serverInformationNeeded', meaning: 'information from the tax server is needed first' },
  81: { key: 'dailyReportOverflow', meaning: 'the daily report has overflowed' },
  82: { key: 'dayExpired', meaning: '24 hours have passed without a Z report; print it first' },
  83: { key: 'operatorReportOverflow', meaning: 'the report of operators has overflowed' },
  84: { key: 'articleReportOverflow', meaning: 'the report of articles has overflowed' },
  85: { key: 'periodicReportOverflow', meaning: 'the periodic report has overflowed' },
  88: { key: 'journalOverflow', meaning: 'the journal has overflowed' },
  90: { key: 'periodicZNeeded', meaning: 'the periodic Z report is needed first' },
  91: { key: 'dailyZNeeded', meaning: 'the daily Z report is needed first' },
  92: { key: 'operatorsZNeeded', meaning: 'the Z report of operators is needed first' },
  93: { key: 'articlesZNeeded', meaning: 'the Z report of articles is needed first' },
  94: { key: 'fieldFixed', meaning: 'the field may not be changed' },
  97: { key: 'fieldLocked', meaning: 'the field may not be changed now' },
  98: { key: 'unsentReceipts', meaning: 'there are receipts that were not sent to the tax server' },
  102: { key: 'modem', meaning: 'the modem does not answer' },
  104: { key: 'simMissing', meaning: 'the modem has no SIM card' },
  107: { key: 'network', meaning: 'the modem has no network' },
  108: { key: 'keyboardPassword', meaning: 'the password is wrong' },
  110: { key: 'serverUnreachable', meaning: 'the tax server cannot be reached' },
  111: { key: 'serverSilent', meaning: 'the tax server does not answer' },
  113: { key: 'serverRefused', meaning: 'the tax server has refused' },
  117: { key: 'serverTrouble', meaning: 'the exchange with the tax server has failed' },
  118: { key: 'forbidden', meaning: 'the operation is forbidden' },
  119: { key: 'wrongValue', meaning: 'a value is wrong' },
  120: { key: 'missingValue', meaning: 'a value is missing' },
  123: { key: 'journalDamaged', meaning: 'the journal is damaged' },
  124: { key: 'journalForeign', meaning: 'the journal belongs to another device' },
  125: { key: 'journalMissing', meaning: 'the journal is missing' },
  126: { key: 'journalFull', meaning: 'the journal is full' },
} as const satisfies Readonly<Record<number, ErrorMeaning>>

export type ErrorNumber = keyof typeof TABLE
export const ERRORS: Readonly<Record<number, ErrorMeaning>> = TABLE

export const errorMeaning = (number: number): ErrorMeaning =>
  ERRORS[number] ?? { key: `error${number}`, meaning: 'the device names an error that its documents do not' }
