/**
 * The address of the page. It contains the state of the current view, so that back, forward and links restore the view.
 */
import { useEffect, useState } from 'preact/hooks'
import { type Address, idInAddress, type Printed, readAddress, timeInAddress, writeAddress } from './address.ts'

const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}
addEventListener('hashchange', notify)
addEventListener('popstate', notify)

export const addressNow = (): Address => readAddress(location.hash)

export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const look = () => setHash(location.hash)
    look()
    watchers.add(look)
    return () => {
      watchers.delete(look)
    }
  }, [])
  return readAddress(hash)
}

/** Changes the address. `isStep` adds an entry to the history of the browser; typing and scrolling add none. */
export function navigate(address: Partial<Address> & Pick<Address, 'view'>, isStep = true): void {
  const hash = writeAddress(address)
  if (hash === location.hash) return
  if (isStep) history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  notify()
}

export function refine(query: Readonly<Record<string, string>>): void {
  const now = addressNow()
  navigate({ ...now, query: { ...now.query, ...query } }, false)
}

/**
 * Adds the printing time of the object that is shown to an address that has only an id, and removes the time from an
 * address without an id.
 */
export function useTimeInAddress(
  view: string,
  id: number | undefined,
  at: string | undefined,
  shown: Printed | undefined,
): void {
  const time = shown && timeInAddress(shown)
  useEffect(() => {
    // The address may have changed since the object was drawn.
    const address = addressNow()
    if (address.view !== view || idInAddress(address.path[0]) !== id) return
    if (id === undefined && at !== undefined) refine({ at: '' })
    else if (id !== undefined && at === undefined && time !== undefined) refine({ at: time })
  }, [view, id, at, time])
}
