import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type Chosen, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/**
 * Departures from the sheet's default behaviour, switched on one by one by name to imitate particular firmware or
 * clients' expectations. Every switch names the place that it is from.
 */
export const CHOICES = {
  /** 2.6: what makes a frame a repeat. The manual compares SEQ alone; `frame` wants the same bytes too. */
  duplicateMatch: ['seq', 'frame'],
  /** 4.1: an unknown command is answered with an empty field and bits; `code` answers -112000 besides. */
  unknownCommand: ['empty', 'code'],
  /** 6.4: one printer's firmware counts a quantity of 0.000 as 1.000. */
  zeroQuantity: ['refused', 'one'],
  /** 6.11: some devices take an empty quantity in 107 P, one wants 0.000. */
  emptyStock: ['refused', 'zero'],
  /** 6.4: an amount of 0.00 pays the whole rest; no device is known that refuses it. */
  zeroPayment: ['rest', 'refuse'],
  /** 6.12: what ends the lines of a document, if not the code of the edition; clients were seen to accept both. */
  journalEnd: ['edition', 'ejNoRecords', 'endOfData'],
  /** 6.4: the manual has no half height in 54, some devices take it. */
  halfFiscalText: ['refused', 'taken'],
  /** The device makes the Z report by itself at this time of the day, when something was sold. */
  automaticZ: AUTOMATIC_Z,
  /** 8: whether a device that is not fiscalised refuses fiscal receipts, or prints them as training slips. */
  beforeFiscalised: ['refused', 'training'],
  /** 2.9: windows-1251 in bg; what ro devices speak is not settled. */
  codePage: ['cp1251', 'cp1250', 'cp1252'],
} as const

export type Switches = Chosen<typeof CHOICES>

/** Throws RangeError with a sentence for an unknown name or value. */
export const switchesOf = (options: SwitchOptions = {}): Switches => readSwitches('A', CHOICES, options)
