/** Rows of a table of tests whose titles begin with the expected result in words. */

/** Rows that are preceded by the words for their last value. */
type Worded<Row extends readonly unknown[]> = readonly (readonly [words: string, ...row: Row])[]

/** Returns the rows, each preceded by words for its last value. */
export const withWords = <const Row extends readonly unknown[]>(
  wordsFor: (expected: unknown) => string,
  rows: readonly Row[],
): Worded<Row> => rows.map((row) => [wordsFor(row.at(-1)), ...row])

function describeResult(expected: unknown): string {
  if (typeof expected === 'string' && /^(?:syntax|value|error)\b/.test(expected)) return `refused (${expected})`
  return typeof expected === 'object' && expected !== null ? 'accepted' : `read as ${expected}`
}

/** Precedes each row with "accepted", "read as ..." or "refused (...)", according to its last value. */
export const withResult = <const Row extends readonly unknown[]>(rows: readonly Row[]): Worded<Row> =>
  withWords(describeResult, rows)
