import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type ChosenSwitches, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/**
 * Deviations from the sheet's default behaviour, each switched on by name, to imitate particular firmware or clients'
 * expectations. Every switch names its source.
 */
export const CHOICES = {
  /** 2.6: criterion of a retransmitted frame. The manual compares SEQ only; `frame` also requires the same bytes. */
  duplicateMatch: ['seq', 'frame'],
  /** 4.1: the answer to an unknown command has an empty field and status bits; `code` also answers -112000. */
  unknownCommand: ['empty', 'code'],
  /** 6.4: one printer's firmware counts a quantity of 0.000 as 1.000. */
  zeroQuantity: ['refused', 'one'],
  /** 6.11: some devices accept an empty quantity in 107 P, one requires 0.000. */
  emptyStock: ['refused', 'zero'],
  /** 6.4: an amount of 0.00 pays the whole remaining amount; no device is known that refuses it. */
  zeroPayment: ['rest', 'refuse'],
  /**
   * 6.12: the code that ends the lines of a document, instead of the edition's code; clients are known to accept both.
   */
  journalEnd: ['edition', 'ejNoRecords', 'endOfData'],
  /** 6.4: the manual has no half height in 54, but some devices accept it. */
  halfFiscalText: ['refused', 'taken'],
  /** Time of day at which the device makes the Z report by itself, if something was sold. */
  automaticZ: AUTOMATIC_Z,
  /** 8: whether a device that is not fiscalised refuses fiscal receipts, or prints them as training slips. */
  beforeFiscalised: ['refused', 'training'],
  /** 2.9: windows-1251 in bg; the code page of ro devices is not certain. */
  codePage: ['cp1251', 'cp1250', 'cp1252'],
} as const

export type Switches = ChosenSwitches<typeof CHOICES>

/** Throws RangeError with a readable message for an unknown name or value. */
export const switchesOf = (options: SwitchOptions = {}): Switches => readSwitches('A', CHOICES, options)
