import type { DriverSettings } from '../family.ts'
import { reconcileClose } from '../link/same-device.ts'
import { isRefusal, type Session } from '../link/session.ts'
import { badValue, DeviceError, isOutcomeUnknown, refused } from '../model/errors.ts'
import type { FiscalReceipts } from '../model/printer.ts'
import { type ArticleSale, type Payment, type Subtotal, TAX_CODES } from '../model/receipt.ts'
import { FREE_SALE_REFUSED, lettersOf } from './capabilities.ts'
import { adjusting, cut } from './command-fields.ts'
import { numbersOf } from './evidence.ts'
import { documentOf } from './journal.ts'
import { lastDocument, numberOfOpened, transactionStatus } from './queries-and-reports.ts'
import type { DeviceB } from './session.ts'
import type { WireB } from './wire.ts'

export function fiscalReceipts({ print, perform }: Session<WireB>, settings: DriverSettings): FiscalReceipts {
  return {
    openFiscal: ({ operator, pointOfSale }) =>
      perform(async (device) => {
        const third = await thirdField(device, settings, operator.code, pointOfSale)
        const opening = { operator: operator.code, password: operator.password }
        const { text } = await device.ask('openFiscal', third === undefined ? opening : { ...opening, third })
        // The answer to command 48 contains only counters of the day. Command 113 reads the number of the document.
        return { text, document: await numberOfOpened(device) }
      }),
    printFiscalText: ({ text }) => print((device) => device.ask('fiscalText', { text: cut(text, device) })),
    sell: () => Promise.reject(new DeviceError({ kind: 'unsupported', why: FREE_SALE_REFUSED })),
    sellArticle: (sale) => print((device) => device.ask('saleByPlu', saleOf(sale))),
    subtotal: (request) => print((device) => subtotal(device, request)),
    pay: (payment) => print((device) => pay(device, payment, lettersOf(settings))),
    closeFiscal: () =>
      perform(async (device) => {
        const before = await device.ask('lastDocument', {})
        const { document } = before.values
        try {
          const { text } = await device.ask('closeFiscal', {})
          return { receiptNumber: String(document), raw: text }
        } catch (problem) {
          if (!before.status.flags.has('fiscalReceiptOpen') || !isUncertain(problem)) throw problem
          await reconcileClose(device, numbersOf, problem, () => wasClosed(device, document))
          return { receiptNumber: String(document), raw: '' }
        }
      }),
    cancelFiscal: () => print((device) => device.ask('cancelFiscal', {})),
  }
}

/**
 * Returns the third field of command 48. The option `openThirdField` (sheet 1) selects it: `pos` is the point of sale,
 * `unp` a unique sale number. Without the option there is no third field.
 */
async function thirdField(
  device: DeviceB,
  { options }: DriverSettings,
  operator: number,
  pointOfSale: number,
): Promise<string | undefined> {
  switch (options?.['openThirdField']) {
    case 'pos':
      return String(pointOfSale)
    case 'unp': {
      const next = String((await lastDocument(device)) + 1).padStart(7, '0')
      const { serialNumber } = device.facts.identity
      return `${serialNumber.slice(0, 8)}-OP${String(operator).padStart(2, '0')}-${next}`
    }
    default:
      return undefined
  }
}

const saleOf = ({ plu, price, quantity, void: isVoid, adjustment }: ArticleSale) => ({
  article: String(plu),
  void: isVoid,
  quantity,
  ...(price === undefined ? {} : { price }),
  ...(isVoid ? {} : adjusting(adjustment)),
})

async function subtotal(device: DeviceB, { print, display, adjustment }: Subtotal) {
  const change = adjusting(adjustment)
  if (change.netto !== undefined && device.facts.groups < TAX_CODES.length) {
    throw new DeviceError({
      kind: 'unsupported',
      why: 'This device adjusts a subtotal by percent only; its firmware accepts no amounts here.',
    })
  }
  return device.ask('subtotal', { print, display, ...change })
}

async function pay(device: DeviceB, { mode, amount }: Payment, letters: Readonly<Record<number, string>>) {
  const letter = letters[mode]
  if (letter === undefined) {
    throw new DeviceError(badValue('mode', `${mode} is not one of ${Object.keys(letters).join(', ')}`))
  }
  const automatic = amount === undefined && letter === 'P'
  const sum = amount ?? (automatic ? undefined : ((await transactionStatus(device)).remaining ?? 0))
  const request = automatic ? {} : { letter, ...(sum === undefined ? {} : { amount: sum }) }
  const { values, text } = await device.ask('payment', request)
  switch (values.result) {
    case 'owing':
    case 'covered':
      return { text }
    case 'failed':
      throw refused('F', 'paymentFailed', 'the payment was not accepted')
    case 'groupNegative':
      throw refused('I', 'groupNegative', 'the sum of a tax group is negative')
    case 'negative':
      throw refused('E', 'negative', 'the subtotal is negative')
  }
}

/**
 * Returns whether the command may have been executed in spite of this problem. A device that lost power has forgotten
 * the frame number and refuses the retransmission of a command that it executed.
 */
const isUncertain = (problem: unknown): boolean => isRefusal(problem, ['notAllowedNow']) || isOutcomeUnknown(problem)

async function wasClosed(device: DeviceB, document: number): Promise<boolean | undefined> {
  const now = await device.ask('lastDocument', {})
  if (now.values.document === document && now.status.flags.has('fiscalReceiptOpen')) return false
  const kind = (await documentOf(device, document))?.kind
  return kind === 'fiscal' ? true : kind === 'cancelled' ? false : undefined
}
