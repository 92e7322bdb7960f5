import { useEffect, useRef, useState } from 'preact/hooks'
import type { DocumentHead } from '../../../contract.ts'
import { titleOf } from '../labels-and-formats.ts'
import { change, deviceRead, useStore } from '../store.ts'
import { Lamps } from './lamps.tsx'

export function Front() {
  const device = useStore((state) => state.device)
  return (
    <section class={device?.cover ? 'printer cover-open' : 'printer'} aria-label="Printer">
      <div class="slot" aria-hidden="true" />
      <div class="front">
        <p class="badge">{device?.model}</p>
        {device ? <Lamps device={device} /> : null}
      </div>
      <Drawer />
      <Announcement />
    </section>
  )
}

function Drawer() {
  const isOpen = useStore((state) => state.isDrawerOpen)
  const cash = useStore((state) => state.device?.day.drawerCash)
  return (
    <div class={isOpen ? 'drawer open' : 'drawer'}>
      {isOpen ? (
        <div class="tray">
          <p role="status">The drawer is open. Cash in it: {cash}</p>
          <button type="button" class="quiet" onClick={() => change({ isDrawerOpen: false })}>
            Push it in
          </button>
        </div>
      ) : null}
      <div class="drawer-front" aria-hidden="true" />
    </div>
  )
}

const ANNOUNCE_INTERVAL_MS = 1500

/** Announces new documents to screen readers, at most every `ANNOUNCE_INTERVAL_MS`. */
function Announcement() {
  const documents = useStore((state) => state.documents)
  const generation = useStore(deviceRead)
  const [words, setWords] = useState('')
  const announced = useRef<{ of: number | undefined; id: number } | undefined>(undefined)
  const latest = useRef<readonly DocumentHead[]>(documents)
  latest.current = documents
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const last = documents.at(-1)?.id ?? 0
  useEffect(() => {
    if (generation === undefined) return
    if (announced.current?.of !== generation) announced.current = { of: generation, id: last }
    if (last <= announced.current.id || timer.current !== undefined) return
    const announce = () => {
      const fresh = latest.current.filter(({ id }) => id > (announced.current?.id ?? 0))
      const newest = fresh.at(-1)
      timer.current = undefined
      if (!newest) return
      timer.current = setTimeout(announce, ANNOUNCE_INTERVAL_MS)
      announced.current = { of: generation, id: newest.id }
      const sum = newest.total === undefined ? '' : `, total ${newest.total}`
      setWords(
        `${fresh.length === 1 ? 'New on paper' : `${fresh.length} new documents, the last`}: ${titleOf(newest)}${sum}`,
      )
    }
    announce()
  }, [last, generation])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <p class="hidden" role="status">
      {words}
    </p>
  )
}
