import { useMemo } from 'preact/hooks'
import { describeTrigger } from '../../../../faults/effects.ts'
import { useStore } from '../store.ts'
import type { TriggeredFault } from './moments.ts'

/** Triggered faults, shown next to the frames that they changed. */

/** Descriptions of the faults of each frame, by the frame's id. */
type FaultTriggersByFrame = ReadonlyMap<number, readonly string[]>

const faultTriggersByFrame = (strikes: readonly TriggeredFault[]): FaultTriggersByFrame => {
  const known = Map.groupBy(strikes, ({ frame }) => frame ?? 0)
  return new Map([...known].map(([frame, all]) => [frame, all.map((one) => describeTrigger(one))]))
}

export function useFaultTriggers(): FaultTriggersByFrame {
  const strikes = useStore((state) => state.triggeredFaults)
  return useMemo(() => faultTriggersByFrame(strikes), [strikes])
}

/** Returns the message after a rule was added, until it is triggered. */
export const waiting = (rule: number | undefined): string => `Rule ${rule} is waiting to be triggered.`

/** The faults that were triggered at these frames, each with a link to its details. */
export function StoryLinks({ frames }: { readonly frames: readonly number[] }) {
  const strikes = useStore((state) => state.triggeredFaults).filter(({ frame }) => frames.includes(frame ?? 0))
  if (strikes.length === 0) return null
  return (
    <ul class="story-links">
      {strikes.map((fault) => (
        <li key={fault.id}>
          <b class="strike">! {describeTrigger(fault)}</b> <a href={`#/faults?story=${fault.id}`}>Details</a>
        </li>
      ))}
    </ul>
  )
}

/** The faults of a row, before its content. */
export function TriggeredFaults({ words }: { readonly words: readonly string[] | undefined }) {
  return words?.map((one, index) => (
    <b class="strike" key={index}>
      ! {one}{' '}
    </b>
  ))
}
