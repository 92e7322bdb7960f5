/** Queries (sheet 10.6 and 11). */
import { ERRORS } from '../../../drivers/family-b/protocol/errors.ts'
import { writeStatus } from '../../../drivers/family-b/protocol/status.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import { documentHash } from '../../fiscal/document-hash.ts'
import { NO_GROUPS } from '../../fiscal/totals.ts'
import type { ReversalReason, SaleRow } from '../../fiscal/types/receipt.ts'
import { type Context, done, error, type Handlers, refused, refusedInState } from '../context.ts'
import { closureList, groupsOf, presentDayList, RECEIPT_DIGITS } from '../day-lists.ts'
import { statusOf } from '../status.ts'

const TAX_NUMBER_WIDTH = 15

const itemsOf = (rows: readonly SaleRow[]): number => rows.reduce((items, row) => items + (row.void ? -1 : 1), 0)

/** Returns the values of 76 and 103: those of the open fiscal receipt or, if no receipt is open, of the last one. */
function receiptFacts({ receipt, lastFiscal, journal }: FiscalDevice) {
  if (receipt?.kind === 'fiscal') {
    const { rows, total, payments, rest, groups, invoice, invoiceNumber } = receipt.fiscal
    return {
      items: itemsOf(rows),
      total,
      tender: payments.at(-1)?.tendered ?? 0,
      // The device reports 0 before the first payment, too.
      remainder: payments.length === 0 ? 0 : rest,
      groups,
      invoice,
      invoiceNumber: invoiceNumber ?? 0,
      canVoid: payments.length === 0,
    }
  }
  const past = receipt === null ? lastFiscal : null
  const rows = past && journal.receipt?.(past.document)?.rows
  return {
    items: rows ? itemsOf(rows) : (past?.items ?? 0),
    total: past?.total ?? 0,
    tender: past?.payments.at(-1)?.amount ?? 0,
    remainder: 0,
    groups: past?.groups ?? NO_GROUPS,
    invoice: past?.invoice ?? false,
    invoiceNumber: past?.invoiceNumber ?? 0,
    canVoid: false,
  }
}

function constantsOf({ edition, device }: Context): string[] {
  const { profile } = device
  return [
    edition.logo.width,
    edition.logo.height,
    profile.payments.length,
    edition.groups,
    '',
    '',
    edition.firstGroup,
    8,
    edition.lineWidth,
    edition.commentWidth,
    edition.nameWidth,
    edition.serialWidth,
    edition.serialWidth,
    0,
    TAX_NUMBER_WIDTH,
    profile.departments,
    profile.articles.capacity,
    1,
    1,
    0,
    profile.operators,
    12,
    0,
    0,
    0,
    0,
  ].map(String)
}

/** Returns four hexadecimal digits that depend only on the firmware name. */
function checksum(text: string): string {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) & 0xffff
  return sum.toString(16).toUpperCase().padStart(4, '0')
}

/** Sample answer of 194 (frame b-194-modem-test); an emulated device has no modem. */
const MODEM = {
  error: 0,
  level: 75,
  attached: true,
  subscriber: '284013900000001',
  card: '8935901390000000001',
  equipment: '356938035643809',
}

/** Reversal types in 116. The type of a sale is 0. */
const QR_REASONS: Readonly<Record<ReversalReason, number>> = { refund: 1, operatorError: 2, taxBaseReduction: 3 }
const QR_SERVICE = 14

const dotted = (at: string): string => `${at.slice(8, 10)}.${at.slice(5, 7)}.${at.slice(0, 4)} ${at.slice(11, 19)}`

