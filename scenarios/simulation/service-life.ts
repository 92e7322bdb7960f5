import { openPrinter } from '../../drivers/index.ts'
import type { BindingPort } from '../../drivers/link/port.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { memoize } from '../../drivers/model/memoize.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { compose, openStores } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import type { LogTables } from '../../server/operations/log/log-tables.ts'
import type { Service } from '../../server/service.ts'
import type { CheckedFamilies } from './checked-families.ts'
import type { LogDisk } from './log-failure.ts'
import { portOf } from './other-program.ts'
import { RequestChannel } from './request-channel.ts'

const settingsFor = memoize((family: Family) => settingsOf({}, { family }))

interface ServiceParts {
  readonly clock: Clock
  readonly emulator: Emulator
  readonly families: CheckedFamilies
  readonly disk: LogDisk
  readonly isLineShared: boolean
  note(line: string): void
  trouble(error: unknown): void
  frameWritten(): void
}

/** The service from one start to its death. After its death, no frame reaches the device and no write the disk. */
export class ServiceProcess {
  readonly service: Service
  readonly printer: FiscalPrinter
  readonly channel: RequestChannel
  isDead = false
  writesLeft: number | undefined
  lastIsUnsent = false
  /** A cut of the line after `writesLeft` frames. The service loses that frame, or its answer. */
  cut: { writesLeft: number; readonly loses: 'frame' | 'answer' } | undefined
  readonly onDeath: (() => void)[] = []
  #exchange: (() => Promise<void>) | undefined

  constructor(world: ServiceParts, logTables: LogTables, wrap: (printer: FiscalPrinter) => FiscalPrinter) {
    const { clock, emulator } = world
    const families = world.families.drivers
    const note = (line: string) => world.note(`driver: ${line}`)
    const printer = openPrinter(
      { family: emulator.family, device: emulator.path, options: { profile: emulator.profile.profile } },
      { families, binding: this.#binding(world), clock, random: () => 0.5, log: note },
    )
    this.printer = wrap(printer)
    const settings = settingsFor(emulator.family)
    const log = {
      trouble: (error: unknown) => {
        if (!this.isDead) world.trouble(error)
      },
    }
    // A write that fails is lost with the process.
    const stores = openStores(clock, {
      journal: logTables,
      reading: () => world.disk.read(),
      writing: () => {
        if (this.isDead) throw new Error('dead')
        world.disk.written()
      },
    })
    const guarded = { ...stores, answers: this.#guarded(stores.answers), prints: this.#guarded(stores.prints) }
    this.service = compose({ settings, printer: this.printer, clock, stores: guarded, log }).service
    this.channel = new RequestChannel(this.service, guarded)
  }

  die(): void {
    this.isDead = true
    for (const call of this.onDeath.splice(0)) call()
  }

  async moveCable(): Promise<void> {
    await this.#exchange?.()
  }

  #binding(world: ServiceParts): ReturnType<typeof portOf> {
    const self = this
    return {
      async open(options) {
        if (self.isDead) throw new Error('dead')
        let port = await portOf(world.emulator, 'service').open(options)
        self.#exchange = async () => {
          const before = port
          port = await portOf(world.emulator, 'service').open({ ...options, path: world.emulator.path })
          if (before.isOpen) await before.close()
        }
        self.onDeath.push(() => {
          if (port.isOpen) port.close().catch(() => undefined)
        })
        const read: BindingPort['read'] = (buffer, offset, length) => {
          const from = port
          return from.read(buffer, offset, length).then(
            (result) => (self.isCut ? read(buffer, offset, length) : result),
            (problem: unknown) => {
              if (from === port) throw problem
              return read(buffer, offset, length)
            },
          )
        }
        return {
          get isOpen() {
            return port.isOpen
          },
          isShared: world.isLineShared,
          close: () => port.close(),
          read,
          getBaudRate: () => port.getBaudRate(),
          write(bytes) {
            if (self.isDead) return new Promise<never>(() => undefined)
            const last = self.writesLeft !== undefined && --self.writesLeft <= 0
            if (last && self.lastIsUnsent) {
              self.die()
              return new Promise<never>(() => undefined)
            }
            const writing = self.#passes() ? port.write(bytes) : Promise.resolve()
            world.frameWritten()
            if (last) self.die()
            return writing
          },
        }
      },
    }
  }

  get isCut(): boolean {
    return this.cut !== undefined && this.cut.writesLeft <= 0
  }

  #passes(): boolean {
    const { cut } = this
    if (!cut) return true
    const wasCut = cut.writesLeft <= 0
    cut.writesLeft--
    return !wasCut && (cut.writesLeft > 0 || cut.loses === 'answer')
  }

  #guarded<Store extends object>(store: Store): Store {
    const guarded = Object.entries(store).map(([name, act]: [string, (...all: unknown[]) => unknown]) => [
      name,
      (...all: unknown[]) => {
        if (this.isDead) throw new Error('dead')
        return act.apply(store, all)
      },
    ])
    return Object.fromEntries(guarded) as Store
  }
}
