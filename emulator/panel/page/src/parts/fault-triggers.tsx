import { useContext, useMemo } from 'preact/hooks'
import { describeTrigger } from '../../../../faults/effects.ts'
import { faultLink } from '../address.ts'
import { useStore } from '../store.ts'
import { OfEarlierRun, useRun } from './run-ids.tsx'
import type { TriggeredFault } from './timeline-rows.ts'

type FaultTriggersByFrame = ReadonlyMap<number, readonly string[]>

const faultTriggersByFrame = (faults: readonly TriggeredFault[]): FaultTriggersByFrame => {
  const faultsByFrame = Map.groupBy(faults, ({ frame }) => frame ?? 0)
  return new Map([...faultsByFrame].map(([frame, all]) => [frame, all.map((one) => describeTrigger(one))]))
}

const NO_FAULTS: readonly TriggeredFault[] = []

/** Frames of an earlier run have other ids, so that no fault is returned for them. */
function useTriggeredFaults(): readonly TriggeredFault[] {
  const isEarlier = useContext(OfEarlierRun)
  const faults = useStore((state) => state.triggeredFaults)
  return isEarlier ? NO_FAULTS : faults
}

export function useFaultTriggers(): FaultTriggersByFrame {
  const faults = useTriggeredFaults()
  return useMemo(() => faultTriggersByFrame(faults), [faults])
}

/** Message that is shown after a rule was added, until the rule is triggered. */
export const waiting = (rule: number | undefined): string => `Rule ${rule} is waiting to be triggered.`

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

export function TriggeredFaults({ words }: { readonly words: readonly string[] | undefined }) {
  return words?.map((one, index) => (
    <b class="strike" key={index}>
      ! {one}{' '}
    </b>
  ))
}
