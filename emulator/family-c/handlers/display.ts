/** Customer display and other device actions (sheet 4.2). */
import { writeTime } from '../../../drivers/family-c/protocol/cells.ts'
import { UNKNOWN_COMMAND } from '../../../drivers/family-c/protocol/errors.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import { REASONS } from '../refusals.ts'

const show = ({ device }: Context, lines: readonly (readonly [1 | 2, string])[]): Reply<undefined> => {
  if (!device.display.attached) return refused(REASONS.noDisplay)
  for (const [line, text] of lines) device.display.show(line, text)
  return done()
}

export const display = {
  diagnostics({ device }) {
    const { profile, numbers } = device
    return from(
      device.printReport('service', [
        { text: 'DIAGNOSTICS' },
        { text: `MODEL ${profile.model}` },
        { text: profile.firmware },
        { text: `SN ${numbers.serialNumber}  FM ${numbers.fiscalMemoryNumber}` },
        { text: `${writeTime(device.localTime())}` },
      ]),
    )
  },
  activeLogo({ device, session: { persistentCells } }, { logo }) {
    if (logo === '?') return from(device.printReport('service', [{ text: `LOGO ${persistentCells.logo}` }]))
    persistentCells.logo = logo
    return done()
  },
  displayClear({ device }) {
    if (!device.display.attached) return refused(REASONS.noDisplay)
    device.display.clear()
    return done()
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
    if (context.switches.deviceType === 'register') return refused(UNKNOWN_COMMAND)
    context.device.cut()
    return done()
  },
  drawer({ device }) {
    device.openDrawer()
    return done()
  },
  feed({ device }) {
    device.feed(1)
    return done()
  },
  printLogo({ device, session: { persistentCells } }, { logo = persistentCells.logo }) {
    const line = { text: `LOGO ${logo}` }
    return from(device.receipt ? device.printText(line) : device.printReport('service', [line]))
  },
} satisfies Partial<Handlers>
