import type { Operations } from '../../../drivers/family.ts'
import { askNumbers, askPresent, openReceiptOf } from '../../../drivers/link/same-device.ts'
import type { Session } from '../../../drivers/link/session.ts'
import { badValue, DeviceError } from '../../../drivers/model/errors.ts'
import type { ArchivedZ, TransactionStatus } from '../../../drivers/model/printer.ts'
import { type Adjustment, separatingLineText } from '../../../drivers/model/receipt.ts'
import { clean } from '../../../drivers/wire/charset.ts'
import { barcodeRefusal, capabilities, DISPLAY_WIDTH } from './capabilities.ts'
import { TEXT_MAX } from './protocol/commands.ts'
import { type DeviceD, identityOf, type WireD } from './session.ts'

const VOID_LINE = '*** VOID ***'
const KINDS = { none: 'None', nonFiscal: 'NonFiscal', fiscal: 'Fiscal' } as const

const cut = (text: string, width = TEXT_MAX): string => clean(text).replaceAll('|', '/').slice(0, width)

function adjusting(adjustment: Adjustment | undefined): { percent?: number; amount?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { amount: sign * adjustment.amount }
}

export function operations(session: Session<WireD>): Operations {
  const { look, print, perform } = session
  return {
    openNonFiscal: () => perform(async (device) => opened(await device.ask('openNonFiscal', {}))),
    printNonFiscalText: ({ text }) => print((device) => device.ask('nonFiscalText', { text: cut(text) })),
    closeNonFiscal: () => print((device) => device.ask('closeNonFiscal', {})),
    cancelNonFiscal: () =>
      print(async (device) => {
        await device.ask('nonFiscalText', { text: VOID_LINE })
        return device.ask('closeNonFiscal', {})
      }),

    openFiscal: ({ operator, pointOfSale }) =>
      perform(async (device) => {
        const { code, password } = operator
        return opened(await device.ask('openFiscal', { operator: code, password, pointOfSale }))
      }),
    printFiscalText: ({ text }) => print((device) => device.ask('fiscalText', { text: cut(text) })),
    sell: ({ name, taxCode, price, quantity, void: isVoid, adjustment }) =>
      print((device) => {
        const row = { name: cut(name), taxCode, price, quantity, void: isVoid }
        return device.ask('sale', { ...row, ...adjusting(adjustment) })
      }),
    sellArticle: ({ plu, price, quantity, void: isVoid, adjustment }) =>
      print((device) => {
        if (price !== undefined) throw new DeviceError(badValue('price', 'articles have their own price on this wire'))
        return device.ask('saleByPlu', { article: plu, quantity, void: isVoid, ...adjusting(adjustment) })
      }),
    subtotal: ({ print: onPaper, display, adjustment }) =>
      print((device) => device.ask('subtotal', { print: onPaper, display, ...adjusting(adjustment) })),
    pay: ({ mode, amount }) =>
      print((device) => {
        if (!capabilities().paymentModes.some((known) => known.mode === mode))
          throw new DeviceError(badValue('mode', `this device has no payment mode ${mode}`))
        return device.ask('payment', { mode, ...(amount !== undefined && { amount }) })
      }),
    closeFiscal: () => perform((device) => numbered(device, 'closeFiscal')),
    cancelFiscal: () => print((device) => device.ask('cancelFiscal', {})),

    copyLastReceipt: () => perform((device) => numbered(device, 'duplicate')),
    reportX: () => print((device) => device.ask('reportX', {})),
    reportZ: () => print((device) => device.ask('reportZ', {})),

    transactionStatus: () => look(transactionStatus),
    lastDocument: () => look(lastDocument),
    archivedZ: (number) => look((device) => archivedZ(device, number)),
    article: (plu) =>
      look(async (device) => {
        const article = await device.askUnlessRefused(['missing'], 'readArticle', { article: plu })
        return article && { plu, ...article.values }
      }),

    printBarcode: () => Promise.reject(new DeviceError({ kind: 'unsupported', why: barcodeRefusal() })),
    printSeparatingLine: (style) =>
      print(async (device) => {
        const { flags } = (await device.ask('transactionStatus', {})).status
        const text = separatingLineText(style, TEXT_MAX)
        return device.ask(flags.has('nonFiscalOpen') ? 'nonFiscalText' : 'fiscalText', { text })
      }),
    displayLine: (line, text) => print((device) => device.ask('displayText', { line, text: cut(text, DISPLAY_WIDTH) })),
    clearDisplay: () => print((device) => device.ask('displayClear', {})),
    evidence: () => askPresent(session, identityOf, present),
    numbers: () => askNumbers(session, identityOf),
  }
}

const opened = ({ values, text }: { readonly values: { readonly document: number }; readonly text: string }) => ({
  document: values.document,
  text,
})

async function present(device: DeviceD) {
  const { lastReceipt, lastZ, ...day } = (await device.ask('day', {})).values
  return {
    ...{ open: openReceiptOf(await transactionStatus(device)), lastDocument: await lastDocument(device) },
    ...{ lastReceipt, lastZ, day },
  }
}

const lastDocument = async (device: DeviceD) => (await device.ask('lastDocument', {})).values.document

async function numbered(device: DeviceD, name: 'closeFiscal' | 'duplicate') {
  const { values, text } = await device.ask(name, {})
  return { receiptNumber: String(values.document), raw: text }
}

async function transactionStatus(device: DeviceD): Promise<TransactionStatus> {
  const { values, text: raw } = await device.ask('transactionStatus', {})
  const { open, rows: itemsCount, total, paid, rest: remaining } = values
  const isOpen = open !== 'none'
  const receiptNumber = isOpen ? String(await lastDocument(device)) : null
  return { isOpen, kind: KINDS[open], receiptNumber, itemsCount, total, paid, remaining, raw }
}

async function archivedZ(device: DeviceD, number: number): Promise<ArchivedZ | undefined> {
  const report = await device.askUnlessRefused(['missing'], 'archivedZ', { number })
  if (!report) return undefined
  const { at, first = null, last = null, receipts, total, cashIn, cashOut } = report.values
  return {
    ...{ number, dateTime: at, firstReceipt: first, lastReceipt: last, receiptsCount: receipts, total },
    ...{ cashIn, cashOut, raw: report.text },
    // The protocol does not report these sums.
    ...{ taxes: [], payments: null, discounts: null, surcharges: null, voids: null },
  }
}
