/** Barcodes and lines (sheet 6.10), display, cash and drawer. */
import type { Session } from '../link/session.ts'
import type { Range } from '../model/capabilities.ts'
import { badValue, DeviceError } from '../model/errors.ts'
import type { AuxiliaryCommands } from '../model/printer.ts'
import type { Barcode, SeparatingLine } from '../model/receipt.ts'
import { BAR_HEIGHT, BARCODES, barcodeRefusal, DISPLAY_WIDTH, MODULE_SIZE } from './capabilities.ts'
import { cutTo } from './command-fields.ts'
import type { DeviceA } from './session.ts'
import { readParameter } from './startup.ts'
import type { WireA } from './wire.ts'

export const auxiliaryCommands = ({ print }: Session<WireA>): AuxiliaryCommands => ({
  async printBarcode(barcode) {
    const symbol = symbolOf(barcode)
    return print((device) => printSymbol(device, symbol, barcode))
  },
  printSeparatingLine: (style) => print((device) => printSeparatingLine(device, style)),
  displayLine: (line, text) =>
    print((device) =>
      device.ask(line === 1 ? 'displayUpper' : 'displayLower', { text: cutTo(text, DISPLAY_WIDTH, device.page) }),
    ),
  clearDisplay: () => print((device) => device.ask('displayClear', {})),
  moveCash: (amount) =>
    print((device) => device.ask('cashInOut', { kind: amount < 0 ? 'out' : 'in', amount: Math.abs(amount) })),
  openDrawer: () => print((device) => device.ask('drawer', {})),
})

interface Symbol {
  readonly wire: number
  readonly sized: boolean
  /**
   * Height of the bars in mm. `undefined` means the device's own height, or a symbol that has a module size instead of
   * bars.
   */
  readonly bars: number | undefined
}

/** Throws DeviceError, before anything is sent, if the device cannot print the barcode. */
function symbolOf({ type, data, qrSize, height }: Barcode): Symbol {
  const symbol = BARCODES.find((one) => one.type === type)
  if (!symbol) throw new DeviceError({ kind: 'unsupported', why: barcodeRefusal(type) })
  const { wire, sized } = symbol
  if (!symbol.pattern.test(data)) throw new DeviceError(badValue('data', `${symbol.name} requires ${symbol.data}`))
  if (qrSize !== undefined && !isWithin(MODULE_SIZE, qrSize)) {
    throw new DeviceError(badValue('qrSize', `expected ${MODULE_SIZE.min} to ${MODULE_SIZE.max}`))
  }
  const bars = sized || height === 0 ? undefined : height
  if (bars !== undefined && !isWithin(BAR_HEIGHT, bars)) {
    throw new DeviceError(badValue('height', `expected ${BAR_HEIGHT.min} to ${BAR_HEIGHT.max} mm`))
  }
  return { wire, sized, bars }
}

const isWithin = ({ min, max }: Range, value: number): boolean => value >= min && value <= max

async function printSymbol(device: DeviceA, { wire, sized, bars }: Symbol, { data, qrSize, printText }: Barcode) {
  const restore = [
    await replaceParameter(device, 'BarCodeHeight', bars === undefined ? undefined : String(Math.round(bars / 7))),
    await replaceParameter(device, 'BarcodeName', printText === undefined ? undefined : printText ? '1' : '0'),
  ]
  try {
    const size = sized && qrSize !== undefined ? { size: qrSize } : {}
    return await device.ask('barcode', { type: wire, data, ...size })
  } finally {
    for (const back of restore) await back()
  }
}

/**
 * Sets a parameter of the device and returns a function that restores it. Height and text of a barcode are parameters
 * of the device, not of the barcode command (sheet 6.10).
 */
async function replaceParameter(
  device: DeviceA,
  name: string,
  value: string | undefined,
): Promise<() => Promise<void>> {
  if (value === undefined) return async () => {}
  const before = await readParameter(device, name)
  if (before === undefined || before === value) return async () => {}
  await device.ask('parameter', { name, index: 0, value })
  return async () => {
    await device.ask('parameter', { name, index: 0, value: before })
  }
}

const STYLES = { 1: 'dashes', 2: 'equals', 4: 'dashed' } as const

/**
 * Prints a separating line. Command 92 has no line of `*` (sheet 6.10), so that line is printed as text: as fiscal text
 * in an open fiscal receipt, otherwise as non-fiscal text.
 */
async function printSeparatingLine(device: DeviceA, style: SeparatingLine) {
  if (style !== 3) return device.ask('separatingLine', { style: STYLES[style] })
  const { open } = (await device.ask('transactionStatus', {})).values
  const text = '*'.repeat(device.facts.columns - 2)
  return device.ask(open >= 1 && open <= 4 ? 'fiscalText' : 'nonFiscalText', { text })
}
