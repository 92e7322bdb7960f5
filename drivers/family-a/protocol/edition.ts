/**
 * The editions of family A as data (sheet 9). Commands that exist in only one edition declare that themselves
 * (`editions`); fields of only one edition are in `only`.
 */

export interface Edition {
  readonly name: EditionName
  readonly country: string
  readonly taxGroups: number
  readonly disabledRate: '100.00' | '100.02'
  /** Names of the payment modes from 0 on; the last mode is foreign currency. */
  readonly paymentModes: readonly string[]
  readonly currencyMode: number
  readonly endOfReading: 'ejNoRecords' | 'endOfData'
}

/** The known editions (sheet 8 and 9). Some command numbers mean different commands in the two editions. */
export const EDITIONS = ['bg', 'ro'] as const
export type EditionName = (typeof EDITIONS)[number]

const edition = (declared: Omit<Edition, 'currencyMode'>): Edition => ({
  ...declared,
  currencyMode: declared.paymentModes.length - 1,
})

const BG = edition({
  name: 'bg',
  country: 'BULGARIA',
  taxGroups: 8,
  disabledRate: '100.00',
  endOfReading: 'ejNoRecords',
  paymentModes: ['cash', 'card', 'credit', 'cheque', 'voucher 1', 'voucher 2', 'foreign currency'],
})

const RO = edition({
  name: 'ro',
  country: 'ROMANIA',
  taxGroups: 7,
  disabledRate: '100.02',
  endOfReading: 'endOfData',
  paymentModes: [
    'cash',
    'card',
    'credit',
    'meal tickets',
    'value tickets',
    'voucher',
    'modern payment',
    'card with cash advance',
    'other',
    'foreign currency',
  ],
})

export const EDITION: Readonly<Record<EditionName, Edition>> = { bg: BG, ro: RO }
