import { type SimulatedClock, simulate } from '../../../drivers/model/clock.ts'
import { DeviceError } from '../../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../../drivers/model/printer.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Rule } from '../../../emulator/faults/rule.ts'
import type { CashierAction, ShopReceipt, Trouble } from './shop.ts'

const RULES: Readonly<Record<Exclude<Trouble, 'paper out'>, Rule>> = {
  'answer lost': { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' },
  'command lost': { at: 'link.toDevice', on: 'closeFiscal', times: 1, do: 'drop' },
  'device busy': { at: 'command.before', on: 'closeFiscal', times: 1, do: { busyMs: 1500 } },
}

export class Cashier {
  readonly #emulator: Emulator
  readonly #printer: FiscalPrinter
  readonly #clock: SimulatedClock

  constructor(emulator: Emulator, printer: FiscalPrinter, clock: SimulatedClock) {
    this.#emulator = emulator
    this.#printer = printer
    this.#clock = clock
  }

  /** Resolves to the receipt number. Rejects if the device refuses a command that it must execute. */
  receipt(receipt: ShopReceipt): Promise<number> {
    return this.#inTime(this.#executeReceipt(receipt))
  }

  async moveCash(amount: number): Promise<void> {
    const { moveCash } = this.#printer
    if (moveCash) await this.#inTime(moveCash.call(this.#printer, amount, this.#operator))
  }

  async reportX(): Promise<void> {
    await this.#inTime(this.#printer.reportX())
  }

  async reportZ(): Promise<void> {
    await this.#inTime(this.#printer.reportZ())
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return simulate(this.#clock, work)
  }

  get #operator() {
    return { code: 1, password: this.#printer.capabilities.defaultPassword(1) }
  }

  async #executeReceipt({ actions, payments, isCancelled, copy, trouble }: ShopReceipt): Promise<number> {
    const printer = this.#printer
    if (trouble === 'paper out') await this.#withoutPaper()
    else if (trouble !== undefined) this.#emulator.faults.add(RULES[trouble])
    const opened = await this.#open()
    for (const action of actions) await this.#perform(action)
    let number = opened.document ?? 0
    if (isCancelled) await printer.cancelFiscal()
    else {
      for (const { mode, amount } of payments) await printer.pay({ mode, amount: Number(amount) })
      number = Number((await printer.closeFiscal()).receiptNumber)
      if (copy) await printer.copyLastReceipt()
    }
    this.#emulator.faults.clear()
    return number
  }

  #open() {
    return this.#printer.openFiscal({ operator: this.#operator, pointOfSale: 1, invoice: false })
  }

  async #withoutPaper(): Promise<void> {
    this.#emulator.setPaper('out')
    const isRefused = await this.#open().then(
      () => false,
      (problem: unknown) => {
        if (problem instanceof DeviceError) return true
        throw problem
      },
    )
    this.#emulator.setPaper('ok')
    if (!isRefused) await this.#printer.cancelFiscal()
  }

  async #perform(action: CashierAction): Promise<void> {
    const printer = this.#printer
    switch (action.do) {
      case 'sell':
      case 'void': {
        const { plu, quantity } = action
        const percentOff = action.do === 'sell' ? action.percentOff : undefined
        const adjustment =
          percentOff === undefined ? {} : { adjustment: { kind: 'discount', percent: percentOff } as const }
        await printer.sellArticle({ plu, quantity, void: action.do === 'void', ...adjustment })
        return
      }
      case 'subtotal':
        await printer.subtotal({
          print: true,
          display: false,
          adjustment: { kind: 'discount', percent: action.percentOff },
        })
        return
      case 'text':
        await printer.printFiscalText({ text: 'thank you' })
    }
  }
}
