/** Requests of every kind with the requests before and after them: the rows of the table of troubles (table.ts). */
import { onceFor } from '../../drivers/model/once.ts'
import { ORDER } from '../../scenarios/simulation/orders.ts'
import { passwordOf } from '../../scenarios/simulation/sent-requests.ts'
import { isSeldom, type Request, requestsOf } from './calls.ts'
import { type Ask, type CallStep, type Device, type Played, partsOf, play } from './play.ts'
import type { PlaceKind } from './troubles.ts'

export interface Operation {
  readonly name: string
  readonly before: readonly Ask[]
  readonly ask: Ask
  /** The same request again, as a caller sends it that got no answer. */
  readonly retry: Ask
  readonly after: readonly Ask[]
  /** One request that opens and closes its documents itself. */
  readonly isWhole: boolean
  /** A fiscal receipt in one request. */
  readonly isReceipt: boolean
  readonly isSeldom?: boolean
}

const OPEN: Ask = { do: 'open' }
const SALE: Ask = { do: 'sale' }
const PAY: Ask = { do: 'payRest' }
const CLOSE: Ask = { do: 'close' }
const SLIP: Ask = { do: 'openSlip' }
const LINE: Ask = { do: 'slipText' }
const CLOSE_SLIP: Ask = { do: 'closeSlip' }
const RECEIPT: Ask = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }

const retryOf = (ask: Ask): Ask => {
  // The same order by the same token is the same request, with a key or without.
  if (ask.do === 'call' || ask.do === 'order') return ask
  if ('key' in ask && ask.key === true) return { do: 'again' }
  return { do: 'status' }
}

const nameOf = ({ do: what, ...more }: Ask): string =>
  [what, ...Object.entries(more).map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join(' ')

/** Before, the request, after. */
const STEPS: readonly (readonly [readonly Ask[], Ask, readonly Ask[]])[] = [
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
  [[], { do: 'order', order: 1, token: 1 }, []],
  [[], { do: 'order', order: 1, token: 1, key: 1 }, []],
  [[], { do: 'slip', key: true }, []],
  [[], { do: 'legacy receipt', key: true }, []],
  [[], { do: 'legacy receipt', key: true, cancelled: true }, []],
  [[], { do: 'legacy receipt', key: true, inTwo: true }, []],
  [[], { do: 'slip', with: ['separating line', 'same text again'], key: true }, []],
  [[], { do: 'open', key: true }, [SALE, PAY, CLOSE]],
  [[OPEN], { do: 'sale', key: true }, [PAY, CLOSE]],
  [[OPEN, SALE], { do: 'text' }, [PAY, CLOSE]],
  [[OPEN, SALE], { do: 'discount', key: true }, [PAY, CLOSE]],
  [[OPEN, SALE], { do: 'payCard', key: true }, [PAY, CLOSE]],
  [[OPEN, SALE], { do: 'payRest', key: true }, [CLOSE]],
  [[OPEN, SALE, PAY], { do: 'close', key: true }, []],
  [[OPEN, SALE, PAY], { do: 'close' }, []],
  [[OPEN, SALE], { do: 'cancel', key: true }, []],
  [[], { do: 'openSlip', key: true }, [LINE, CLOSE_SLIP]],
  [[SLIP], { do: 'slipText' }, [CLOSE_SLIP]],
  [[SLIP, LINE], { do: 'closeSlip', key: true }, []],
  [[SLIP], { do: 'cancelSlip', key: true }, []],
] // biome-ignore format: a table

const ONE_STEP = ['open', 'sale', 'text', 'discount', 'payCard', 'payRest', 'close', 'cancel', 'openSlip', 'slipText', 'closeSlip', 'cancelSlip'] // biome-ignore format: a list

/** In the words of `check`, whose judge knows what each of them prints. */
export const STEP_OPERATIONS: readonly Operation[] = STEPS.map(([before, ask, after]) => ({
  name: nameOf(ask),
  before,
  ask,
  retry: retryOf(ask),
  after,
  isWhole: !ONE_STEP.includes(ask.do),
  isReceipt: ask.do === 'receipt' || ask.do === 'order',
}))

const callOf = ({ path, body, key }: Request['call']): CallStep => ({ do: 'call', path, body, key })

/** What is tried at every byte; the service has met its device before. */
export const BYTES_OPERATION: Operation = {
  name: 'a receipt of two rows, by card and in cash',
  before: [{ do: 'status' }],
  ...{ ask: { do: 'receipt', rows: 2, paying: 'card and cash', key: true }, retry: { do: 'again' }, after: [] },
  ...{ isWhole: true, isReceipt: true },
}

/** In full, judged by paper. A receipt comes first: what a line of a legacy job copies or takes money from. */
export const callOperations = onceFor((device: Device): readonly Operation[] => {
  const { family, profile } = partsOf(device)
  const requests = requestsOf(passwordOf(family, undefined, profile))
  const first = callOf((requests['a subtotal that is shown'] as Request).call)
  return Object.entries(requests).map(([name, { before = [], call, after = [] }]) => {
    const ask = callOf({ ...call, key: 'key' })
    const isWhole = !name.startsWith('one ') && name !== 'opening'
    return {
      ...{ name, before: [first, ...before.map(callOf)], ask, retry: ask, after: after.map(callOf), isWhole },
      isReceipt: call.path === '/print-fiscal-receipt' || call.path === ORDER,
      isSeldom: isSeldom(name),
    }
  })
})

/** The same request without trouble: its answer, its paper, and the places at which trouble can occur. */
export function undisturbed(device: Device, { before, ask, after, isWhole }: Operation): Promise<Played> {
  const key = JSON.stringify([device, before, ask, after])
  const known =
    PLAYED.get(key) ??
    play({ device }, [...before, ask, ...after], {
      ...{ countFrom: before.length, countTo: before.length + 1, mayStayOpen: !isWhole },
    })
  PLAYED.set(key, known)
  return known
}
const PLAYED = new Map<string, Promise<Played>>()

/** Number of the places of a kind. */
export async function placesOf(device: Device, operation: Operation, kind: PlaceKind): Promise<number> {
  if (kind === 'memoryWrite' || kind === 'paperLine') return pointsOf(device, operation, kind)
  const { frame, command, answer, bytesToDevice, bytesToHost } = (await undisturbed(device, operation)).places
  const sum = (lengths: readonly number[]) => lengths.reduce((bytes, length) => bytes + length, 0)
  switch (kind) {
    case 'frame':
      return frame
    case 'command':
      return command
    case 'answer':
      return answer
    case 'byteToDevice':
      return sum(bytesToDevice)
    case 'byteToHost':
      return sum(bytesToHost)
  }
}

/** Nothing tells how many these are but a power cut at the n-th: the first that does not occur is looked for by halves. */
async function pointsOf(device: Device, operation: Operation, kind: 'memoryWrite' | 'paperLine'): Promise<number> {
  const { before, ask, retry } = operation
  const at = kind === 'memoryWrite' ? 'memory.write' : 'paper.line'
  const occurs = async (skip: number): Promise<boolean> => {
    const rule = { at, skip, times: 1, do: 'powerCut' } as const
    const { hits } = await play({ device }, [...before, { do: 'fault', rule }, ask, retry])
    return hits > 0
  }
  let [first, last] = [0, 256]
  while (first < last) {
    const middle = (first + last) >> 1
    if (await occurs(middle)) first = middle + 1
    else last = middle
  }
  return first
}
