/** Lines, display, cash and drawer. Devices of this family print no barcodes on request of the service. */
import type { Session } from '../link/session.ts'
import { DeviceError } from '../model/errors.ts'
import type { AuxiliaryCommands } from '../model/printer.ts'
import { separatingLineText } from '../model/receipt.ts'
import { clean } from '../wire/charset.ts'
import { barcodeRefusal, textWidth } from './capabilities.ts'
import { CASH, operatorOf } from './command-fields.ts'
import { askConfirmed } from './confirmed-command.ts'
import { printText } from './non-fiscal-receipts.ts'
import * as probes from './probes.ts'
import type { WireC } from './wire.ts'

export const auxiliaryCommands = ({ print }: Session<WireC>): AuxiliaryCommands => ({
  printBarcode: () => Promise.reject(new DeviceError({ kind: 'unsupported', why: barcodeRefusal() })),
  printSeparatingLine: (style) =>
    print((device) => printText(device, separatingLineText(style, textWidth(device.edition, device.facts.columns)))),
  // The layout of the command pads and cuts the text to 20 characters after the conversion to the code page.
  displayLine: (line, text) =>
    print((device) => device.ask(line === 1 ? 'displayUpper' : 'displayLower', { text: clean(text) })),
  clearDisplay: () => print((device) => device.ask('displayClear', {})),
  moveCash: (amount, operator) =>
    print((device) =>
      askConfirmed(device, 'cashInOut', { ...operatorOf(operator), type: CASH, amount }, probes.cashMoved(amount)),
    ),
  openDrawer: () => print((device) => device.ask('drawer', {})),
})
