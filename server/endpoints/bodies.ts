/**
 * The reusable objects of the specification (2.4) and the fields of 4.2 to 4.5, converted to the terms of
 * drivers/model. Limits come from specification 8, otherwise from decisions 4.
 */
import type { z } from 'zod'
import type { BarcodeSupport, Capabilities } from '../../drivers/model/capabilities.ts'
import { checkDigit } from '../../drivers/model/check-digit.ts'
import { formatMoney, MONEY_MAX, ONE, type Percent, QUANTITY_MAX, QUANTITY_MIN } from '../../drivers/model/money.ts'
import type {
  Adjustment,
  ArticleSale,
  Barcode,
  FiscalOpening,
  FreeSale,
  Payment,
  Subtotal,
  TaxCode,
  TextAlignment,
  TextHeight,
  TextLine,
} from '../../drivers/model/receipt.ts'
import type { Problem } from '../answer-data.ts'
import { alternative, item, list, object, restNamesIn } from '../field-objects.ts'
import { choice, flag, int, money, optional, quantity, renamedField, show, text } from '../fields.ts'
import { barcodeViolations, type LimitViolation } from '../limits.ts'
import type { FiscalItem, FiscalReceipt, NonFiscalItem } from '../receipt.ts'

const TEXT_MAX = 200
const PLU_MAX = 2_147_483_647
const HUNDREDTH = 1
const PERCENT_MAX: Percent = 10_000
/** Module sizes of a QR code. The other limits are in dots and millimetres. */
const QR_SIZE = { min: 3, max: 10 }
const SCALE_MAX = 255
const HEIGHT_MAX = 255
/** Payment modes are defined by the device. No wire protocol has more than two digits for them. */
const PAYMENT_MODE_MAX = 99

export const anyText = (about?: string) => text({ max: TEXT_MAX, ...(about !== undefined && { about }) })
const operatorCode = int({ min: 1, max: 30 })
const operatorPassword = anyText('[[ExactPassword]]: padded or truncated to the length that the device has.')

const HEIGHTS: readonly TextHeight[] = ['normal', 'double', 'half']
const ALIGNMENTS: readonly TextAlignment[] = ['left', 'center', 'right']
/** An option with one of these values. The first is the default, which is not written. */
const oneOf = <const M extends string, const N extends number, T>(
  modelName: M,
  values: readonly T[],
  names: Readonly<Record<N, string>>,
) =>
  renamedField(
    modelName,
    optional(choice(names, '[[Formatting]] only')),
    (index) => (index === undefined ? undefined : values[index]),
    (value) => (value === undefined || value === values[0] ? undefined : (values.indexOf(value) as N)),
  )
const omitFalse = (value: boolean | undefined) => value || undefined
const style = <const M extends string>(modelName: M) =>
  renamedField(modelName, optional(flag('[[Formatting]] only.')), (value) => value, omitFalse)

export const textObject: z.ZodType<TextLine> = object({
  Message: renamedField('text', anyText("Any Unicode text; cut to the device's width.")),
  Bold: style('bold'),
  Italic: style('italic'),
  Height: oneOf('height', HEIGHTS, { 0: 'Normal', 1: 'Double', 2: 'Half' }),
  Underline: style('underline'),
  Alignment: oneOf('alignment', ALIGNMENTS, { 0: 'Left', 1: 'Center', 2: 'Right' }),
})

export const BARCODE_NAMES: Readonly<Record<number, string>> = {
  1: 'EAN8', 2: 'EAN13', 3: 'Code128', 4: 'QRCode', 5: 'Standard2Of5', 6: 'Interleaved2Of5', 7: 'PDF417 truncated',
  8: 'PDF417', 9: 'UPC-A', 10: 'UPC-E', 11: 'Interleaved mod 10', 12: 'Code 39', 13: 'Code 39 mod 43', 14: 'Code 93',
  15: 'Codabar', 16: 'POSTNET',
} // biome-ignore format: a table

