/**
 * The reusable objects of the specification (2.4) and the fields of 4.2 to 4.5, turned into the words of drivers/model.
 * Limits: specification 8; where it gives none, decisions 4.
 */
import { MONEY_MAX, ONE, type Percent, QUANTITY_MAX } from '../../drivers/model/money.ts'
import type { Capabilities } from '../../drivers/model/printer.ts'
import type {
  Adjustment,
  ArticleSale,
  Barcode,
  FiscalOpening,
  FreeSale,
  Payment,
  SeparatingLine,
  Subtotal,
  TaxCode,
  TextAlignment,
  TextHeight,
  TextLine,
} from '../../drivers/model/receipt.ts'
import type { Problem } from '../endpoint.ts'
import { choice, flag, int, money, object, optional, quantity, text } from '../fields.ts'
import { type Beyond, beyondBarcode } from '../limits.ts'

/** decisions 4: "Text 1 to 200 characters, cut to the device's width". */
export const TEXT_MAX = 200
const PLU_MAX = 2_147_483_647
/** 0.01 pieces: the smallest quantity of the specification. */
const QUANTITY_MIN = 10
/** 0.01: the smallest amount and the smallest percentage. */
const HUNDREDTH = 1
const PERCENT_MAX: Percent = 10_000
/** Modules of a QR code (family A); dots and millimetres of the others. */
const QR_SIZE = { min: 3, max: 10 }
const SCALE_MAX = 255
const HEIGHT_MAX = 255
/** A payment mode is what the device defines; no wire has more than two digits of them. */
const PAYMENT_MODE_MAX = 99

export const anyText = (about?: string) => text({ max: TEXT_MAX, ...(about !== undefined && { about }) })
export const operatorCode = int({ min: 1, max: 30 })
export const operatorPassword = anyText('Family C: padded or truncated to the length that the device has.')

const HEIGHTS: readonly TextHeight[] = ['normal', 'double', 'half']
const ALIGNMENTS: readonly TextAlignment[] = ['left', 'center', 'right']

/** Leaves out what is undefined, as exact optional members want it. */
function given<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

export const textObject = object(
  {
    Message: anyText("Any Unicode text; cut to the device's width."),
    Bold: optional(flag('Family A only.')),
    Italic: optional(flag('Family A only.')),
    Height: optional(choice({ 0: 'Normal', 1: 'Double', 2: 'Half' }, 'Family A only')),
    Underline: optional(flag('Family A only.')),
    Alignment: optional(choice({ 0: 'Left', 1: 'Center', 2: 'Right' }, 'Family A only')),
  },
  {
    into: ({ Message, Bold, Italic, Height, Underline, Alignment }): TextLine =>
      given<TextLine>({
        text: Message,
        bold: Bold,
        italic: Italic,
        underline: Underline,
        height: Height === undefined ? undefined : HEIGHTS[Height],
        alignment: Alignment === undefined ? undefined : ALIGNMENTS[Alignment],
      }),
  },
)

export const BARCODE_NAMES: Readonly<Record<number, string>> = {
  1: 'EAN8', 2: 'EAN13', 3: 'Code128', 4: 'QRCode', 5: 'Standard2Of5', 6: 'Interleaved2Of5', 7: 'PDF417 truncated',
  8: 'PDF417', 9: 'UPC-A', 10: 'UPC-E', 11: 'Interleaved mod 10', 12: 'Code 39', 13: 'Code 39 mod 43', 14: 'Code 93',
  15: 'Codabar', 16: 'POSTNET',
} // biome-ignore format: a table

export const barcodeObject = object(
  {
    Type: choice(BARCODE_NAMES, 'Symbology; what a family supports is in the table of POST /print-bar-code'),
    Data: text({ max: 400 }),
    QrSize: optional(int({ ...QR_SIZE, about: 'Size of a QR module, 3 to 10; family A only.' })),
    Position: optional(choice({ 0: 'Left', 1: 'Centre', 2: 'Right' }, 'Family B only')),
    Scale: optional(
      int({
        min: 0,
        max: SCALE_MAX,
        about: 'Width of the narrowest bar in dots, 0 is the default; what a family takes is in the table.',
      }),
    ),
    Height: optional(
      int({
        min: 0,
        max: HEIGHT_MAX,
        about: 'Height of the bars in mm, 0 is the default; what a family takes is in the table.',
      }),
    ),
    PrintText: optional(flag('Prints the data under the bars.')),
  },
  {
    into: ({ Type, Data, QrSize, Position, Scale, Height, PrintText }): Barcode =>
      given<Barcode>({
        type: Type,
        data: Data,
        qrSize: QrSize,
        position: Position,
        scale: Scale,
        height: Height,
        printText: PrintText,
      }),
  },
)

export const separatingLine = choice({ 1: 'line of -', 2: 'line of =', 3: 'line of *', 4: 'dashed line' })
export const isSeparatingLine = (value: number): value is SeparatingLine => value >= 1 && value <= 4

const DISCOUNT_TYPES = {
  0: 'None',
  1: 'Percentage surcharge',
  2: 'Percentage discount',
  3: 'Fixed surcharge',
  4: 'Fixed discount',
} as const
type DiscountType = keyof typeof DISCOUNT_TYPES

