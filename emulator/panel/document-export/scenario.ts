/**
 * The export of a document as a scenario for `fiscal-rig run` (scenarios/README.md): by calls of the service if they
 * exist, otherwise by the frames that produced the document. The scenario runs on a new device and checks the lines on
 * paper.
 */
import { exactNumber } from '../../../drivers/model/json.ts'
import { formatMoney, formatPercent, type Money } from '../../../drivers/model/money.ts'
import { taxLetter } from '../../../drivers/model/receipt.ts'
import type { Emulator } from '../../emulator.ts'
import type { FiscalDevice, PaperDocument } from '../../fiscal/api.ts'
import { factoryArticles, factoryRegisters } from '../../fiscal/factory-state.ts'
import type { ZRecord } from '../../fiscal/types/day.ts'
import type { PrintRequest } from '../../fiscal/types/print-request.ts'
import {
  type DocumentExport,
  documentSteps,
  NoServiceCall,
  type ServiceCall,
  type ServiceCalls,
} from './document-steps.ts'
import { receiptAttempts } from './receipt-attempts.ts'
import { requestStep, yamlOnOneLine } from './yaml.ts'

/** Maximum number of earlier documents that are printed again before a document that depends on them. */
const BEFORE_MAX = 40

/** Throws NoServiceCall if there are neither calls nor frames. */
export function asScenario(emulator: Emulator, document: PaperDocument, serviceCalls: ServiceCalls): string {
  const { device } = emulator
  const before = neededBefore(device, document).flatMap((one) => exportIfPossible(device, one))
  const own = stepsOf(emulator, document, serviceCalls)
  const documents = [...before.map(({ document: one }) => one), document]
  const kinds = Map.groupBy(documents, ({ kind }) => kind)
  const counts = Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length]))
  const remarks = [...new Set([...before.flatMap(({ content }) => content.remarks), ...own.remarks])]
  const lines = [...ownLines(device, document), ...reportLines(device, document, documents)]
  const settings = Object.entries(givenFor(device, documents))
  return [
    ...remarks.map((remark) => `# ${remark}`),
    `name: ${JSON.stringify(`${document.kind} ${document.number} of a device of family ${emulator.family}`)}`,
    `families: [${emulator.family}]`,
    `profile: ${JSON.stringify(device.profile.profile)}`,
    'tags: [copied]',
    'given:',
    ...settings.map(([name, value]) => `  ${name}: ${yamlOnOneLine(value)}`),
    'steps:',
    ...before.flatMap(({ content }) => serviceCalls.of(content.steps).flatMap(callStep)),
    ...own.steps,
    'check:',
    `  documents: ${yamlOnOneLine(counts)}`,
    ...(lines.length === 0
      ? []
      : ['  paper:', '    of: last', '    has:', ...lines.map((line) => `      - ${yamlOnOneLine(line)}`)]),
    ...(own.isByCalls ? sumsCheck(device, document, documents) : []),
    '',
  ].join('\n')
}

export const callStep = ({ path, body }: ServiceCall): readonly string[] => requestStep(`post ${path}`, body)

interface Steps {
  readonly steps: readonly string[]
  readonly remarks: readonly string[]
  readonly isByCalls: boolean
}

function stepsOf(emulator: Emulator, document: PaperDocument, serviceCalls: ServiceCalls): Steps {
  try {
    const attempts = receiptAttempts(emulator.device, document)
    if (attempts) {
      const lines = attempts.steps.flatMap(({ step, isRefused }) => [
        ...serviceCalls.of([step]).flatMap(callStep),
        ...(isRefused ? ['    expect: { StatusCode: 400 }'] : []),
      ])
      return { steps: lines, remarks: attempts.remarks, isByCalls: true }
    }
    const { steps, remarks } = documentSteps(emulator.device, document)
    return { steps: serviceCalls.of(steps).flatMap(callStep), remarks, isByCalls: true }
  } catch (problem) {
    if (!(problem instanceof NoServiceCall)) throw problem
    const steps = emulator.framesOf(document.id).flatMap((frame) =>
      // Single bytes are pings, whose answers do not matter here.
      frame.direction === 'toDevice' && frame.hex.length > 2
        ? [`  - wire: { send: ${yamlOnOneLine(frame.hex)} } # ${frame.command}`]
        : [],
    )
    if (steps.length > 0) return { steps, remarks: [`By the wire: ${problem.message}.`], isByCalls: false }
    throw new NoServiceCall(`${problem.message}, and none of its frames are stored`)
  }
}

