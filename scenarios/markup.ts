/** Text of a report inside of HTML and XML: whatever somebody has put into it stays text. */
import { createHash } from 'node:crypto'
import { visible, visibleLines } from '../drivers/model/visible.ts'

export const html = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Of a page with this policy nothing is run and nothing applies but what it was written with. */
export function pagePolicy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`
}

/** What XML 1.0 cannot hold at all becomes a question mark; what would steer a terminal stands as its number. */
const possible = (value: string): string =>
  visibleLines(value).replace(/[^\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')

export const xmlText = (value: string): string =>
  possible(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const xmlAttribute = (value: string): string => xmlText(visible(value)).replaceAll('"', '&quot;')

/** As JUnit counts time. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(3)
