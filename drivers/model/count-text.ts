/** Returns the count with its noun: `1 run`, `2 runs`. `nouns`: the plural, if it is irregular. */
export const countText = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
