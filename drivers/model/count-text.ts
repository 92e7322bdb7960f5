/** Returns the count with its noun, such as `1 run` or `2 runs`. `nouns`: plural of an irregular noun. */
export const countText = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
