import type { Emulator } from '../emulator.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { PowerCut } from '../fiscal/types/events.ts'
import type { Outcome } from '../fiscal/types/outcome.ts'
import { WrongCall } from './call-input.ts'
import { refusalText } from './refusal-texts.ts'

/**
 * Prints a sample receipt without a wire protocol: up to three articles of the device, one with a discount, paid by
 * card and cash. Fault rules inside the books apply to it.
 */
export function printSample(emulator: Emulator): { readonly number: number } {
  const { device } = emulator
  if (!emulator.power) throw new WrongCall('nothing is printed: the device is switched off')
  const { refusals } = device
  const refusal =
    refusals.fiscalised() ??
    refusals.clock() ??
    refusals.fiscalMemory() ??
    refusals.journal() ??
    refusals.day() ??
    refusals.print()
  if (refusal) throw new WrongCall(`nothing is printed: ${refusalText(refusal)}`)
  try {
    return { number: enter(device) }
  } catch (problem) {
    if (!(problem instanceof PowerCut)) throw problem
    emulator.setPower(false)
    throw new WrongCall('the power was cut while the receipt was printed')
  }
}

const CARD = 1
const NOTE = 1000
const QUANTITIES = [2000, 1000, 1250] as const
const DISCOUNT = { kind: 'discount', percent: 1000 } as const

function enter(device: FiscalDevice): number {
  // The service requests the block of taxes where the program that opens the receipt decides on it.
  const extra =
    device.profile.paper.taxBlock === 'onRequest' ? { extra: { print: '0', detailed: '1', vat: '1' } as const } : {}
  const { document } = expectDone(
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1, ...extra }),
  )
  try {
    const total = sellSome(device)
    const card = Math.min(500, Math.floor(total / 2))
    if (card > 0 && device.registers.payments.some(({ mode, enabled }) => mode === CARD && enabled)) {
      expectDone(device.pay({ mode: CARD, amount: card }))
    }
    const { rest } = restOf(device)
    expectDone(device.pay({ mode: 0, amount: Math.ceil(rest / NOTE) * NOTE }))
    expectDone(device.closeFiscal())
  } catch (problem) {
    if (problem instanceof WrongCall && device.receipt) device.cancelFiscal()
    throw problem
  }
  return document
}

function sellSome(device: FiscalDevice): number {
  const articles = [...device.articles.all()].filter(({ price }) => price > 0).slice(0, QUANTITIES.length)
  articles.forEach(({ plu }, index) => {
    const quantity = QUANTITIES[index] ?? 1000
    const adjustment = index === 1 ? { adjustment: DISCOUNT } : {}
    expectDone(device.sellArticle({ plu, quantity, void: false, ...adjustment }))
  })
  if (articles.length === 0) {
    expectDone(device.sell({ name: 'Sample', taxCode: 1, price: 250, quantity: 1000, void: false }))
  }
  return expectDone(device.subtotal({ print: true, display: true })).total
}

function restOf({ receipt }: FiscalDevice): { readonly rest: number } {
  return receipt?.kind === 'fiscal' ? receipt.fiscal : { rest: 0 }
}

function expectDone<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new WrongCall(`the sample receipt could not be printed: ${refusalText(outcome.refusal)}`)
}
