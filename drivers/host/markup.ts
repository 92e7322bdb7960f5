/**
 * HTML, SVG and XML from templates. Only this module inserts values into markup. A value that is not markup is escaped
 * as text for its position; a template with an unsafe position throws.
 */
import { escapeControl, escapeControlInLines } from '../model/escape-control.ts'

/** Markup from a template. Code outside this module cannot create it. */
export class Markup {
  readonly #text: string

  constructor(text: string, key: typeof MARKUP_BRAND) {
    if (key !== MARKUP_BRAND) throw new TypeError('markup is made by a template')
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  get isEmpty(): boolean {
    return this.#text === ''
  }
}

export class Attributes {
  readonly text: string

  constructor(values: Readonly<Record<string, string | number | boolean | undefined>>, escaped: Escape) {
    this.text = Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => {
        if (!ATTRIBUTE.test(name)) throw new TypeError(`${name} is not an attribute that a template may set`)
        return value === true ? ` ${name}` : ` ${name}="${escaped(String(value), 'attribute')}"`
      })
      .join('')
  }
}

export type Value = string | number | Markup | Attributes | readonly Value[]
type Template = (parts: TemplateStringsArray, ...values: readonly Value[]) => Markup

const MARKUP_BRAND = Symbol('markup')
const ATTRIBUTE = /^(?!on)(?!(?:href|src|action|style)$)[a-z][a-z-]*$/i

type MarkupContext = 'text' | 'tag' | 'attribute' | 'address'
type Escape = (value: string, place: MarkupContext) => string

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const entities = (value: string): string => value.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string)

const escapeHtml: Escape = entities
/**
 * Escapes text for XML. Control characters are replaced by their numbers, other characters that XML 1.0 forbids by a
 * question mark.
 */
const escapeXml: Escape = (value, place) =>
  entities(
    (place === 'text' ? escapeControlInLines(value) : escapeControl(value)).replace(
      /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
      '?',
    ),
  )

export const html: Template = templateWith(escapeHtml)
export const xml: Template = templateWith(escapeXml)

export const attributes = (values: Readonly<Record<string, string | number | boolean | undefined>>): Attributes =>
  new Attributes(values, escapeXml)

export const joinMarkup = (values: readonly Value[], between = '\n'): Markup =>
  html`${values.flatMap((value, index) => (index === 0 ? [value] : [between, value]))}`

/**
 * Returns an element with unescaped text: a program or a style sheet. Throws if the text contains its own end tag or a
 * comment.
 */
export function verbatim(
  element: 'script' | 'style',
  text: string,
  extraAttributes: Attributes = attributes({}),
): Markup {
  if (text.toLowerCase().includes(`</${element}`) || text.includes('<!--'))
    throw new RangeError(`the text of a ${element} contains its own end tag or a comment`)
  return new Markup(`<${element}${extraAttributes.text}>${text}</${element}>`, MARKUP_BRAND)
}

export function scriptFrom(address: string, isDeferred: boolean): Markup {
  expectHarmless(address)
  return new Markup(`<script src="${entities(address)}"${isDeferred ? ' defer' : ''}></script>\n`, MARKUP_BRAND)
}

/** Marks text as markup. Only for output of libraries that escape by themselves, applied to texts of this project. */
export const renderedByLibrary = (text: string): Markup => new Markup(text, MARKUP_BRAND)

function templateWith(escapeFor: Escape): Template {
  const cache = new WeakMap<TemplateStringsArray, readonly MarkupContext[]>()
  const put = (value: Value, place: MarkupContext): string => {
    if (value instanceof Attributes) {
      if (place !== 'tag') throw new TypeError('attributes have their place inside a tag')
      return value.text
    }
    if (Array.isArray(value)) return value.map((one: Value) => put(one, place)).join('')
    if (place === 'tag') throw new TypeError('inside a tag only attributes() may be put')
    if (value instanceof Markup) {
      if (place !== 'text') throw new TypeError('markup has its place between tags')
      return String(value)
    }
    if (place === 'address') expectHarmless(String(value))
    return typeof value === 'number' ? String(value) : escapeFor(value as string, place)
  }
  return (parts, ...values) => {
    const places = cache.get(parts) ?? placesIn(parts)
    cache.set(parts, places)
    let text = parts[0] ?? ''
    for (const [index, value] of values.entries())
      text += put(value, places[index] as MarkupContext) + (parts[index + 1] ?? '')
    return new Markup(text, MARKUP_BRAND)
  }
}

const ADDRESS = /\s(?:href|src|action|formaction)=$/i

/** Returns the context of each value in a template. Throws for positions that have no safe form. */
function placesIn(parts: readonly string[]): readonly MarkupContext[] {
  let place: MarkupContext = 'text'
  return parts.slice(0, -1).map((part) => {
    for (let at = 0; at < part.length; at++) {
      const sign = part[at]
      if (place === 'text') {
        if (/^<(?:script|style)\b/i.test(part.slice(at)))
          throw new TypeError('scripts and styles are put by verbatim()')
        if (sign === '<') place = 'tag'
      } else if (place === 'tag') {
        if (sign === '>') place = 'text'
        else if (sign === "'") throw new TypeError('attributes are put in double quotes')
        else if (sign === '"') place = ADDRESS.test(part.slice(0, at)) ? 'address' : 'attribute'
      } else if (sign === '"') place = 'tag'
    }
    if (place === 'tag' && /[=<]$/.test(part)) throw new TypeError('attributes are put in double quotes')
    // Only the beginning of an address can contain a scheme, so later parts are ordinary attribute text.
    if (place === 'address' && !/"$/.test(part)) return 'attribute'
    return place
  })
}

const HARMLESS = /^(?:https?:|mailto:|data:image\/|[^:/?#]*(?:[/?#]|$))/i

function expectHarmless(address: string): void {
  const plain = address.replace(/[\p{Cc}\s]/gu, '')
  if (!HARMLESS.test(plain)) throw new RangeError('an address has a scheme that a page must not have')
}
