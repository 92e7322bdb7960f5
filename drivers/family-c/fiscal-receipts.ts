import type { DriverSettings } from '../family.ts'
import type { Session } from '../link/session.ts'
import { badValue, DeviceError, isOutcomeUnknown } from '../model/errors.ts'
import { formatMoney, type Money } from '../model/money.ts'
import type { FiscalReceipts } from '../model/printer.ts'
import { type FiscalOpening, type Payment, PLACEHOLDER_CUSTOMER, type Subtotal } from '../model/receipt.ts'
import { clean } from '../wire/charset.ts'
import { paymentType } from './capabilities.ts'
import { CASH, changeOf, operatorOf } from './command-fields.ts'
import { askConfirmed } from './confirmed-command.ts'
import { printText } from './non-fiscal-receipts.ts'
import * as probes from './probes.ts'
import type { FiscalOpeningAsk } from './protocol/commands/receipt.ts'
import type { Edition } from './protocol/edition.ts'
import { flagsOf, stateOf } from './reported-values.ts'
import { sell } from './sale.ts'
import { type DeviceC, refusalOf } from './session.ts'
import { numberOfOpened, type RememberedFacts, remainingAmount, totalOf } from './state.ts'
import type { WireC } from './wire.ts'

export function fiscalReceipts(
  { print, perform }: Session<WireC>,
  settings: DriverSettings,
  remembered: RememberedFacts,
): FiscalReceipts {
  async function pay(device: DeviceC, { mode, amount }: Payment) {
    const type = paymentType(device.edition, settings, mode)
    if (type === undefined) {
      throw new DeviceError(badValue('mode', `this device has no payment mode ${mode}`))
    }
    if (type !== CASH && amount !== undefined) await refuseChange(device, amount)
    const ask = { type, change: type === CASH, amount: amount ?? ('exact' as const) }
    const before = remembered.paid
    remembered.paid = undefined
    try {
      const answer = await askConfirmed(
        device,
        'payment',
        ask,
        probes.within(remembered.document, probes.paid(ask, before)),
      )
      if (before !== undefined) remembered.paid = before + (amount ?? 0)
      return answer
    } catch (problem) {
      if (!isOutcomeUnknown(problem)) remembered.paid = before
      throw problem
    }
  }

  /**
   * Throws if the payment would give change. The device gives change for every payment type, the service only for cash
   * (sheet 4.11). Also throws if the remaining amount is unknown.
   */
  async function refuseChange(device: DeviceC, amount: Money): Promise<void> {
    const { state } = await stateOf(device)
    if (!state.open) return
    const remaining = await remainingAmount(device, state, remembered)
    if (remaining !== null && amount <= remaining) return
    const why =
      remaining === null
        ? 'this device does not report the remaining amount, and the service has not registered all payments since its start: omit the amount to pay the remaining amount'
        : `The payment of ${formatMoney(amount)} exceeds the remaining ${formatMoney(remaining)}; only cash gives change`
    throw new DeviceError(badValue('amount', why))
  }

  return {
    openFiscal: (opening) =>
      perform(async (device) => {
        const { text } = await askConfirmed(
          device,
          'openFiscal',
          openingOf(opening, device.edition, settings),
          probes.opening('fiscal'),
        )
        const document = await numberOfOpened(device)
        Object.assign(remembered, { document: document ?? undefined, paid: 0 })
        return { text, document }
      }),
    printFiscalText: ({ text }) =>
      print(async (device) => {
        if ((await flagsOf(device)).has('nonFiscalOpen')) throw new DeviceError(refusalOf({ device: 6, command: 2 }))
        return printText(device, text)
      }),
    sell: (sale) => print((device) => sell(device, sale, remembered)),
    sellArticle: ({ plu, quantity, price, void: isVoid, adjustment }) =>
      print((device) => {
        const own = price === undefined ? {} : { price }
        const ask = { plu, quantity, void: isVoid, ...own, ...changeOf(adjustment) }
        return askConfirmed(device, 'saleByPlu', ask, probes.within(remembered.document, probes.sale))
      }),
    subtotal: (request) => print((device) => subtotal(device, request, remembered)),
    pay: (payment) => print((device) => pay(device, payment)),
    closeFiscal: () =>
      perform(async (device) => {
        // The edition c6 closes a non-fiscal receipt by the same command.
        if (device.edition.name === 'c6' && (await flagsOf(device)).has('nonFiscalOpen')) {
          throw new DeviceError(refusalOf({ device: 6, command: 2 }))
        }
        const { text, before } = await askConfirmed(device, 'closeFiscal', {}, probes.closed)
        remembered.paid = undefined
        return { receiptNumber: String(before.document), raw: text }
      }),
    /**
     * Queries command 72h first, because command 39h after the first payment would pay the remaining amount and close
     * the receipt (sheet 6).
     */
    cancelFiscal: () =>
      print(async (device) => {
        const { state } = await stateOf(device)
        if (state.payFinished) throw new DeviceError(refusalOf({ device: 7, command: 2 }))
        if (state.payStarted) throw new DeviceError(refusalOf({ device: 5, command: 2 }))
        const answer = await askConfirmed(device, 'cancelFiscal', {}, probes.cancelled)
        remembered.paid = undefined
        return answer
      }),
  }
}

function openingOf(opening: FiscalOpening, { invoiceForm }: Edition, settings: DriverSettings): FiscalOpeningAsk {
  const { operator, invoice, customer } = opening
  const head = operatorOf(operator)
  if (!invoice) return { ...head, detailed: true, vat: true, print: '0' }
  const { taxNumber, name, address } = customer ?? settings.customer ?? PLACEHOLDER_CUSTOMER
  // Company, buyer, VAT number, id number, address. The client's tax number is sent as both numbers (sheet 4.7).
  const five = [name, '', taxNumber, taxNumber, address].map(clean)
  switch (invoiceForm) {
    case 'five':
      return { ...head, detailed: true, vat: true, print: '1', customer: five }
    case 'six':
      return { ...head, detailed: false, vat: false, print: '1', customer: five, idType: 0 }
    case 'customerReceipt': {
      const seven = [taxNumber, name, '', '', '', '', address].map(clean)
      return { ...head, detailed: false, vat: false, print: '1', customer: seven }
    }
  }
}

async function subtotal(device: DeviceC, { print, display, adjustment }: Subtotal, { document }: RememberedFacts) {
  if (adjustment && 'amount' in adjustment) await refuseSeveralGroups(device)
  const change = changeOf(adjustment)
  const ask = { print, display, ...change }
  const plain = print ? probes.unreported : probes.harmless
  const probe = adjustment ? probes.within(document, probes.adjustmentProbe(change)) : plain
  const { values, text } = await askConfirmed(device, 'subtotal', ask, probe)
  // If the answer was lost but the adjustment was made, only the amount after the adjustment can be read.
  return { text: values ? text : formatMoney(totalOf((await stateOf(device)).state)) }
}

/**
 * Throws if the sold items are of several tax groups. The device would answer 30/32 (sheet 4.9), a code that does not
 * mention groups.
 */
async function refuseSeveralGroups(device: DeviceC): Promise<void> {
  const { state } = await stateOf(device)
  if (!state.open || state.turnover.filter((amount) => amount !== 0).length < 2) return
  const why = 'This device accepts an amount on the subtotal only if all items are of one tax group; use a percentage.'
  throw new DeviceError({ kind: 'unsupported', why })
}
