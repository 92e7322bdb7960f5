import type { Session } from '../link/session.ts'
import { badValue, DeviceError, refused } from '../model/errors.ts'
import type { Money } from '../model/money.ts'
import type { AuxiliaryCommands } from '../model/printer.ts'
import { type Barcode, type SeparatingLine, separatingLineText } from '../model/receipt.ts'
import { barcodeRefusal, DISPLAY_WIDTH, dataForWire } from './capabilities.ts'
import { BARCODES } from './protocol/barcodes.ts'
import type { DeviceB } from './session.ts'
import type { WireB } from './wire.ts'

const POSITIONS = ['left', 'center', 'right'] as const

export const auxiliaryCommands = ({ print }: Session<WireB>): AuxiliaryCommands => ({
  async printBarcode(barcode) {
    const request = barcodeOf(barcode)
    return print((device) => device.ask('barcode', request))
  },
  printSeparatingLine: (style) => print((device) => printSeparatingLine(device, style)),
  displayLine: (line, text) =>
    print((device) => device.ask(line === 1 ? 'displayUpper' : 'displayLower', { text: text.slice(0, DISPLAY_WIDTH) })),
  clearDisplay: () => print((device) => device.ask('displayClear', {})),
  moveCash: (amount) =>
    print(async (device) => {
      const { values, text } = await device.ask('cashInOut', { amount })
      if (!values.done) throw cashRefusal(amount, values.cash)
      return { text }
    }),
  openDrawer: () => print((device) => device.ask('drawer', {})),
})

/**
 * Returns the refusal of a cash movement. The device answers one letter for all reasons, so the amount in the drawer
 * shows which reason applies.
 */
function cashRefusal(amount: Money, held: Money): DeviceError {
  if (amount >= 0) return refused('F', 'cashNotNow', 'the device accepts no cash now; a receipt may be open')
  return -amount > held
    ? refused('F', 'cashRefused', 'there is too little cash in the drawer')
    : refused('F', 'cashNotNow', 'the device pays out no cash now; a receipt may be open')
}

/** Throws DeviceError, before anything is sent, if the device cannot print the barcode. */
function barcodeOf({ type, data, position, scale, height, printText }: Barcode) {
  const kind = BARCODES.find(({ serviceType }) => serviceType === type)
  if (!kind) throw new DeviceError({ kind: 'unsupported', why: barcodeRefusal(type) })
  const carried = dataForWire(kind.checked, data)
  if (carried === undefined || !kind.pattern.test(carried)) {
    throw new DeviceError(badValue('data', `${kind.name} requires ${kind.data}`))
  }
  return {
    kind: kind.wire,
    data: carried,
    position: POSITIONS[position ?? 1] ?? 'center',
    scale: scale ?? 0,
    height: height ?? 0,
    printText: printText ?? true,
  }
}

/**
 * Prints a separating line as text in the open receipt, because the wire protocol has no command for it (sheet 10.8).
 */
async function printSeparatingLine(device: DeviceB, style: SeparatingLine) {
  const text = separatingLineText(style, device.facts.commentWidth).trimEnd()
  const { flags } = (await device.ask('status', {})).status
  return device.ask(flags.has('nonFiscalReceiptOpen') ? 'nonFiscalText' : 'fiscalText', { text })
}
