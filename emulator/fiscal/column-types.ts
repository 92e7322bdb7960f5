/** A value of a column. */
export type Value = string | number | null

/**
 * `DIGEST`: a checksum in hexadecimal digits, kept as its bytes. `SECOND`: a local time (2026-07-15T09:00:00), kept as
 * a number of seconds. `WORDS`: JSON, of which frequent words are kept as a letter. None of them can be looked for.
 */
export type CompactEncoding = 'DIGEST' | 'SECOND' | 'WORDS'
