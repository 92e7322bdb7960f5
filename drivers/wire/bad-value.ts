import { DeviceError } from '../model/errors.ts'
import type { FieldError } from './field.ts'

/** Fields of commands by the names that a client of the service knows. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  operator: 'OperatorCode',
  password: 'OperatorPassword',
  pointOfSale: 'PointOfSaleNumber',
  name: 'ProductName',
  taxCode: 'TaxCode',
  tax: 'TaxCode',
  price: 'Price',
  quantity: 'Quantity',
  department: 'Department',
  unit: 'Unit',
  plu: 'PluNumber',
  article: 'PluNumber',
  modifierValue: 'DiscountValue',
  percent: 'DiscountValue',
  netto: 'DiscountValue',
  value: 'DiscountValue',
  mode: 'PaymentMode',
  amount: 'Amount',
  scale: 'Scale',
  height: 'Height',
}

/** A value that the wire cannot carry, as the client has called it. A password is never shown. */
export function badValueOf(problem: FieldError): DeviceError {
  const { field, message } = problem
  const why = field === 'password' ? 'it is not what this device takes' : message.slice(field.length + 2)
  return new DeviceError({ kind: 'badValue', field: CLIENT_NAMES[field] ?? field, why })
}
