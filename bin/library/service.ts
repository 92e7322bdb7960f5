import { WAIT_MAX_MS, WAIT_MIN_MS, WAIT_NAMES } from '../../drivers/family.ts'
import { openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { CertificateStore, leafNames, type TlsMaterial } from '../../server/certificates.ts'
import { compose, openStores, printerConfig } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { type Listening, listen } from '../../server/listen.ts'
import { checkFlag, checkMembers, checkWhole } from './argument-checks.ts'
import { insideOf } from './printer.ts'
import type { DeviceWaits, Service, ServiceOptions } from './types.ts'
import { noteOpen } from './unclosed-hint.ts'

/** Time limit in ms for pending requests when the service is closed. Their connections are closed afterwards. */
const END_OF_REQUESTS_MS = 1200
const LOOPBACK = '127.0.0.1'

function waitsOf(device: DeviceWaits): DeviceWaits {
  checkMembers('startService: device', device, WAIT_NAMES)
  for (const name of WAIT_NAMES)
    if (device[name] !== undefined) checkWhole(`startService: device.${name}`, device[name], WAIT_MIN_MS, WAIT_MAX_MS)
  return device
}

export async function serve(options: ServiceOptions): Promise<Service> {
  checkMembers('startService', options, ['printer', 'port', 'https', 'httpsPort', 'device'])
  const { port = 0, https = false, httpsPort = 0, device = {} } = options
  const inside = insideOf(options.printer)
  const emulator = inside.emulator()
  const defaults = settingsOf({}, { family: emulator.family, profile: emulator.profile.profile })
  const settings = {
    ...defaults,
    waits: waitsOf(device),
    listen: {
      ...defaults.listen,
      host: LOOPBACK,
      httpPort: checkWhole('startService: port', port, 0, 65_535),
      httpsPort: checkWhole('startService: httpsPort', httpsPort, 0, 65_535),
      https: checkFlag('startService: https', https),
    },
  }
  const clock = systemClock
  const tls: TlsMaterial | undefined = https
    ? await new CertificateStore(undefined, clock).material(leafNames())
    : undefined
  const driver = openPrinter(printerConfig(settings, emulator.path), { clock, binding: emulator.binding })
  const stores = openStores(clock)
  let listening: Listening | undefined
  const addresses = {
    secure: async () => listening?.addresses.secure(),
    local: () => listening?.addresses.local() ?? '',
  }
  const { app, endStreams } = compose({ settings, printer: driver, clock, stores, addresses })
  const endStores = async () => {
    await driver.disconnect()
    stores.close()
  }
  try {
    listening = await listen(app, settings.listen, tls)
  } catch (problem) {
    await endStores()
    throw problem
  }
  const { httpUrl, httpsUrl } = listening
  const noteClosed = noteOpen('a service')
  const end = async () => {
    forget()
    endStreams()
    noteClosed()
    await listening?.close(END_OF_REQUESTS_MS)
    await endStores()
  }
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= end()
    return ended
  }
  const forget = inside.beforeEnd(close)
  return { url: httpUrl, https: httpsUrl, ca: tls?.ca, close, [Symbol.asyncDispose]: close }
}
