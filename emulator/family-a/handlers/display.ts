/** Display, beeper and drawer (sheet 6.1). */
import { type Context, done, type Handlers, type Reply, refused } from '../context.ts'

const show = ({ device }: Context, line: number, text: string): Reply<undefined> => {
  if (!device.display.attached) return refused('noDisplay')
  device.display.show(line, text)
  return done()
}

export const display = {
  displayClear({ device }) {
    if (!device.display.attached) return refused('noDisplay')
    device.display.clear()
    return done()
  },
  displayUpper: (context, { text }) => show(context, 1, text),
  displayLower: (context, { text }) => show(context, 2, text),
  showClock(context) {
    const at = context.device.localTime()
    const text = `${at.slice(8, 10)}-${at.slice(5, 7)}-${at.slice(0, 4)}  ${at.slice(11, 19)}`
    const result = show(context, 1, text)
    return result.ok ? done({ at }) : result
  },
  feed({ device }, { lines = 1 }) {
    device.feed(lines)
    return done()
  },
  cut({ device }) {
    device.cut()
    return done()
  },
  // The command works only on devices that are registered as a special type. The emulated device counts as one.
  pcMode: () => done(),
  beep: () => done(),
  drawer({ device }) {
    device.openDrawer()
    return done()
  },
} satisfies Partial<Handlers>
