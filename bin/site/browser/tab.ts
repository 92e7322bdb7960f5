/**
 * Devices of a browser tab, one at a time, each with its control interface and its service, composed like in `serve`.
 */
import { FAMILIES, openPrinter } from '../../../drivers/index.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { createEmulator, factorySettings, profilesOf } from '../../../emulator/emulator.ts'
import { drawnIdentity } from '../../../emulator/identity.ts'
import { createPanel } from '../../../emulator/panel/panel.ts'
import { profileOf } from '../../../emulator/profiles.ts'
import { type Composed, compose, openStores, printerConfig } from '../../../server/compose.ts'
import { settingsOf } from '../../../server/config.ts'
import { observedRequests } from '../../observed-requests.ts'
import { tillOver } from '../../till.ts'
import { openBooks, openLog, storedNumbers } from './books.ts'
import type { App } from './instead/express.ts'
import { put } from './instead/fs.ts'
import { isOfLink } from './messages.ts'
import { openTabStorage, storageNowhere, type TabStorage } from './tab-storage.ts'

/** A kind of device. */
export interface Kind {
  readonly family: Family
  readonly profile: string
}

/** The apps of a device and its service. */
export interface Running {
  readonly panel: App
  readonly service: App
  close(): Promise<void>
}

export interface Tab {
  readonly storage: TabStorage
  readonly kind: Kind
  readonly running: Running
  /** Opens the device of this kind in place of the present one, whose data stays stored. */
  choose(kind: Kind): Promise<void>
  /** Shows another device until one is chosen. */
  show(other: Running): Promise<void>
}

export const KINDS: readonly Kind[] = FAMILIES.flatMap((family) =>
  profilesOf(family).map((profile) => ({ family, profile })),
)

const isKind = (value: unknown): value is Kind =>
  KINDS.some(
    ({ family, profile }) => family === (value as Kind | undefined)?.family && profile === (value as Kind).profile,
  )

/** Position of the stored choice. */
const CHOICE = ['', 'choice', 'kind'] as const

export async function openTab(name: string): Promise<Tab> {
  const [kept] = await Promise.all([isOfLink(name) ? storageNowhere() : openTabStorage(name), readTroubles()])
  const [chosen] = await kept.rows(CHOICE[0], CHOICE[1])
  let kind: Kind = isKind(chosen) ? chosen : (KINDS[0] as Kind)
  let running = await open(kept, kind)
  return {
    storage: kept,
    get kind() {
      return kind
    },
    get running() {
      return running
    },
    async choose(other) {
      await running.close()
      kind = other
      kept.note(CHOICE, () => other)
      running = await open(kept, other)
    },
    async show(other) {
      await running.close()
      running = other
    },
  }
}

/** Path at which drivers/host/help.ts reads the headings for links from messages. */
const TROUBLES = '../../server/docs/dist/troubles.json'

/** Loads the headings; without the documentation messages have no links. */
async function readTroubles(): Promise<void> {
  try {
    const response = await fetch(new URL('../docs/troubles.json', self.location.href))
    if (response.ok) put(TROUBLES, await response.text())
  } catch {
    // The site may be hosted without the documentation.
  }
}

const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32

async function open(kept: TabStorage, kind: Kind): Promise<Running> {
  const { family, profile } = kind
  const device = `${family} ${profile}`
  const settings = settingsOf({}, kind, '/')
  const store = await openBooks(kept, device)
  const identity = storedNumbers(store) ?? drawnIdentity(profileOf(kind), random)
  const clock = systemClock
  const emulator = createEmulator({ family, profile, clock, store, identity, settings: factorySettings(settings) })
  const printer = openPrinter(printerConfig(settings, emulator.path), { clock, binding: emulator.binding })
  const stores = openStores(clock, { journal: await openLog(kept, device) })
  let composed: Composed | undefined
  const requests = observedRequests(settings, () => composed?.app)
  const { admitted, observed } = requests
  composed = compose({ settings, printer, clock, stores, admitted, observed })
  const { app, service } = composed
  const keepsSession = emulator.device.counters.lastDocument === 0
  const panel = createPanel(emulator, { till: tillOver(app, settings), requests, keepsSession })
  void service.start()
  return {
    panel: panel.app as unknown as App,
    service: app as unknown as App,
    async close() {
      panel.close()
      await service.queue.idle()
      await printer.disconnect()
      stores.close()
      await emulator.close()
      await kept.saved()
    },
  }
}
