export interface NumberForm {
  /** `undefined` for numbers as in YAML. */
  readonly locale?: string
  readonly decimal: string
  readonly group: string
}

const PLAIN_FORM: NumberForm = { decimal: '.', group: '' }

export function numberForm(locale: string | undefined): NumberForm | undefined {
  if (locale === undefined) return PLAIN_FORM
  try {
    const [supported] = Intl.NumberFormat.supportedLocalesOf(locale)
    if (supported === undefined) return undefined
    const parts = new Intl.NumberFormat(supported, { useGrouping: true }).formatToParts(1_234_567.5)
    const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    return { locale, decimal: sign('decimal'), group: sign('group') }
  } catch {
    return undefined
  }
}

/** Maximum number of digits of an exact number. */
const DIGITS_MAX = 15

/** Returns the text itself if it is not a number: neither `0012` nor `12 apples` is one. */
export function numberIn(text: string, form: NumberForm): number | string | { readonly what: string } {
  const plain = form.locale === undefined ? text : withoutGroups(text, form)
  if (plain !== undefined && isNumber(plain)) return Number(plain)
  // A decimal point in a locale with a decimal comma is a mistake.
  if (form.decimal !== '.' && /^-?\d+\.\d+$/.test(text) && plain === undefined)
    return {
      what: `${text} is not a number in the locale ${form.locale}; nearest: ${text.replace('.', form.decimal)}, or "${text}", in quotes`,
    }
  return text
}

const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= DIGITS_MAX

/** Converts `1.234,50` to `1234.50`. Returns `undefined` if the text is not a number. All kinds of blanks are equal. */
function withoutGroups(text: string, { decimal, group }: NumberForm): string | undefined {
  const [whole = '', part, ...otherParts] = text.replace(/[\u00a0\u202f]/g, ' ').split(decimal)
  const sign = group.replace(/[\u00a0\u202f]/g, ' ')
  const thousands = sign === '' ? [whole] : whole.split(sign)
  const [first = '', ...otherGroups] = thousands
  if (otherParts.length > 0 || !/^-?\d+$/.test(first) || !otherGroups.every((one) => /^\d{3}$/.test(one)))
    return undefined
  if (otherGroups.length > 0 && first.replace('-', '').length > 3) return undefined
  if (part !== undefined && !/^\d+$/.test(part)) return undefined
  return part === undefined ? thousands.join('') : `${thousands.join('')}.${part}`
}
