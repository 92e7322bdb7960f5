import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type ChosenSwitches, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/**
 * Deviations from the default behaviour of the sheet that imitate particular firmware or the expectations of clients.
 * Each switch cites its source, or `[house]` for the project's own choice.
 */
export const CHOICES = {
  /** Sheet 2.6: criterion of a retransmitted frame. The manual compares only SEQ; `frame` also compares the bytes. */
  duplicateMatch: ['seq', 'frame'],
  /** Sheet 4.1: an unknown command is answered with an empty field and status bits; with `code`, also with -112000. */
  unknownCommand: ['empty', 'code'],
  /** Sheet 6.4: the firmware of one printer counts a quantity of 0.000 as 1.000. */
  zeroQuantity: ['refused', 'one'],
  /** Sheet 6.11: some devices accept an empty quantity in 107 P, but one requires 0.000. */
  emptyStock: ['refused', 'zero'],
  /** Sheet 6.4: an amount of 0.00 pays the whole remaining amount. No known device refuses it. */
  zeroPayment: ['rest', 'refuse'],
  /**
   * Sheet 6.12: the code after the last line of a document, instead of the edition's code. Clients accept both codes.
   */
  journalEnd: ['edition', 'ejNoRecords', 'endOfData'],
  /** Sheet 6.4: the manual has no half height in 54, but some devices accept it. */
  halfFiscalText: ['refused', 'taken'],
  /** [house]: time of day at which the device makes the Z report automatically if something was sold. */
  automaticZ: AUTOMATIC_Z,
  /** Sheet 8: a device that is not fiscalised refuses fiscal receipts, or prints them as training slips. */
  beforeFiscalised: ['refused', 'training'],
  /** Sheet 2.9: windows-1251 in bg. The code page of ro devices is not certain. */
  codePage: ['cp1251', 'cp1250', 'cp1252'],
} as const

export type Switches = ChosenSwitches<typeof CHOICES>

export const switchesOf = (options: SwitchOptions = {}): Switches => readSwitches('A', CHOICES, options)
