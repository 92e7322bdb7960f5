/**
 * The page's address as its views use it: it contains the state of the view, so that back, forward and links restore
 * it.
 */
import { useEffect, useState } from 'preact/hooks'
import { type Address, readAddress, writeAddress } from './address.ts'

const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}
addEventListener('hashchange', notify)
addEventListener('popstate', notify)

export const addressNow = (): Address => readAddress(location.hash)

/** Renders again when the address has changed. */
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

/** Changes the address. `isStep`: adds a step to the browser's history; typing and scrolling add none. */
export function navigate(address: Partial<Address> & Pick<Address, 'view'>, isStep = true): void {
  const hash = writeAddress(address)
  if (hash === location.hash) return
  if (isStep) history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  notify()
}

/** Changes the query of the current view, without a step in the history. */
export function refine(query: Readonly<Record<string, string>>): void {
  const now = addressNow()
  navigate({ ...now, query: { ...now.query, ...query } }, false)
}
