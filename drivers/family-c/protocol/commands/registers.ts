/** Reading registers (sheet 4.14). Amounts are 11 wide in c4, as wide as they need elsewhere. */
import { formatMoney } from '../../../model/money.ts'
import { question } from '../../../wire/command.ts'
import type { Layout } from '../../../wire/row.ts'
import {
  type CellReader,
  type CellWriter,
  cells,
  digits,
  readAmount,
  readTime,
  readWhole,
  syntaxError,
  writeDate,
  writeTime,
} from '../cells.ts'
import type { Edition } from '../edition.ts'
import { command } from '../facts.ts'

export interface DaySums {
  readonly turnover: readonly number[]
  readonly total: number
  /** c6: the same of storno receipts. */
  readonly reversals?: readonly number[]
  readonly reversalTotal?: number
}

export interface CountAndSum {
  readonly count: number
  readonly sum: number
}

export type RegisterOption = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '9' | ':'

export type Registers =
  | { readonly option: '0' | '4' | '6'; readonly payments: readonly number[] }
  | {
      readonly option: '1'
      readonly customers: number
      readonly discounts: CountAndSum
      readonly surcharges: CountAndSum
      readonly corrections: CountAndSum
    }
  | { readonly option: '2' | '3'; readonly payments: readonly number[]; readonly count: number; readonly sum: number }
  | {
      readonly option: '5'
      readonly reports: number
      readonly lastBlock: number
      readonly journal: number
      readonly at?: string
    }
  | {
      readonly option: '7'
      readonly turnover: number
      readonly vat: number
      readonly reversalTurnover?: number
      readonly reversalVat?: number
    }
  | { readonly option: '9'; readonly signature: string }

const grand = (value: number): string => formatMoney(value).padStart(14, ' ')
const NO_TIME = '00-00-0000 00:00'

function writeRegisters(v: Registers, w: CellWriter): string[] {
  const counted = ({ count, sum }: CountAndSum) => [digits(count, 5), w.amount(sum)]
  switch (v.option) {
    case '0':
    case '4':
    case '6':
      return w.amounts(v.payments)
    case '1':
      return [digits(v.customers, 5), ...counted(v.discounts), ...counted(v.surcharges), ...counted(v.corrections)]
    case '2':
    case '3':
      return [...w.amounts(v.payments), digits(v.count, 5), w.amount(v.sum)]
    case '5':
      return [
        digits(v.reports, 5),
        digits(v.lastBlock, 5),
        digits(v.journal, 5),
        v.at === undefined ? NO_TIME : writeTime(v.at),
      ]
    case '7':
      return [
        grand(v.turnover),
        grand(v.vat),
        ...(v.reversalTurnover === undefined ? [] : [grand(v.reversalTurnover), grand(v.reversalVat ?? 0)]),
      ]
    case '9':
      return [w.text(v.signature, 40)]
  }
}

function readRegisters(r: CellReader, option: Registers['option'], d: Edition): Registers {
  const counted = (): CountAndSum => ({ count: r.whole('count'), sum: r.amount('sum') })
  switch (option) {
    case '0':
    case '4':
    case '6':
      return { option, payments: r.amounts('payment', d.payments) }
    case '1':
      return {
        option,
        customers: r.whole('customers'),
        discounts: counted(),
        surcharges: counted(),
        corrections: counted(),
      }
    case '2':
    case '3':
      return { option, payments: r.amounts('payment', d.payments), ...counted() }
    case '5': {
      const head = { option, reports: r.whole('reports'), lastBlock: r.whole('lastBlock'), journal: r.whole('journal') }
      const at = r.next('at')
      return at === NO_TIME ? head : { ...head, at: readTime('at', at) }
    }
    case '7': {
      const head = { option, turnover: r.amount('turnover'), vat: r.amount('vat') }
      return r.left > 1 ? { ...head, reversalTurnover: r.amount('turnover'), reversalVat: r.amount('vat') } : head
    }
    case '9':
      return { option, signature: r.text('signature') }
  }
}

