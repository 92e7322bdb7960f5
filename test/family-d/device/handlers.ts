/** The handlers of the commands (sheet 4). The types require one for each command of the catalogue. */
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import { done, type HandlerContext, type HandlersOf, refused, replies } from '../../../emulator/handler.ts'
import type { ErrorKey } from '../driver/protocol/errors.ts'
import type { Requests, Responses } from '../driver/protocol/index.ts'
import { REASONS } from './refusals.ts'
import type { Switches } from './switches.ts'

export type Context = HandlerContext<undefined, Switches, undefined>

const from = replies(REASONS)

function adjustmentOf({ percent, amount }: Pick<Requests['subtotal'], 'percent' | 'amount'>): {
  adjustment?: Adjustment
} {
  const value = percent ?? amount
  if (value === undefined) return {}
  const kind = value < 0 ? 'discount' : 'surcharge'
  const size = Math.abs(value)
  return { adjustment: percent === undefined ? { kind, amount: size } : { kind, percent: size } }
}

export const handlers: HandlersOf<Context, Requests, Responses, ErrorKey> = {
  deviceInfo({ device: { profile } }) {
    const { model, firmware, serialNumber, fiscalMemoryNumber } = profile
    return done({ model, firmware, serialNumber, memoryNumber: fiscalMemoryNumber })
  },
  transactionStatus({ device: { receipt } }) {
    if (receipt?.kind !== 'fiscal')
      return done({ open: receipt ? 'nonFiscal' : 'none', rows: 0, total: 0, paid: 0, rest: 0 })
    const { items, total, rest } = receipt.fiscal
    return done({ open: 'fiscal', rows: items, total, paid: total - rest, rest })
  },
  lastDocument: ({ device }) => done({ document: device.counters.lastDocument }),
  readArticle({ device }, { article: plu }) {
    const article = device.articles.get(plu)
    return article ? done({ name: article.name, price: article.price }) : refused('missing')
  },
  archivedZ({ device }, { number }) {
    const z = device.memory.z(number)
    if (!z) return refused('missing')
    const { at, firstReceipt, lastReceipt, receiptsCount: receipts, total, cashIn, cashOut } = z
    const range = {
      ...(firstReceipt !== null && { first: firstReceipt }),
      ...(lastReceipt !== null && { last: lastReceipt }),
    }
    return done({ at, ...range, receipts, total, cashIn, cashOut })
  },

  day({ device: { counters, day } }) {
    const { lastReceipt, lastZ } = counters
    const cash = { cashIn: day.cashIn.amount, cashOut: day.cashOut.amount }
    return done({ lastReceipt, lastZ, turnover: day.total, receipts: day.receipts, ...cash })
  },

  openNonFiscal: ({ device }) => from(device.openNonFiscal(), ({ document }) => ({ document })),
  nonFiscalText: ({ device }, { text }) => from(device.printText({ text })),
  closeNonFiscal: ({ device }) => from(device.closeNonFiscal()),

  openFiscal({ device }, { operator, password, pointOfSale }) {
    const refusal = device.refusals.operator(operator, password)
    if (refusal) return refused(REASONS[refusal])
    return from(device.openFiscal({ kind: 'sale', invoice: false, operator, pointOfSale }), ({ document }) => ({
      document,
    }))
  },
  fiscalText: ({ device }, { text }) => from(device.printText({ text })),
  sale({ device }, { name, taxCode, price, quantity, void: isVoid, ...change }) {
    const row = { name, taxCode: taxCode as TaxCode, price, quantity, void: isVoid }
    return from(device.sell({ ...row, ...adjustmentOf(change) }))
  },
  saleByPlu({ device }, { article: plu, quantity, void: isVoid, ...change }) {
    const row = { plu, quantity, void: isVoid }
    return from(device.sellArticle({ ...row, ...adjustmentOf(change) }))
  },
  subtotal: ({ device }, { print, display, ...change }) =>
    from(device.subtotal({ print, display, ...adjustmentOf(change) }), ({ total }) => ({ subtotal: total })),
  payment: ({ device }, { mode, amount }) =>
    from(device.pay({ mode, ...(amount !== undefined && { amount }) }), ({ rest, change }) => ({ rest, change })),
  closeFiscal: ({ device }) => from(device.closeFiscal(), ({ document }) => ({ document })),
  cancelFiscal: ({ device }) => from(device.cancelFiscal()),

  reportX: ({ device }) => from(device.reportX()),
  reportZ: ({ device }) => from(device.reportZ(), ({ number }) => ({ number })),
  duplicate: ({ device }) => from(device.copyLastReceipt(), () => ({ document: device.counters.lastReceipt })),

  displayText({ device }, { line, text }) {
    device.display.show(line, text)
    return done()
  },
  displayClear({ device }) {
    device.display.clear()
    return done()
  },
}
