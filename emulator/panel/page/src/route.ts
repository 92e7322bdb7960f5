import { useEffect, useState } from 'preact/hooks'
import { type Address, readAddress, writeAddress } from './address.ts'

/** The page's address as its views use it: what they show stands in it, so that back, forward and a link bring it again. */

const watchers = new Set<() => void>()
const tell = () => {
  for (const watcher of watchers) watcher()
}
addEventListener('hashchange', tell)
addEventListener('popstate', tell)

const addressNow = (): Address => readAddress(location.hash)

/** Draws again when the address has become another one. */
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

/** `isStep`: one that the browser's "back" takes back; what is typed or scrolled past is none. */
export function go(address: Partial<Address> & Pick<Address, 'view'>, isStep = true): void {
  const hash = writeAddress(address)
  if (hash === location.hash) return
  if (isStep) history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  tell()
}

/** Changes how the present view is shown, without a step. */
export function refine(query: Readonly<Record<string, string>>): void {
  const now = addressNow()
  go({ ...now, query: { ...now.query, ...query } }, false)
}