const sized = (max: number, what: string) =>
  optional(int({ min: 0, max, about: `${what}, 0 is the default; the table lists what each family accepts.` }))

export const barcodeObject: z.ZodType<Barcode> = object({
  Type: renamedField(
    'type',
    choice(BARCODE_NAMES, 'Symbology; what a family supports is in the table of POST /print-bar-code'),
  ),
  Data: renamedField('data', text({ max: 400 })),
  QrSize: renamedField(
    'qrSize',
    optional(int({ ...QR_SIZE, about: 'Size of a QR module, 3 to 10; [[qrSize]] only.' })),
  ),
  Position: renamedField('position', optional(choice({ 0: 'Left', 1: 'Centre', 2: 'Right' }, '[[Position]] only'))),
  Scale: renamedField('scale', sized(SCALE_MAX, 'Width of the narrowest bar in dots')),
  Height: renamedField('height', sized(HEIGHT_MAX, 'Height of the bars in mm')),
  PrintText: renamedField('printText', optional(flag('Prints the data under the bars.'))),
})

export const separatingLine = choice({ 1: 'line of -', 2: 'line of =', 3: 'line of *', 4: 'dashed line' })

const DISCOUNT_TYPES = {
  0: 'None',
  1: 'Percentage surcharge',
  2: 'Percentage discount',
  3: 'Fixed surcharge',
  4: 'Fixed discount',
} as const
type DiscountType = keyof typeof DISCOUNT_TYPES

const adjustmentFields = {
  DiscountType: optional(choice(DISCOUNT_TYPES)),
  DiscountValue: optional(
    money({
      min: 0,
      max: MONEY_MAX,
      about: 'Required with a DiscountType other than 0: percent 0.01 to 100, or amount.',
    }),
  ),
}

interface AdjustmentFields {
  readonly DiscountType?: DiscountType | undefined
  readonly DiscountValue?: number | undefined
}

function checkAdjustment(
  { DiscountType: kind, DiscountValue: value }: AdjustmentFields,
  reportIssue: (name: 'DiscountType' | 'DiscountValue', message: string) => void,
): void {
  if (kind === undefined && value !== undefined && value !== 0) {
    const types = Object.entries(DISCOUNT_TYPES).map(([number, name]) => `${number} ${name.toLowerCase()}`)
    reportIssue('DiscountType', `is required, because DiscountValue is ${formatMoney(value)}: ${types.join(', ')}`)
  }
  const type = kind ?? 0
  if (type === 0) return
  const isPercent = type === 1 || type === 2
  const range = isPercent ? 'a percentage from 0.01 to 100.00' : 'an amount from 0.01 to 9999999.99'
  const why = `${range}, because DiscountType is ${type} (${DISCOUNT_TYPES[type]})`
  if (value === undefined) reportIssue('DiscountValue', `is required: ${why}`)
  else if (value < HUNDREDTH || (isPercent && value > PERCENT_MAX))
    reportIssue('DiscountValue', `must be ${why}; it is ${formatMoney(value)}`)
}

function adjusted<T extends AdjustmentFields>(
  members: T,
): Omit<T, keyof AdjustmentFields> & { adjustment?: Adjustment } {
  const { DiscountType: type = 0, DiscountValue: value = 0, ...rest } = members
  switch (type) {
    case 0:
      return rest
    case 1:
      return { ...rest, adjustment: { kind: 'surcharge', percent: value } }
    case 2:
      return { ...rest, adjustment: { kind: 'discount', percent: value } }
    case 3:
      return { ...rest, adjustment: { kind: 'surcharge', amount: value } }
    case 4:
      return { ...rest, adjustment: { kind: 'discount', amount: value } }
  }
}

