import type { DriverSettings } from '../family.ts'
import type { SilentPrinter } from '../link/repeats.ts'
import type { Link } from '../link/types.ts'
import { DeviceError } from '../model/errors.ts'
import { formatMoney, type Money, multiplyDivide, ONE, type Percent } from '../model/money.ts'
import type {
  ArchivedZ, Capabilities, ClosedReceipt, DeviceIdentity, ProgrammedArticle, TransactionStatus,
} from '../model/printer.ts' // biome-ignore format: one list
import {
  type Adjustment, type ArticleSale, type Barcode, type Customer, type FiscalOpening, type FreeSale, type Operator,
  type Payment, type SeparatingLine, type Subtotal, TAX_CODES, type TaxCode, type TextLine,
} from '../model/receipt.ts' // biome-ignore format: one list
import { archivedZ, zOutOfJournal } from './archive.ts'
import { capabilitiesOf, configuredDialect, paymentType, textWidth, USUAL_COLUMNS } from './capabilities.ts'
import { taxCodeOf, taxLetterOf, writeDate } from './protocol/cells.ts'
import type { FiscalOpeningAsk } from './protocol/commands/receipt.ts'
import type { ReceiptState } from './protocol/commands/registers.ts'
import { NAME_WIDTH } from './protocol/commands/sales.ts'
import { C4, C6, CR, type Dialect } from './protocol/dialect.ts'
import type { DeviceFrame } from './protocol/frame.ts'
import type { Requests } from './protocol/index.ts'
import type { StatusName } from './protocol/status.ts'
import { refusalOf, Session } from './session.ts'
import { clean, wrapName } from './text.ts'

/** Every operation of the service on family C: sheet 6 and 4. */

interface Found {
  readonly identity: DeviceIdentity
  readonly columns: number
}

/** Of valid form, and nobody: what an invoice is opened with when nobody named a customer. */
const NEUTRAL: Customer = { taxNumber: '999999999', name: 'CUSTOMER', address: '-' }
const VOID_LINE = 'THIS DOCUMENT IS VOID'
const SIGNS: Readonly<Record<SeparatingLine, string>> = { 1: '-', 2: '=', 3: '*', 4: '- ' }
/** Blocks of the fiscal memory have four digits on the wire. */
const BLOCK_MAX = 9_999
const CASH = 0
/** In cr the name has 30 symbols; 60h, the unit in three and two blanks follow (sheet 4.8). */
const CR_NAME_WIDTH = 30

const badValue = (field: string, why: string): DeviceError => new DeviceError({ kind: 'badValue', field, why })

function changeOf(adjustment: Adjustment | undefined): { percent?: number; value?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { value: sign * adjustment.amount }
}

/** A void with an adjustment is refused (sheet 4.8): what the adjusted sale came to is taken back as one piece. */
function amountsOf({ price, quantity, adjustment, void: takesBack }: FreeSale) {
  if (!takesBack || !adjustment) return { price, quantity, ...changeOf(adjustment) }
  const base = multiplyDivide(price, quantity, ONE, 'halfAwayFromZero')
  const size =
    'percent' in adjustment ? multiplyDivide(base, adjustment.percent, 10_000, 'halfAwayFromZero') : adjustment.amount
  return { price: adjustment.kind === 'discount' ? base - size : base + size, quantity: ONE }
}

const totalOf = ({ turnover }: ReceiptState): Money => turnover.reduce((total, amount) => total + amount, 0)

/** Documents that may stand between a receipt and one that was cancelled after it. */
const LOOK_BACK = 50

export class FamilyCPrinter implements SilentPrinter {
  readonly family = 'C'
  readonly #link: Link<DeviceFrame>
  readonly #settings: DriverSettings
  #session: Session
  #found: Found | undefined
  #finding: Promise<Found> | undefined
  /** What this driver has paid in the open receipt: c4's wire does not tell it (sheet 4.14). */
  #paid: Money | undefined

  constructor(link: Link<DeviceFrame>, settings: DriverSettings) {
    this.#link = link
    this.#settings = settings
    this.#session = this.#newSession()
    link.onOpened(() => {
      this.#found = undefined
      this.#finding = undefined
      this.#paid = undefined
      this.#session = this.#newSession()
    })
  }