export const queries = {
  readClock: ({ device, switches }) =>
    done({ at: device.localTime(), ...(switches.clock === 'dots' ? { dots: true } : {}) }),

  lastFiscalRecord({ device, edition }, { sums }) {
    const record = device.memory.lastZ
    if (!device.fiscalised || !record) return refusedInState()
    const list = closureList(edition, [record], sums === 'gross' ? 'gross' : 'net')
    return done({ number: record.number, ...list, date: record.at.slice(0, 10) })
  },

  daySums: ({ device, edition }, { sums }) => done(presentDayList(edition, device, sums === 'gross' ? 'gross' : 'net')),

  freeRecords: ({ device }) => done({ logical: device.memory.remaining, physical: device.memory.remaining }),

  status: ({ device, switches }) => done({ status: writeStatus(statusOf(device, switches)) }),

  transactionStatus({ device, edition }, { payments }) {
    const { items, total, tender, remainder } = receiptFacts(device)
    // Firmware with five groups considers fiscal receipts only.
    const open = edition.newer ? device.receipt !== null : device.receipt?.kind === 'fiscal'
    return done({ open, items, amount: total, ...(payments ? { tender, remainder } : {}) })
  },

  deviceInfo({ device, edition }, { checksum: part }) {
    const firmware = edition.firmware(device.profile)
    return done({
      firmware,
      checksum: part === 'calculate' ? checksum(firmware) : 'FFFF',
      switches: '00',
      country: edition.country,
      ...device.numbers,
    })
  },

  taxRates: ({ device, edition }) => done({ rates: device.registers.taxRates.slice(0, edition.groups) }),

  taxNumber: ({ device }) =>
    done({ taxNumber: device.fiscalised ? device.registers.taxNumber : '-'.repeat(TAX_NUMBER_WIDTH) }),

  receiptSums({ device, edition }) {
    const { canVoid, groups, invoice, invoiceNumber } = receiptFacts(device)
    const sums = groupsOf(edition, groups)
    return done({
      canVoid,
      // Sheet 14: clients of this edition read a tax-free sum and five groups here too.
      sums: edition.sumList === 'taxFreeFirst' ? [0, ...sums] : sums,
      digits: RECEIPT_DIGITS,
      invoice,
      invoiceNumber,
    })
  },

  dayPayments({ device, edition }) {
    const { payments } = device.day
    return done({
      sums: device.profile.payments.map(({ mode }) => payments[mode] ?? 0),
      digits: edition.sumDigits,
      zNumber: device.counters.lastZ,
      nextDocument: device.counters.lastDocument + 1,
      invoiceNumber: device.registers.invoiceRange?.next ?? 0,
    })
  },

  operatorInfo({ device }, { operator }) {
    const record = operator <= device.profile.operators ? device.registers.operator(operator) : undefined
    if (!record) return error(21)
    const totals = device.registers.operatorTotals(operator)
    const counted = ({ count, amount }: { readonly count: number; readonly amount: number }) => ({ count, sum: amount })
    return done({
      receipts: totals.receipts,
      sales: totals.sales ? counted(totals.sales) : { count: totals.receipts, sum: totals.total },
      discounts: counted(totals.discounts),
      surcharges: counted(totals.surcharges),
      voids: counted(totals.voids),
      name: record.name,
    })
  },

  lastDocument: ({ device }) => done({ document: device.counters.lastDocument }),

  lastDocumentQr({ device }) {
    const { counters, numbers, journal } = device
    const { document, at, kind } = journal.last ?? { document: counters.lastDocument, at: device.localTime() }
    const receipt = journal.receipt(document)
    // Sheet 10.5: the total of a cancelled receipt is 0.00.
    const total = receipt && kind !== 'cancelled' ? receipt.total : 0
    const number = String(document).padStart(6, '0')
    const text = [numbers.fiscalMemoryNumber, number, at.slice(0, 10), at.slice(11, 19), formatMoney(total)].join('*')
    if (!receipt) return done({ result: 'PS', type: QR_SERVICE, text })
    return done({ result: 'PF', type: receipt.reason ? QR_REASONS[receipt.reason] : 0, text })
  },

  // An emulated device sends no documents to a server, so that none are waiting.
  modemTest(_, { raw }) {
    if (raw === 'T') return done(MODEM)
    return raw === 'W' ? done({ error: 0 }) : refused({ channel: 'invalid' })
  },

  firstUnsent: () => done({ found: false }),

  shopFlags: () => done({ flags: '0' }),

  documentInfo({ device }, { document }) {
    const [record] = device.journal.documents({ from: document, to: document })
    if (!record) return done({ found: false, fields: [] })
    const lines = device.journal.linesOf(document)
    const fields = [
      String(document).padStart(6, '0'),
      dotted(record.at),
      String(record.z),
      record.reversal ? '1' : '0',
      String(lines.length),
      String(record.kindNumber),
      device.journal.receipt(document)?.saleNumber ?? '',
      `000000,SHA1:${documentHash(lines).join('\n')}`,
    ]
    return done({ found: true, fields })
  },

  constants: (context) => done({ constants: constantsOf(context) }),

  errorText: (_, { number }) => done({ number, text: ERRORS[number]?.meaning ?? '' }),
} satisfies Partial<Handlers>
