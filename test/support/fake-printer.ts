/**
 * A printer in memory for tests of the service alone. The printer has a receipt, refuses calls by its state, records
 * every call, and fails where a test requests it. Sums are quantity x price, without adjustments and tax.
 */

import type { Capabilities } from '../../drivers/model/capabilities.ts'
import { DeviceError, type DeviceProblem, refused } from '../../drivers/model/errors.ts'
import type { FiscalPrinter, ReceiptKind } from '../../drivers/model/printer.ts'

export const CAPABILITIES_A: Capabilities = {
  freeSale: true,
  invoice: true,
  textFormatting: 'full',
  nonFiscalNeedsOperator: false,
  barcodes: [
    { type: 1, name: 'EAN8', data: '7 or 8 digits', pattern: /^\d{7,8}$/, checked: 7 },
    { type: 4, name: 'QRCode', data: '3 to 279 characters', pattern: /^.{3,279}$/ },
  ],
  barcodeRefusal: (type) => `Family A does not print barcode type ${type}.`,
  displayWidth: 20,
  lineWidth: 42,
  paymentModes: [
    { mode: 0, name: 'cash' },
    { mode: 1, name: 'card' },
  ],
  refusesZeroRows: true,
  defaultPassword: () => '0000',
  passwordLength: { min: 1, max: 200 },
  limits: {
    rowPercent: { surcharge: 10_000, discount: 10_000 },
    subtotalPercent: { surcharge: 10_000, discount: 10_000 },
    payments: 100,
  },
}

export const CAPABILITIES_B: Capabilities = {
  ...CAPABILITIES_A,
  freeSale: { refusedBecause: 'Family B has no free sales: use register-plu-sale.' },
  invoice: false,
  textFormatting: 'none',
}
export const CAPABILITIES_C: Capabilities = {
  ...CAPABILITIES_A,
  nonFiscalNeedsOperator: true,
  barcodes: [],
  barcodeRefusal: () => 'NotSupportedException: family C prints no barcodes.',
}

export type Operation = Exclude<
  keyof FiscalPrinter,
  'family' | 'capabilities' | 'connect' | 'disconnect' | 'state' | 'onWaiting' | 'brokenSince'
>

interface Failure {
  readonly on: Operation
  readonly problem: DeviceProblem
  /** True if the operation is executed and only its response is lost. */
  readonly afterwards: boolean
  skip: number
}

export interface FakePrinter extends FiscalPrinter {
  /** The list includes status queries. */
  readonly calls: string[]
  readonly closed: number[]
  /** Makes a call of this operation fail, after `skip` successful calls. */
  failOn(on: Operation, problem: DeviceProblem, afterwards?: boolean, skip?: number): void
  state: FiscalPrinter['state']
  /** Simulates a device that waits in the middle of a command. */
  waits(problem: DeviceProblem): void
  /** Holds every call until the returned function is called. */
  hold(): () => void
  kind: ReceiptKind
  capabilities: Capabilities
}

const NUMBERS = { serialNumber: 'F1', fiscalMemoryNumber: '1' }