function withFields<T>({ adjustment, ...members }: T & { readonly adjustment?: Adjustment }) {
  if (!adjustment) return members
  const isPercent = 'percent' in adjustment
  const [surcharge, discount] = isPercent ? ([1, 2] as const) : ([3, 4] as const)
  return {
    ...members,
    DiscountType: adjustment.kind === 'discount' ? discount : surcharge,
    DiscountValue: isPercent ? adjustment.percent : adjustment.amount,
  }
}

const quantityField = renamedField(
  'quantity',
  optional(quantity({ min: QUANTITY_MIN, max: QUANTITY_MAX, about: 'Default 1.' })),
  (value) => value ?? ONE,
)
const orFalse = <const M extends string>(modelName: M, about: string) =>
  renamedField(modelName, optional(flag(about)), (value) => value ?? false, omitFalse)

export const freeSale = object(
  {
    ProductName: renamedField('name', text({ max: 72 })),
    TaxCode: renamedField(
      'taxCode',
      int({ min: 1, max: 8, about: '1 to 8, the tax groups A to H.' }),
      (code) => code as TaxCode,
    ),
    Price: renamedField('price', money({ min: 0, max: MONEY_MAX, about: 'Unit price.' })),
    Department: renamedField('department', int({ min: 0, max: 99, about: '0 is no department.' })),
    Unit: renamedField('unit', text({ max: 6 })),
    Void: orFalse('void', 'If true, voids an earlier sale of the same name, price and tax code.'),
    Quantity: quantityField,
    ...adjustmentFields,
  },
  { together: checkAdjustment, into: (sale): FreeSale => adjusted(sale), from: withFields },
)

export const pluSale = object(
  {
    PluNumber: renamedField('plu', int({ min: 1, max: PLU_MAX, about: 'An article programmed in the device.' })),
    Void: orFalse('void', 'If true, voids an earlier sale of the same article.'),
    Quantity: quantityField,
    ...adjustmentFields,
  },
  { together: checkAdjustment, into: (sale): ArticleSale => adjusted(sale), from: withFields },
)

export const openFiscalReceipt = object(
  {
    OperatorCode: renamedField('operator', operatorCode),
    OperatorPassword: renamedField('password', operatorPassword),
    PointOfSaleNumber: renamedField(
      'pointOfSale',
      int({ min: 1, max: 99_999, about: '[[!PointOfSale: has|have]] no place for it.' }),
    ),
    Invoice: renamedField('invoice', flag('True opens an invoice on [[invoice]]; ignored on [[!invoice]].')),
  },
  {
    into: ({ operator: code, password, ...opening }): FiscalOpening => ({ operator: { code, password }, ...opening }),
    from: ({ operator: { code, password }, ...opening }) => ({ operator: code, password, ...opening }),
  },
)

export const subtotalBody = object(
  {
    Print: orFalse('print', 'Prints the subtotal.'),
    Display: orFalse('display', 'Shows the subtotal on the customer display.'),
    ...adjustmentFields,
  },
  { together: checkAdjustment, into: (subtotal): Subtotal => adjusted(subtotal), from: withFields },
)

export const registerPayment: z.ZodType<Required<Payment>> = object({
  PaymentMode: renamedField(
    'mode',
    int({ min: 0, max: PAYMENT_MODE_MAX, about: '0 is cash on every family; the others as the device defines.' }),
  ),
  Amount: renamedField('amount', money({ min: HUNDREDTH, max: MONEY_MAX })),
})

/** The operator of a non-fiscal receipt, which some families require. */
export const operatorFields = object({
  OperatorCode: renamedField('code', optional(operatorCode)),
  OperatorPassword: renamedField('password', optional(operatorPassword)),
})

/** `type` is the `Type` of a text; those of the other elements follow. */
const elementsFrom = (type: number) => [
  alternative(type, 'Text', textObject, ['text', 'line']),
  alternative(type + 1, 'BarCode', barcodeObject, ['barcode', 'barcode']),
  alternative(type + 2, 'SeparatingLine', separatingLine, ['separatingLine', 'style'], 'SeparatingLineType'),
]

