import type { DocumentHead } from '../../contract.ts'

export const KINDS: Readonly<Record<string, string>> = {
  fiscal: 'Fiscal receipt',
  invoice: 'Invoice',
  nonFiscal: 'Service receipt',
  x: 'X report',
  z: 'Z report',
  copy: 'Copy',
  cancelled: 'Cancelled receipt',
  memory: 'Memory report',
  service: 'Service document',
}

export const kindOf = (kind: string): string => KINDS[kind] ?? kind

export const titleOf = ({ kind, number, zNumber }: DocumentHead): string =>
  zNumber === undefined ? `${kindOf(kind)} ${number}` : `${kindOf(kind)} ${zNumber} (document ${number})`

export const dateAndTime = (at: string): string => at.replace('T', ' ')

/** Returns the name of a command or field as words: `text align` for `textAlign`. */
export const asSeparateWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()

export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (value === '') return '""'
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object'))
    return value.map(formatValue).join(', ')
  if (typeof value === 'string') return value.replace(/[\0-\x1f\x7f-\x9f]/g, asHex)
  return JSON.stringify(value)
}

const asHex = (sign: string): string => `\\x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

export const CHOOSE_ONE = 'Choose one from the list.'

/** Returns the part of an address that a message can show. */
export const asTyped = (text = ''): string => text.slice(0, 60)

/** Returns the sentence for an address whose object does not exist. `asked` is the id in the address. */
export const nothingThere = (what: string, asked: string | undefined): string =>
  `There is no ${what} ${asTyped(asked)}. ${CHOOSE_ONE}`

export const asSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
