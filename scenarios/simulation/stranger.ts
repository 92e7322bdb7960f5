/**
 * Another program on the same device: it has a line and a driver of its own, knows nothing of the service, and prints,
 * opens, leaves, ends and cancels receipts whenever nobody speaks. What it prints is known by its document numbers.
 */
import type { DriverFamilies } from '../../drivers/families.ts'
import { openPrinter } from '../../drivers/index.ts'
import { type SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'

export const STRANGER_DEEDS = [
  'sells',
  'opens',
  'opens and sells',
  'opens a non-fiscal receipt',
  'ends what is open',
  'cancels what is open',
  'sells on what is open',
  'pays a part of what is open',
  'prints X',
  'prints Z',
  'puts cash in',
] as const
export type StrangerDeed = (typeof STRANGER_DEEDS)[number]

const ENDINGS: ReadonlySet<StrangerDeed> = new Set<StrangerDeed>(['ends what is open', 'cancels what is open'])

const TOUCHES: ReadonlySet<StrangerDeed> = new Set<StrangerDeed>([
  'sells on what is open',
  'pays a part of what is open',
])

/** Of its card, in cents. */
export const STRANGER_CARD = 29

/** Thousandths of article 1 in a row of the stranger: more than any request sells. */
export const STRANGER_QUANTITY = 777_000

export class Stranger {
  readonly #clock: SimulatedClock
  readonly #families: DriverFamilies
  /** Of each device by its serial number. */
  readonly #documents = new Map<string, Set<number>>()
  /** Documents that it has brought to their end, whoever had opened them. */
  readonly #ended = new Set<string>()
  /** Documents of others on which a row or a payment of its own stands. */
  readonly #touched = new Set<string>()
  /** Document number of the receipt that it has opened and left, by the device's serial number. */
  readonly #left = new Map<string, number>()
  /** Serial number of the device that stands at the port. */
  present = ''
  #hasActed = false

  constructor(clock: SimulatedClock, families: DriverFamilies) {
    this.#clock = clock
    this.#families = families
  }

  /** Is this document the stranger's, by its opening or by its end? */
  owns(serialNumber: string, document: number): boolean {
    return this.#documents.get(serialNumber)?.has(document) === true
  }

  /** Did it close or cancel this document, or print it whole? */
  hasEnded(serialNumber: string, document: number): boolean {
    return this.#ended.has(`${serialNumber} ${document}`)
  }

  /** Did it bring this document to its end, or change what it comes to? */
  hasDecided(serialNumber: string, document: number): boolean {
    return this.owns(serialNumber, document) || this.#touched.has(`${serialNumber} ${document}`)
  }

  /** The receipt that it has left open, while it is open. */
  get left(): number | undefined {
    return this.#left.get(this.present)
  }

  /** Somebody who may do so has ended the receipt that it had left. */
  forget(): void {
    this.#left.delete(this.present)
  }

  /** It has tried to do something, whatever came of it. */
  get hasActed(): boolean {
    return this.#hasActed
  }

  async act(deed: StrangerDeed, emulator: Emulator): Promise<void> {
    this.#hasActed = true
    const before = emulator.device.counters.lastDocument
    const wasOpen = emulator.device.receipt !== null
    const printer = openPrinter(
      { family: emulator.family, device: emulator.path, options: { profile: emulator.profile.profile } },
      { families: this.#families, binding: unlocked(emulator), clock: this.#clock, random: () => 0.25 },
    )
    await simulate(this.#clock, tried(printer, deed))
    await printer.disconnect()
    const { counters, receipt } = emulator.device
    const isOpen = receipt !== null
    const { serialNumber } = emulator.profile
    const own = this.#documents.get(serialNumber) ?? new Set()
    this.#documents.set(serialNumber, own)
    // A document has its number from its opening on.
    for (let number = before + 1; number <= counters.lastDocument; number++) own.add(number)
    if (wasOpen && !isOpen) own.add(before)
    // Whoever ends a receipt pays on it first.
    const isTouched = TOUCHES.has(deed) || (isOpen && deed === 'ends what is open')
    if (wasOpen && isTouched) this.#touched.add(`${serialNumber} ${before}`)
    // The device goes on with it when its paper is back, with nobody waiting any more.
    const isEnding = isOpen && wasOpen && emulator.loop.busy && ENDINGS.has(deed)
    if (isEnding) own.add(before)
    const open = isOpen && !isEnding ? counters.lastDocument : undefined
    for (let number = wasOpen ? before : before + 1; number <= counters.lastDocument; number++)
      if (number !== open) this.#ended.add(`${serialNumber} ${number}`)
    if (!isOpen) this.#left.delete(serialNumber)
    else if (!wasOpen) this.#left.set(serialNumber, counters.lastDocument)
  }
}

/** The service has the port too: on a shared line nobody locks. */
export const unlocked = (emulator: Emulator): NonNullable<Parameters<typeof openPrinter>[1]>['binding'] & object => ({
  open: (options) => emulator.binding.open({ ...options, lock: false }),
})

/** A device that refuses or is silent is no matter of ours here. */
async function tried(printer: FiscalPrinter, deed: StrangerDeed): Promise<void> {
  try {
    await carryOut(printer, deed)
  } catch (problem) {
    if (!(problem instanceof DeviceError)) throw problem
  }
}

async function carryOut(printer: FiscalPrinter, deed: StrangerDeed): Promise<void> {
  const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
  const open = () => printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
  const sell = () => printer.sellArticle({ plu: 1, quantity: STRANGER_QUANTITY, void: false })
  switch (deed) {
    case 'sells':
      await open()
      await sell()
      await printer.pay({ mode: 0 })
      await printer.closeFiscal()
      return
    case 'opens':
      await open()
      return
    case 'opens and sells':
      await open()
      await sell()
      return
    case 'opens a non-fiscal receipt':
      await printer.openNonFiscal(operator)
      return
    case 'ends what is open': {
      const { kind } = await printer.transactionStatus()
      if (kind === 'NonFiscal') await printer.closeNonFiscal()
      else {
        await printer.pay({ mode: 0 }).catch(() => undefined)
        await printer.closeFiscal()
      }
      return
    }
    case 'cancels what is open': {
      const { kind } = await printer.transactionStatus()
      if (kind === 'NonFiscal') await printer.cancelNonFiscal()
      else await printer.cancelFiscal()
      return
    }
    case 'sells on what is open':
      await sell()
      return
    case 'pays a part of what is open':
      await printer.pay({ mode: 1, amount: STRANGER_CARD })
      return
    case 'prints X':
      await printer.reportX()
      return
    case 'prints Z':
      await printer.reportZ()
      return
    case 'puts cash in':
      await printer.moveCash?.(100, operator)
  }
}
