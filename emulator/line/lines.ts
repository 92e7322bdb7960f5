import type { Clock } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'
import type { Wire } from '../wire.ts'
import { EmulatedBinding } from './binding.ts'
import type { DeviceLoop } from './device-loop.ts'
import { type Attach, pacedLine } from './pacing.ts'
import { openPty, type PtyLine } from './pty.ts'
import { listenTcp, type TcpLine } from './tcp.ts'

interface LinesOptions {
  readonly profile: DeviceProfile
  readonly loop: DeviceLoop
  readonly wire: Wire
  readonly clock: Clock
  /** Simulated speed of the lines in baud; `undefined` if bytes take no time. */
  readonly baud: number | undefined
  readonly log: (line: string) => void
}

export function createLines({ profile, loop, wire, clock, baud, log }: LinesOptions) {
  const speed = (): number | undefined => baud && (wire.baud?.() ?? baud)
  const straight: Attach = (end) => loop.attach(end)
  const attach = baud === undefined ? straight : pacedLine(straight, { baud: () => speed() ?? baud, clock, log })
  if (baud !== undefined) wire.setUpBaud?.(baud)
  const ptys = new Set<PtyLine>()
  const tcps = new Set<TcpLine>()
  const binding: EmulatedBinding = new EmulatedBinding(
    `emulator-${profile.family.toLowerCase()}`,
    { manufacturer: `fiscal-rig ${profile.model}`, serialNumber: profile.serialNumber },
    {
      powered: () => loop.power,
      opened(port) {
        const line = attach({
          send: (bytes) => port.emit(bytes),
          unplug: () => port.disconnect(),
          speed: () => port.baudRate,
          host: port.openOptions.host,
        })
        return { receive: line.receive, closed: line.detach }
      },
    },
  )
  return {
    binding,
    get open() {
      const links = [...ptys].map(({ link }) => link)
      return { ptys: links, tcps: [...tcps].map(({ port }) => port), baud: speed() ?? null }
    },
    async openPty(link: string): Promise<PtyLine> {
      // A fault unplugs the pty only for a moment, as it does on the two other lines: the host can reopen the port.
      const plugAgain = async () => {
        await pty.setConnected(false)
        if (binding.connected) await pty.setConnected(true)
      }
      const unplug = () => void plugAgain().catch((problem: unknown) => log(`${link}: ${messageOf(problem)}`))
      const pty: PtyLine = await openPty({
        link,
        attach: (end) => attach({ ...end, unplug }),
        log,
        ...(baud !== undefined && { baud }),
      })
      ptys.add(pty)
      return pty
    },
    async listenTcp(port: number, host = '127.0.0.1'): Promise<TcpLine> {
      const tcp = await listenTcp({ port, host, clock, acceptedShapes: [wire.shape], attach, log })
      tcps.add(tcp)
      return tcp
    },
    async setConnected(connected: boolean): Promise<void> {
      if (connected) binding.connect()
      else binding.disconnect()
      for (const tcp of tcps) tcp.setConnected(connected)
      await Promise.all([...ptys].map((pty) => pty.setConnected(connected)))
    },
    async close(): Promise<void> {
      binding.disconnect()
      await Promise.all([...ptys, ...tcps].map((line) => line.close()))
    },
  }
}
