import type { Session } from '../link/session.ts'
import type { NonFiscalReceipts } from '../model/printer.ts'
import type { TextLine } from '../model/receipt.ts'
import { textOf } from './command-fields.ts'
import type { DeviceA } from './session.ts'
import type { WireA } from './wire.ts'

const VOID: TextLine = { text: 'THIS DOCUMENT IS VOID', bold: true, alignment: 'center' }

const printLine = (device: DeviceA, line: TextLine) =>
  device.ask('nonFiscalText', textOf(line, device.facts.columns, device.page))

export const nonFiscalReceipts = ({ print, perform }: Session<WireA>): NonFiscalReceipts => ({
  voidLine: VOID.text,
  openNonFiscal: () =>
    perform(async (device) => {
      const { text, values } = await device.ask('openNonFiscal', {})
      return { text, document: values.document }
    }),
  printNonFiscalText: (line) => print((device) => printLine(device, line)),
  closeNonFiscal: () => print((device) => device.ask('closeNonFiscal', {})),
  cancelNonFiscal: () =>
    print(async (device) => {
      await printLine(device, VOID)
      return device.ask('closeNonFiscal', {})
    }),
})