  #newSession(): Session {
    const session = new Session(this.#link)
    session.speak(configuredDialect(this.#settings) ?? C4)
    return session
  }

  get #dialect(): Dialect {
    return this.#session.dialect
  }

  get capabilities(): Capabilities {
    return capabilitiesOf(this.#dialect, this.#found?.columns ?? USUAL_COLUMNS, this.#settings)
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
    this.#finding ??= this.#find()
    try {
      const found = await this.#finding
      this.#found = found
      return found
    } finally {
      this.#finding = undefined
    }
  }

  /** 03h 04h, 09h, 20h, 21h, 60h, 71h for the dialect, 1Dh 49h for the width. */
  async #find(): Promise<Found> {
    const session = this.#session
    await session.greet()
    await session.ask('status', {})
    const { values: info } = await session.ask('deviceInfo', {})
    const { values: numbers } = await session.ask('deviceNumbers', {})
    if (!info || !numbers) throw new DeviceError({ kind: 'notThisFamily', why: 'it does not tell what it is' })
    if (!configuredDialect(this.#settings)) session.speak(await this.#dialectOfDevice())
    return {
      identity: {
        family: 'C',
        model: info.model,
        firmware: info.firmware,
        serialNumber: numbers.serial,
        fiscalMemoryNumber: numbers.memory,
      },
      columns: (await session.columns()) ?? USUAL_COLUMNS,
    }
  }

  /** 71h has four digits and a separator, six digits, or two numbers (sheet 4.14). */
  async #dialectOfDevice(): Promise<Dialect> {
    const { text } = await this.#session.ask('lastDocument', {})
    if (text.includes(';')) return CR
    return text.length === 6 ? C6 : C4
  }

  /** What stands open, by status byte 2. */
  async #flags(): Promise<ReadonlySet<StatusName>> {
    await this.#ready()
    return (await this.#session.ask('status', {})).values?.flags ?? new Set()
  }

  async #state(): Promise<{ readonly state: ReceiptState; readonly text: string }> {
    await this.#ready()
    const { values, text } = await this.#session.ask('transactionStatus', {})
    if (!values) throw new DeviceError({ kind: 'notThisFamily', why: 'it does not tell the state of the receipt' })
    return { state: values, text }
  }

  // ---------------------------------------------------------------- non-fiscal receipt

  async openNonFiscal(operator?: Operator): Promise<string> {
    await this.#ready()
    if (!operator) throw badValue('operator', 'this family opens a non-fiscal receipt with an operator and a password')
    // c4: the four-field form (sheet 4.5); c6 has the journal's 0 in the same place.
    const ask = { ...this.#operator(operator), journal: '0', print: '0' } as const
    return (await this.#session.askOnce('openNonFiscal', ask, 'status')).text
  }

  /** Padding and cutting to the dialect's width is the layout's. */
  #operator({ code, password }: Operator): { operator: number; password: string } {
    return { operator: code, password: clean(password) }
  }

  async printNonFiscalText(line: TextLine): Promise<string> {
    const flags = await this.#flags()
    if (flags.has('fiscalOpen')) throw refusalOf({ device: 4, command: 2 })
    return this.#text(line.text)
  }

  async #text(text: string): Promise<string> {
    const { columns } = await this.#ready()
    const width = textWidth(this.#dialect, columns)
    const line = this.#session.page.encode(clean(text)).slice(0, width)
    // Empty text is sent as one blank (sheet 4.10).
    return (await this.#session.ask('fiscalText', { text: this.#session.page.decode(line) || ' ' })).text
  }

  async closeNonFiscal(): Promise<string> {
    await this.#ready()
    return (await this.#session.askOnce('closeNonFiscal', {}, 'status')).text
  }

  async cancelNonFiscal(): Promise<string> {
    if ((await this.#flags()).has('nonFiscalOpen')) await this.#text(VOID_LINE)
    return this.closeNonFiscal()
  }

  // ---------------------------------------------------------------- fiscal receipt

  async openFiscal(opening: FiscalOpening): Promise<string> {
    await this.#ready()
    const { text } = await this.#session.askOnce('openFiscal', this.#opening(opening), 'status')
    this.#paid = 0
    return text
  }

  #opening({ operator, invoice, customer }: FiscalOpening): FiscalOpeningAsk {
    const head = this.#operator(operator)
    if (!invoice) return { ...head, detailed: true, vat: true, print: '0' }
    const { taxNumber, name, address } = customer ?? this.#settings.customer ?? NEUTRAL
    // Company, buyer, VAT number, id number, address: the client's tax number goes into both (sheet 4.7).
    const five = [name, '', taxNumber, taxNumber, address].map(clean)
    switch (this.#dialect.invoiceForm) {
      case 'five':
        return { ...head, detailed: true, vat: true, print: '1', customer: five }
      case 'six':
        return { ...head, detailed: false, vat: false, print: '1', customer: five, idType: 0 }
      case 'customerReceipt':
        return {
          ...head,
          detailed: false,
          vat: false,
          print: '1',
          customer: [taxNumber, name, '', '', '', '', address].map(clean),
        }
    }
  }

  async printFiscalText(line: TextLine): Promise<string> {
    const flags = await this.#flags()
    if (flags.has('nonFiscalOpen')) throw refusalOf({ device: 6, command: 2 })
    return this.#text(line.text)
  }

  async sell(sale: FreeSale): Promise<string> {
    await this.#ready()
    const tax = this.#taxLetter(sale.taxCode)
    const name = await this.#shortName(clean(sale.name).replaceAll(';', ','), sale.unit)
    const row = { name, void: sale.void, ...amountsOf(sale) }
    const { department } = sale
    if (department > 0 && this.#dialect.departmentMarker) {
      return (await this.#session.askOnce('sale', { ...row, tax, department }, 'transactionStatus')).text
    }
    if (department > 0 && (await this.#classOf(department)) === sale.taxCode) {
      return (await this.#session.askOnce('saleByDepartment', { ...row, department }, 'transactionStatus')).text
    }
    return (await this.#session.askOnce('sale', { ...row, tax }, 'transactionStatus')).text
  }

  #taxLetter(code: TaxCode): string {
    const { taxClasses, taxLetters } = this.#dialect
    if (code > taxClasses) throw badValue('taxCode', `this device has the tax groups 1 to ${taxClasses}`)
    return taxLetterOf(code, taxLetters)
  }

  /** c4: a department sells only in its own class (sheet 4.8), so that is asked. */
  async #classOf(department: number): Promise<number | undefined> {
    if (this.#dialect.name !== 'c4') return undefined
    const answer = await this.#session.askUnlessRefused('readDepartment', { department })
    return answer?.values && taxCodeOf(answer.values.tax)
  }

  /** What is longer than the name's field is printed before it, line by line, wrapped on blanks (sheet 4.8). */
  async #shortName(name: string, unit: string): Promise<string> {
    const { saleUnit } = this.#dialect
    const bytes = this.#session.page.encode(name)
    const room = saleUnit ? CR_NAME_WIDTH : NAME_WIDTH
    const { before, last } = wrapName(bytes, room, this.capabilities.lineWidth)
    const text = (piece: string) => this.#session.page.decode(piece)
    if (before.length > 0 && (await this.#flags()).has('fiscalOpen')) {
      const { state } = await this.#state()
      // After payment has begun the sale is refused: its name must not stand on paper alone.
      if (!state.payStarted) for (const line of before) await this.#text(text(line))
    }
    return saleUnit && unit !== ''
      ? `${text(last).padEnd(CR_NAME_WIDTH)}\`${clean(unit).slice(0, 3).padEnd(3)}  `
      : text(last)
  }

  async sellArticle(sale: ArticleSale): Promise<string> {
    await this.#ready()
    const { plu, quantity, price } = sale
    const ask: Requests['saleByPlu'] = {
      plu,
      quantity,
      void: sale.void,
      ...(price === undefined ? {} : { price }),
      ...changeOf(sale.adjustment),
    }
    return (await this.#session.askOnce('saleByPlu', ask, 'transactionStatus')).text
  }

  async subtotal({ print, display, adjustment }: Subtotal): Promise<string> {
    await this.#ready()
    if (adjustment && 'amount' in adjustment) await this.#refuseSeveralGroups()
    const ask = { print, display, ...changeOf(adjustment) }
    const { values, text } = await this.#session.askOnce('subtotal', ask, 'transactionStatus')
    // The answer was lost, the adjustment was made: the amount before it is gone, the one after it can be read.
    return values ? text : formatMoney(totalOf((await this.#state()).state))
  }

  /** The device says 30/32 to it (sheet 4.9), which says nothing of groups. */
  async #refuseSeveralGroups(): Promise<void> {
    const { state } = await this.#state()
    if (!state.open || state.turnover.filter((amount) => amount !== 0).length < 2) return
    const why =
      'This device takes an amount on the subtotal only while all that was sold is of one tax group; use a percentage.'
    throw new DeviceError({ kind: 'unsupported', why })
  }

  async pay({ mode, amount }: Payment): Promise<string> {
    await this.#ready()
    const type = paymentType(this.#dialect, this.#settings, mode)
    if (type === undefined) throw badValue('mode', `this device has no payment mode ${mode}`)
    if (type !== CASH && amount !== undefined) await this.#refuseChange(amount)
    const ask = { type, change: type === CASH, amount: amount ?? ('exact' as const) }
    const { text } = await this.#session.askOnce('payment', ask, 'transactionStatus')
    if (this.#paid !== undefined) this.#paid += amount ?? 0
    return text
  }

  /** The wire computes change for every type; the service gives it for cash only (sheet 4.11). */
  async #refuseChange(amount: Money): Promise<void> {
    const { state } = await this.#state()
    if (!state.open) return
    const rest = await this.#rest(state)
    if (rest !== null && amount > rest) {
      throw badValue(
        'amount',
        `${formatMoney(amount)} is more than what is left to pay, ${formatMoney(rest)}; only cash gives change`,
      )
    }
  }

  async #rest(state: ReceiptState): Promise<Money | null> {
    if (state.payFinished) return 0
    const paid = await this.#paidIn(state)
    return paid === null ? null : Math.max(0, totalOf(state) - paid)
  }

  /** 72h P is of c6; a c4 that refuses it leaves only what this driver has paid itself. */
  async #paidIn(state: ReceiptState): Promise<Money | null> {
    if (!state.payStarted) return 0
    const answer = await this.#session.askUnlessRefused('receiptPayments', {})
    if (answer?.values) return answer.values.payments.reduce((sum, amount) => sum + amount, 0)
    if (state.payFinished) return totalOf(state) + state.change
    return this.#paid ?? null
  }

  async closeFiscal(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    // c6 closes a non-fiscal receipt by the same command.
    if (this.#dialect.name === 'c6' && (await this.#flags()).has('nonFiscalOpen'))
      throw refusalOf({ device: 6, command: 2 })
    await this.#ready()
    const { text } = await this.#session.askOnce('closeFiscal', {}, 'transactionStatus')
    this.#paid = undefined
    return { receiptNumber: String(await this.lastDocument()), raw: text }
  }

  /** 39h would pay the rest and close once payment has begun, so 72h is asked first (sheet 6). */
  async cancelFiscal(): Promise<string> {
    const { state } = await this.#state()
    if (state.payFinished) throw refusalOf({ device: 7, command: 2 })
    if (state.payStarted) throw refusalOf({ device: 5, command: 2 })
    const { text } = await this.#session.askOnce('cancelFiscal', {}, 'transactionStatus')
    this.#paid = undefined
    return text
  }

  // ---------------------------------------------------------------- what stands, copy, reports

  async transactionStatus(): Promise<TransactionStatus> {
    const flags = await this.#flags()
    const { state, text: raw } = await this.#state()
    const number = String(await this.lastDocument())
    if (flags.has('nonFiscalOpen')) {
      return {
        isOpen: true,
        kind: 'NonFiscal',
        receiptNumber: number,
        itemsCount: null,
        total: null,
        paid: null,
        remaining: null,
        raw,
      }
    }
    if (!state.open) {
      return {
        isOpen: false,
        kind: 'None',
        receiptNumber: number,
        itemsCount: null,
        total: null,
        paid: null,
        remaining: null,
        raw,
      }
    }
    return {
      isOpen: true,
      kind: (state.type & 1) === 1 ? 'Invoice' : 'Fiscal',
      receiptNumber: number,
      itemsCount: state.sales,
      total: totalOf(state),
      paid: await this.#paidIn(state),
      remaining: await this.#rest(state),
      raw,
    }
  }

  async lastDocument(): Promise<number> {
    await this.#ready()
    const { values } = await this.#session.ask('lastDocument', {})
    return values?.document ?? 0
  }

  async copyLastReceipt(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    await this.#ready()
    const { text } = await this.#session.askOnce('duplicate', {}, 'lastDocument')
    return { receiptNumber: await this.lastReceipt(), raw: text }
  }

  /**
   * Where 72h B tells it; a device that refuses that tells only the last document's number, which may be a copy's. A
   * receipt of 0.00 was cancelled: the one that a copy copies is before it.
   */
  async lastReceipt(): Promise<string> {
    await this.#ready()
    const last = (await this.#session.askUnlessRefused('receiptCode', {}))?.values
    if (last === undefined) return String(await this.lastDocument())
    for (let back = 0; last.amount === 0 && back < LOOK_BACK && last.document - back > 1; back++) {
      const document = last.document - back - 1
      const before = (await this.#session.askUnlessRefused('receiptCode', { document }))?.values
      if (before && before.amount !== 0) return String(before.document)
    }
    return String(last.document)
  }

  async reportX(): Promise<string> {
    await this.#ready()
    return (await this.#session.askOnce('reportX', {}, 'lastDocument')).text
  }

  /** The device acknowledges without data; 73h tells the number and the day of the report it made. */
  async reportZ(): Promise<string> {
    await this.#ready()
    await this.#session.askOnce('reportZ', {}, 'lastDocument')
    return this.lastReportZ()
  }

  async lastReportZ(): Promise<string> {
    await this.#ready()
    const { values } = await this.#session.ask('lastZ', {})
    return values ? `${values.number};${values.day === undefined ? '' : writeDate(values.day)}` : ''
  }

  /** 78h to the host, else the journal of the block (sheet 4.15). */
  async archivedZ(number: number): Promise<ArchivedZ | undefined> {
    await this.#ready()
    const session = this.#session
    const last = (await session.ask('lastZ', {})).values?.number ?? 0
    if (number < 1 || number > Math.min(last, BLOCK_MAX)) return undefined
    const block = String(number).padStart(4, '0')
    const range = { from: block, to: block }
    const names = (await session.askUnlessRefused('readPayments', {}))?.values?.names ?? []
    const told = { number, paymentNames: names, taxClasses: this.#dialect.taxClasses }
    const report = await session.lines('archivedZ', { ...range, storage: '8' })
    if (report !== undefined) return archivedZ({ ...told, lines: report })
    const journal = await session.lines('journalRead', { target: '0', by: 'Z', ...range })
    return archivedZ({ ...told, lines: zOutOfJournal(journal ?? [], number) })
  }

  // ---------------------------------------------------------------- lines, display, drawer

  printBarcode(barcode: Barcode): Promise<string> {
    const why = this.capabilities.barcodeRefusal(barcode.type)
    return Promise.reject(new DeviceError({ kind: 'unsupported', why }))
  }

  async printSeparatingLine(style: SeparatingLine): Promise<string> {
    const { columns } = await this.#ready()
    const width = textWidth(this.#dialect, columns)
    return this.#text(SIGNS[style].repeat(width).slice(0, width))
  }

  async displayLine(line: 1 | 2, text: string): Promise<string> {
    await this.#ready()
    // Padded and cut to 20 after conversion to the code page, by the layout.
    return (await this.#session.ask(line === 1 ? 'displayUpper' : 'displayLower', { text: clean(text) })).text
  }

  async clearDisplay(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('displayClear', {})).text
  }

  async moveCash(amount: Money, operator: Operator): Promise<string> {
    await this.#ready()
    const ask = { ...this.#operator(operator), type: CASH, amount }
    return (await this.#session.askOnce('cashInOut', ask, 'lastDocument')).text
  }

  async openDrawer(): Promise<string> {
    await this.#ready()
    return (await this.#session.ask('drawer', {})).text
  }

  async taxRates(): Promise<ReadonlyMap<TaxCode, Percent>> {
    await this.#ready()
    const rates = (await this.#session.ask('readTaxRates', {})).values?.rates ?? []
    return new Map(TAX_CODES.flatMap((code) => (rates[code - 1] == null ? [] : [[code, rates[code - 1] as Percent]])))
  }

  async article(plu: number): Promise<ProgrammedArticle | undefined> {
    await this.#ready()
    const ask = this.#dialect.name === 'c4' ? { plu } : { plu, option: '1' as const }
    const answer = await this.#session.askUnlessRefused('readArticle', ask)
    return answer?.values && { plu, name: answer.values.name ?? '', price: answer.values.price ?? 0 }
  }
}
