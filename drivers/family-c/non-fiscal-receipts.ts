/** Non-fiscal receipts, and the line of text that fiscal and non-fiscal receipts share (sheet 4.5, 4.10). */
import type { Session } from '../link/session.ts'
import { badValue, DeviceError, isOutcomeUnknown } from '../model/errors.ts'
import type { NonFiscalReceipts } from '../model/printer.ts'
import { clean } from '../wire/charset.ts'
import { textWidth } from './capabilities.ts'
import { operatorOf } from './command-fields.ts'
import { askConfirmed } from './confirmed-command.ts'
import * as probes from './probes.ts'
import { flagsOf } from './reported-values.ts'
import { type DeviceC, refusalOf } from './session.ts'
import { numberOfOpened } from './state.ts'
import type { WireC } from './wire.ts'

const VOID_LINE = 'THIS DOCUMENT IS VOID'

export const nonFiscalReceipts = ({ print, perform }: Session<WireC>): NonFiscalReceipts => ({
  voidLine: VOID_LINE,
  openNonFiscal: (operator) =>
    perform(async (device) => {
      if (!operator) {
        const why = 'this family opens a non-fiscal receipt with an operator and a password'
        throw new DeviceError(badValue('operator', why))
      }
      const ask = { ...operatorOf(operator), journal: '0', print: '0' } as const
      const { text } = await askConfirmed(device, 'openNonFiscal', ask, probes.opening('nonFiscal'))
      return { text, document: await numberOfOpened(device) }
    }),
  printNonFiscalText: ({ text }) =>
    print(async (device) => {
      if ((await flagsOf(device)).has('fiscalOpen')) throw new DeviceError(refusalOf({ device: 4, command: 2 }))
      return printText(device, text)
    }),
  closeNonFiscal: () => print((device) => askConfirmed(device, 'closeNonFiscal', {}, probes.slipClosed)),
  cancelNonFiscal: () =>
    print(async (device) => {
      if ((await flagsOf(device)).has('nonFiscalOpen')) await printVoid(device)
      return askConfirmed(device, 'closeNonFiscal', {}, probes.slipClosed)
    }),
})

/**
 * Prints the void line. If the outcome is unknown, prints the line again, because two void lines are better than none.
 */
async function printVoid(device: DeviceC): Promise<void> {
  try {
    await printText(device, VOID_LINE)
  } catch (problem) {
    if (!isOutcomeUnknown(problem)) throw problem
    await printText(device, VOID_LINE)
  }
}

export async function printText(device: DeviceC, text: string) {
  const { page, edition, facts } = device
  const line = page.encode(clean(text)).slice(0, textWidth(edition, facts.columns))
  // The device requires at least one character, so an empty text is sent as a blank (sheet 4.10).
  return askConfirmed(device, 'fiscalText', { text: page.decode(line) || ' ' }, probes.unreported)
}
