import type { Capabilities } from '../../../drivers/model/capabilities.ts'
import { TEXT_MAX } from './protocol/commands.ts'

export const DISPLAY_WIDTH = 20
export const barcodeRefusal = (): string => 'NotSupportedException: devices of this family print no barcodes.'

const percent = { surcharge: 10_000, discount: 10_000 }

export const capabilities = (): Capabilities => ({
  freeSale: true,
  invoice: false,
  pointOfSale: true,
  textFormatting: 'none',
  nonFiscalNeedsOperator: false,
  barcodes: [],
  barcodeRefusal,
  displayWidth: DISPLAY_WIDTH,
  lineWidth: TEXT_MAX,
  paymentModes: [
    { mode: 0, name: 'coins' },
    { mode: 1, name: 'bank card' },
  ],
  refusesZeroRows: true,
  defaultPassword: (operatorCode) => `d${operatorCode}`,
  passwordLength: { min: 1, max: 8 },
  limits: { rowPercent: percent, subtotalPercent: percent, payments: 10 },
})
