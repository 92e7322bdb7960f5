import type { Clock } from '../../drivers/model/clock.ts'
import type { Delivery } from '../faults/points.ts'

/** Creates one direction of a line. Bytes arrive in order, immediately or later, and may be cut off. */
export function createTransit(
  clock: Clock,
  arrive: (bytes: Uint8Array) => void,
  end: (what: 'unplug' | 'powerCut') => void,
) {
  /** Time at which the last piece in transit arrives. Later bytes follow it. */
  let lastDue = 0
  let underWay = 0
  const cancels = new Set<() => void>()

  function pass(bytes: Uint8Array): void {
    if (underWay === 0) arrive(bytes)
    else {
      // The sender may reuse its buffer before these bytes arrive.
      const copy = bytes.slice()
      later(0, () => arrive(copy))
    }
  }

  function deliver({ pieces, ending }: Delivery): void {
    for (const { bytes, afterMs } of pieces) {
      if (afterMs <= 0) pass(bytes)
      else {
        const copy = bytes.slice()
        later(afterMs, () => arrive(copy))
      }
    }
    if (!ending) return
    if (underWay === 0) end(ending)
    else later(0, () => end(ending))
  }

  function clear(): void {
    for (const cancel of cancels) cancel()
    cancels.clear()
    underWay = 0
    lastDue = 0
  }

  function later(afterMs: number, act: () => void): void {
    const now = clock.now()
    lastDue = Math.max(now, lastDue) + afterMs
    underWay++
    const cancel = clock.after(lastDue - now, () => {
      cancels.delete(cancel)
      underWay--
      act()
    })
    cancels.add(cancel)
  }

  return {
    pass,
    deliver,
    clear,
    get isEmpty() {
      return underWay === 0
    },
  }
}

export type Transit = ReturnType<typeof createTransit>