interface ExportedDocument {
  readonly document: PaperDocument
  readonly content: DocumentExport
}

function exportIfPossible(device: FiscalDevice, document: PaperDocument): readonly ExportedDocument[] {
  try {
    return [{ document, content: documentSteps(device, document) }]
  } catch (problem) {
    if (problem instanceof NoServiceCall) return []
    throw problem
  }
}

/**
 * A copy needs the receipt, a Z or X report the earlier documents of the day, and a report on the fiscal memory all
 * earlier documents.
 */
function neededBefore(device: FiscalDevice, { id, kind }: PaperDocument): readonly PaperDocument[] {
  if (kind === 'fiscal' || kind === 'invoice' || kind === 'cancelled' || kind === 'nonFiscal') return []
  const earlier = device.documents(Math.max(0, id - 1 - BEFORE_MAX), Math.min(BEFORE_MAX, id - 1))
  if (kind === 'copy') return earlier.filter((one) => one.kind === 'fiscal' || one.kind === 'invoice').slice(-1)
  if (kind === 'memory') return earlier
  const closed = earlier.findLastIndex((one) => one.kind === 'z')
  return earlier.slice(closed + 1).filter((one) => one.kind !== 'x')
}

const soldIn = (documents: readonly PaperDocument[]): readonly PaperDocument[] =>
  documents.filter(({ kind }) => kind === 'fiscal' || kind === 'invoice')

const totalOf = (documents: readonly PaperDocument[]): Money =>
  soldIn(documents).reduce((sum, one) => sum + (one.total ?? 0), 0)

function sumsCheck(
  { memory }: FiscalDevice,
  { kind, zNumber }: PaperDocument,
  documents: readonly PaperDocument[],
): readonly string[] {
  const total = formatMoney(totalOf(documents))
  if (kind === 'z') {
    const z = zNumber === undefined ? undefined : memory.z(zNumber)
    return [`  z: ${yamlOnOneLine({ ...(z && sumsOf(z, documents)), total: exactNumber(total) })}`]
  }
  return soldIn(documents).length === 0 || documents.some((one) => one.kind === 'z')
    ? []
    : [`  day: { total: ${total} }`]
}

/** Returns the sums of the Z report, if the documents of the scenario are all that it contains. */
function sumsOf(z: ZRecord, documents: readonly PaperDocument[]): object {
  const isComplete = z.receiptsCount === soldIn(documents).length && z.total === totalOf(documents)
  if (!isComplete) return {}
  const amounts = (all: readonly (readonly [string, Money])[]) =>
    Object.fromEntries(
      all.flatMap(([name, sum]) => (sum === 0 ? [] : [[name, exactNumber(formatMoney(sum))] as const])),
    )
  return {
    receiptsCount: z.receiptsCount,
    taxes: amounts(z.taxes.map(({ taxCode, turnover }) => [taxLetter(taxCode), turnover])),
    ...(z.foreign === undefined && { payments: amounts(Object.entries(z.payments)) }),
  }
}

/**
 * Returns the total of a report of the day and the lines of its tax groups with turnover, if the documents of the
 * scenario are all that it contains. Other lines contain numbers and sums of the original device.
 */
