/** The nearest thing that would be right: what a mistake in a file is answered with. */

/** How many letters must be changed, added, dropped or swapped with their neighbour. */
export function distance(one: string, other: string): number {
  const width = other.length + 1
  let before: number[] = []
  let row = Array.from({ length: width }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j < width; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwap) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[width - 1] ?? 0
}

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
