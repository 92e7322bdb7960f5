import { createHash } from 'node:crypto'
import { taxLetterOf } from '../../../drivers/family-c/protocol/cells.ts'
import type { Parameters } from '../../../drivers/family-c/protocol/commands/identity.ts'
import { CUSTOMER_WIDTHS, CUSTOMERS } from '../../../drivers/family-c/protocol/commands/identity.ts'
import type { ArticleFlag } from '../../../drivers/family-c/protocol/commands/programming.ts'
import { printType } from '../../../drivers/family-c/protocol/commands/receipt.ts'
import type { CountAndSum, Registers } from '../../../drivers/family-c/protocol/commands/registers.ts'
import type { CommandName } from '../../../drivers/family-c/protocol/index.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import { onHand } from '../../fiscal/day.ts'
import type { Counted, DayTotals, FiscalReceipt, OperatorTotals } from '../../fiscal/types.ts'
import { acknowledged, type Context, type Handlers, notMet, syntax, told, values } from '../context.ts'
import { statusOf } from '../status.ts'
import { lastReport } from '../zeroing.ts'

/** Identity, settings and registers that are only read: sheet 3, 4.1 and 4.14. */

type Reading = Extract<
  CommandName,
  | 'status' | 'deviceInfo' | 'deviceNumbers' | 'registration' | 'readTaxRates' | 'readDecimalPoint' | 'readPayments'
  | 'readParameters' | 'printerStatus' | 'readClock' | 'readHeader' | 'readOperator' | 'readDepartment' | 'readArticle'
  | 'automaticZ' | 'readInvoiceRange' | 'customerBase' | 'freeMemoryRecords' | 'daySums' | 'dayRegisters'
  | 'operatorRegisters' | 'lastDocument' | 'transactionStatus' | 'receiptPayments' | 'receiptCode' | 'lastZ'
> // biome-ignore format: a list

const FISCALISED_AT = '2024-01-01T08:00:00'

/** 65h and 45h: a new device has point of sale 1 and nothing automatic. */
export function parametersOf(device: FiscalDevice): Parameters {
  const kept = device.registers.parameter('parameters')
  return kept === undefined ? NEW_PARAMETERS : { ...NEW_PARAMETERS, ...(JSON.parse(kept) as Partial<Parameters>) }
}
const NEW_PARAMETERS: Parameters = {
  pos: 1,
  logo: false,
  drawer: false,
  cutter: false,
  display: false,
  articleReport: false,
  currency: false,
  ejFont: false,
  oneOperator: false,
}

/** What a payment's type is, c4: 7 card, 1 check, 2 coupon; cash and currency have none. */
const PAYMENT_CODES: readonly (number | null)[] = [null, 7, 1, 2, null]
const NEW_RATE = 497_000
export const paymentCode = (device: FiscalDevice, mode: number): number | null => {
  const kept = device.registers.parameter(`payment.${mode}.code`)
  return kept === undefined ? (PAYMENT_CODES[mode] ?? null) : Number(kept)
}

/** Text of 69h: 1 to 7 (8) header, the next numbers footer, in c4 and c6 9 before the tax id, 0 greets on the display. */
export function headerPlace({ dialect }: Context, line: number): 'header' | 'footer' | 'other' {
  if (line >= 1 && line <= dialect.headerLines) return 'header'
  return line === dialect.headerLines + 1 ? 'footer' : 'other'
}

/** By payment type, amounts that the books keep by PaymentMode: the numbers are the same on this wire. */
const byPayment = ({ dialect }: Context, amounts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: dialect.payments }, (_, mode) => amounts[mode] ?? 0)

const sum = ({ count, amount }: Counted): CountAndSum => ({ count, sum: amount })

function dayRegisters(context: Context, option: Registers['option']): Registers {
  const { device, dialect } = context
  const { day, memory } = device
  switch (option) {
    case '0':
      return { option, payments: Array.from({ length: dialect.payments }, (_, mode) => onHand(day, mode)) }
    case '1':
      return {
        option,
        customers: day.receipts,
        discounts: sum(day.discounts),
        surcharges: sum(day.surcharges),
        corrections: sum(day.voids),
      }
    case '2':
      return { option, payments: byPayment(context, { 0: day.cashIn.amount }), ...sum(day.cashIn) }
    case '3':
      return { option, payments: byPayment(context, { 0: day.cashOut.amount }), ...sum(day.cashOut) }
    case '4':
      return { option, payments: byPayment(context, day.tendered) }
    case '5': {
      const at = memory.lastRecordAt
      const counters = { reports: device.counters.lastZ, lastBlock: memory.used, journal: 1 }
      return at === undefined ? { option, ...counters } : { option, ...counters, at }
    }
    case '6':
      return { option, payments: byPayment(context, day.change) }
    case '7': {
      const { turnover, tax, reversal, reversalTax } = memory.grand
      const sums = { option, turnover, vat: tax }
      return dialect.name === 'c6' ? { ...sums, reversalTurnover: reversal, reversalVat: reversalTax } : sums
    }
    case '9':
      return {
        option,
        signature: memory.lastZ ? createHash('sha1').update(JSON.stringify(memory.lastZ)).digest('hex') : '',
      }
  }
}

