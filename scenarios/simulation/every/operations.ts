/** Requests of every kind, with the requests before and after each of them, as steps of `check`. */
import type { RequestStep } from '../steps.ts'

export interface Operation<Ask = RequestStep> {
  readonly name: string
  readonly before: readonly Ask[]
  readonly ask: Ask
  readonly retry: Ask
  readonly after: readonly Ask[]
  /** True if the request itself opens and closes its documents. */
  readonly isWhole: boolean
  readonly isReceipt: boolean
  readonly isRare?: boolean
}

const OPEN_STEP: RequestStep = { do: 'open' }
const SALE: RequestStep = { do: 'sale' }
const PAY: RequestStep = { do: 'payRest' }
const CLOSE: RequestStep = { do: 'close' }
const SLIP: RequestStep = { do: 'openSlip' }
const LINE_STEP: RequestStep = { do: 'slipText' }
const CLOSE_SLIP: RequestStep = { do: 'closeSlip' }
const RECEIPT: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }

const retryOf = (ask: RequestStep): RequestStep => {
  // An order with the same token is the same request, with or without a key.
  if (ask.do === 'order') return ask
  if ('key' in ask && ask.key === true) return { do: 'again' }
  return { do: 'status' }
}

const nameOf = ({ do: what, ...options }: RequestStep): string =>
  [what, ...Object.entries(options).map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join(' ')

/** Tuples of the requests before, the request, and the requests after. */
const STEPS: readonly (readonly [readonly RequestStep[], RequestStep, readonly RequestStep[]])[] = [
  [[RECEIPT], { do: 'z', key: true }, []],
  [[RECEIPT], { do: 'x', key: true }, []],
  [[RECEIPT], { do: 'x' }, []],
  [[RECEIPT], { do: 'copy', key: true }, []],
  [[RECEIPT], { do: 'lines', calls: ['cash', 'x'], key: true }, []],
  [[RECEIPT], { do: 'lines', calls: ['copy', 'z'], key: true }, []],
  [[RECEIPT], { do: 'lines', calls: ['cash'], key: false }, []],
  [[], { do: 'receipt', rows: 2, paying: 'card and cash', key: true }, []],
  [[], { do: 'receipt', rows: 3, paying: 'two cards and cash', key: true }, []],
  [[], { do: 'receipt', rows: 2, paying: 'card', key: true }, []],
  [[], { do: 'receipt', rows: 1, paying: 'nothing said', key: false }, []],
  [[], { do: 'receipt', rows: 2, paying: 'nothing said', with: ['discount', 'separating line', 'same text again'], key: true }, []],
  [[], { do: 'receipt', rows: 1, paying: 'card and cash', with: ['subtotal'], key: true }, []],
  [[], { do: 'receipt', rows: 1, paying: 'nothing said', free: 'all taken off', key: true }, []],
  [[], { do: 'receipt', rows: 2, paying: 'nothing said', free: 'all taken back', key: false }, []],
  [[], { do: 'receipt', rows: 2, paying: 'card', with: ['free sale', 'row with surcharge'], key: true }, []],
  [[], { do: 'receipt', rows: 2, paying: 'nothing said', with: ['row taken back', 'barcode'], key: true }, []],
  [[], { do: 'receipt', rows: 1, paying: 'nothing said', with: ['invoice'], key: true }, []],
  [[], { do: 'order', order: 1, token: 1 }, []],
  [[], { do: 'order', order: 1, token: 1, key: 1 }, []],
  [[], { do: 'slip', key: true }, []],
  [[], { do: 'cancelled slip', key: true }, []],
  [[], { do: 'legacy receipt', key: true }, []],
  [[], { do: 'legacy receipt', key: true, cancelled: true }, []],
  [[], { do: 'legacy receipt', key: true, inTwo: true }, []],
  [[], { do: 'slip', with: ['separating line', 'same text again'], key: true }, []],
  [[], { do: 'open', key: true }, [SALE, PAY, CLOSE]],
  [[OPEN_STEP], { do: 'sale', key: true }, [PAY, CLOSE]],
  [[OPEN_STEP, SALE], { do: 'text' }, [PAY, CLOSE]],
  [[OPEN_STEP, SALE], { do: 'discount', key: true }, [PAY, CLOSE]],
  [[OPEN_STEP, SALE], { do: 'payCard', key: true }, [PAY, CLOSE]],
  [[OPEN_STEP, SALE], { do: 'payRest', key: true }, [CLOSE]],
  [[OPEN_STEP, SALE, PAY], { do: 'close', key: true }, []],
  [[OPEN_STEP, SALE, PAY], { do: 'close' }, []],
  [[OPEN_STEP, SALE], { do: 'cancel', key: true }, []],
  [[], { do: 'openSlip', key: true }, [LINE_STEP, CLOSE_SLIP]],
  [[SLIP], { do: 'slipText' }, [CLOSE_SLIP]],
  [[SLIP, LINE_STEP], { do: 'closeSlip', key: true }, []],
  [[SLIP], { do: 'cancelSlip', key: true }, []],
] // biome-ignore format: a table

const ONE_STEP = ['open', 'sale', 'text', 'discount', 'payCard', 'payRest', 'close', 'cancel', 'openSlip', 'slipText', 'closeSlip', 'cancelSlip'] // biome-ignore format: a list

export const STEP_OPERATIONS: readonly Operation[] = STEPS.map(([before, ask, after]) => ({
  name: nameOf(ask),
  before,
  ask,
  retry: retryOf(ask),
  after,
  isWhole: !ONE_STEP.includes(ask.do),
  isReceipt: ask.do === 'receipt' || ask.do === 'order',
}))
