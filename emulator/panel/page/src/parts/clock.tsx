/**
 * The clock of the device. The page advances the time between two reports of the device, and stops it without a
 * connection.
 */
import { useEffect, useState } from 'preact/hooks'
import { dateAndTime } from '../labels-and-formats.ts'
import { useStore } from '../store.ts'

const SECOND_MS = 1000

export function Clock({ class: name }: { readonly class: string }) {
  const clock = useStore((state) => state.device?.clock)
  const readAt = useStore((state) => state.readAt)
  const isLive = useStore((state) => state.connection === 'live')
  const [, tick] = useState(0)
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => tick((count) => count + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [isLive, readAt])
  return <time class={name}>{clock ? dateAndTime(isLive ? later(clock, performance.now() - readAt) : clock) : ''}</time>
}

/** The wall time has no zone, and is computed as UTC. */
const later = (clock: string, ms: number): string =>
  new Date(Date.parse(`${clock}Z`) + Math.max(0, ms)).toISOString().slice(0, clock.length)
