/**
 * The targets `emulator` (embedded, simulated time) and `pty` (a pseudo-terminal, real time), with a new device for
 * each scenario.
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import { createEmulator, type Emulator, type EmulatorOptions, factorySettings } from '../../../emulator/emulator.ts'
import { seededRandom } from '../../../emulator/faults/seeded-random.ts'
import { createPanel } from '../../../emulator/panel/panel.ts'
import { receiptView } from '../../../emulator/panel/views.ts'
import type { Passport } from '../../../emulator/passport/passport.ts'
import { settingsOf } from '../../../server/config.ts'
import { serviceCalls } from '../../../server/service-calls.ts'
import type { Piece } from '../../oracle/ledger.ts'
import { inject } from '../inject.ts'
import { type InjectedFault, injectedFault } from '../injected-faults.ts'
import { mechanismOptions } from '../mechanism.ts'
import type { DeviceState } from '../step-results.ts'
import { milliseconds, servedTime, simulatedTime, type Timeline } from '../time.ts'
import { panelClient } from './panel.ts'
import { openPlatform } from './platform.ts'
import { openService } from './service.ts'
import { type Rig, type Setup, type Target, TargetUnreachable, type Wire } from './target.ts'

/** Default start of simulated time: a Wednesday morning. */
const START = Date.UTC(2026, 6, 15, 9, 0, 0)

/** The device itself rejects a text that is not a time. */
function beginningOf(clock: string | undefined): number {
  const at = clock === undefined ? Number.NaN : Date.parse(`${clock.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? START : at
}

/** `passport` describes the device that the emulated devices imitate. */
export function emulatedTarget(way: 'emulator' | 'pty', families: readonly Family[], passport?: Passport): Target {
  return {
    name: way,
    families,
    device: 'emulated',
    whyUnsupported: () => undefined,
    open: (setup) => openRig(way, setup, passport),
    close: async () => undefined,
  }
}

async function openRig(way: 'emulator' | 'pty', setup: Setup, passport: Passport | undefined): Promise<Rig> {
  const { family, given, seed } = setup
  // The mock platform uses real sockets, which simulated time would not wait for.
  const time = way === 'pty' || given.platform ? servedTime : simulatedTime(beginningOf(given.clock))
  const troubles: string[] = []
  const trouble = (line: string) => void troubles.push(line)
  const emulator = createEmulator({ ...emulatorOptions(setup, time, trouble), ...(passport && { passport }) })
  const pieces: Piece[] = []
  const faults: InjectedFault[] = []
  let printed = 0
  emulator.subscribe((event) => {
    if (event.type === 'document') printed = event.id
    if (event.type === 'frame') pieces.push({ direction: event.entry.direction, bytes: event.entry.bytes })
    if (event.type === 'fault') faults.push(injectedFault(event, pieces.length))
  })
  const panel = createPanel(emulator, { serviceCalls })
  const platform = await openPlatform(setup, time.clock)
  const link = join(tmpdir(), `fiscal-rig-${process.pid}-${randomUUID().slice(0, 8)}`)
  const device = way === 'pty' ? await ptyOf(emulator, link) : emulator.path
  const random = seededRandom(seed)
  const service = openService({
    setup,
    device,
    seams: { clock: time.clock, random, ...(way === 'emulator' && { binding: emulator.binding }) },
    clock: time.clock,
    platform: platform?.settings,
    trouble,
  })
  return {
    family,
    profile: emulator.profile.profile,
    time,
    troubles,
    call: (call) => service.call(call),
    panel: panelClient((call) => time.until(inject(panel.app, call).answer)),
    panelApp: panel.app,
    pieces: async () => pieces,
    frameCount: () => pieces.length,
    faults: () => faults,
    printed: () => printed,
    state: () => stateOf(emulator),
    ...(platform && { platform }),
    wire: wireOf(emulator, time),
    setDisplay: (attached) => emulator.device.display.setAttached(attached),
    restart: () => service.restart(),
    async close() {
      panel.close()
      await service.close()
      await platform?.close()
      await emulator.close()
    },
  }
}

function stateOf(emulator: Emulator): DeviceState {
  const { device, power, cable } = emulator
  const receipt = receiptView(device)
  return {
    power,
    paper: device.mechanism.paper,
    cover: device.mechanism.coverOpen,
    cable,
    display: device.display.lines.map((line) => line.trim()),
    receipt: receipt && {
      ...{ number: receipt.number, items: receipt.items, total: receipt.total, paid: receipt.paid },
    },
    day: formatMoney(device.day.total),
  }
}

function emulatorOptions({ family, profile, given, seed }: Setup, time: Timeline, log: (line: string) => void) {
  const options: EmulatorOptions = {
    family,
    clock: time.clock,
    seed,
    log,
    ...(profile !== undefined && { profile }),
    ...(given.powerReturns !== undefined && { powerReturnsAfterMs: milliseconds(given.powerReturns) }),
    ...mechanismOptions(given.mechanism),
    settings: factorySettings(settingsOf(given.config ?? {}, { family, profile })),
  }
  return options
}

async function ptyOf(emulator: Emulator, link: string): Promise<string> {
  try {
    await emulator.openPty(link)
    return link
  } catch (error) {
    await emulator.close()
    throw new TargetUnreachable(`a pty cannot be opened: ${messageOf(error)}`)
  }
}

const SILENCE_MS = 300
/**
 * Maximum wait for an answer, in ms: a device without paper answers only after paper is loaded, perhaps by the next
 * step.
 */
const PATIENCE_MS = 120_000

function wireOf(emulator: Emulator, time: Timeline): Wire {
  return {
    async ask(bytes) {
      const answer: Uint8Array[] = []
      const line = emulator.loop.attach({
        send: (part) => void answer.push(Uint8Array.from(part)),
        unplug: () => undefined,
      })
      line.receive(bytes)
      let before = -1
      const end = time.clock.now() + PATIENCE_MS
      while ((answer.length !== before || emulator.loop.busy) && time.clock.now() < end) {
        before = answer.length
        await time.sleep(SILENCE_MS)
      }
      line.detach()
      return Buffer.concat(answer)
    },
  }
}
