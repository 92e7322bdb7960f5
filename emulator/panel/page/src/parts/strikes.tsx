import { useMemo } from 'preact/hooks'
import { strikeInWords } from '../../../../faults/effects.ts'
import { useStore } from '../store.ts'
import type { Strike } from './moments.ts'

/** What rules have struck, as it is told beside what passed. */

/** What struck each frame, in words, by the frame's id. */
type StrikesByFrame = ReadonlyMap<number, readonly string[]>

const strikesByFrame = (strikes: readonly Strike[]): StrikesByFrame => {
  const known = Map.groupBy(strikes, ({ frame }) => frame ?? 0)
  return new Map([...known].map(([frame, all]) => [frame, all.map((one) => strikeInWords(one))]))
}

export function useStrikes(): StrikesByFrame {
  const strikes = useStore((state) => state.strikes)
  return useMemo(() => strikesByFrame(strikes), [strikes])
}

/** Said when a rule is added, for as long as it has not struck. */
export const waiting = (rule: number | undefined): string => `Rule ${rule} waits for its moment.`

/** In a row: said in front of what passed. */
export function Struck({ words }: { readonly words: readonly string[] | undefined }) {
  return words?.map((one, index) => (
    <b class="strike" key={index}>
      ! {one}{' '}
    </b>
  ))
}
