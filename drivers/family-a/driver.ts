import type { DriverSettings } from '../family.ts'
import type { SilentPrinter } from '../link/repeats.ts'
import type { Link } from '../link/types.ts'
import { DeviceError } from '../model/errors.ts'
import type { Money, Percent } from '../model/money.ts'
import type {
  ArchivedZ,
  Capabilities,
  ClosedReceipt,
  DeviceIdentity,
  ProgrammedArticle,
  Range,
  ReceiptKind,
  TransactionStatus,
} from '../model/printer.ts'
import type {
  ArticleSale,
  Barcode,
  Customer,
  FiscalOpening,
  FreeSale,
  Operator,
  Payment,
  SeparatingLine,
  Subtotal,
  TaxCode,
  TextLine,
} from '../model/receipt.ts'
import { CLOSURES, fromStructure, fromText } from './archive.ts'
import { BAR_HEIGHT, BARCODES, capabilities } from './capabilities.ts'
import type { DeviceFrame } from './protocol/frame.ts'
import { isRefusal, Session } from './session.ts'
import { type Found, findOut, readParameter } from './startup.ts'
import { asCarried, clean, cutTo, invoiceFields, modifierOf, NEUTRAL, textOf, within } from './values.ts'

/** Every operation of the service on family A: sheet 6.14. */

const badValue = (field: string, why: string): DeviceError => new DeviceError({ kind: 'badValue', field, why })

const VOID_LINE = 'THIS DOCUMENT IS VOID'
const NAME_LENGTH = 72
const UNIT_LENGTH = 6

export class FamilyAPrinter implements SilentPrinter {
  readonly family = 'A'
  readonly capabilities: Capabilities
  readonly #link: Link<DeviceFrame>
  readonly #settings: DriverSettings
  #session: Session
  #found: Found | undefined
  #finding: Promise<Found> | undefined
  /** Customer of the invoice that is open, until 57 has sent it. */
  #customer: Customer | undefined

  constructor(link: Link<DeviceFrame>, settings: DriverSettings) {
    this.#link = link
    this.#settings = settings
    this.capabilities = capabilities(settings)
    this.#session = new Session(link, settings)
    link.onOpened(() => {
      this.#found = undefined
      this.#finding = undefined
      this.#session = new Session(link, settings)
    })
  }

  // ---------------------------------------------------------------- reaching the device

  async connect(): Promise<DeviceIdentity> {
    return (await this.#ready()).identity
  }

  disconnect(): Promise<void> {
    return this.#link.close()
  }

  async #ready(): Promise<Found> {
    if (!this.#link.isOpen) await this.#link.open()
    if (this.#found) return this.#found
    this.#finding ??= findOut(this.#session, this.#settings)
    try {
      const found = await this.#finding
      this.#found = found
      return found
    } finally {
      this.#finding = undefined
    }
  }

  #parameter(name: string): Promise<string | undefined> {
    return readParameter(this.#session, name)
  }

  // ---------------------------------------------------------------- non-fiscal receipt

  async openNonFiscal(_operator?: Operator): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('openNonFiscal', {})).text
  }

  async printNonFiscalText(line: TextLine): Promise<string> {
    const { columns } = await this.#ready()
    return (await this.#session.ask('nonFiscalText', textOf(line, columns, this.#session.page))).text
  }

  async closeNonFiscal(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('closeNonFiscal', {})).text
  }

