import { formatPercent } from '../../model/money.ts'
import type { CodePage } from '../../wire/charset.ts'
import type { Answers, CommandCall, DeviceFacts, DiscoveredDevice } from '../../wire/questionnaire.ts'
import type { Edition } from './edition.ts'
import { catalogueOf } from './index.ts'

const ARTICLES = [1, 2, 3]
const PARAMETER_NAMES = [
  ...['pos', 'logo', 'drawer', 'cutter', 'display', 'articleReport', 'currency', 'ejFont', 'oneOperator', 'usbHost'],
] as const

export function learn(d: Edition, answers: Answers): DiscoveredDevice {
  const info = answers('deviceInfo', '') ?? {}
  const numbers = answers('deviceNumbers', '') ?? {}
  const rates = answers('readTaxRates', '')?.['rates'] as readonly (number | null)[] | undefined
  const names = answers('readPayments', '')?.['names'] as readonly string[] | undefined
  const parameters = answers('readParameters', '')
  const lines = (from: number, count: number): readonly string[] | undefined => {
    const all = Array.from({ length: count }, (_, at) => answers('readHeader', String(from + at)))
    if (all.every((one) => one === undefined)) return undefined
    const texts = all.map((one) => String(one?.['text'] ?? '').trimEnd())
    return texts.slice(0, texts.findLastIndex((line) => line !== '') + 1)
  }
  const header = lines(1, d.headerLines)
  const footer = lines(d.headerLines + 1, 1)
  const knownArticles = Object.fromEntries(
    ARTICLES.flatMap((plu) => {
      const article = answers('readArticle', `0000${plu}`)
      if (!article) return []
      const { name, price, tax, department } = article
      return [[plu, { name, price, tax, department }]]
    }),
  )
  const lastZ = answers('lastZ', '')
  const closures = Number(lastZ?.['number'] ?? 0)
  const day = answers('dayRegisters', '1')
  const receipts = Number(day?.['customers'] ?? 0)
  const documents = Number(answers('lastDocument', '')?.['document'] ?? 0)
  const clock = answers('readClock', '')?.['at']
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const [model, firmware] = [text(info['model']), text(info['firmware'])]
  const [serialNumber, fiscalMemoryNumber] = [text(numbers['serial']), text(numbers['memory'])]
  return {
    identity: {
      ...(model !== undefined && { model }),
      ...(firmware !== undefined && { firmware }),
      ...(serialNumber !== undefined && { serialNumber }),
      ...(fiscalMemoryNumber !== undefined && { fiscalMemoryNumber }),
    },
    ...(typeof clock === 'string' && { clock }),
    facts: {
      ...(rates && {
        taxRates: Object.fromEntries(
          rates.map((rate, at) => [String.fromCharCode(65 + at), rate === null ? null : formatPercent(rate)]),
        ),
      }),
      ...(names && { payments: Object.fromEntries(names.map((name, type) => [type, name])) }),
      ...(header && { header }),
      ...(footer && { footer }),
      articles: { known: knownArticles },
      ...(parameters && {
        parameters: Object.fromEntries(
          PARAMETER_NAMES.flatMap((name) => (name in parameters ? [[name, String(parameters[name])]] : [])),
        ),
      }),
    },
    history: { closures, documents, hasReceipt: receipts > 0 || closures > 0, hasSold: false, isDayOpen: receipts > 0 },
  }
}

export function configureCommands(
  d: Edition,
  { payments = {}, parameters, articles }: DeviceFacts,
  page: CodePage,
): CommandCall[] {
  const { setPayment, setParameters, programArticle } = catalogueOf(d.name).byName
  const held = Object.entries(parameters ?? {}).map(([name, value]) => [
    name,
    name === 'pos' ? Number(value) : value === 'true',
  ])
  return [
    ...Object.entries(payments).map(
      ([type, name]): CommandCall => ['setPayment', setPayment.request.write({ type: Number(type), name }, page)],
    ),
    ...(parameters
      ? [['setParameters', setParameters.request.write(Object.fromEntries(held), page)] as CommandCall]
      : []),
    ...Object.entries(articles?.known ?? {}).flatMap(([plu, article]): CommandCall[] => {
      if (article === null) return []
      const { name = '', price = 0, tax = ' ', department = 0 } = article
      const ask = { part: 'short', plu: Number(plu), name, price, tax, department }
      return [['programArticle', programArticle.request.write(ask as never, page)]]
    }),
  ]
}