function operatorRegisters(
  context: Context,
  option: '1' | '2' | '3' | '4' | '5' | '6',
  totals: OperatorTotals,
): Registers {
  switch (option) {
    case '1':
      return {
        option,
        customers: totals.receipts,
        discounts: sum(totals.discounts),
        surcharges: sum(totals.surcharges),
        corrections: sum(totals.voids),
      }
    case '2':
      return { option, payments: byPayment(context, { 0: totals.cashIn.amount }), ...sum(totals.cashIn) }
    case '3':
      return { option, payments: byPayment(context, { 0: totals.cashOut.amount }), ...sum(totals.cashOut) }
    case '4':
      return { option, payments: byPayment(context, totals.tendered ?? {}) }
    case '5': {
      const mark = lastReport(context.device, 'operators')
      const counters = { option, reports: mark.number, lastBlock: context.device.memory.used, journal: 1 }
      return mark.at === undefined ? counters : { ...counters, at: mark.at }
    }
    case '6':
      return { option, payments: byPayment(context, totals.change ?? {}) }
  }
}

const openFiscal = (device: FiscalDevice): FiscalReceipt | undefined =>
  device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined

/** 72h: type 0 receipt, 1 invoice; c6: 2 and 3 postponed, 4 to 7 storno and credit note. */
function receiptType({ dialect }: Context, receipt: FiscalReceipt | undefined): number {
  if (!receipt) return 0
  const invoice = receipt.invoice ? 1 : 0
  if (dialect.name !== 'c6') return invoice
  const postponed = printType(receipt.extra?.['print'] ?? '0').postponed ? 2 : 0
  return invoice + postponed + (receipt.kind === 'reversal' ? 4 : 0)
}

/** 72h: 0 cash, 1 the type of the payment itself, 2 currency (sheet 4.11, 4.14). */
function changeTypeOf(
  { dialect }: Context,
  payment: { readonly mode: number; readonly changeMode?: number } | undefined,
): number {
  const changeMode = payment?.changeMode ?? 0
  if (changeMode === 0) return 0
  return changeMode === dialect.payments - 1 ? 2 : 1
}

const stockFlagOf = (kept: string | undefined): ArticleFlag => (kept === '1' ? 1 : kept === '2' ? 2 : 0)

const NO_TURNOVER: DayTotals['taxes'] = [0, 0, 0, 0, 0, 0, 0, 0]