const fiscalItem = item<FiscalItem>([
  alternative(0, 'FreeSale', freeSale, ['freeSale', 'sale']),
  alternative(1, 'PluSale', pluSale, ['articleSale', 'sale']),
  ...elementsFrom(2),
])

export const nonFiscalReceipt = object({ ReceiptItems: list(item<NonFiscalItem>(elementsFrom(0)), { min: 1 }) })

export const fiscalReceipt = object(
  {
    OpenFiscalReceipt: renamedField('opening', optional(openFiscalReceipt)),
    ReceiptItems: renamedField('items', list(fiscalItem, { min: 1 })),
    Subtotal: renamedField('subtotal', optional(subtotalBody)),
    Payments: renamedField(
      'payments',
      optional(list(registerPayment, { about: 'Absent or empty: the whole sum in cash.' })),
      (payments) => payments ?? [],
    ),
  },
  { into: (receipt): FiscalReceipt => ({ ...receipt, named: true }) },
)

/** Returns a warning if a text is longer than a line of the device. `path` is the prefix of the field name. */
export function textWarnings({ text }: TextLine, { textWidth, lineWidth }: Capabilities, path = ''): readonly string[] {
  const [length, width] = [[...text].length, textWidth ?? lineWidth]
  if (length <= width) return []
  return [`${path}Message has ${length} characters and is cut to ${width}`]
}

const REST_NAMES = new Map([
  ...restNamesIn([barcodeObject, freeSale, pluSale, openFiscalReceipt, registerPayment]),
  ['adjustment', 'DiscountValue'],
])

export const restNameOf = (modelName: string): string => REST_NAMES.get(modelName) ?? modelName

/**
 * Returns the problems that this family has with a barcode. The service answers 400 for an unsupported type (decisions
 * 4).
 */
export function barcodeProblems(barcode: Barcode, capabilities: Capabilities, path: string): readonly Problem[] {
  const support = capabilities.barcodes.find((one) => one.type === barcode.type)
  if (!support) {
    const types = capabilities.barcodes.map((one) => `${one.type} ${one.name}`).join(', ')
    const message = capabilities.barcodeRefusal(barcode.type) + (types === '' ? '' : ` Supported types: ${types}.`)
    return [{ path: path === '' ? 'Type' : `${path}.Type`, message }]
  }
  const why = dataProblem(barcode.data, support)
  const data = path === '' ? 'Data' : `${path}.Data`
  return [
    ...(why === undefined ? [] : [{ path: data, message: `${data} must ${why}.` }]),
    ...problemsFrom(barcodeViolations(barcode, capabilities), path),
  ]
}

function dataProblem(data: string, { name, data: expected, pattern, checked }: BarcodeSupport): string | undefined {
  if (!pattern.test(data)) return `be ${expected} for ${name}; it is ${show(data)}`
  if (checked === undefined || data.length === checked) return undefined
  const [right, digit] = [checkDigit(data.slice(0, checked)), data.slice(checked)]
  return right === digit ? undefined : `end in the check digit ${right} for ${name}; it ends in ${digit}`
}

export const problemsFrom = (all: readonly LimitViolation[], path = ''): readonly Problem[] =>
  all.map((one) => {
    const full = path === '' ? one.path : `${path}.${one.path}`
    return { path: full, message: `${full} ${one.message}.` }
  })

export function paymentProblems(payment: Payment, capabilities: Capabilities, path: string): readonly Problem[] {
  if (capabilities.paymentModes.some((one) => one.mode === payment.mode)) return []
  const mode = path === '' ? 'PaymentMode' : `${path}.PaymentMode`
  const modes = capabilities.paymentModes.map((one) => `${one.mode} ${one.name}`).join(', ')
  return [
    { path: mode, message: `${mode} must be one of the device's payment modes: ${modes}; it is ${payment.mode}.` },
  ]
}
