/**
 * Ids of requests, frames and timeline entries are of one run of the program. The address of one of them contains the
 * run, so that it never leads to another one with the same id.
 */
import { createContext } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressNow, refine, useAddress } from '../route.ts'
import { useStore } from '../store.ts'

/** True around content that is gone: the current lists do not belong to it. */
export const OfEarlierRun = createContext(false)

export const useRun = (): string | undefined => useStore((state) => state.device?.run)

/**
 * Returns whether the id in the address is of an earlier run. A link without a run is of the current one, which is
 * added to the address; an address without an id has none. `hasId`: whether the address contains an id.
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

/** Explains why content is dimmed. */
export const NotStored = ({ words }: { readonly words: string }) => (
  <p class="not-stored" role="status">
    {words}
  </p>
)

/** Returns the value, or the last one before its subject was gone: the same id is of another subject now. */
export function useUntilGone<T>(isGone: boolean, value: T): T {
  const last = useRef(value)
  if (!isGone) last.current = value
  return last.current
}