const COUNTED = { count: 'number', sum: 'money' } as const
const REGISTERS = {
  payments: 'money', customers: 'number', discounts: COUNTED, surcharges: COUNTED, corrections: COUNTED, ...COUNTED,
  reports: 'number', lastBlock: 'number', journal: 'number', at: 'time', turnover: 'money', vat: 'money',
  reversalTurnover: 'money', reversalVat: 'money', signature: 'text',
} as const // biome-ignore format: a table

const OPTIONS = ['0', '1', '2', '3', '4', '5', '6', '7', '9'] as const

const dayRegisters = (d: Edition): Layout<Registers> =>
  cells(d, {
    closed: true,
    fields: REGISTERS,
    write: (v, w) => [v.option, ...writeRegisters(v, w)],
    read: (r) => readRegisters(r, r.letter('option', OPTIONS), d),
  })

export type OperatorRegisters = Registers & { readonly operator: number }
const operatorRegisters = (d: Edition): Layout<OperatorRegisters> =>
  cells(d, {
    closed: true,
    fields: { ...REGISTERS, operator: 'number' },
    write: (v, w) => [v.option, String(v.operator), ...writeRegisters(v, w)],
    read(r) {
      const option = r.letter('option', OPTIONS)
      const operator = r.whole('operator')
      return { ...readRegisters(r, option, d), operator }
    },
  })

/** 72h: what stands in the receipt. All fields are sent always (sheet 4.14). */
export interface ReceiptState {
  readonly open: boolean
  readonly sales: number
  /** By tax class. */
  readonly turnover: readonly number[]
  readonly voidForbidden: boolean
  readonly vatPrinted: boolean
  readonly detailed: boolean
  readonly payStarted: boolean
  readonly payFinished: boolean
  readonly powerDown: boolean
  /** 0 receipt, 1 invoice; c6: 0 2 sale, 1 3 invoice, 4 6 storno, 5 7 credit note. */
  readonly type: number
  readonly change: number
  readonly changeType: number
  /** c6. */
  readonly current?: number
}

const receiptState = (d: Edition): Layout<ReceiptState> => {
  const early = d.name === 'cr' ? 5 : 3
  return cells(d, {
    closed: d.closedAnswers,
    fields: {
      sales: 'number',
      turnover: 'money',
      type: 'number',
      change: 'money',
      changeType: 'number',
      current: 'number',
    },
    write(v, w) {
      const bit = (on: boolean) => (on ? '1' : '0')
      const amounts = w.amounts(v.turnover)
      return [
        bit(v.open),
        digits(v.sales, 3),
        ...amounts.slice(0, early),
        bit(v.voidForbidden),
        bit(v.vatPrinted),
        bit(v.detailed),
        bit(v.payStarted),
        bit(v.payFinished),
        bit(v.powerDown),
        String(v.type),
        w.amount(v.change),
        String(v.changeType),
        ...amounts.slice(early),
        ...(d.name === 'c6' ? [digits(v.current ?? 0, 6)] : []),
      ]
    },
    read(r) {
      const open = r.bit('open')
      const sales = r.left > 0 ? r.whole('sales') : 0
      const first = r.amounts('turnover', early)
      const flags = ['voidForbidden', 'vatPrinted', 'detailed', 'payStarted', 'payFinished', 'powerDown'].map((name) =>
        r.bit(name),
      )
      const [
        voidForbidden = false,
        vatPrinted = false,
        detailed = false,
        payStarted = false,
        payFinished = false,
        powerDown = false,
      ] = flags
      const type = r.whole('type', { max: 9 })
      const change = r.amount('change')
      const changeType = r.whole('changeType', { max: 9 })
      const turnover = [...first, ...r.amounts('turnover', d.taxClasses - early)]
      const state = {
        open, sales, turnover, voidForbidden, vatPrinted, detailed, payStarted, payFinished, powerDown, type, change,
        changeType,
      } // biome-ignore format: one row
      return d.name === 'c6' && r.left > 0 ? { ...state, current: r.whole('current') } : state
    },
  })
}

