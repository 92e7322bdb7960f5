/** The nearest thing that would be right: what a mistake in a file is answered with. */
import { distance } from '../../drivers/model/distance.ts'

/** The most similar of the known words; undefined when nothing is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  let best: { readonly word: string; readonly at: number } | undefined
  for (const one of known) {
    const candidate = one.toLowerCase()
    const contains = lower.length > 2 && (candidate.includes(lower) || lower.includes(candidate))
    const at = contains ? Math.min(distance(lower, candidate), 2) : distance(lower, candidate)
    if (best === undefined || at < best.at) best = { word: one, at }
  }
  return best && best.at <= Math.max(2, Math.floor(word.length / 3)) ? best.word : undefined
}

const SHOWN = 20

/** `unknown "expct"; nearest: expect`, or the whole list where nothing is near. */
export function unknownWord(what: string, word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  const some = known.length > SHOWN ? [...known.slice(0, SHOWN), '...'] : known
  const hint = near === undefined ? `there are ${some.join(', ')}` : `nearest: ${near}`
  return `unknown ${what} ${JSON.stringify(word)}; ${hint}`
}
