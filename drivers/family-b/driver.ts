/** `FiscalPrinter` over family B's wire (sheet 14). */
import type { DriverSettings } from '../family.ts'
import { type SilentPrinter, tellRepeats } from '../link/repeats.ts'
import type { Link } from '../link/types.ts'
import { DeviceError, refused } from '../model/errors.ts'
import type {
  ArchivedZ,
  Capabilities,
  ClosedReceipt,
  DeviceIdentity,
  FiscalPrinter,
  Money,
  Percent,
  ProgrammedArticle,
  TransactionStatus,
} from '../model/printer.ts'
import {
  type Adjustment,
  type ArticleSale,
  type Barcode,
  type FiscalOpening,
  type FreeSale,
  type Operator,
  type Payment,
  type SeparatingLine,
  type Subtotal,
  TAX_CODES,
  type TaxCode,
  type TextLine,
} from '../model/receipt.ts'
import { readArchivedZ } from './archive.ts'
import { capabilitiesOf, dataForWire, FREE_SALE_REFUSED, lettersOf } from './capabilities.ts'
import { Exchange } from './exchange.ts'
import { BARCODES } from './protocol/barcodes.ts'
import type { HostFrame } from './protocol/frame.ts'

/** No wire of this family cancels a non-fiscal receipt (sheet 10.2). */
const VOID_LINE = '*** VOID ***'
/** What 116 says of a fiscal document. */
const FISCAL_DOCUMENT = 'PF'
/** So many documents may have followed the last receipt. */
const LOOK_BACK = 50
const POSITIONS = ['left', 'center', 'right'] as const
const STROKES: Readonly<Record<SeparatingLine, string>> = { 1: '-', 2: '=', 3: '*', 4: '- ' }

const signed = ({ kind }: Adjustment, size: number): number => (kind === 'discount' ? -size : size)

function adjusting(adjustment: Adjustment | undefined): { percent?: number; netto?: number } {
  if (!adjustment) return {}
  return 'percent' in adjustment
    ? { percent: signed(adjustment, adjustment.percent) }
    : { netto: signed(adjustment, adjustment.amount) }
}

class FamilyBDriver implements SilentPrinter {
  readonly family = 'B'
  readonly #device: Exchange
  readonly #settings: DriverSettings
  readonly #letters: Readonly<Record<number, string>>
  /** The receipt that this driver closed last, for the number of its copy. */
  #lastClosed: string | undefined

  constructor(link: Link<HostFrame>, settings: DriverSettings) {
    this.#device = new Exchange(link, settings.random)
    this.#settings = settings
    this.#letters = lettersOf(settings)
  }

