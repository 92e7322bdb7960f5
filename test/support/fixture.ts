import { readFileSync } from 'node:fs'

/** Reads a JSON file below `fixtures/`; the caller specifies its type. */
export const fixture = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')) as T
