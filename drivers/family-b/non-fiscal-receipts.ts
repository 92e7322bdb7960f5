import type { Session } from '../link/session.ts'
import type { NonFiscalReceipts } from '../model/printer.ts'
import { cut } from './command-fields.ts'
import { numberOfOpened } from './queries-and-reports.ts'
import type { WireB } from './wire.ts'

/** Line that marks a non-fiscal receipt as void, because the device cannot cancel one (sheet 10.2). */
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
   * Prints the void line and closes the receipt. If no non-fiscal receipt is open, the device refuses the line, so
   * nothing is closed.
   */
  cancelNonFiscal: () =>
    print(async (device) => {
      await device.ask('nonFiscalText', { text: VOID_LINE })
      return device.ask('closeNonFiscal', {})
    }),
})
