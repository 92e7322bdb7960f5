import { formatPercent } from '../../model/money.ts'
import type { ByteText, CodePage } from '../../wire/charset.ts'
import {
  type Answers,
  type CommandCall,
  type DeviceFacts,
  type DiscoveredDevice,
  range,
} from '../../wire/questionnaire.ts'
import { catalogueOf, type EditionName } from './index.ts'

/** Numbers of command 149: header lines, footer lines, names of payments. */
export const HEADER = range(40, 47)
export const FOOTER = range(48, 53)
export const PAYMENTS = range(60, 64)
export const PARAMETERS = range(1, 15)
const ARTICLES = [1, 2, 3]
const GROUPS = 'ABCDEFGH'
const OPERATORS = 21

export function learn(answers: Answers): DiscoveredDevice {
  const info = answers('deviceInfo', '1') ?? {}
  const constants = answers('constants', '')?.['constants'] as readonly string[] | undefined
  const rates = answers('taxRates', '')?.['rates'] as readonly (number | null)[] | undefined
  const texts = (numbers: readonly number[]): readonly string[] | undefined => {
    const all = numbers.flatMap((number) => {
      const answer = answers('texts', `R${number}`)
      return answer ? [String(answer['value'] ?? '')] : []
    })
    return all.length === 0 ? undefined : all.slice(0, all.findLastIndex((line) => line !== '') + 1)
  }
  const payments = PAYMENTS.flatMap((number, mode) => {
    const answer = answers('texts', `R${number}`)
    return answer ? [[mode, String(answer['value'] ?? '')] as const] : []
  })
  const parameters = PARAMETERS.flatMap((number) => {
    const answer = answers('parameters', `R${number}`)
    return answer?.['value'] === undefined ? [] : [[number, String(answer['value'])] as const]
  })
  const knownArticles = Object.fromEntries(
    ARTICLES.flatMap((plu): (readonly [number, Readonly<Record<string, unknown>> | null])[] => {
      const article = answers('article', `R${plu}`)
      if (!article) return []
      return [[plu, article['result'] === 'article' ? persistentFields(article) : null]]
    }),
  )
  const first = answers('article', 'F0')?.['plu'] as number | undefined
  const day = answers('daySums', 'T')?.['sums'] as readonly number[] | undefined
  const closing = answers('lastFiscalRecord', 'T')
  const documents = Number(answers('lastDocument', '')?.['document'] ?? 0)
  const receipts = Number(answers('operatorInfo', '1')?.['receipts'] ?? 0)
  const clock = answers('readClock', '')?.['at']
  const header = texts(HEADER)
  const footer = texts(FOOTER)
  const operators = Number(constants?.[OPERATORS - 1] ?? 0)
  return {
    identity: identityOf(info),
    ...(typeof clock === 'string' && { clock }),
    facts: {
      ...(rates && {
        taxRates: Object.fromEntries(
          rates.map((rate, at) => [GROUPS[at] ?? '', rate === null ? null : formatPercent(rate)]),
        ),
      }),
      ...(payments.length > 0 && { payments: Object.fromEntries(payments) }),
      ...(operators > 0 && { operators }),
      ...(header && { header }),
      ...(footer && { footer }),
      articles: { ...(first !== undefined && { first }), known: knownArticles },
      parameters: Object.fromEntries(parameters),
    },
    history: {
      closures: Number(closing?.['number'] ?? 0),
      documents,
      hasReceipt: receipts > 0 || Number(closing?.['number'] ?? 0) > 0,
      hasSold: answers('article', 'F1')?.['result'] === 'article',
      // The receipts of an operator are counted across Z reports, so only the sums show whether the day is open.
      isDayOpen: (day ?? []).some((sum) => sum !== 0),
    },
  }
}

function persistentFields(article: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { taxLetter, price, name, barcode, department, constant } = article
  return { taxLetter, price, name, barcode, department, constant }
}

function identityOf(info: Readonly<Record<string, unknown>>): DiscoveredDevice['identity'] {
  const { firmware, serialNumber, fiscalMemoryNumber } = info as Readonly<Record<string, string | undefined>>
  const [model = '', version = ''] = (firmware ?? '').split(' ')
  return {
    ...(model !== '' && { model }),
    ...(version !== '' && { firmware: version }),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(fiscalMemoryNumber !== undefined && { fiscalMemoryNumber }),
  }
}

export function configureCommands(edition: EditionName, facts: DeviceFacts, page: CodePage): CommandCall[] {
  const { payments = {}, parameters = {}, articles } = facts
  const program = catalogueOf(edition).byName.article.request
  const set = (command: string, number: number | string, value: string): CommandCall => [
    command,
    `P${number},${page.encode(value)}` as ByteText,
  ]
  return [
    ...Object.entries(payments).map(([mode, name]) => set('texts', (PAYMENTS[0] ?? 0) + Number(mode), name)),
    ...Object.entries(parameters).map(([number, value]) => set('parameters', number, value)),
    ...Object.entries(articles?.known ?? {}).flatMap(([plu, article]): CommandCall[] => {
      const removed: CommandCall = ['article', `D${plu}`]
      if (article === null) return [removed]
      const data = program.write({ do: 'program', plu: Number(plu), ...article } as never, page)
      return [removed, ['article', data]]
    }),
  ]
}