  get capabilities(): Capabilities {
    return capabilitiesOf(this.#settings, this.#device.facts)
  }

  async connect(): Promise<DeviceIdentity> {
    return (await this.#device.ready()).identity
  }

  disconnect(): Promise<void> {
    return this.#device.close()
  }

  // ---------------------------------------------------------------- non-fiscal receipt

  async openNonFiscal(): Promise<string> {
    return (await this.#device.ask('openNonFiscal', {})).raw
  }

  async printNonFiscalText({ text }: TextLine): Promise<string> {
    return (await this.#device.ask('nonFiscalText', { text: await this.#cut(text) })).raw
  }

  async closeNonFiscal(): Promise<string> {
    return (await this.#device.ask('closeNonFiscal', {})).raw
  }

  /** The line is refused, and nothing closed, when it is not a non-fiscal receipt that stands open. */
  async cancelNonFiscal(): Promise<string> {
    await this.#device.ask('nonFiscalText', { text: VOID_LINE })
    return (await this.#device.ask('closeNonFiscal', {})).raw
  }

  // ---------------------------------------------------------------- fiscal receipt

  async openFiscal({ operator, pointOfSale }: FiscalOpening): Promise<string> {
    const third = await this.#thirdField(operator.code, pointOfSale)
    const opening = { operator: operator.code, password: operator.password, ...(third === undefined ? {} : { third }) }
    return (await this.#device.ask('openFiscal', opening)).raw
  }

  async printFiscalText({ text }: TextLine): Promise<string> {
    return (await this.#device.ask('fiscalText', { text: await this.#cut(text) })).raw
  }

  sell(_sale: FreeSale): Promise<string> {
    return Promise.reject(new DeviceError({ kind: 'unsupported', why: FREE_SALE_REFUSED }))
  }

  async sellArticle({ plu, price, quantity, void: takesBack, adjustment }: ArticleSale): Promise<string> {
    const sale = {
      article: String(plu),
      void: takesBack,
      quantity,
      ...(price === undefined ? {} : { price }),
      ...(takesBack ? {} : adjusting(adjustment)),
    }
    return (await this.#device.ask('saleByPlu', sale)).raw
  }

  async subtotal({ print, display, adjustment }: Subtotal): Promise<string> {
    const { groups } = await this.#device.ready()
    const change = adjusting(adjustment)
    if (change.netto !== undefined && groups < TAX_CODES.length) {
      throw new DeviceError({
        kind: 'unsupported',
        why: 'This device adjusts a subtotal by percent only; its firmware knows no amounts there.',
      })
    }
    return (await this.#device.ask('subtotal', { print, display, ...change })).raw
  }

  async pay({ mode, amount }: Payment): Promise<string> {
    const letter = this.#letters[mode]
    if (letter === undefined) {
      const modes = Object.keys(this.#letters).join(', ')
      throw new DeviceError({ kind: 'badValue', field: 'mode', why: `${mode} is not one of ${modes}` })
    }
    const automatic = amount === undefined && letter === 'P'
    const sum = amount ?? (automatic ? undefined : await this.#remaining())
    const request = automatic ? {} : { letter, ...(sum === undefined ? {} : { amount: sum }) }
    const { values, raw } = await this.#device.ask('payment', request)
    switch (values.result) {
      case 'owing':
      case 'covered':
        return raw
      case 'failed':
        throw refused('F', 'paymentFailed', 'the payment was not accepted')
      case 'groupNegative':
        throw refused('I', 'groupNegative', 'the sum of a tax group is negative')
      case 'negative':
        throw refused('E', 'negative', 'the subtotal is negative')
    }
  }

  async closeFiscal(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    const { raw } = await this.#device.ask('closeFiscal', {})
    const receiptNumber = await this.#numberAfter('closeFiscal')
    this.#lastClosed = receiptNumber
    return { receiptNumber, raw }
  }

  async cancelFiscal(): Promise<string> {
    const { raw } = await this.#device.ask('cancelFiscal', {})
    // It is an issued document, and so what a copy copies.
    this.#lastClosed = undefined
    try {
      this.#lastClosed = String(await this.lastDocument())
    } catch (problem) {
      if (!(problem instanceof DeviceError)) throw problem
    }
    return raw
  }

  // ---------------------------------------------------------------- questions and reports

  async transactionStatus(): Promise<TransactionStatus> {
    const { values, status, raw } = await this.#device.ask('transactionStatus', { payments: true })
    const { items, amount, remainder = 0 } = values
    if (status.flags.has('fiscalReceiptOpen')) {
      const { canVoid, invoice } = (await this.#device.ask('receiptSums', {})).values
      // With nothing paid yet the wire says 0 for what is left.
      const remaining = canVoid ? amount : remainder
      return {
        isOpen: true,
        kind: invoice ? 'Invoice' : 'Fiscal',
        receiptNumber: String(await this.lastDocument()),
        itemsCount: items,
        total: amount,
        paid: amount - remaining,
        remaining,
        raw,
      }
    }
    const isOpen = status.flags.has('nonFiscalReceiptOpen')
    return {
      isOpen,
      kind: isOpen ? 'NonFiscal' : 'None',
      receiptNumber: isOpen ? String(await this.lastDocument()) : null,
      itemsCount: 0,
      total: 0,
      paid: 0,
      remaining: 0,
      raw,
    }
  }

  async lastDocument(): Promise<number> {
    return (await this.#device.ask('lastDocument', {})).values.document
  }

  async copyLastReceipt(): Promise<Omit<ClosedReceipt, 'repeated'>> {
    const receiptNumber = await this.lastReceipt()
    const { raw } = await this.#device.ask('duplicate', { count: 1 })
    return { receiptNumber, raw }
  }

  async reportX(): Promise<string> {
    return (await this.#device.ask('dailyReport', { item: 2, keepOperators: false })).raw
  }

  async reportZ(): Promise<string> {
    return (await this.#device.ask('dailyReport', { item: 0, keepOperators: false })).raw
  }

  /** Our own memory, else what newer firmware says of the last document or of the journal, else the last document. */
  async lastReceipt(): Promise<string> {
    if (this.#lastClosed !== undefined) return this.#lastClosed
    try {
      const { result, text } = (await this.#device.ask('lastDocumentQr', {})).values
      const number = Number(text.split('*')[1])
      if (Number.isSafeInteger(number)) {
        return String(result === FISCAL_DOCUMENT ? number : ((await this.#receiptUpTo(number)) ?? number))
      }
    } catch (problem) {
      if (!(problem instanceof DeviceError) || problem.problem.kind !== 'refused') throw problem
    }
    return String(await this.lastDocument())
  }

  /** Where other documents followed the last receipt, the journal is asked one document after the other, newest first. */
  async #receiptUpTo(last: number): Promise<number | undefined> {
    for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
      const border = String(number)
      const query = { content: 'fiscal', by: 'document', from: border, to: border, option: '1' } as const
      if ((await this.#device.stream('journalRead', query)).length > 0) return number
    }
    return undefined
  }

  /** 69 answers the number and the sums; 64 has them for the last closure, with its date behind them. */
  async lastReportZ(): Promise<string> {
    const { raw } = await this.#device.ask('lastFiscalRecord', { sums: 'gross' })
    return raw.replace(/,[^,]*$/, '')
  }

  archivedZ(number: number): Promise<ArchivedZ | undefined> {
    return readArchivedZ(this.#device, number, this.capabilities.paymentModes)
  }

  // ---------------------------------------------------------------- barcodes, lines, display

  async printBarcode(barcode: Barcode): Promise<string> {
    const kind = BARCODES.find(({ serviceType }) => serviceType === barcode.type)
    if (!kind) {
      const why = this.capabilities.barcodeRefusal(barcode.type)
      throw new DeviceError({ kind: 'unsupported', why })
    }
    const data = dataForWire(kind.checked, barcode.data)
    if (data === undefined || !kind.pattern.test(data)) {
      throw new DeviceError({ kind: 'badValue', field: 'data', why: `${kind.name} wants ${kind.data}` })
    }
    const { position, scale, height, printText } = barcode
    const { raw } = await this.#device.ask('barcode', {
      kind: kind.wire,
      data,
      position: POSITIONS[position ?? 1] ?? 'center',
      scale: scale ?? 0,
      height: height ?? 0,
      printText: printText ?? true,
    })
    return raw
  }

  /** The wire has no command for it (sheet 10.8): a line of text, in whichever receipt stands open. */
  async printSeparatingLine(style: SeparatingLine): Promise<string> {
    const { commentWidth } = await this.#device.ready()
    const text = STROKES[style].repeat(commentWidth).slice(0, commentWidth).trimEnd()
    const { flags } = (await this.#device.ask('status', {})).status
    return (await this.#device.ask(flags.has('nonFiscalReceiptOpen') ? 'nonFiscalText' : 'fiscalText', { text })).raw
  }

  async displayLine(line: 1 | 2, text: string): Promise<string> {
    const shown = { text: text.slice(0, this.capabilities.displayWidth) }
    return (await this.#device.ask(line === 1 ? 'displayUpper' : 'displayLower', shown)).raw
  }

  async clearDisplay(): Promise<string> {
    return (await this.#device.ask('displayClear', {})).raw
  }

  // ---------------------------------------------------------------- cash, drawer, rates, articles

  async moveCash(amount: Money, _operator: Operator): Promise<string> {
    const { values, raw } = await this.#device.ask('cashInOut', { amount })
    if (!values.done) throw refused('F', 'cashRefused', 'the drawer holds too little, or a receipt is open')
    return raw
  }

  async openDrawer(): Promise<string> {
    return (await this.#device.ask('drawer', {})).raw
  }

  async taxRates(): Promise<ReadonlyMap<TaxCode, Percent>> {
    const { rates } = (await this.#device.ask('taxRates', {})).values
    return new Map(
      TAX_CODES.flatMap((code) => {
        const rate = rates[code - 1] ?? null
        return rate === null ? [] : [[code, rate] as const]
      }),
    )
  }

  async article(plu: number): Promise<ProgrammedArticle | undefined> {
    const { values } = await this.#device.ask('article', { do: 'read', plu })
    return values.result === 'article' ? { plu, name: values.name, price: values.price } : undefined
  }

  // ---------------------------------------------------------------- inside

  /** The device cuts by itself; this keeps the data within what a frame carries. */
  async #cut(text: string): Promise<string> {
    return text.slice(0, (await this.#device.ready()).commentWidth)
  }

  /** Option `openThirdField` (sheet 1, M2): `none`, `pos` the point of sale, `unp` a unique sale number. */
  async #thirdField(operator: number, pointOfSale: number): Promise<string | undefined> {
    switch (this.#settings.options?.['openThirdField']) {
      case 'pos':
        return String(pointOfSale)
      case 'unp': {
        const { identity } = await this.#device.ready()
        const next = String((await this.lastDocument()) + 1).padStart(7, '0')
        return `${identity.serialNumber.slice(0, 8)}-OP${String(operator).padStart(2, '0')}-${next}`
      }
      default:
        return undefined
    }
  }

  async #remaining(): Promise<number> {
    return (await this.transactionStatus()).remaining ?? 0
  }

  /** The receipt is closed; without its number the caller cannot be told which one. */
  async #numberAfter(what: string): Promise<string> {
    try {
      return String(await this.lastDocument())
    } catch (problem) {
      if (!(problem instanceof DeviceError)) throw problem
      throw new DeviceError({
        kind: 'outcomeUnknown',
        what: `${what} was carried out, but the number of the document could not be read.`,
      })
    }
  }
}

export const createDriver = (link: Link<HostFrame>, settings: DriverSettings): FiscalPrinter =>
  tellRepeats(link, new FamilyBDriver(link, settings))
