/** Triggered faults, shown next to the frames that they changed. */
import { useContext, useMemo } from 'preact/hooks'
import { describeTrigger } from '../../../../faults/effects.ts'
import { faultLink } from '../address.ts'
import { useStore } from '../store.ts'
import { OfEarlierRun, useRun } from './runs.tsx'
import type { TriggeredFault } from './timeline-rows.ts'

/** Descriptions of the faults of each frame, by the frame's id. */
type FaultTriggersByFrame = ReadonlyMap<number, readonly string[]>

const faultTriggersByFrame = (faults: readonly TriggeredFault[]): FaultTriggersByFrame => {
  const faultsByFrame = Map.groupBy(faults, ({ frame }) => frame ?? 0)
  return new Map([...faultsByFrame].map(([frame, all]) => [frame, all.map((one) => describeTrigger(one))]))
}

const NO_FAULTS: readonly TriggeredFault[] = []

/** Returns the triggered faults; none for frames of an earlier run, which have other ids. */
function useTriggeredFaults(): readonly TriggeredFault[] {
  const isEarlier = useContext(OfEarlierRun)
  const faults = useStore((state) => state.triggeredFaults)
  return isEarlier ? NO_FAULTS : faults
}

export function useFaultTriggers(): FaultTriggersByFrame {
  const faults = useTriggeredFaults()
  return useMemo(() => faultTriggersByFrame(faults), [faults])
}

/** Returns the message after a rule was added, until it is triggered. */
export const waiting = (rule: number | undefined): string => `Rule ${rule} is waiting to be triggered.`

/** The faults that were triggered at these frames, each with a link to its details. */
export function StoryLinks({ frames }: { readonly frames: readonly number[] }) {
  const faults = useTriggeredFaults().filter(({ frame }) => frames.includes(frame ?? 0))
  const run = useRun()
  if (faults.length === 0) return null
  return (
    <ul class="story-links">
      {faults.map((fault) => (
        <li key={fault.id}>
          <b class="strike">! {describeTrigger(fault)}</b> <a href={faultLink(fault, run)}>Details</a>
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
