/** Rows of a table of tests whose titles contain the expected result in words. */

/** The words for each last value of a row, or for the whole row. */
type Words<Row> = Readonly<Record<string, string>> | ((row: Row) => string)

/** A verdict in an object counts like the verdict itself. */
function lastOf(row: readonly unknown[]): unknown {
  const last = row.at(-1)
  return typeof last === 'object' && last !== null && 'is' in last ? last.is : last
}

/** Returns the rows, each preceded by words for its expected result. */
export const withWords = <const Row extends readonly unknown[]>(
  words: Words<Row>,
  rows: readonly Row[],
): readonly (readonly [words: string, ...row: Row])[] =>
  rows.map((row) => {
    const found = typeof words === 'function' ? words(row) : words[String(lastOf(row))]
    if (found === undefined) throw new Error(`no words for ${String(lastOf(row))}`)
    return [found, ...row]
  })

/** The words for verdicts on what a device has executed. */
export const VERDICT_WORDS = {
  once: 'executed once',
  twice: 'executed twice',
  notCarriedOut: 'not executed',
  undecided: 'undecided',
  open: 'open',
  closed: 'closed',
  cancelled: 'cancelled',
}

function describeResult(expected: unknown): string {
  if (typeof expected === 'string' && /^(?:syntax|value|error)\b/.test(expected)) return `refused (${expected})`
  return typeof expected === 'object' && expected !== null ? 'accepted' : `read as ${expected}`
}

/** Precedes each row with "accepted", "read as ..." or "refused (...)", according to its last value. */
export const withResult = <const Row extends readonly unknown[]>(rows: readonly Row[]) =>
  withWords((row: Row) => describeResult(row.at(-1)), rows)
