/** Returns the number of edits between two texts: changed, added or removed letters, and swapped neighbours. */
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
