/** Converts requests with their answers to steps of a scenario that expect these answers. */
import { omittedRemark } from '../../emulator/panel/document-export/omitted-requests.ts'
import { yamlOnOneLine } from '../../emulator/panel/document-export/yaml.ts'
import { bodyMistakes } from './body-mistakes.ts'
import { escapedText } from './escaped-text.ts'
import { type Exchange, titleOf, whyNoStep } from './http-exchange.ts'
import { isRequestKey } from './steps/requests.ts'

export function stepText(exchange: Exchange): string {
  const why = whyNoStep(exchange)
  if (why !== undefined) return `${omittedRemark(titleOf(exchange), why)}\n`
  return [...requestLines(exchange), ...modifierLines(exchange), ''].join('\n')
}

function requestLines({ method, path, body }: Exchange): string[] {
  const key = `${method} ${path}`
  const json = body === undefined ? null : parsed(body)
  const isPlain = isRequestKey(key) && !path.includes('$') && json !== undefined && bodyMistakes(key, json).length === 0
  if (isPlain) return [`  - ${key}:${json === null ? '' : ` ${yamlOnOneLine(json)}`}`]
  const sent =
    body === undefined
      ? []
      : [json === undefined ? `    raw: ${JSON.stringify(body)}` : `    body: ${yamlOnOneLine(json)}`]
  return [`  - ${method}: ${JSON.stringify(path.replaceAll('$', () => '$$'))}`, ...sent]
}

function modifierLines({ key, type, body, tookMs, end, path }: Exchange): string[] {
  const isStrange = body !== undefined && !/^application\/json\b/i.test(type ?? '')
  const outcome =
    end === 'gaveUp'
      ? [`    giveUpAfter: ${Math.max(1, Math.round(tookMs))}ms`, '    expect: no answer']
      : [`    expect: ${yamlOnOneLine(expectationOf(parsed(end.answer), end.status, path))}`]
  return [
    ...(key === undefined ? [] : [`    key: ${yamlOnOneLine(key)}`]),
    ...(isStrange ? [`    headers: ${yamlOnOneLine({ 'Content-Type': type ?? '' })}`] : []),
    ...outcome,
  ]
}

function expectationOf(answer: unknown, status: number, path: string): object {
  if (typeof answer !== 'object' || answer === null) return { status }
  const members = answer as Readonly<Record<string, unknown>>
  if ('ReceiptStatus' in members) return withoutRunningNumbers(members, path) as object
  if (!('StatusCode' in members)) return { status, StatusCode: { present: false } }
  if (members['StatusCode'] === 424) return expectationOfFailure(String(members['Message']))
  // The service that runs the step has other addresses, and HTTPS may be available or not.
  if (/-api-address/i.test(path))
    return status === 200
      ? { StatusCode: 200, Data: { matches: '^https?://.+/api$' } }
      : { StatusCode: { present: true } }
  return withoutRunningNumbers(members, path) as object
}

/**
 * The message of a failure depends on earlier requests, and their receipts may have been printed by hand. Only a
 * completed receipt is certain.
 */
function expectationOfFailure(message: string): object {
  const isCompleted = message.startsWith('Completed as receipt ')
  return { StatusCode: 424, ...(isCompleted && { Message: { matches: '^Completed as receipt ' } }) }
}

const NUMBERED_PATHS = /^\/(?:close-fiscal-receipt|print-fiscal-receipt|print-[\w-]+-order\/\d+)$/i
/** Matches requests whose `Data` is a text of the device with running numbers. */
const PATHS_WITH_NUMBERS =
  /^\/(?:open-|close-|cancel-|print-non-fiscal-receipt|report-|copy-|status-of-the-fiscal-transaction)/i

/**
 * Matches requests to which a device of family A, with tabs between fields, answers the number of the open receipt
 * first in `Data`. Amounts in the other fields remain.
 */
const PATHS_WITH_RECEIPT_FIRST = /^\/(?:register-|subtotal|payment|print-)/i
const withoutFirstNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(?:\t|$)/.test(value)
    ? { matches: `^\\d+${escapedText(value.replace(/^\d+/, ''))}$` }
    : withoutTimes(value)

/** Replaces running numbers with matchers, because another printer, and the same printer later, have other numbers. */
function withoutRunningNumbers(answer: Readonly<Record<string, unknown>>, path: string): unknown {
  const numbered = (value: unknown): unknown => (isDigits(value) ? { number: true } : withoutTimes(value))
  const inside = (value: unknown): unknown =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, member]) => {
        if (name === 'ReceiptNumber') return [name, numbered(member)]
        return [name, name === 'Raw' ? withoutNumbers(member) : withoutTimes(member)]
      }),
    )
  const { Data, ...others } = answer
  const otherMembers = inside(others) as object
  if (Data === undefined) return otherMembers
  if (NUMBERED_PATHS.test(path)) return { ...otherMembers, Data: numbered(Data) }
  if (PATHS_WITH_NUMBERS.test(path))
    return { ...otherMembers, Data: typeof Data === 'object' && Data !== null ? inside(Data) : withoutNumbers(Data) }
  return { ...otherMembers, Data: PATHS_WITH_RECEIPT_FIRST.test(path) ? withoutFirstNumber(Data) : withoutTimes(Data) }
}

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value)

const withoutNumbers = (value: unknown): unknown =>
  typeof value === 'string' && /\d/.test(value) ? { matches: `^${escapedText(value).replace(/\d+/g, '\\d+')}$` } : value

const MOMENT = /\d{4}-\d{2}-\d{2}|\d{2}[-./]\d{2}[-./](?:\d{4}|\d{2})|\d{2}:\d{2}(?::\d{2})?/

const OWN_TEXTS: ReadonlySet<string> = new Set(['SerialNumber', 'FiscalMemoryNumber', 'Request', 'Since', 'At'])

function withoutTimes(value: unknown): unknown {
  if (typeof value === 'string') return MOMENT.test(value) ? { matches: patternOf(value) } : value
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      OWN_TEXTS.has(key) && typeof member === 'string' ? { present: true } : withoutTimes(member),
    ]),
  )
}

function patternOf(text: string): string {
  const parts = text.split(new RegExp(`(${MOMENT.source})`))
  const escaped = parts.map((part, index) =>
    index % 2 === 0 ? escapedText(part) : part.replace(/[./]/g, '\\$&').replace(/\d/g, '\\d'),
  )
  return `^${escaped.join('')}$`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
