import type { Emulator } from '../../emulator/emulator.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { priceTypeOf } from '../../emulator/fiscal/articles.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { History } from './case-history.ts'
import { hundredthsOf, type Job } from './job.ts'

export type InitialState = 'openFiscal' | 'paidFiscal' | 'openNonFiscal' | 'dayOver'

interface State {
  enter(emulator: Emulator): History['otherPrograms']
  heal?(emulator: Emulator): void
}

export const STATES: Readonly<Record<InitialState, State>> = {
  openFiscal: { enter: ({ device }) => [openWithRow(device)] },
  paidFiscal: { enter: ({ device }) => [paid(device)] },
  openNonFiscal: {
    enter: ({ device }) => [{ number: expectDone(device.openNonFiscal({ operator: OPERATOR })).document, rows: [] }],
  },
  dayOver: {
    enter(emulator) {
      const { device } = emulator
      const otherProgram = paid(device)
      expectDone(device.closeFiscal())
      expectDone(emulator.setClock(device.localTime(device.now() + DAY_MS + MINUTE_MS)))
      return [otherProgram]
    },
    heal: ({ device }) => void (device.receipt === null && device.reportZ()),
  },
}

const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000
const OPERATOR = 1
/** An item of another program, at a price that no default job has. */
const OTHER_PROGRAMS_ARTICLE = { name: 'Left behind', taxCode: 1, price: 777, quantity: 1000 } as const

function openWithRow(device: FiscalDevice): History['otherPrograms'][number] {
  const opening = { kind: 'sale', invoice: false, operator: OPERATOR, pointOfSale: 1 } as const
  const { document } = expectDone(device.openFiscal(opening))
  expectDone(device.sell({ ...OTHER_PROGRAMS_ARTICLE, void: false }))
  const { taxCode, price, quantity } = OTHER_PROGRAMS_ARTICLE
  return { number: document, rows: [{ taxCode, price, quantity }] }
}

function paid(device: FiscalDevice): History['otherPrograms'][number] {
  const otherProgram = openWithRow(device)
  expectDone(device.pay({ mode: 0, amount: OTHER_PROGRAMS_ARTICLE.price }))
  return otherProgram
}

export function programArticles({ device }: Emulator, jobs: readonly Job[]): void {
  const items = new Map(jobs.flatMap((job) => job.items).map((item) => [item.plu, item]))
  // The device refuses two articles with the same name, so factory articles with the name of a job's item are removed.
  for (const { plu, name } of [...device.articles.all()]) {
    const isInTheWay = [...items.values()].some((item) => item.name === name && item.plu !== plu)
    if (items.has(plu) || isInTheWay) expectDone(device.articles.remove(plu, plu))
  }
  for (const { plu, name, taxCode, price } of items.values()) {
    const article = { plu, name, taxCode: taxCode as 1, price: hundredthsOf(price), department: 0, group: 1, unit: 0 }
    const priceType = priceTypeOf(plu, device.profile)
    expectDone(device.articles.program({ ...article, priceType, stock: null, barcodes: [] }))
  }
}

function expectDone<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new RangeError(`the device cannot be prepared for this case: ${outcome.refusal}`)
}
