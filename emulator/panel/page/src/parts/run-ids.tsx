/**
 * Ids of requests, frames and timeline entries are unique within one run of the emulator. An address contains the run,
 * so that it does not lead to an object of another run with the same id.
 */
import { createContext } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressNow, refine, useAddress } from '../route.ts'
import { useStore } from '../store.ts'

/** True around content of an earlier run, to which the current lists do not belong. */
export const OfEarlierRun = createContext(false)

export const useRun = (): string | undefined => useStore((state) => state.device?.run)

/**
 * Returns whether the id in the address is of an earlier run. Adds the current run to an address with an id but without
 * a run. `hasId` is true if the address contains an id.
 */
export function useIsEarlier(hasId: boolean): boolean {
  const run = useRun()
  const { view, query } = useAddress()
  const { run: own } = query
  useEffect(() => {
    if (addressNow().view !== view) return
    if (!hasId && own !== undefined) refine({ run: '' })
    else if (hasId && own === undefined && run !== undefined) refine({ run })
  }, [hasId, own, run])
  return hasId && own !== undefined && run !== undefined && own !== run
}

export const NotStored = ({ words }: { readonly words: string }) => (
  <p class="not-stored" role="status">
    {words}
  </p>
)

/**
 * Returns the value; after its subject is gone, the last value before that, because the same id now belongs to another
 * subject.
 */
export function useUntilGone<T>(isGone: boolean, value: T): T {
  const last = useRef(value)
  if (!isGone) last.current = value
  return last.current
}
