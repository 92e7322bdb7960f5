/**
 * The editions of family A as data (sheet 9): what the same command says in one country and in the other. Commands that
 * only one of them has say so themselves (`editions`), fields that only one has stand in `only`.
 */
export interface Edition {
  readonly name: EditionName
  /** Answer of 91. */
  readonly country: string
  /** From A on. */
  readonly taxGroups: number
  /** A tax group that is switched off, as 50 and 83 have it. */
  readonly disabledRate: '100.00' | '100.02'
  /** Payment modes from 0 on, in the words of people; the last of them is foreign currency. */
  readonly paymentModes: readonly string[]
  readonly currencyMode: number
  /** What a device says behind the last line of what is read from it (sheet 6.12). */
  readonly endOfReading: 'ejNoRecords' | 'endOfData'
}

/** The editions on the market (sheet 8 and 9); some numbers are another command in each. */
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
