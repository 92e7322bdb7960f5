/** Device, control interface and service of a browser tab, put together as `serve` puts them together. */
import { openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator, factorySettings } from '../../emulator/emulator.ts'
import { createPanel } from '../../emulator/panel/panel.ts'
import { compose, openStores, printerConfig } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { tillOver } from '../till.ts'
import type { App } from './browser/express.ts'

export interface Tab {
  /** The app that answers a request for this address. */
  appAt(path: string): App
}

export async function openTab(): Promise<Tab> {
  const settings = settingsOf({}, { family: 'A' }, '/')
  const { family, profile } = settings
  const emulator = createEmulator({
    family,
    ...(profile !== undefined && { profile }),
    clock: systemClock,
    settings: factorySettings(settings),
  })
  const printer = openPrinter(printerConfig(settings, emulator.path), { clock: systemClock, binding: emulator.binding })
  const service = compose({ settings, printer, clock: systemClock, stores: openStores(systemClock) })
  const panel = createPanel(emulator, { till: tillOver(service.app, settings), keepsSession: true })
  void service.service.start()
  const apps = { panel: panel.app as unknown as App, service: service.app as unknown as App }
  return { appAt: (path) => (path.startsWith('/emulator') ? apps.panel : apps.service) }
}
