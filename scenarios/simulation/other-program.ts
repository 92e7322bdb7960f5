/**
 * Another program on the same device, with its own connection and driver. Its frames bear its name (attribution.ts).
 */
import type { DriverFamilies } from '../../drivers/families.ts'
import { openPrinter } from '../../drivers/index.ts'
import { type SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { ProgramActionName } from './event-names.ts'

export const OTHER_PROGRAM_ACTIONS = [
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
export type OtherProgramAction = (typeof OTHER_PROGRAM_ACTIONS)[number] | (typeof ALIKE_ACTIONS)[number]

/** Actions that the service can mistake for its own. */
export const ALIKE_ACTIONS = ['prints a copy', 'puts equal cash in'] as const

/** Names of the actions in reports. Saved cases contain the keys. */
export const ACTION_NAMES: Readonly<Record<OtherProgramAction, ProgramActionName>> = {
  sells: 'sells a whole receipt',
  opens: 'opens a fiscal receipt',
  'opens and sells': 'opens a fiscal receipt and sells',
  'opens a non-fiscal receipt': 'opens a non-fiscal receipt',
  'ends what is open': 'pays and closes what is open',
  'cancels what is open': 'cancels what is open',
  'sells on what is open': 'sells another row',
  'pays a part of what is open': 'pays a part by card',
  'prints X': 'prints an X report',
  'prints Z': 'prints a Z report',
  'puts cash in': 'puts other cash in',
  'prints a copy': 'prints a copy',
  'puts equal cash in': 'puts the same cash in',
}

/**
 * Amounts of cash in, in cents: of a request of the service (`LINES` in sent-requests.ts), and of the other program.
 */
export const CASH = 10_000
const OTHER_CASH = 100

export const OTHER_PROGRAM_CARD = 29

/** Quantity of article 1 in a row of the other program, in thousandths: more than any request sells. */
export const OTHER_PROGRAM_QUANTITY = 777_000

export class OtherProgram {
  readonly #clock: SimulatedClock
  readonly #families: DriverFamilies

  constructor(clock: SimulatedClock, families: DriverFamilies) {
    this.#clock = clock
    this.#families = families
  }

  act(action: OtherProgramAction, emulator: Emulator): Promise<void> {
    return simulate(this.#clock, this.#begin(action, emulator, false))
  }

  /** Acts without advancing the clock, in the middle of a request. Locks the port until the action has ended. */
  begin(action: OtherProgramAction, emulator: Emulator): Promise<void> {
    return this.#begin(action, emulator, true)
  }

  async #begin(action: OtherProgramAction, emulator: Emulator, lock: boolean): Promise<void> {
    const printer = openPrinter(
      { family: emulator.family, device: emulator.path, options: { profile: emulator.profile.profile } },
      {
        families: this.#families,
        binding: portOf(emulator, 'other program', lock),
        clock: this.#clock,
        random: () => 0.25,
      },
    )
    await tryAction(printer, action)
    await printer.disconnect()
  }
}

/** The port has no lock by default, because the service and another program share it. */
export const portOf = (
  emulator: Emulator,
  host: 'service' | 'other program',
  lock = false,
): NonNullable<Parameters<typeof openPrinter>[1]>['binding'] & object => ({
  open: (options) => emulator.binding.open({ ...options, lock, host }),
})

/** Ignores errors of the device. */
async function tryAction(printer: FiscalPrinter, action: OtherProgramAction): Promise<void> {
  try {
    await perform(printer, action)
  } catch (problem) {
    if (!(problem instanceof DeviceError)) throw problem
  }
}

async function perform(printer: FiscalPrinter, action: OtherProgramAction): Promise<void> {
  const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
  const open = () => printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
  const sell = () => printer.sellArticle({ plu: 1, quantity: OTHER_PROGRAM_QUANTITY, void: false })
  switch (action) {
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
      await printer.pay({ mode: 1, amount: OTHER_PROGRAM_CARD })
      return
    case 'prints X':
      await printer.reportX()
      return
    case 'prints Z':
      await printer.reportZ()
      return
    case 'puts cash in':
      await printer.moveCash?.(OTHER_CASH, operator)
      return
    case 'puts equal cash in':
      await printer.moveCash?.(CASH, operator)
      return
    case 'prints a copy':
      await printer.copyLastReceipt()
  }
}
