import { useEffect, useRef } from 'preact/hooks'
import { call } from '../api.ts'
import { useStore } from '../store.ts'
import { useAnswer } from './call-answer.ts'
import { chaptersOf } from './fault-excerpt.ts'

/** Returns the time from the fault: its own time is that of the device's clock, and the timeline has the computer's. */
const seconds = (ms: number): string => `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`

/** The details of a triggered fault. `entryId`: its id in the timeline. */
export function FaultDetails({ entryId }: { readonly entryId: number }) {
  const frames = useStore((state) => state.frames)
  // The consequences are read again with every frame; the previous ones are shown until then.
  const moments = useAnswer(() => call('GET /emulator/timeline'), String(frames.at(-1)?.id))
  const last = useRef<typeof moments>(undefined)
  last.current = moments ?? last.current
  const list = useRef<HTMLOListElement>(null)
  const isRead = last.current !== undefined
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [entryId, isRead])
  if (!last.current) return null
  const chapters = chaptersOf(last.current, frames, entryId)
  const faultAt = Date.parse(chapters.find(({ isTriggeredRow: isStrike }) => isStrike)?.at ?? '')
  if (chapters.length === 0) return <p class="empty">The timeline of that time is no longer stored.</p>
  return (
    <ol class="fault-story" ref={list}>
      {chapters.map(({ id, at, sentences, isTriggeredRow: isStrike }) => (
        <li key={id} class={isStrike ? 'strike' : undefined}>
          <a href={`#/timeline/${id}`}>{seconds(Date.parse(at) - faultAt)}</a>
          <span>{sentences.join(' ')}</span>
        </li>
      ))}
    </ol>
  )
}
