import { memoize } from '../../drivers/model/memoize.ts'
import type { Operation as OperationOf } from '../../scenarios/simulation/every/operations.ts'
import { ORDER } from '../../scenarios/simulation/orders.ts'
import { passwordOf } from '../../scenarios/simulation/sent-requests.ts'
import { isSeldom, type Request, requestsOf } from './calls.ts'
import type { PlaceKind } from './fault-columns.ts'
import { type Ask, type CallStep, type Device, type Played, partsOf, play } from './play.ts'

export type Operation = OperationOf<Ask>

const callOf = ({ path, body, key }: Request['call']): CallStep => ({ do: 'call', path, body, key })

/** The operation that is tried with faults at every byte. The service has used its device before. */
export const BYTES_OPERATION: Operation = {
  name: 'a receipt of two rows, by card and in cash',
  before: [{ do: 'status' }],
  ...{ ask: { do: 'receipt', rows: 2, paying: 'card and cash', key: true }, retry: { do: 'again' }, after: [] },
  ...{ isWhole: true, isReceipt: true },
}

/**
 * Returns all requests of `requestsOf`, complete ones and single steps, as operations of the fault table. A receipt
 * precedes each of them, because a legacy job may copy it or take its money out of the drawer.
 */
export const callOperations = memoize((device: Device): readonly Operation[] => {
  const { family, profile } = partsOf(device)
  const requests = requestsOf(passwordOf(family, undefined, profile))
  const first = callOf((requests['a subtotal that is shown'] as Request).call)
  return Object.entries(requests).map(([name, { before = [], call, after = [] }]) => {
    const ask = callOf({ ...call, key: 'key' })
    const isWhole = !name.startsWith('one ') && name !== 'opening'
    return {
      ...{ name, before: [first, ...before.map(callOf)], ask, retry: ask, after: after.map(callOf), isWhole },
      isReceipt: call.path === '/print-fiscal-receipt' || call.path === ORDER,
      isRare: isSeldom(name),
    }
  })
})

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

/** A binary search is necessary, because only a power cut at the n-th point shows whether that point exists. */
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
