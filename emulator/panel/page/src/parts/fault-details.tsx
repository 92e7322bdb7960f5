import { useContext, useEffect, useRef } from 'preact/hooks'
import { call } from '../api.ts'
import { useStore } from '../store.ts'
import { useAnswer } from './call-answer.ts'
import { type Chapter, chaptersOf } from './fault-excerpt.ts'
import { OfEarlierRun, useRun } from './run-ids.tsx'

/**
 * Times are relative to the fault, because the fault has the time of the device's clock, and the timeline that of the
 * computer.
 */
const seconds = (ms: number): string => `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`

export function FaultDetails({ entryId }: { readonly entryId: number }) {
  const isGone = useContext(OfEarlierRun)
  const run = useRun()
  const frames = useStore((state) => state.frames)
  // The details are read again with each frame. The previous ones are shown until then.
  const moments = useAnswer(() => call('GET /emulator/timeline'), isGone ? 'gone' : String(frames.at(-1)?.id))
  const last = useRef<readonly Chapter[]>(undefined)
  const current = !isGone && moments ? chaptersOf(moments, frames, entryId) : undefined
  // A reset empties the timeline a moment before the page receives the new state.
  if (current && (current.length > 0 || !last.current)) last.current = current
  const list = useRef<HTMLOListElement>(null)
  const isRead = last.current !== undefined
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [entryId, isRead])
  if (!last.current) return null
  const chapters = last.current
  const faultAt = Date.parse(chapters.find(({ isTriggeredRow: isStrike }) => isStrike)?.at ?? '')
  if (chapters.length === 0) return <p class="empty">The timeline of that time is no longer stored.</p>
  return (
    <ol class="fault-story" ref={list}>
      {chapters.map(({ id, at, sentences, isTriggeredRow: isStrike }) => (
        <li key={id} class={isStrike ? 'strike' : undefined}>
          {isGone ? (
            <span>{seconds(Date.parse(at) - faultAt)}</span>
          ) : (
            <a href={`#/timeline/${id}?run=${run}`}>{seconds(Date.parse(at) - faultAt)}</a>
          )}
          <span>{sentences.join(' ')}</span>
        </li>
      ))}
    </ol>
  )
}
