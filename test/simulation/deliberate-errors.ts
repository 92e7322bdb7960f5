import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'

/** The device forgets its stored response before every frame, so it executes a retransmission again. */
export function executesAgain({ wire }: Emulator): void {
  const meet = wire.meet.bind(wire)
  Object.defineProperty(wire, 'meet', {
    value: (event: Parameters<typeof meet>[0]) => {
      if (event.kind === 'frame') wire.restart()
      return meet(event)
    },
  })
}

/** The sums of the day are wrong after every second receipt, and correct again when the day is closed. */
export function sumsWrong({ device }: Emulator): void {
  const right = () => Reflect.get(Object.getPrototypeOf(device), 'day', device) as Emulator['device']['day']
  Object.defineProperty(device, 'day', {
    get() {
      const day = right()
      return { ...day, total: day.total + (day.receipts % 2) }
    },
  })
}

const isUnknown = (problem: unknown): boolean =>
  problem instanceof DeviceError && problem.problem.kind === 'outcomeUnknown'

/** The driver considers a lost response a success and does not query the device. */
export function believesItself(printer: FiscalPrinter): FiscalPrinter {
  let last = 0
  return new Proxy(printer, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (name !== 'closeFiscal' || typeof member !== 'function') return member
      return async () => {
        try {
          const closed = await target.closeFiscal()
          last = Number(closed.receiptNumber)
          return closed
        } catch (problem) {
          if (!isUnknown(problem)) throw problem
          return { receiptNumber: String(last + 1), raw: '' }
        }
      }
    },
  })
}
