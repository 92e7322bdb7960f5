import { readFileSync } from 'node:fs'

/** A JSON file below `fixtures/`; the caller says what stands in it. */
export const fixture = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')) as T
