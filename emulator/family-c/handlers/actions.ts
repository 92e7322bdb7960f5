import { writeTime } from '../../../drivers/family-c/protocol/cells.ts'
import { UNKNOWN_COMMAND } from '../../../drivers/family-c/protocol/errors.ts'
import type { CommandName } from '../../../drivers/family-c/protocol/index.ts'
import { acknowledged, type Context, type Handlers, type Reply, refusedWith, told } from '../context.ts'
import { NIBBLES_OF } from '../refusals.ts'

/** Device actions of sheet 4.2 and barcodes of 4.4. */

type Actions = Extract<
  CommandName,
  | 'diagnostics' | 'activeLogo' | 'displayClear' | 'displayUpper' | 'displayLower' | 'displayText' | 'displayClock' | 'cut'
  | 'drawer' | 'feed' | 'printLogo' | 'barcode'
> // biome-ignore format: a list

const show = ({ device }: Context, lines: readonly (readonly [1 | 2, string])[]): Reply<never> => {
  if (!device.display.attached) return refusedWith(NIBBLES_OF.noDisplay)
  for (const [line, text] of lines) device.display.show(line, text)
  return acknowledged
}

/** Barcode letters of 51h as the service's numbers, which the paper draws: EAN8 1, EAN13 2, Code128 3, ITF 6. */
const DRAWN: Readonly<Record<string, number>> = {
  '0': 7, A: 7, '1': 8, B: 8, '2': 2, C: 2, '3': 1, D: 1, '4': 9, E: 9, '5': 6, F: 6, '6': 10, G: 10, H: 11, I: 3,
} // biome-ignore format: a table

export const actionHandlers: Handlers<Actions> = {
  diagnostics({ device }) {
    const { profile } = device
    return told(
      device.printReport('service', [
        { text: 'DIAGNOSTICS' },
        { text: `MODEL ${profile.model}` },
        { text: profile.firmware },
        { text: `SN ${profile.serialNumber}  FM ${profile.fiscalMemoryNumber}` },
        { text: `${writeTime(device.localTime())}` },
      ]),
    )
  },
  activeLogo({ device }, { logo }) {
    if (logo === '?')
      return told(device.printReport('service', [{ text: `LOGO ${device.registers.parameter('logo') ?? '0'}` }]))
    device.registers.setParameter('logo', logo)
    return acknowledged
  },
  displayClear({ device }) {
    if (!device.display.attached) return refusedWith(NIBBLES_OF.noDisplay)
    device.display.clear()
    return acknowledged
  },
  displayUpper: (context, { text }) => show(context, [[1, text]]),
  displayLower: (context, { text }) => show(context, [[2, text]]),
  displayText: (context, { text }) =>
    show(context, [
      [1, text.slice(0, 20)],
      [2, text.slice(20)],
    ]),
  displayClock: (context) => {
    const time = writeTime(context.device.localTime())
    return show(context, [
      [1, time.slice(0, 10)],
      [2, time.slice(11)],
    ])
  },
  cut(context) {
    if (context.quirks.deviceType === 'register') return refusedWith(UNKNOWN_COMMAND)
    context.device.cut()
    return acknowledged
  },
  drawer({ device }) {
    device.openDrawer()
    return acknowledged
  },
  feed({ device }) {
    device.feed(1)
    return acknowledged
  },
  printLogo({ device }, { logo }) {
    const line = { text: `LOGO ${logo ?? device.registers.parameter('logo') ?? '0'}` }
    return told(device.receipt ? device.printText(line) : device.printReport('service', [line]))
  },
  barcode(context, { type, data }) {
    const { device, quirks } = context
    if (quirks.deviceType === 'register') return refusedWith(UNKNOWN_COMMAND)
    // The older forms steer a code at the end of receipts; they print nothing.
    if (data === '' || (type === 'F' && data.length === 12 && /[^\d]/.test(data))) {
      device.registers.setParameter('endBarcode', type === 'F' ? data : type)
      return acknowledged
    }
    const barcode = { type: DRAWN[type] ?? 3, data, printText: true }
    if (device.receipt) return told(device.printBarcode(barcode, data))
    return told(device.printReport('service', [{ text: data }]))
  },
}
