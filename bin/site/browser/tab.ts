/** The device of a browser tab with its control API and its service, composed as in `serve`. */
import { FAMILIES, openPrinter } from '../../../drivers/index.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { createEmulator, factorySettings, profilesOf } from '../../../emulator/emulator.ts'
import { drawnIdentity } from '../../../emulator/identity.ts'
import { createPanel } from '../../../emulator/panel/panel.ts'
import { profileOf } from '../../../emulator/profiles.ts'
import { admitted } from '../../../scenarios/runner/http-exchange.ts'
import { type ComposedService, compose, openStores, printerConfig } from '../../../server/compose.ts'
import { settingsOf } from '../../../server/config.ts'
import { serviceCalls } from '../../../server/service-calls.ts'
import { observedRequests } from '../../observed-requests.ts'
import { tillOver } from '../../till-over-service.ts'
import { canShare, isOfLink } from './messages.ts'
import type { App } from './replacements/express.ts'
import { put } from './replacements/fs.ts'
import { openBooks, openLog, storedNumbers } from './stored-books.ts'
import { createUnavailableStorage, openTabStorage, type TabStorage } from './tab-storage.ts'

export interface Kind {
  readonly family: Family
  readonly profile: string
}

export interface RunningDevice {
  readonly panel: App
  readonly service: App
  close(): Promise<void>
}

export interface Tab {
  readonly storage: TabStorage
  readonly kind: Kind
  readonly running: RunningDevice
  /** Reason why the current device is not stored; `undefined` if it is stored. */
  readonly trouble: string | undefined
  /** Opens the stored device of this kind instead of the current one. */
  choose(kind: Kind): Promise<void>
  show(other: RunningDevice): Promise<void>
  settled(): Promise<void>
}

export const KINDS: readonly Kind[] = FAMILIES.flatMap((family) =>
  profilesOf(family).map((profile) => ({ family, profile })),
)

const isKind = (value: unknown): value is Kind =>
  KINDS.some(
    ({ family, profile }) => family === (value as Kind | undefined)?.family && profile === (value as Kind).profile,
  )

const CHOICE = ['', 'choice', 'kind'] as const

const PLAIN_HTTP =
  'This page was loaded over plain HTTP, where tabs cannot share a device: this device exists only as long as this tab. Export it to keep it, or open the page over https or on localhost.'

function storageFor(name: string, onTrouble: (why: string) => void): TabStorage | Promise<TabStorage> {
  if (isOfLink(name)) return createUnavailableStorage()
  return canShare() ? openTabStorage(name, onTrouble) : createUnavailableStorage(PLAIN_HTTP)
}

export async function openTab(name: string, onTrouble: (why: string) => void): Promise<Tab> {
  const [storage] = await Promise.all([storageFor(name, onTrouble), readTroubles()])
  const [chosen] = await storage.rows(CHOICE[0], CHOICE[1])
  let kind: Kind = isKind(chosen) ? chosen : (KINDS[0] as Kind)
  let { running, trouble } = await openOrReplace(storage, kind)
  let changing: Promise<void> = Promise.resolve()
  // Pages may choose simultaneously, but two open devices must not write the same data.
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const changed = changing.then(change)
    changing = changed.catch(() => undefined)
    return changed
  }
  return {
    storage,
    settled: () => changing,
    get trouble() {
      return trouble ?? storage.trouble
    },
    get kind() {
      return kind
    },
    get running() {
      return running
    },
    choose: (other) =>
      inTurn(async () => {
        await running.close()
        kind = other
        storage.note(CHOICE, () => other)
        const opened = await openOrReplace(storage, other)
        running = opened.running
        trouble = opened.trouble
      }),
    show: (other) =>
      inTurn(async () => {
        await running.close()
        running = other
      }),
  }
}

/** Opens the stored device. If it cannot be opened, opens a new one in memory and leaves the stored one unchanged. */
async function openOrReplace(
  storage: TabStorage,
  kind: Kind,
): Promise<{ readonly running: RunningDevice; readonly trouble?: string | undefined }> {
  try {
    return { running: await open(storage, kind) }
  } catch (problem) {
    const { family, profile } = kind
    const trouble = `The stored device of family ${family}, profile ${profile} cannot be opened (${messageOf(problem)}). It was not changed: choose another device, or use this new one, which exists only as long as this tab.`
    return { running: await open(createUnavailableStorage(), kind), trouble }
  }
}

/** Path from which drivers/host/troubleshooting-links.ts reads the messages with advice. */
const TROUBLES = '../../server/docs/dist/troubles.json'

/** Without the messages with advice, messages have no links. */
async function readTroubles(): Promise<void> {
  try {
    const response = await fetch(new URL('../docs/troubles.json', self.location.href))
    if (response.ok) put(TROUBLES, await response.text())
  } catch {
    // The site may be served without the documentation.
  }
}

const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32

async function open(storage: TabStorage, kind: Kind): Promise<RunningDevice> {
  const { family, profile } = kind
  const device = `${family} ${profile}`
  const settings = settingsOf({}, kind, '/')
  const store = await openBooks(storage, device)
  const identity = storedNumbers(store) ?? drawnIdentity(profileOf(kind), random)
  const clock = systemClock
  const emulator = createEmulator({ family, profile, clock, store, identity, settings: factorySettings(settings) })
  const printer = openPrinter(printerConfig(settings, emulator.path), { clock, binding: emulator.binding })
  const stores = openStores(clock, { journal: await openLog(storage, device) })
  let composed: ComposedService | undefined
  const requests = observedRequests(settings, () => composed?.app)
  const { observed } = requests
  composed = compose({ settings, printer, clock, stores, admitted, observed })
  const { app, service } = composed
  const keepsSession = emulator.device.counters.lastDocument === 0
  const panel = createPanel(emulator, { serviceCalls, till: tillOver(app, settings), requests, keepsSession })
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
      await storage.saved()
    },
  }
}
