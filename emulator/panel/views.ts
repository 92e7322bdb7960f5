import { randomUUID } from '../../drivers/host/digest.ts'
import { formatMoney, formatPercent } from '../../drivers/model/money.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import type { Emulator } from '../emulator.ts'
import type { FaultReport } from '../faults/points.ts'
import type { DocumentHead, FiscalDevice, PaperDocument } from '../fiscal/api.ts'
import type { ZRecord } from '../fiscal/types/day.ts'
import type { Article, ByTaxGroup, CountedAmount } from '../fiscal/types/registers.ts'
import type { TimelineEntry } from '../timeline.ts'
import type {
  ArticleView,
  CountedView,
  DayView,
  DeviceView,
  DocumentHead as DocumentHeadView,
  DocumentView,
  HitView,
  ReceiptView,
  RegistersView,
  TimelineEntryView,
  ZView,
} from './contract.ts'

const counted = ({ count, amount }: CountedAmount): CountedView => ({ count, amount: formatMoney(amount) })

const byGroup = (groups: ByTaxGroup<number>, count: number): Record<string, string> =>
  Object.fromEntries(TAX_CODES.slice(0, count).map((code) => [taxLetter(code), formatMoney(groups[code - 1] ?? 0)]))

/** Returns an amount for every payment mode of the profile, also for unused ones. */
const byMode = (payments: Readonly<Record<number, number>>, { profile }: FiscalDevice): Record<string, string> =>
  Object.fromEntries(profile.payments.map(({ mode }) => [mode, formatMoney(payments[mode] ?? 0)]))

const RUN_LENGTH = 8
const runs = new WeakMap<Emulator, string>()

/** The identifier lets a client notice that the process was restarted. */
function runOf(emulator: Emulator): string {
  const run = runs.get(emulator) ?? randomUUID().slice(0, RUN_LENGTH)
  runs.set(emulator, run)
  return run
}

export function emulatorView(emulator: Emulator): DeviceView {
  const { device, profile } = emulator
  const { counters, memory } = device
  return {
    family: emulator.family,
    profile: profile.profile,
    model: profile.model,
    serialNumber: profile.serialNumber,
    fiscalMemoryNumber: profile.fiscalMemoryNumber,
    fiscalised: device.fiscalised,
    power: emulator.power,
    paper: device.mechanism.paper,
    cover: device.mechanism.coverOpen,
    cable: emulator.cable,
    lineMs: emulator.times?.lineMs ?? null,
    clock: device.localTime(),
    display: [...device.display.lines],
    receipt: receiptView(device),
    counters: {
      fiscalReceipts: counters.fiscalReceipts,
      nonFiscal: counters.nonFiscal,
      lastReceiptNumber: counters.lastReceipt,
      lastZ: counters.lastZ,
    },
    day: dayView(device),
    fiscalMemory: { used: memory.used, capacity: memory.capacity },
    run: runOf(emulator),
    generation: emulator.generation,
  }
}

export function receiptView({ receipt }: FiscalDevice): ReceiptView | null {
  if (!receipt) return null
  if (receipt.kind === 'nonFiscal') {
    return { kind: 'nonFiscal', number: receipt.document, items: 0, total: formatMoney(0), paid: formatMoney(0) }
  }
  const { fiscal } = receipt
  return {
    kind: fiscal.invoice ? 'invoice' : 'fiscal',
    number: fiscal.document,
    items: fiscal.items,
    total: formatMoney(fiscal.total),
    paid: formatMoney(fiscal.paid),
  }
}

export function dayView(device: FiscalDevice): DayView {
  const { day, profile } = device
  return {
    taxes: byGroup(day.taxes, profile.taxGroups),
    payments: byMode(day.payments, device),
    total: formatMoney(day.total),
    discounts: counted(day.discounts),
    surcharges: counted(day.surcharges),
    voids: counted(day.voids),
    cashIn: formatMoney(day.cashIn.amount),
    cashOut: formatMoney(day.cashOut.amount),
    drawerCash: formatMoney(day.drawerCash),
  }
}

export const headView = ({
  id,
  kind,
  number,
  zNumber,
  at,
  total,
  paymentModes,
  reversalReason,
}: DocumentHead): DocumentHeadView => ({
  id,
  kind,
  number,
  ...(zNumber === undefined ? {} : { zNumber }),
  at,
  ...(total === undefined ? {} : { total: formatMoney(total) }),
  ...(paymentModes === undefined ? {} : { paymentModes }),
  ...(reversalReason === undefined ? {} : { reversalReason }),
})

export const documentView = (document: PaperDocument): DocumentView => ({ ...headView(document), text: document.text })

export const zView = (z: ZRecord): ZView => ({
  number: z.number,
  at: z.at,
  firstReceipt: z.firstReceipt,
  lastReceipt: z.lastReceipt,
  receiptsCount: z.receiptsCount,
  total: formatMoney(z.total),
  taxes: z.taxes.map(({ taxCode, rate, turnover, tax }) => ({
    taxCode,
    letter: taxLetter(taxCode),
    rate: rate === null ? null : formatPercent(rate),
    turnover: formatMoney(turnover),
    tax: formatMoney(tax),
  })),
  payments: Object.entries(z.payments).map(([mode, amount]) => ({
    paymentMode: Number(mode),
    amount: formatMoney(amount),
  })),
  discounts: counted(z.discounts),
  surcharges: counted(z.surcharges),
  voids: counted(z.voids),
  cashIn: formatMoney(z.cashIn),
  cashOut: formatMoney(z.cashOut),
})

export const articleView = ({ plu, name, taxCode, price, department }: Article): ArticleView => ({
  plu,
  name,
  taxCode,
  price: formatMoney(price),
  department,
})

export const registersView = ({ profile, registers }: FiscalDevice): Omit<RegistersView, 'composes'> => ({
  taxRates: TAX_CODES.slice(0, profile.taxGroups).map((code) => {
    const rate = registers.taxRates[code - 1] ?? null
    return { taxCode: code, letter: taxLetter(code), rate: rate === null ? null : formatPercent(rate) }
  }),
  payments: registers.payments.map(({ mode, name }) => ({ paymentMode: mode, name })),
  lineWidth: profile.lineWidth,
  departments: profile.departments,
  nameLength: profile.articles.nameLength,
  freeRows: profile.articlesOnly !== true,
  zeroTotal: profile.rules.zeroTotal,
})

export function timelineEntryView(entry: TimelineEntry): TimelineEntryView {
  const at = new Date(entry.at).toISOString()
  if (entry.is !== 'state') return { ...entry, at } as TimelineEntryView
  const { receipt } = entry
  return {
    ...entry,
    at,
    receipt: receipt && { ...receipt, total: formatMoney(receipt.total), paid: formatMoney(receipt.paid) },
  }
}

export const hitView = ({ point, what, on, rule }: FaultReport, time: string): HitView => ({
  at: point,
  time,
  what,
  ...omitUndefined({ on, rule }),
})
