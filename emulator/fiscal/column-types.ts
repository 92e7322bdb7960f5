export type Value = string | number | null

/**
 * The compact encoding of a text column. `DIGEST`: 64 hexadecimal digits, stored as bytes. `SECOND`: a local time
 * (2026-07-15T09:00:00), stored as a number of seconds. `WORDS`: JSON in which each frequent word is stored as a
 * letter. Queries cannot search encoded columns.
 */
export type CompactEncoding = 'DIGEST' | 'SECOND' | 'WORDS'