export interface ReceiptPayments {
  readonly open: boolean
  readonly payments: readonly number[]
}

/** What a QR code on the receipt says: `fm*receipt*YYYY-MM-DD*HH:MM:SS*amount`. */
export interface ReceiptCode {
  readonly memory: string
  readonly document: number
  /** `YYYY-MM-DDThh:mm:ss`. */
  readonly at: string
  readonly amount: number
}
const receiptCode: Layout<ReceiptCode> = {
  fields: { memory: 'text', document: 'number', at: 'time', amount: 'money' },
  write: (v) => `${v.memory}*${digits(v.document, 6)}*${v.at.replace('T', '*')}*${formatMoney(v.amount)}`,
  read(raw) {
    const [memory = '', document = '', date = '', time = '', amount = ''] = raw.split('*')
    return {
      memory,
      document: readWhole('document', document),
      at: `${date}T${time}`,
      amount: readAmount('amount', amount),
    }
  },
}

export interface LastZ {
  /** Local day `YYYY-MM-DD`; absent before the first Z. */
  readonly day?: string
  readonly number: number
  readonly ramResets: number
  /** c6 from here. */
  readonly receipts?: number
  readonly lastReceiptAt?: string
  readonly journal?: number
  /** 0 sale, 1 invoice, 2 non-fiscal, 4 storno, 5 credit note. */
  readonly lastType?: number
}
const NO_DAY = '00-00-0000'
const lastZ = (d: Edition): Layout<LastZ> =>
  cells(d, {
    closed: d.name !== 'c6',
    fields: {
      day: 'time',
      number: 'number',
      ramResets: 'number',
      receipts: 'number',
      lastReceiptAt: 'time',
      journal: 'number',
      lastType: 'number',
    },
    write: (v) => [
      v.day === undefined ? NO_DAY : writeDate(v.day),
      digits(v.number, 4),
      digits(v.ramResets, 4),
      ...(d.name === 'c6'
        ? [
            digits(v.receipts ?? 0, 6),
            v.lastReceiptAt === undefined ? NO_TIME : writeTime(v.lastReceiptAt),
            String(v.journal ?? 1),
            String(v.lastType ?? 0),
          ]
        : []),
    ],
    read(r) {
      const day = r.next('day')
      const head = {
        ...(day === NO_DAY ? {} : { day: readTime('day', `${day} 00:00`).slice(0, 10) }),
        number: r.whole('number'),
        ramResets: r.whole('ramResets'),
      }
      if (r.left < 4) return head
      const receipts = r.whole('receipts')
      const at = r.next('lastReceiptAt')
      return {
        ...head,
        receipts,
        ...(at === NO_TIME ? {} : { lastReceiptAt: readTime('at', at) }),
        journal: r.whole('journal'),
        lastType: r.whole('lastType'),
      }
    },
  })

export interface LastDocument {
  /** The running number of the last document. */
  readonly document: number
}
const lastDocument = (d: Edition): Layout<LastDocument> =>
  cells(d, {
    closed: d.lastDocument === 'four',
    fields: { document: 'number' },
    write({ document }) {
      switch (d.lastDocument) {
        // Never cut: a number that outgrows four digits takes five.
        case 'four':
          return [digits(document, 4)]
        case 'six':
          return [digits(document, 6)]
        case 'fourAndSeven':
          return [digits(document % 10_000, 4), digits(document, 7)]
      }
    },
    read(r) {
      const first = r.whole('document')
      return { document: r.left > 0 && r.peek() !== '' ? r.whole('document') : first }
    },
  })

export interface ElectronicAsk {
  readonly document: number
  /** E: with a size of the symbols. */
  readonly size?: string
}

