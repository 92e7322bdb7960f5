import type { CommandName } from '../../drivers/family-b/protocol/index.ts'
import type { CodePage } from '../../drivers/wire/charset.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { WireEdition } from './profile.ts'
import type { Switches } from './switches.ts'

/** What this firmware can read at all, before anything else is asked: commands, forms of their data, texts. */

/** 8.1, 10.5 and 10.6: in the list of the newer firmware only. */
const NEWER: ReadonlySet<CommandName> = new Set([
  'qrCode',
  'lastDocumentQr',
  'firstUnsent',
  'shopFlags',
  'documentInfo',
  'errorText',
])
/** M3: left out by some firmware. */
const FREE_SALES: ReadonlySet<CommandName> = new Set(['sale', 'saleOnDisplay'])

/** An unknown command is the first thing that is found (8). */
export const isKnown = (name: CommandName, { newer }: WireEdition, { freeSale }: Switches): boolean =>
  (newer || !NEWER.has(name)) && (freeSale === 'true' || !FREE_SALES.has(name))

/** Forms that only one of the editions reads (2, 10.5, 10.7): malformed on the other one. */
export function isForeignForm(
  name: CommandName,
  ask: Readonly<Record<string, unknown>> | undefined,
  { newer, copies }: WireEdition,
): boolean {
  if (!ask) return false
  switch (name) {
    case 'subtotal':
      return !newer && ask['netto'] !== undefined
    case 'dailyReport':
    case 'dailyReportWithArticles':
      return !newer && ask['item'] === 6
    case 'memoryReportByNumber':
    case 'memoryReportShortByNumber':
    case 'memoryReportByDate':
    case 'memoryReportShortByDate':
      return !newer && ask['payments'] === true
    case 'duplicate':
      return copies === 'one' && ask['count'] === undefined
    default:
      return false
  }
}

/** TAB and LF only separate (4): one that stands in a text is one field too many. */
export const strictTexts = (page: CodePage): CodePage => ({
  ...page,
  encode: (text) => page.encode(text),
  decode(raw) {
    if (/[\t\n]/.test(raw)) throw new FieldError('text', 'syntax', 'holds a separator')
    return page.decode(raw)
  },
})