function reportLines(
  { profile }: FiscalDevice,
  { kind, text }: PaperDocument,
  documents: readonly PaperDocument[],
): readonly string[] {
  if (kind !== 'z' && kind !== 'x') return []
  const { total } = profile.paper.words
  const end = ` ${formatMoney(totalOf(documents))}`
  const sum = text.find((line) => line.startsWith(`${total} `) && line.endsWith(end))
  const groups = text.filter((line) => /^[A-H] \d+\.\d\d% /.test(line) && !line.endsWith(' 0.00'))
  return sum === undefined ? [] : [...groups, sum]
}

/** Requests whose lines are checked. Header and end of a document contain numbers and times of the original device. */
const OWN_STEPS: readonly PrintRequest['ask'][] = ['sale', 'subtotal', 'payment', 'text']

export function ownLines(device: FiscalDevice, { id, text }: PaperDocument): readonly string[] {
  let at = 0
  const lines = (device.printedSteps(id) ?? []).flatMap(({ asked, lines: count }) => {
    at += count
    return asked !== null && OWN_STEPS.includes(asked.ask) ? text.slice(at - count, at) : []
  })
  // A scenario reads a text between slashes as a pattern.
  return [...new Set(lines)].filter((line) => line.trim() !== '' && !line.startsWith('/'))
}

function givenFor(device: FiscalDevice, documents: readonly PaperDocument[]): Readonly<Record<string, unknown>> {
  const requests = documents.flatMap(({ id }) => device.printedSteps(id) ?? []).flatMap((step) => step.asked ?? [])
  const articles = articlesIn(device, requests)
  const config = { ...ratesOf(device), ...passwordsOf(device, operatorsIn(requests)), ...customerIn(requests) }
  return {
    clock: documents[0]?.at,
    ...(articles.length > 0 && { articles }),
    ...(Object.keys(config).length > 0 && { config }),
  }
}

function articlesIn({ profile }: FiscalDevice, requests: readonly PrintRequest[]): readonly object[] {
  const made = new Map(factoryArticles(profile).map((article) => [article.plu, article]))
  const sold = new Map(
    requests.flatMap((one) => (one.ask === 'sale' && one.row.plu > 0 ? [[one.row.plu, one.row] as const] : [])),
  )
  return [...sold.values()].flatMap(({ plu, name, taxCode, price, department }) => {
    const own = made.get(plu)
    const isMade = own && own.name === name && own.taxCode === taxCode && own.price === price
    return isMade ? [] : [{ plu, name, taxCode, price: formatMoney(price), department }]
  })
}

export function ratesOf({ profile, registers }: FiscalDevice): object {
  const made = factoryRegisters(profile, {}).taxRates
  const other = registers.taxRates.flatMap((rate, index) =>
    rate === null || rate === made[index]
      ? []
      : [[taxLetter((index + 1) as Parameters<typeof taxLetter>[0]), exactNumber(formatPercent(rate))] as const],
  )
  return other.length === 0 ? {} : { taxRates: Object.fromEntries(other) }
}

const operatorsIn = (requests: readonly PrintRequest[]): ReadonlySet<number> =>
  new Set(requests.flatMap((one) => (one.ask === 'fiscal' || one.ask === 'nonFiscal' ? [one.operator] : [])))

export function passwordsOf({ profile, registers }: FiscalDevice, codes: Iterable<number>): object {
  const other = [...codes].flatMap((code) => {
    const password = registers.operator(code)?.password
    return password === undefined || password === profile.factoryPassword(code) ? [] : [[code, { password }] as const]
  })
  return other.length === 0 ? {} : { operators: Object.fromEntries(other) }
}

function customerIn(requests: readonly PrintRequest[]): object {
  const named = requests.flatMap((one) => (one.ask === 'customer' ? [one.customer] : [])).at(-1)
  if (!named?.taxNumber || !named.name) return {}
  const { taxNumber, name, address = '-' } = named
  return { defaults: { customer: { taxNumber, name, address: address || '-' } } }
}