  async cancelNonFiscal(): Promise<string> {
    const { columns } = await this.#ready()
    await this.#session.ask(
      'nonFiscalText',
      textOf({ text: VOID_LINE, bold: true, alignment: 'center' }, columns, this.#session.page),
    )
    return (await this.#session.ask('closeNonFiscal', {})).text
  }

  // ---------------------------------------------------------------- fiscal receipt

  async openFiscal({ operator, pointOfSale, invoice, customer }: FiscalOpening): Promise<string> {
    const { edition } = await this.#ready()
    const base = { operator: operator.code, password: operator.password, pointOfSale, invoice }
    const named = customer ?? (invoice ? this.#settings.customer : undefined)
    const taxNumber = edition === 'ro' ? clean(named?.taxNumber ?? '').trim() : ''
    const { text } = await this.#session.ask(
      'openFiscal',
      taxNumber === '' ? { form: 'plain', ...base } : { form: 'client', ...base, taxNumber },
    )
    this.#customer = invoice && edition === 'bg' ? (named ?? NEUTRAL) : undefined
    return text
  }

  async printFiscalText(line: TextLine): Promise<string> {
    const { columns } = await this.#ready()
    const values = textOf(line, columns, this.#session.page)
    // 54 documents its height as a flag; half height only on devices that are known to take it (sheet 6.4).
    const half = values.height === 'half' && this.#settings.options?.['halfFiscalText'] !== 'yes'
    return (await this.#session.ask('fiscalText', half ? { ...values, height: 'normal' } : values)).text
  }

  async sell(sale: FreeSale): Promise<string> {
    await this.#ready()
    const values = {
      name: within(sale.name, NAME_LENGTH, this.#session.page),
      taxCode: sale.taxCode,
      price: sale.void ? -sale.price : sale.price,
      quantity: sale.quantity,
      department: sale.department,
      ...(sale.unit === '' ? {} : { unit: within(sale.unit, UNIT_LENGTH, this.#session.page) }),
      ...modifierOf(asCarried(sale)),
    }
    if (sale.void && sale.price === 0) throw badValue('price', 'a void needs the price of the sale')
    return (await this.#session.ask('sale', values)).text
  }

  async sellArticle({ plu, quantity, price, void: isVoid, adjustment }: ArticleSale): Promise<string> {
    await this.#ready()
    const more = modifierOf(adjustment)
    if (!isVoid) {
      const given = price === undefined ? {} : { price }
      return (await this.#session.ask('saleByPlu', { plu, quantity, ...given, ...more })).text
    }
    // 6.4: a void names the price at which the item was sold: ours, or else the programmed one.
    const soldAt = price ?? (await this.article(plu))?.price
    const given = soldAt === undefined || soldAt === 0 ? {} : { price: soldAt }
    return (await this.#session.ask('saleByPlu', { plu: -plu, quantity, ...given, ...more })).text
  }

  async subtotal({ print, display, adjustment }: Subtotal): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('subtotal', { print, display, ...modifierOf(adjustment) })).text
  }

  async pay({ mode, amount }: Payment): Promise<string> {
    await this.#ready()
    const values = { mode: this.#wireMode(mode), kind: null, ...(amount === undefined ? {} : { amount }) }
    return (await this.#session.ask('payment', values)).text
  }

  #wireMode(mode: number): number {
    const wire = this.#settings.payments?.[mode]
    if (wire === undefined) return mode
    if (!/^\d$/.test(wire)) throw badValue('mode', `the configured wire code ${wire} is not a digit`)
    return Number(wire)
  }

  /**
   * Closing is the one step whose loss cannot be repeated blindly: after a power failure the device has forgotten the
   * number of the frame and refuses the repeat, though the receipt is closed. So what stood before is asked first, and
   * what a refusal or a silence left behind is looked at (decisions 3).
   */
  async closeFiscal(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    const { edition } = await this.#ready()
    const before = (await this.#session.ask('transactionStatus', {})).values
    if (edition === 'bg' && before.open === 1) await this.#nameCustomer()
    try {
      const { values, text } = await this.#session.ask('closeFiscal', {})
      this.#customer = undefined
      return { receiptNumber: String(values.document), raw: text }
    } catch (problem) {
      if (before.open === 0 || before.open === 5 || !isUncertain(problem)) throw problem
      if (!(await this.#wasClosed(before.document))) throw problem
      this.#customer = undefined
      return { receiptNumber: String(before.document), raw: String(before.document) }
    }
  }

  async #wasClosed(document: number): Promise<boolean> {
    await this.#ready()
    const now = (await this.#session.ask('transactionStatus', {})).values
    return now.open === 0 && now.document === document && now.paid >= now.amount && now.amount > 0
  }

  /** 57 before 56, for an invoice that is paid (sheet 6.4). A receipt opened by somebody else is asked whether it is one. */
  async #nameCustomer(): Promise<void> {
    const invoice = this.#customer !== undefined || (await this.#session.ask('currentReceipt', {})).values.invoice
    if (!invoice) return
    try {
      const customer = this.#customer ?? this.#settings.customer ?? NEUTRAL
      await this.#session.ask('invoiceData', invoiceFields(customer, this.#session.page))
    } catch (problem) {
      // What stands in the way of closing is said by 56; data given before this stays.
      if (!isRefusal(problem, ['buyerEntered', 'paymentNotStarted', 'receiptType'])) throw problem
    }
  }

  async cancelFiscal(): Promise<string> {
    await this.#ready()
    const { text } = await this.#session.ask('cancelFiscal', {})
    this.#customer = undefined
    return text
  }

  // ---------------------------------------------------------------- asking

  async transactionStatus(): Promise<TransactionStatus> {
    await this.#ready()
    const { values, text } = await this.#session.ask('transactionStatus', {})
    const isOpen = values.open !== 0
    let kind: ReceiptKind = 'None'
    if (values.open === 5) kind = 'NonFiscal'
    else if (isOpen) kind = (await this.#session.ask('currentReceipt', {})).values.invoice ? 'Invoice' : 'Fiscal'
    // With nothing open 76 numbers the last document, which may be a report; its sums are of the last receipt.
    const number = isOpen ? String(values.document) : await this.lastReceipt()
    return {
      isOpen,
      kind,
      receiptNumber: number === '0' ? null : number,
      itemsCount: values.items,
      total: values.amount,
      paid: values.paid,
      remaining: isOpen ? Math.max(0, values.amount - values.paid) : 0,
      raw: text,
    }
  }

  async lastDocument(): Promise<number> {
    await this.#ready()
    const documents = await this.#parameter('nBon')
    if (documents !== undefined && /^\d+$/.test(documents)) return Number(documents)
    return (await this.#session.ask('transactionStatus', {})).values.document
  }

  async copyLastReceipt(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    await this.#ready()
    const { text } = await this.#session.ask('duplicate', {})
    return { receiptNumber: await this.lastReceipt(), raw: text }
  }

  async lastReceipt(): Promise<string> {
    await this.#ready()
    const number = await this.#parameter('nLastFiscalDoc')
    if (number !== undefined && /^\d+$/.test(number)) return number
    return String((await this.#session.ask('transactionStatus', {})).values.document)
  }

  async reportX(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('report', { option: 'X' })).text
  }

  async reportZ(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('report', { option: 'Z' })).text
  }

  /** 69 answers the number and the sums of sales and of reversals; 64 has them for the last closure, with its date. */
  async lastReportZ(): Promise<string> {
    await this.#ready()
    const sales = await this.#session.ask('lastClosure', { of: 'turnover' })
    const reversals = await this.#session.ask('lastClosure', { of: 'reversals' })
    return [...sales.text.split('\t').slice(0, -1), ...reversals.text.split('\t').slice(1, -1)].join('\t')
  }

  async archivedZ(number: number): Promise<ArchivedZ | undefined> {
    const { emulated } = await this.#ready()
    // The wire has four digits for a closure, seven for a document; what is larger cannot be there.
    if (number < 1 || number > 9_999) return undefined
    const missing = ['ejNoRecords', 'notFound', 'noRecords', 'endOfData', 'valueField2'] as const
    const selection = { option: '0', number, type: CLOSURES } as const
    const selected = await this.#session.askUnless(missing, 'journalRead', selection)
    if (selected?.values.form !== 'document' || selected.values.closure !== number) return undefined
    const { at } = selected.values
    const text = (await this.#lines('1')).join('\n')
    if (emulated) {
      const structured = fromStructure(await this.#lines('2'))
      if (structured?.number === number) return structured
    }
    return fromText({ number, at, text }, await this.#newestSums(number))
  }

  /** What 125 hands out piece by piece until it has no more; any code ends it, as several were seen (sheet 6.12). */
  async #lines(option: '1' | '2'): Promise<string[]> {
    const lines: string[] = []
    for (;;) {
      const answer = await this.#session.askUnless(['ejNoRecords', 'endOfData'], 'journalRead', { option })
      if (answer?.values.form !== 'text') return lines
      lines.push(answer.values.text)
    }
  }

  async #newestSums(number: number) {
    const turnover = await this.#session.askUnless(['noRecords'], 'lastClosure', { of: 'turnover' })
    if (turnover?.values.number !== number) return undefined
    const tax = (await this.#session.ask('lastClosure', { of: 'tax' })).values
    return { turnover: turnover.values.sums, tax: tax.sums }
  }

  async taxRates(): Promise<ReadonlyMap<TaxCode, Percent>> {
    await this.#ready()
    const { rates } = (await this.#session.ask('taxRates', {})).values
    return new Map(rates.flatMap((rate, index) => (rate === null ? [] : [[(index + 1) as TaxCode, rate] as const])))
  }

  async article(plu: number): Promise<ProgrammedArticle | undefined> {
    await this.#ready()
    if (plu < 1 || plu > 999_999) return undefined
    const missing = ['pluNotFound', 'notFound', 'valueField2'] as const
    const answer = await this.#session.askUnless(missing, 'articles', { option: 'R', item: plu })
    if (answer?.values.form !== 'record') return undefined
    return { plu, name: answer.values.name, price: answer.values.price }
  }

  // ---------------------------------------------------------------- barcodes, lines, display, drawer

  async printBarcode({ type, data, qrSize, height, printText }: Barcode): Promise<string> {
    const symbol = BARCODES.find((one) => one.type === type)
    if (!symbol) {
      throw new DeviceError({ kind: 'unsupported', why: this.capabilities.barcodeRefusal(type) })
    }
    if (!symbol.pattern.test(data)) throw badValue('data', `${symbol.name} wants ${symbol.data}`)
    if (qrSize !== undefined && (qrSize < 3 || qrSize > 10)) throw badValue('qrSize', 'allowed are 3 to 10')
    // 0 is the device's own; what has a size in place of bars has no height.
    const bars = symbol.sized || height === undefined || height === 0 ? undefined : height
    if (bars !== undefined && !isWithin(BAR_HEIGHT, bars)) {
      throw badValue('height', `allowed are ${BAR_HEIGHT.min} to ${BAR_HEIGHT.max} mm`)
    }
    await this.#ready()
    const restore = [
      await this.#exchange('BarCodeHeight', bars === undefined ? undefined : String(Math.round(bars / 7))),
      await this.#exchange('BarcodeName', printText === undefined ? undefined : printText ? '1' : '0'),
    ]
    try {
      const size = symbol.sized && qrSize !== undefined ? { size: qrSize } : {}
      return (await this.#session.ask('barcode', { type: symbol.wire, data, ...size })).text
    } finally {
      for (const back of restore) await back()
    }
  }

  /** Height and text of a barcode are parameters of the device (sheet 6.10): set for this one, and put back after it. */
  async #exchange(name: string, value: string | undefined): Promise<() => Promise<void>> {
    if (value === undefined) return async () => {}
    const before = await this.#parameter(name)
    if (before === undefined || before === value) return async () => {}
    await this.#session.ask('parameter', { name, index: 0, value })
    return async () => {
      await this.#session.ask('parameter', { name, index: 0, value: before })
    }
  }

  /** `*` has no style of its own (sheet 6.10): a line of asterisks, by the text command of the receipt that is open. */
  async printSeparatingLine(style: SeparatingLine): Promise<string> {
    const { columns } = await this.#ready()
    const wire = ({ 1: 'dashes', 2: 'equals', 4: 'dashed' } as const)[style as 1 | 2 | 4]
    if (wire !== undefined) return (await this.#session.ask('separatingLine', { style: wire })).text
    const { open } = (await this.#session.ask('transactionStatus', {})).values
    const text = '*'.repeat(columns - 2)
    return (await this.#session.ask(open >= 1 && open <= 4 ? 'fiscalText' : 'nonFiscalText', { text })).text
  }

  async displayLine(line: 1 | 2, text: string): Promise<string> {
    await this.#ready()
    const shown = { text: cutTo(text, this.capabilities.displayWidth, this.#session.page) }
    return (await this.#session.ask(line === 1 ? 'displayUpper' : 'displayLower', shown)).text
  }

  async clearDisplay(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('displayClear', {})).text
  }

  async moveCash(amount: Money, _operator: Operator): Promise<string> {
    await this.#ready()
    const kind = amount < 0 ? 'out' : 'in'
    return (await this.#session.ask('cashInOut', { kind, amount: Math.abs(amount) })).text
  }

  async openDrawer(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('drawer', {})).text
  }
}

const isWithin = ({ min, max }: Range, value: number): boolean => value >= min && value <= max

/** The command may have been carried out although this came back. */
function isUncertain(problem: unknown): boolean {
  if (!(problem instanceof DeviceError)) return false
  return problem.problem.kind === 'outcomeUnknown' || isRefusal(problem, ['receiptClosed'])
}