export const readingHandlers: Handlers<Reading> = {
  status(context) {
    const flags = statusOf(context)
    // 0.1 and 3D are told until the status is read.
    context.wire.powerCut = false
    context.wire.powerCutTold = false
    return values({ flags })
  },
  deviceInfo: ({ device: { profile }, quirks }) =>
    values({
      type: quirks.deviceType === 'printer' ? 2 : 1,
      certificate: '784',
      certifiedAt: '2019-02-04T08:00:00',
      model: profile.model,
      firmware: profile.firmware,
    }),
  deviceNumbers: ({ device: { profile } }) =>
    values({ serial: profile.serialNumber, memory: profile.fiscalMemoryNumber }),
  registration({ device, dialect }) {
    const fiscalised = device.memory.events().find((event) => event.kind === 'fiscalised')
    const { taxNumber } = device.registers
    const memory = device.profile.fiscalMemoryNumber
    // cr tells whether the firm pays VAT in place of the kind of its number.
    return values({
      taxId: taxNumber,
      idType: dialect.name === 'cr' ? 1 : 0,
      number: memory,
      at: fiscalised?.at ?? FISCALISED_AT,
    })
  },
  readTaxRates: ({ device, dialect }) => values({ rates: device.registers.taxRates.slice(0, dialect.taxClasses) }),
  readDecimalPoint: ({ device }) => values({ decimals: device.registers.parameter('decimals') === '0' ? 0 : 2 }),
  readPayments({ device, dialect }) {
    const names = device.registers.payments.map(({ name }) => name)
    const exchangeRate = Number(device.registers.parameter('rate') ?? NEW_RATE)
    return values({
      names,
      exchangeRate,
      ...(dialect.name === 'c4' ? { codes: names.map((_, mode) => paymentCode(device, mode)) } : {}),
    })
  },
  readParameters: ({ device }) => values(parametersOf(device)),
  printerStatus({ device: { mechanism, display } }) {
    const flags = new Set<string>()
    if (mechanism.coverOpen) flags.add('coverOpen').add('notReady')
    if (mechanism.paper === 'out') flags.add('paperEnd').add('notReady')
    if (mechanism.paper === 'low') flags.add('paperNearEnd')
    if (mechanism.blocked) flags.add('bufferNotEmpty')
    return values({ display: display.attached, flags, jumper: false })
  },
  readClock: ({ device }) => values({ at: device.localTime() }),
  readHeader(context, { line }) {
    const { registers } = context.device
    switch (headerPlace(context, line)) {
      case 'header':
        return values({ line, text: registers.header[line - 1] ?? '' })
      case 'footer':
        return values({ line, text: registers.footer[0] ?? '' })
      case 'other':
        return values({ line, text: registers.parameter(`text.${line}`) ?? '' })
    }
  },
  readOperator({ device }, { operator }) {
    const record = device.registers.operator(operator)
    return record ? values({ operator, name: record.name, password: record.password }) : syntax
  },
  readDepartment({ device, dialect }, { department }) {
    const record = device.registers.department(department)
    const { sales, reversals, quantity = 0 } = device.registers.departmentTotals(department)
    const mark = lastReport(device, 'departments')
    return values({
      department,
      name: record.name,
      tax: taxLetterOf(record.taxCode, dialect.taxLetters),
      turnover: sales.amount - reversals.amount,
      quantity,
      lastZ: mark.number,
      ...(mark.at === undefined ? {} : { at: mark.at }),
    })
  },
  readArticle({ device, dialect }, { plu, option }) {
    const article = device.articles.get(plu)
    if (!article) return syntax
    const mark = lastReport(device, 'articles')
    const { extra = {}, reversed = { quantity: 0, amount: 0 } } = article
    // The short answer has no place for stornos: they stay taken off.
    const apart = option === undefined ? { quantity: 0, amount: 0 } : reversed
    const flag = article.priceType === 'free' ? 1 : article.priceType === 'maximum' ? 2 : 0
    return values({
      plu,
      ...(option === undefined ? {} : { option }),
      name: article.name,
      price: article.price,
      priceFlag: flag,
      tax: extra['tax'] ?? taxLetterOf(article.taxCode, dialect.taxLetters),
      department: article.department,
      single: extra['single'] === '1',
      turnover: article.turnover + apart.amount,
      quantity: article.sold + apart.quantity,
      reversalSum: reversed.amount,
      reversalQuantity: reversed.quantity,
      lastZ: mark.number,
      ...(mark.at === undefined ? {} : { at: mark.at }),
      stock: article.stock ?? Number(extra['stock'] ?? 0),
      stockFlag: stockFlagOf(extra['stockFlag']),
      barcode: article.barcodes[0] ?? '',
    })
  },
  automaticZ({ device }, { option, automatic }) {
    if (option === 'R') return values({ automatic: device.registers.parameter('automaticZ') === '1' })
    device.registers.setParameter('automaticZ', automatic ? '1' : '0')
    return acknowledged
  },
  readInvoiceRange({ device }) {
    const range = device.registers.invoiceRange
    return values({ next: range?.next ?? 0, last: range?.end ?? 0 })
  },
  customerBase({ device }, ask) {
    if (ask.option === 'R') {
      const kept = device.registers.parameter(`customer.${ask.number}`)
      const record = !kept ? { fields: CUSTOMER_WIDTHS.map(() => '') } : (JSON.parse(kept) as { fields: string[] })
      return values({ number: ask.number, ...record })
    }
    if (ask.option === 'P') {
      const { fields, idType } = ask
      device.registers.setParameter(
        `customer.${ask.number}`,
        JSON.stringify(idType === undefined ? { fields } : { fields, idType }),
      )
      return acknowledged
    }
    const lines = [{ text: `CUSTOMER REPORT ${ask.option}` }, ...customerLines(device)]
    // Z too only prints (sheet 4.1): a base that a report erased would be lost to whoever prints it every evening.
    return told(device.printReport('service', lines))
  },
  freeMemoryRecords: ({ device }) => values({ left: device.memory.left }),
  daySums({ device: { day }, dialect }) {
    const of = (amounts: readonly number[]) => amounts.slice(0, dialect.taxClasses)
    const total = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
    const sums = { turnover: of(day.taxes), total: total(day.taxes) }
    return values(
      dialect.name === 'c6' ? { ...sums, reversals: of(day.reversals), reversalTotal: total(day.reversals) } : sums,
    )
  },
  dayRegisters(context, { option }) {
    if (option !== ':') return values(dayRegisters(context, option))
    const { device } = context
    if (!device.display.attached) return { kind: 'refused', nibbles: { device: 10, command: 2 } }
    device.display.show(1, 'TURNOVER')
    device.display.show(2, formatMoney(device.day.total).padStart(device.profile.displayWidth))
    return acknowledged
  },
  operatorRegisters: (context, { option, operator }) =>
    values({ ...operatorRegisters(context, option, context.device.registers.operatorTotals(operator)), operator }),
  lastDocument: ({ device }) => values({ document: device.counters.lastDocument }),
  transactionStatus(context) {
    const { device, dialect, wire } = context
    const receipt = openFiscal(device)
    const started = (receipt?.payments.length ?? 0) > 0
    return values({
      open: receipt !== undefined,
      sales: Math.min(receipt?.items ?? 0, 999),
      turnover: (receipt?.groups ?? NO_TURNOVER).slice(0, dialect.taxClasses),
      voidForbidden: false,
      vatPrinted: receipt?.extra?.['vat'] === '1',
      detailed: receipt?.extra?.['detailed'] === '1',
      payStarted: started,
      payFinished: started && receipt?.rest === 0,
      powerDown: wire.powerCut,
      type: receiptType(context, receipt),
      change: receipt ? receipt.change : (device.lastFiscal?.change ?? 0),
      changeType: changeTypeOf(context, (receipt ?? device.lastFiscal)?.payments.at(-1)),
      ...(dialect.name === 'c6' ? { current: device.counters.lastDocument } : {}),
    })
  },
  receiptPayments(context) {
    const receipt = openFiscal(context.device)
    const paid: Record<number, number> = {}
    for (const { mode, tendered } of receipt?.payments ?? []) paid[mode] = (paid[mode] ?? 0) + tendered
    if (!receipt)
      for (const { mode, amount } of context.device.lastFiscal?.payments ?? []) paid[mode] = (paid[mode] ?? 0) + amount
    return values({ open: receipt !== undefined, payments: byPayment(context, paid) })
  },
  receiptCode({ device }, { document }) {
    const memory = device.profile.fiscalMemoryNumber
    if (document === undefined) {
      const last = device.lastFiscal
      if (!last) return notMet
      const amount = last.cancelled ? 0 : last.total
      return values({ memory, document: last.document, at: device.localTime(last.closedAt), amount })
    }
    const receipt = device.journal.receipt?.(document)
    if (!receipt) return syntax
    const [found] = device.journal.documents({ from: document, to: document })
    const amount = found?.kind === 'cancelled' ? 0 : receipt.total
    return values({ memory, document, at: found?.at ?? device.localTime(receipt.openedAt), amount })
  },
  lastZ({ device, dialect }) {
    const { counters, memory } = device
    const last = memory.lastZ
    return values({
      ...(last ? { day: last.at.slice(0, 10) } : {}),
      number: counters.lastZ,
      ramResets: counters.ramResets,
      ...(dialect.name === 'c6'
        ? {
            receipts: counters.lastDocument,
            journal: 1,
            lastType: lastTypeOf(device),
            ...(counters.lastReceiptAt === null ? {} : { lastReceiptAt: device.localTime(counters.lastReceiptAt) }),
          }
        : {}),
    })
  },
}

/** 73h: 0 sale, 1 invoice, 2 non-fiscal, 4 storno, 5 credit note. */
function lastTypeOf({ lastFiscal, registers }: FiscalDevice): number {
  if (Number(registers.parameter('lastNonFiscal') ?? 0) > (lastFiscal?.document ?? 0)) return 2
  return (lastFiscal?.invoice ? 1 : 0) + (lastFiscal?.reversal ? 4 : 0)
}

function* customers(device: FiscalDevice): Generator<{ number: number; fields: readonly string[] }> {
  for (let number = 1; number <= CUSTOMERS; number++) {
    const kept = device.registers.parameter(`customer.${number}`)
    if (kept) yield { number, fields: (JSON.parse(kept) as { fields: string[] }).fields }
  }
}

const customerLines = (device: FiscalDevice): { text: string }[] =>
  [...customers(device)].map(({ number, fields }) => ({
    text: `${String(number).padStart(4, '0')} ${fields[0] ?? ''}`,
  }))