export function createFakePrinter(capabilities: Capabilities = CAPABILITIES_A): FakePrinter {
  let kind: ReceiptKind = 'None'
  let [documents, total, paid, items] = [0, 0, 0, 0]
  let failures: Failure[] = []
  let gate: Promise<void> = Promise.resolve()
  const calls: string[] = []
  const closed: number[] = []

  const need = (...kinds: ReceiptKind[]): string => {
    if (!kinds.includes(kind)) throw refused('-111015', 'wrongState', 'not possible in this state')
    return ''
  }

  async function call<T>(on: Operation, act: () => T): Promise<T> {
    calls.push(on)
    await gate
    const due = failures.find((one) => one.on === on)
    const failure = due && due.skip-- > 0 ? undefined : due
    failures = failures.filter((one) => one !== failure)
    if (failure && !failure.afterwards) throw new DeviceError(failure.problem)
    const value = act()
    if (failure) throw new DeviceError(failure.problem)
    return value
  }

  const print = async (on: Operation, act: () => string) => ({ text: await call(on, act), retransmitted: false })

  const opened = async (on: Operation, next: ReceiptKind) => {
    const answer = await print(on, () => open(next))
    return { ...answer, document: documents }
  }
  const open = (next: ReceiptKind): string => {
    need('None')
    documents++
    kind = next
    total = 0
    paid = 0
    items = 0
    return String(documents)
  }
  const end = (): string => {
    kind = 'None'
    return ''
  }
  const sell = (amount: number): string => {
    need('Fiscal', 'Invoice')
    if (paid > 0) throw refused('-111060', 'paymentStarted', 'a payment was registered')
    if (amount === 0) throw refused('-111063', 'zeroRow', 'the row is zero')
    total += amount
    items++
    return ''
  }

  const waitingCalls: ((problem: DeviceProblem) => void)[] = []

  return {
    family: 'A',
    state: { isConnected: true, identity: undefined, conditions: new Set() },
    onWaiting: (call) => void waitingCalls.push(call),
    waits: (problem) => {
      for (const call of waitingCalls) call(problem)
    },
    calls,
    closed,
    capabilities,
    get kind() {
      return kind
    },
    set kind(value) {
      kind = value
    },
    failOn: (on, problem, afterwards = false, skip = 0) => {
      failures.push({ on, problem, afterwards, skip })
    },
    hold: () => {
      let release: () => void = () => undefined
      gate = new Promise((resolve) => (release = resolve))
      return () => release()
    },
    connect: async () => ({ family: 'A', model: 'fake', firmware: '1', ...NUMBERS }),
    disconnect: async () => undefined,
    brokenSince: () => undefined,
    openNonFiscal: () => opened('openNonFiscal', 'NonFiscal'),
    printNonFiscalText: () => print('printNonFiscalText', () => need('NonFiscal')),
    closeNonFiscal: () => print('closeNonFiscal', () => need('NonFiscal') + end()),
    cancelNonFiscal: () => print('cancelNonFiscal', () => need('NonFiscal') + end()),
    openFiscal: ({ invoice }) => opened('openFiscal', invoice ? 'Invoice' : 'Fiscal'),
    printFiscalText: () => print('printFiscalText', () => need('Fiscal', 'Invoice')),
    sell: ({ price, quantity }) => print('sell', () => sell((price * quantity) / 1000)),
    sellArticle: ({ quantity }) => print('sellArticle', () => sell((100 * quantity) / 1000)),
    subtotal: () => print('subtotal', () => need('Fiscal', 'Invoice') + String(total)),
    pay: ({ mode, amount = total - paid }) =>
      print('pay', () => {
        need('Fiscal', 'Invoice')
        if (amount <= 0) throw refused('-111017', 'alreadyPaid', 'nothing is left to pay')
        if (mode !== 0 && amount > total - paid) throw refused('-111018', 'paymentTooLarge', 'more than is left to pay')
        paid = Math.min(total, paid + amount)
        return ''
      }),
    closeFiscal: () =>
      call('closeFiscal', () => {
        need('Fiscal', 'Invoice')
        if (items === 0 || paid < total) throw refused('-111019', 'notFullyPaid', 'the receipt is not paid')
        closed.push(documents)
        end()
        return { receiptNumber: String(documents), raw: String(documents), retransmitted: false }
      }),
    cancelFiscal: () =>
      print('cancelFiscal', () => {
        need('Fiscal', 'Invoice')
        if (paid > 0) throw refused('-111020', 'paymentStarted', 'a payment was registered')
        return end()
      }),
    transactionStatus: () =>
      call('transactionStatus', () => ({
        isOpen: kind !== 'None',
        kind,
        receiptNumber: String(documents),
        itemsCount: items,
        total,
        paid,
        remaining: total - paid,
        raw: [kind, items, total, paid].join('\t'),
      })),
    numbers: () => call('numbers', () => NUMBERS),
    lastDocument: () => call('lastDocument', () => documents),
    evidence: () =>
      call('evidence', () => ({
        ...NUMBERS,
        hold: 1,
        open: kind === 'None' ? null : { kind, number: documents, items, total, paid, remaining: total - paid },
        lastDocument: documents,
        lastReceipt: closed.at(-1) ?? 0,
        lastZ: null,
        day: { turnover: null, receipts: closed.length, cashIn: null, cashOut: null },
      })),
    copyLastReceipt: () =>
      call('copyLastReceipt', () => {
        const last = closed.at(-1)
        if (last === undefined) throw refused('-111030', 'nothingToCopy', 'there is no receipt to copy')
        documents++
        return { receiptNumber: String(last), raw: '', retransmitted: false }
      }),
    reportX: () => print('reportX', () => `${need('None')}${++documents}`),
    reportZ: () => print('reportZ', () => `${need('None')}${++documents}`),
    archivedZ: (number) =>
      call('archivedZ', () =>
        number > 3
          ? undefined
          : {
              number,
              dateTime: '2026-07-15T18:00:00',
              firstReceipt: 1,
              lastReceipt: null,
              receiptsCount: 5,
              total: 123_450,
              taxes: [{ taxCode: 1, letter: 'A', rate: 2000, turnover: 123_450, tax: 20_575 }],
              payments: [{ paymentMode: 0, amount: 123_450 }],
              discounts: { count: 1, amount: 5 },
              surcharges: null,
              voids: { count: 0, amount: 0 },
              cashIn: null,
              cashOut: -150,
              raw: 'raw',
            },
      ),
    printBarcode: () => print('printBarcode', () => need('NonFiscal', 'Fiscal', 'Invoice')),
    printSeparatingLine: () => print('printSeparatingLine', () => need('NonFiscal', 'Fiscal', 'Invoice')),
    displayLine: () => print('displayLine', () => ''),
    clearDisplay: () => print('clearDisplay', () => ''),
  }
}
