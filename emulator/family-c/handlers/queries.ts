/** Identity, and queries of settings (sheet 3 and 4.1). */
import { taxLetterOf } from '../../../drivers/family-c/protocol/cells.ts'
import { CUSTOMERS } from '../../../drivers/family-c/protocol/commands/identity.ts'
import type { ArticleFlag } from '../../../drivers/family-c/protocol/commands/programming.ts'
import type { TextLine } from '../../../drivers/model/receipt.ts'
import { type Context, done, from, type Handlers, syntax } from '../context.ts'
import { NO_CUSTOMER, type Session } from '../session.ts'
import { statusOf } from '../status.ts'

const FISCALISED_AT = '2024-01-01T08:00:00'

/** Payment codes of c4: 7 card, 1 cheque, 2 coupon. Cash and currency have none. */
const PAYMENT_CODES: readonly (number | null)[] = [null, 7, 1, 2, null]
export const paymentCode = ({ session }: Context, mode: number): number | null =>
  session.paymentCodes.get(mode) ?? PAYMENT_CODES[mode] ?? null

/**
 * Returns the meaning of a text number of 69h. The header lines begin at 1, and the next number is the footer. `other`
 * is 0, the greeting on the display, or 9 in c4 and c6, a text before the tax number.
 */
export function headerPlace({ edition }: Context, line: number): 'header' | 'footer' | 'other' {
  if (line >= 1 && line <= edition.headerLines) return 'header'
  return line === edition.headerLines + 1 ? 'footer' : 'other'
}

const stockFlagOf = (stored: string | undefined): ArticleFlag => (stored === '1' ? 1 : stored === '2' ? 2 : 0)

