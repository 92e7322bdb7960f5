/** A receipt that is being put together, and what the service is asked for. What is wrong with it the service says. */

export interface Row {
  /** Of this page, so that a row keeps its fields when another one goes. */
  readonly key: number
  /** 0: a free row, with name, tax group and price of its own. */
  readonly plu: number
  readonly name: string
  readonly taxCode: string
  readonly price: string
  readonly quantity: string
  readonly discount: string
  readonly value: string
  readonly isVoid: boolean
}

export interface Payment {
  readonly key: number
  readonly mode: string
  readonly amount: string
}

export interface Draft {
  readonly rows: readonly Row[]
  readonly discount: string
  readonly value: string
  readonly payments: readonly Payment[]
}

export const EMPTY: Draft = { rows: [], discount: '0', value: '', payments: [] }

let keys = 0
export const newRow = (plu: number, name: string): Row => ({
  ...{ key: ++keys, plu, name, taxCode: '1', price: '', quantity: '1' },
  ...{ discount: '0', value: '', isVoid: false },
})
export const newPayment = (): Payment => ({ key: ++keys, mode: '0', amount: '' })

export const DISCOUNTS = [
  ['0', 'None'],
  ['2', 'Discount %'],
  ['4', 'Discount'],
  ['1', 'Surcharge %'],
  ['3', 'Surcharge'],
] as const

/** As the service names the parts of the request: the fields of the form have these names, and its refusals too. */
export const rowPath = (index: number, { plu }: Row): string =>
  `ReceiptItems[${index}].${plu === 0 ? 'FreeSale' : 'PluSale'}`
export const paymentPath = (index: number): string => `Payments[${index}]`

/** A number where one was typed; anything else goes as it is, and the service says what it expects. */
const typed = (text: string): number | string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : trimmed
}

const adjustment = (discount: string, value: string) =>
  discount === '0' ? {} : { DiscountType: Number(discount), DiscountValue: typed(value) }

function itemOf(row: Row): object {
  const { plu, isVoid, quantity, discount, value } = row
  const rest = { Void: isVoid, Quantity: typed(quantity), ...adjustment(discount, value) }
  if (plu !== 0) return { Type: 1, PluSale: { PluNumber: plu, ...rest } }
  const { name, taxCode, price } = row
  const sold = { ProductName: name, TaxCode: Number(taxCode), Price: typed(price), Department: 0, Unit: 'pcs' }
  return { Type: 0, FreeSale: { ...sold, ...rest } }
}

export const bodyOf = ({ rows, discount, value, payments }: Draft): object => ({
  ReceiptItems: rows.map(itemOf),
  ...(discount === '0' ? {} : { Subtotal: { Print: true, ...adjustment(discount, value) } }),
  ...(payments.length === 0
    ? {}
    : { Payments: payments.map(({ mode, amount }) => ({ PaymentMode: Number(mode), Amount: typed(amount) })) }),
})