export const registerCommands = (d: Edition) =>
  [
    command({
      name: 'daySums',
      code: 0x6d,
      source: '4.14',
      ...question,
      response: cells<DaySums>(d, {
        fields: { turnover: 'money', total: 'money', reversals: 'money', reversalTotal: 'money' },
        write: (v, w) => [
          ...w.amounts(v.turnover),
          w.amount(v.total),
          ...(v.reversals === undefined ? [] : [...w.amounts(v.reversals), w.amount(v.reversalTotal ?? 0)]),
        ],
        read(r) {
          const sums = { turnover: r.amounts('turnover', d.taxClasses), total: r.amount('total') }
          if (r.left <= 1) return sums
          return { ...sums, reversals: r.amounts('turnover', d.taxClasses), reversalTotal: r.amount('total') }
        },
      }),
    }),
    command({
      name: 'dayRegisters',
      code: 0x6e,
      source: '4.14',
      ...question,
      request: cells<{ option: RegisterOption }>(d, {
        fields: {},
        write: (v) => [v.option],
        read: (r) => ({ option: r.letter('option', [...OPTIONS, ':']) }),
      }),
      response: dayRegisters(d),
    }),
    command({
      name: 'operatorRegisters',
      code: 0x6f,
      source: '4.14',
      ...question,
      request: cells<{ option: '1' | '2' | '3' | '4' | '5' | '6'; operator: number }>(d, {
        fields: { operator: 'number' },
        write: (v) => [v.option, String(v.operator)],
        read: (r) => ({
          option: r.letter('option', ['1', '2', '3', '4', '5', '6']),
          operator: r.whole('operator', { min: 1, max: 20 }),
        }),
      }),
      response: operatorRegisters(d),
    }),
    command({ name: 'lastDocument', code: 0x71, source: '4.14', ...question, response: lastDocument(d) }),
    command({ name: 'transactionStatus', code: 0x72, source: '4.14', ...question, response: receiptState(d) }),
    command({
      name: 'receiptPayments',
      code: 0x72,
      source: '4.14',
      ...question,
      claims: (data) => data.startsWith('P'),
      request: cells<Record<never, never>>(d, {
        fields: {},
        write: () => ['P'],
        read(r) {
          r.letter('option', ['P'])
          return {}
        },
      }),
      response: cells<ReceiptPayments>(d, {
        fields: { payments: 'money' },
        write: (v, w) => ['P', v.open ? '1' : '0', ...w.amounts(v.payments)],
        read(r) {
          r.letter('option', ['P'])
          return { open: r.bit('open'), payments: r.amounts('payment', d.payments) }
        },
      }),
    }),
    command({
      name: 'receiptCode',
      code: 0x72,
      source: '4.14',
      ...question,
      claims: (data) => /^[Bb]/.test(data),
      request: cells<{ document?: number }>(d, {
        fields: { document: 'number' },
        write: (v) => (v.document === undefined ? ['B'] : ['b', digits(v.document, 6)]),
        read: (r) => (r.letter('option', ['B', 'b']) === 'B' ? {} : { document: r.whole('document', { min: 1 }) }),
      }),
      response: receiptCode,
    }),
    command({
      name: 'electronicReceipt',
      code: 0x72,
      source: '4.14',
      ...question,
      claims: (data) => /^[eE]/.test(data),
      request: cells<ElectronicAsk>(d, {
        fields: { document: 'number', size: 'text' },
        write: (v) => [
          v.size === undefined ? 'e' : 'E',
          digits(v.document, 6),
          ...(v.size === undefined ? [] : [v.size]),
        ],
        read(r) {
          const option = r.letter('option', ['e', 'E'])
          const document = r.whole('document', { min: 1 })
          if (option === 'e') return { document }
          const size = r.next('size')
          if (size.length !== 1) throw syntaxError('size', 'is one symbol')
          return { document, size }
        },
      }),
    }),
    command({ name: 'lastZ', code: 0x73, source: '4.14', ...question, response: lastZ(d) }),
    command({ name: 'memoryDump', code: 0x75, source: '4.14', ...question }),
  ] as const