export const queries = {
  status(context) {
    const { session } = context
    const { powerCut } = session
    // Bit 0.1 and the error 3D are reported until the status has been read.
    session.powerCut = false
    session.powerCutReported = false
    // Only 20h describes the device at the time when the answer is sent. An ACK describes the command (sheet 2.2 and
    // 5.3).
    const valuesAtEnd = () => ({ flags: statusOf(context, powerCut) })
    return { ...done(valuesAtEnd()), valuesAtEnd }
  },
  deviceInfo: ({ device: { profile }, switches }) =>
    done({
      type: switches.deviceType === 'printer' ? 2 : 1,
      certificate: '784',
      certifiedAt: '2019-02-04T08:00:00',
      model: profile.model,
      firmware: profile.firmware,
    }),
  deviceNumbers: ({ device: { numbers } }) =>
    done({ serial: numbers.serialNumber, memory: numbers.fiscalMemoryNumber }),
  registration({ device, edition }) {
    const [fiscalised] = device.memory.eventsOf('fiscalised')
    const { taxNumber } = device.registers
    const memory = device.numbers.fiscalMemoryNumber
    // Instead of the type of the tax number, the edition cr reports whether the firm pays VAT.
    return done({
      taxId: taxNumber,
      idType: edition.name === 'cr' ? 1 : 0,
      number: memory,
      at: fiscalised?.at ?? FISCALISED_AT,
    })
  },
  readTaxRates: ({ device, edition }) => done({ rates: device.registers.taxRates.slice(0, edition.taxClasses) }),
  readDecimalPoint: () => done({ decimals: 2 }),
  readPayments(context) {
    const { device, edition, session } = context
    const names = device.registers.payments.map(({ name }) => name)
    return done({
      names,
      exchangeRate: session.persistentCells.rate,
      ...(edition.name === 'c4' ? { codes: names.map((_, mode) => paymentCode(context, mode)) } : {}),
    })
  },
  readParameters: ({ session }) => done(session.persistentCells.parameters),
  printerStatus({ device: { mechanism, display } }) {
    const flags = new Set<string>()
    if (mechanism.coverOpen) flags.add('coverOpen').add('notReady')
    if (mechanism.paper === 'out') flags.add('paperEnd').add('notReady')
    if (mechanism.paper === 'low') flags.add('paperNearEnd')
    if (mechanism.blocked) flags.add('bufferNotEmpty')
    return done({ display: display.attached, flags, jumper: false })
  },
  readClock: ({ device }) => done({ at: device.localTime() }),
  readHeader(context, { line }) {
    const { device, session } = context
    switch (headerPlace(context, line)) {
      case 'header':
        return done({ line, text: device.registers.header[line - 1] ?? '' })
      case 'footer':
        return done({ line, text: device.registers.footer[0] ?? '' })
      case 'other':
        return done({ line, text: session.texts.get(line) })
    }
  },
  readOperator({ device }, ask) {
    const record = device.registers.operator(ask.operator)
    return record ? done({ ...ask, name: record.name, password: record.password }) : syntax
  },
  readDepartment({ device, edition, session }, { department }) {
    const record = device.registers.department(department)
    const { sales, reversals, quantity = 0 } = device.registers.departmentTotals(department)
    const mark = session.reports.get('departments')
    return done({
      department,
      name: record.name,
      tax: taxLetterOf(record.taxCode, edition.taxLetters),
      turnover: sales.amount - reversals.amount,
      quantity,
      lastZ: mark.number,
      ...(mark.at === undefined ? {} : { at: mark.at }),
    })
  },
  readArticle({ device, edition, session }, { plu, option }) {
    const article = device.articles.get(plu)
    if (!article) return syntax
    const mark = session.reports.get('articles')
    const { extra = {}, reversed = { quantity: 0, amount: 0 } } = article
    // The short answer has no fields for reversals, so that its sums exclude them.
    const apart = option === undefined ? { quantity: 0, amount: 0 } : reversed
    const flag = article.priceType === 'free' ? 1 : article.priceType === 'maximum' ? 2 : 0
    return done({
      plu,
      ...(option === undefined ? {} : { option }),
      name: article.name,
      price: article.price,
      priceFlag: flag,
      tax: extra.tax ?? taxLetterOf(article.taxCode, edition.taxLetters),
      department: article.department,
      single: extra.single === '1',
      turnover: article.turnover + apart.amount,
      quantity: article.sold + apart.quantity,
      reversalSum: reversed.amount,
      reversalQuantity: reversed.quantity,
      lastZ: mark.number,
      ...(mark.at === undefined ? {} : { at: mark.at }),
      stock: article.stock ?? Number(extra.stock ?? 0),
      stockFlag: stockFlagOf(extra.stockFlag),
      barcode: article.barcodes[0] ?? '',
    })
  },
  automaticZ({ session: { persistentCells } }, { option, automatic }) {
    if (option === 'R') return done({ automatic: persistentCells.automaticZ })
    persistentCells.automaticZ = automatic === true
    return done()
  },
  readInvoiceRange({ device }) {
    const range = device.registers.invoiceRange
    return done({ next: range?.next ?? 0, last: range?.end ?? 0 })
  },
  customerBase({ device, session }, ask) {
    if (ask.option === 'R') {
      return done({ number: ask.number, ...(session.customers.get(ask.number) ?? NO_CUSTOMER) })
    }
    if (ask.option === 'P') {
      const { fields, idType } = ask
      session.customers.set(ask.number, idType === undefined ? { fields } : { fields, idType })
      return done()
    }
    const lines = [{ text: `CUSTOMER REPORT ${ask.option}` }, ...customerLines(session)]
    // `Z` only prints, as `X` does (sheet 4.1). If it erased the database, a shop that prints it every evening would
    // lose its customers.
    return from(device.printReport('service', lines))
  },
  freeMemoryRecords: ({ device }) => done({ left: device.memory.remaining }),
} satisfies Partial<Handlers>

function customerLines({ customers }: Session): TextLine[] {
  const numbers = Array.from({ length: CUSTOMERS }, (_, index) => index + 1)
  return numbers.flatMap((number) => {
    const customer = customers.get(number)
    return customer ? [{ text: `${String(number).padStart(4, '0')} ${customer.fields[0] ?? ''}` }] : []
  })
}
