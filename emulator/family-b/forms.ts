import type { CodePage } from '../../drivers/wire/charset.ts'
import { FieldError } from '../../drivers/wire/field.ts'

/** TAB and LF only separate (4): one that stands in a text is one field too many. */
export const strictTexts = (page: CodePage): CodePage => ({
  ...page,
  encode: (text) => page.encode(text),
  decode(raw) {
    if (/[\t\n]/.test(raw)) throw new FieldError('text', 'syntax', 'holds a separator')
    return page.decode(raw)
  },
})
