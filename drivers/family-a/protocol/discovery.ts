import { formatPercent } from '../../model/money.ts'
import type { ByteText, CodePage } from '../../wire/charset.ts'
import type { Answers, CommandCall, DeviceFacts, DiscoveredDevice } from '../../wire/questionnaire.ts'
import type { Edition } from './edition.ts'
import { catalogueOf } from './index.ts'

const SETTINGS = [
  ...['PrintColumns', 'PrnQuality', 'BarCodeHeight', 'BarcodeName', 'AutoPaperCutting', 'PaperCuttingType'],
  ...['LogoPrint', 'VatPrintEnable', 'EmptyLineAfterTotal', 'DblHeigh_totalinreg', 'Bold_payments', 'DublReceipts'],
  ...['FooterEmptyLines', 'EnableNearPaperEnd', 'TimeOutBeforePrintFlush', 'FpComBaudRate', 'MainInterfaceType'],
  ...['EcrLogNumber', 'EcrSafeOpening', 'EcrMandatorySubtotal', 'EcrExtendedReceipt', 'EcrPluDailyClearing'],
  ...['AutoPowerOff', 'CurrNameLocal', 'CurrNameForeign', 'ExchangeRate', 'Fiscalized', 'DecimalPoint'],
]
/** Names of command 255 whose values are numbers and counters of one device, and are not copied to another. */
const OWN_SETTINGS = [
  ...['IDnumber', 'FMnumber', 'TAXnumber', 'DFR_needed', 'nZreport', 'nReset', 'nVatChanges', 'nBon', 'nFBon'],
  ...['nFBonDailyCount', 'nLastFiscalDoc', 'nInvoice', 'InvoiceRangeBeg', 'InvoiceRangeEnd', 'EJNumber'],
]
const HEADER_LINES = 10
const ARTICLES = [1, 2, 3]

const ask = (name: string, index = 0): ByteText => `${name}\t${index}\t\t`
const lines = (name: string): readonly ByteText[] => Array.from({ length: HEADER_LINES }, (_, line) => ask(name, line))

const settingsOf = ({ paymentModes }: Edition): readonly ByteText[] => [
  ...SETTINGS.map((name) => ask(name)),
  ...paymentModes.flatMap((_, mode) => [ask('PayName', mode), ask('Payment_forbidden', mode)]),
  ...['Dept_name', 'Dept_vat', 'OperName'].map((name) => ask(name)),
]

export const parametersOf = (d: Edition): readonly ByteText[] => [
  ...settingsOf(d),
  ...OWN_SETTINGS.map((name) => ask(name)),
  ...lines('Header'),
  ...lines('Footer'),
  ask('NoSuchName'),
  ask('PrintColumns', 9),
]

export const asksOwn = (data: ByteText): boolean => OWN_SETTINGS.includes(data.split('\t')[0] ?? '')

export function learn(d: Edition, answers: Answers): DiscoveredDevice {
  const value = (data: ByteText): string | undefined => text(answers('parameter', data)?.['value'])
  const number = (name: string): number => Number(value(ask(name)) ?? 0) || 0
  const info = answers('deviceInfo', '\t') ?? answers('deviceInfo', '') ?? {}
  const rates = answers('taxRates', '')?.['rates'] as readonly (number | null)[] | undefined
  const linesOf = (name: string) => {
    const all = lines(name).flatMap((data) => value(data) ?? [])
    return all.length === 0 ? undefined : all.slice(0, all.findLastIndex((line) => line !== '') + 1)
  }
  const item = (option: string) => answers('articles', `${option}\t`)?.['item'] as number | undefined
  const knownArticles = Object.fromEntries(
    ARTICLES.flatMap((plu): (readonly [number, Readonly<Record<string, unknown>> | null])[] => {
      const article = answers('articles', `R\t${plu}\t`)
      if (article) return [[plu, persistentFields(article)]]
      return answers('articles', 'I\t') ? [[plu, null]] : []
    }),
  )
  const payments = d.paymentModes.flatMap((_, mode) => {
    const name = value(ask('PayName', mode))
    return name === undefined ? [] : [[mode, name] as const]
  })
  const parameters = settingsOf(d).flatMap((data) => {
    const set = value(data)
    return set === undefined || data.startsWith('PayName') ? [] : [[data.split('\t', 2).join('.'), set] as const]
  })
  const closures = Number(answers('lastClosure', '')?.['number'] ?? number('nZreport'))
  const header = linesOf('Header')
  const footer = linesOf('Footer')
  const [first, last] = [item('F'), item('L')]
  const clock = text(answers('readClock', '')?.['at'])
  return {
    identity: pick(info, ['model', 'firmware', 'serialNumber', 'fiscalMemoryNumber']),
    ...(clock !== undefined && { clock }),
    facts: {
      ...(rates && { taxRates: Object.fromEntries(rates.map((rate, at) => [letter(at), percent(rate)])) }),
      ...(payments.length > 0 && { payments: Object.fromEntries(payments) }),
      ...(header && { header }),
      ...(footer && { footer }),
      articles: { ...(first !== undefined && { first }), ...(last !== undefined && { last }), known: knownArticles },
      parameters: Object.fromEntries(parameters),
    },
    history: {
      closures,
      documents: number('nBon'),
      hasReceipt: number('nFBon') > 0,
      hasSold: false,
      isDayOpen: number('nFBonDailyCount') > 0,
    },
  }
}

export function configureCommands(
  d: Edition,
  { payments = {}, parameters = {}, articles }: DeviceFacts,
  page: CodePage,
): CommandCall[] {
  const set = (name: string, index: string, value: string): CommandCall => [
    'parameter',
    `${name}\t${index}\t${value}\t`,
  ]
  const program = catalogueOf(d.name).byName.articles.request
  return [
    ...Object.entries(payments).map(([mode, name]) => set('PayName', mode, page.encode(name))),
    ...Object.entries(parameters).map(([key, value]) => {
      const [name = '', index = '0'] = key.split('.')
      return set(name, index, page.encode(value))
    }),
    ...Object.entries(articles?.known ?? {}).flatMap(([plu, article]): CommandCall[] => {
      if (article === null) return [['articles', `D\t${plu}\t\t`]]
      const data = program.write({ option: 'P', quantity: 0, addQuantity: false, ...article } as never, page)
      return [
        ['articles', `D\t${plu}\t\t`],
        ['articles', data],
      ]
    }),
  ]
}

function persistentFields(article: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { form: _form, turnover: _turnover, sold: _sold, stock: _stock, ...programmed } = article
  return programmed
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const letter = (at: number): string => String.fromCharCode(65 + at)
const percent = (rate: number | null): string | null => (rate === null ? null : formatPercent(rate))
const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (typeof from[name] === 'string' ? [[name, from[name]]] : [])))
