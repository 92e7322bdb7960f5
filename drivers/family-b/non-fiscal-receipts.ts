import type { Session } from '../link/session.ts'
import type { NonFiscalReceipts } from '../model/printer.ts'
import { numberOfOpened } from './reports.ts'
import { cut } from './values.ts'
import type { WireB } from './wire.ts'

/** Line that replaces a cancellation: no wire of this family cancels a non-fiscal receipt (sheet 10.2). */
const VOID_LINE = '*** VOID ***'

export const nonFiscalReceipts = ({ print, perform }: Session<WireB>): NonFiscalReceipts => ({
  voidLine: VOID_LINE,
  openNonFiscal: () =>
    perform(async (device) => {
      const { text } = await device.ask('openNonFiscal', {})
      return { text, document: await numberOfOpened(device) }
    }),
  printNonFiscalText: ({ text }) => print((device) => device.ask('nonFiscalText', { text: cut(text, device) })),
  closeNonFiscal: () => print((device) => device.ask('closeNonFiscal', {})),
  /**
   * Prints the void line and closes. The device refuses the line, and nothing is closed, if the open receipt is not a
   * non-fiscal one.
   */
  cancelNonFiscal: () =>
    print(async (device) => {
      await device.ask('nonFiscalText', { text: VOID_LINE })
      return device.ask('closeNonFiscal', {})
    }),
})