/** DiscountType and DiscountValue, wherever they occur together. */
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
  { DiscountType: type = 0, DiscountValue: value }: AdjustmentFields,
  complain: (name: 'DiscountValue', message: string) => void,
): void {
  if (type === 0) return
  const isPercent = type === 1 || type === 2
  const range = isPercent ? 'a percentage from 0.01 to 100.00' : 'an amount from 0.01 to 9999999.99'
  const why = `${range}, because DiscountType is ${type} (${DISCOUNT_TYPES[type]})`
  if (value === undefined) complain('DiscountValue', `is required: ${why}`)
  else if (value < HUNDREDTH || (isPercent && value > PERCENT_MAX)) complain('DiscountValue', `must be ${why}`)
}

function adjustmentFrom({ DiscountType: type = 0, DiscountValue: value = 0 }: AdjustmentFields): {
  adjustment?: Adjustment
} {
  switch (type) {
    case 0:
      return {}
    case 1:
      return { adjustment: { kind: 'surcharge', percent: value } }
    case 2:
      return { adjustment: { kind: 'discount', percent: value } }
    case 3:
      return { adjustment: { kind: 'surcharge', amount: value } }
    case 4:
      return { adjustment: { kind: 'discount', amount: value } }
  }
}

const quantityField = optional(quantity({ min: QUANTITY_MIN, max: QUANTITY_MAX, about: 'Default 1.' }))

export const freeSale = object(
  {
    ProductName: text({ max: 72 }),
    TaxCode: int({ min: 1, max: 8, about: '1 to 8, the tax groups A to H.' }),
    Price: money({ min: 0, max: MONEY_MAX, about: 'Unit price.' }),
    Department: int({ min: 0, max: 99, about: '0 is no department.' }),
    Unit: text({ max: 6 }),
    Void: optional(flag('True takes back an earlier sale of the same name, price and tax code.')),
    Quantity: quantityField,
    ...adjustmentFields,
  },
  {
    together: checkAdjustment,
    into: (fields): FreeSale => ({
      name: fields.ProductName,
      taxCode: fields.TaxCode as TaxCode,
      price: fields.Price,
      quantity: fields.Quantity ?? ONE,
      department: fields.Department,
      unit: fields.Unit,
      void: fields.Void ?? false,
      ...adjustmentFrom(fields),
    }),
  },
)

export const pluSale = object(
  {
    PluNumber: int({ min: 1, max: PLU_MAX, about: 'An article programmed in the device.' }),
    Void: optional(flag('True takes back an earlier sale of the same article.')),
    Quantity: quantityField,
    ...adjustmentFields,
  },
  {
    together: checkAdjustment,
    into: (fields): ArticleSale => ({
      plu: fields.PluNumber,
      quantity: fields.Quantity ?? ONE,
      void: fields.Void ?? false,
      ...adjustmentFrom(fields),
    }),
  },
)

export const openFiscalReceipt = object(
  {
    OperatorCode: operatorCode,
    OperatorPassword: operatorPassword,
    PointOfSaleNumber: int({ min: 1, max: 99_999, about: 'Families B and C have no place for it.' }),
    Invoice: flag('True opens an invoice on families A and C; ignored on family B.'),
  },
  {
    into: (fields): FiscalOpening => ({
      operator: { code: fields.OperatorCode, password: fields.OperatorPassword },
      pointOfSale: fields.PointOfSaleNumber,
      invoice: fields.Invoice,
    }),
  },
)

export const subtotalBody = object(
  {
    Print: optional(flag('Prints the subtotal.')),
    Display: optional(flag('Shows the subtotal on the customer display.')),
    ...adjustmentFields,
  },
  {
    together: checkAdjustment,
    into: (fields): Subtotal => ({
      print: fields.Print ?? false,
      display: fields.Display ?? false,
      ...adjustmentFrom(fields),
    }),
  },
)

export const registerPayment = object(
  {
    PaymentMode: int({
      min: 0,
      max: PAYMENT_MODE_MAX,
      about: '0 is cash on every family; the others as the device defines.',
    }),
    Amount: money({ min: HUNDREDTH, max: MONEY_MAX }),
  },
  { into: ({ PaymentMode, Amount }): Required<Payment> => ({ mode: PaymentMode, amount: Amount }) },
)

/** What the connected family's barcode table says about this one (decisions 4: a type the family lacks is 400). */
export function barcodeProblems(barcode: Barcode, capabilities: Capabilities, path: string): readonly Problem[] {
  const support = capabilities.barcodes.find((one) => one.type === barcode.type)
  if (!support) {
    const types = capabilities.barcodes.map((one) => `${one.type} ${one.name}`).join(', ')
    const message = capabilities.barcodeRefusal(barcode.type) + (types === '' ? '' : ` Supported types: ${types}.`)
    return [{ path: path === '' ? 'Type' : `${path}.Type`, message }]
  }
  const beyond = problemsFrom(beyondBarcode(barcode, capabilities), path)
  if (support.pattern.test(barcode.data)) return beyond
  const data = path === '' ? 'Data' : `${path}.Data`
  return [{ path: data, message: `${data} must be ${support.data} for ${support.name}.` }, ...beyond]
}

/** Whole sentences of what a family cannot carry. */
export const problemsFrom = (found: readonly Beyond[], path = ''): readonly Problem[] =>
  found.map((one) => {
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
