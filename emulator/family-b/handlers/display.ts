import type { FiscalDevice } from '../../fiscal/api.ts'
import { columnsOf, rowsOf } from '../configured-display.ts'
import { done, error, type Handlers, refused } from '../context.ts'

/** Customer display (sheet 10.1). */
export const display = {
  displayClear({ device }) {
    if (!device.display.attached) return error(20)
    device.display.clear()
    return done()
  },
  displayUpper: ({ device }, { text }) => show(device, 1, text),
  displayLower: ({ device }, { text }) => show(device, 2, text),
  displayText: ({ device }, { line, text }) => show(device, line, text),
  displayClock({ device }) {
    const at = device.localTime()
    const date = [at.slice(8, 10), at.slice(5, 7), at.slice(0, 4)].join('-')
    return show(device, 1, `${date} ${at.slice(11, 16)}`)
  },
  displayRaw({ device, edition }, { bytes }) {
    const printable = bytes.replace(/[\x00-\x1f]/g, '')
    // The byte 0Ch clears the customer display.
    if (bytes.includes('\x0c') && device.display.attached) device.display.clear()
    return printable === '' ? done() : show(device, 1, edition.page.decode(printable))
  },
  // These two commands only configure the display, and no command reads the values, so that nothing is stored.
  displayConversion: () => done(),
  displaySetUp: (_, { raw }) => (raw.length > 32 ? refused({ channel: 'syntax' }) : done()),
} satisfies Partial<Handlers>

function show(device: FiscalDevice, line: number, text: string) {
  if (!device.display.attached) return error(20)
  if (line > rowsOf(device)) return error(21)
  device.display.show(line, text.slice(0, columnsOf(device)))
  return done()
}
