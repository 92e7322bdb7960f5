import { relative } from 'node:path'
import { z } from 'zod'
import { brokenLine } from '../../../emulator/fiscal/journal.ts'
import { DOCUMENT_KINDS, type DocumentView } from '../../../emulator/panel/contract.ts'
import { type DeviceReader, isNothing, isUsed, type PrintedKind } from '../device-sums.ts'
import { count, countOrVariable, expected, members, oneOf, orMatcher, words } from '../fields.ts'
import { comparable, goldenPath, paperDiff, readGolden, writeGolden } from '../golden.ts'
import { addManualChecks, documentNames, printedSince } from '../manual-checks.ts'
import { differences, formatCount, formatValue, lineTest } from '../match.ts'
import { nearestLine } from '../nearest.ts'
import { printedBy, type ScenarioRun } from '../scenario-run.ts'
import { type Problem, problems } from '../step-results.ts'
import { type CheckResult, checkKind } from './check.ts'

const text = words('a text, or a pattern such as /TOTAL +1\\.20/')
const texts = z.union([text, z.array(text, expected('a list of texts'))], {
  // YAML reads an amount such as 1.20 as a number, but on paper the amount is text.
  error: ({ input }) =>
    `expected a text or a list of texts${typeof input === 'number' ? `; nearest: "${input}", in quotes` : ''}`,
})
const times = z.record(
  z.string(),
  orMatcher(count, 'a number of times'),
  expected('texts with a number each: {"TOTAL": 1}'),
)

const paperSchema = z
  .union(
    [
      words('the name of a golden file'),
      members('a check of the paper', {
        golden: words('the name of a golden file')
          .optional()
          .describe('Text file that the paper must be equal to, except for dates and times.'),
        has: texts.optional().describe('Lines (or parts of lines) that must be there.'),
        hasNot: texts.optional().describe('Lines (or parts of lines) that must not be there.'),
        times: times.optional().describe('How many lines contain each text.'),
        of: z
          .union([oneOf(['all', 'last', ...DOCUMENT_KINDS])], expected('all, last or a kind of document'))
          .optional()
          .describe('Documents to check (default: all).'),
      }),
    ],
    expected('the name of a golden file, or {golden, has, hasNot, times, of}'),
  )
  .describe('What this scenario has printed.')

export const paper = checkKind({
  schema: paperSchema,
  needs: 'paper',
  judge: async (expected, panel, run) => {
    const check = typeof expected === 'string' ? { golden: expected } : expected
    const documents = chosen(await printedBy(panel, run), check.of ?? 'all')
    const lines = paperLines(documents)
    const wrong = problems(lineProblems(check, lines))
    if (check.golden === undefined) return wrong
    const isReport = documents.some(({ kind }) => kind === 'x' || kind === 'z')
    if (!isReport || isNothing(run.log.before.day)) {
      const { serialNumber } = await panel('GET /emulator')
      return [...wrong, ...goldenProblems(check.golden, lines, run, serialNumber)]
    }
    // A report contains the sums of the whole day, so its text differs if the day had sales before this scenario.
    const unread = goldenLines(goldenPath(run.golden.folder, run.golden.papers, check.golden), check.of ?? 'all')
    addManualChecks(run, [{ at: 'paper', lines: unread }])
    return wrong
  },
  ask: async (expected, reader, run) => {
    const { of = 'all', golden, ...rules } = typeof expected === 'string' ? { golden: expected } : expected
    const documents = await printedSince(reader, run)
    const chosen = documents && chosenKinds(documents, of)
    if (chosen?.length === 0 && of !== 'all') return { problems: problems([`no document of kind ${of} was printed`]) }
    const lines = golden === undefined ? [] : goldenLines(goldenPath(run.golden.folder, run.golden.papers, golden), of)
    const title = documentNames(chosen)
    return {
      manualChecks: [
        { at: 'paper', ...(title !== undefined && { of: title }), lines: [...lines, ...ruleLines(rules)] },
      ],
    }
  },
})

const goldenLines = (path: string, kinds: string): string[] => {
  const lines = readGolden(path) ?? []
  return kinds === 'all' ? lines : lines.filter((line) => !line.startsWith('=== '))
}

const REPORTED_KINDS: Readonly<Record<string, string>> = { invoice: 'fiscal' }

function chosenKinds(documents: readonly PrintedKind[], kinds: string): readonly PrintedKind[] {
  if (kinds === 'all') return documents
  if (kinds === 'last') return documents.slice(-1)
  return documents.filter(({ kind }) => kind === null || kind === 'other' || kind === (REPORTED_KINDS[kinds] ?? kinds))
}

const ruleLines = ({ has, hasNot, times = {} }: LineRules): string[] => [
  ...listOf(has).map((one) => `it has ${formatValue(one)}`),
  ...listOf(hasNot).map((one) => `it does not have ${formatValue(one)}`),
  ...Object.entries(times).map(([one, number]) => `${formatValue(one)} is in ${formatCount(number, 'line')}`),
]

function goldenProblems(
  name: string,
  lines: readonly string[],
  { golden, log: { before } }: ScenarioRun,
  serialNumber: string,
): Problem[] {
  const path = goldenPath(golden.folder, golden.papers, name)
  const shownPath = relative(process.cwd(), path)
  const expectedLines = readGolden(path)
  if (golden.update) {
    if (expectedLines === undefined || paperDiff(expectedLines, lines)) {
      writeGolden(path, lines)
      golden.updated(path)
    }
    return []
  }
  if (!expectedLines)
    return [{ what: `golden file ${shownPath} does not exist; run with --update to create it, then review it` }]
  const names = (all: readonly string[]) => all.some((line) => line.includes(serialNumber))
  const isAnother = names(lines) && !names(expectedLines)
  const same = isUsed(before) || isAnother ? withoutNumbers : (all: readonly string[]) => all
  const diff = paperDiff(same(expectedLines), same(lines))
  return diff ? [{ what: `it differs from ${shownPath}`, diff }] : []
}

/** Replaces document and serial numbers, which differ on a used device and between the devices of a fleet. */
const withoutNumbers = (lines: readonly string[]): readonly string[] =>
  comparable(lines).map((line) => line.replace(/(?<![\d.])\d{4,}(?!\d|\.\d)/g, (number) => '_'.repeat(number.length)))

function chosen(documents: readonly DocumentView[], kinds: string): readonly DocumentView[] {
  if (kinds === 'all') return documents
  return kinds === 'last' ? documents.slice(-1) : documents.filter(({ kind }) => kind === kinds)
}

/** Returns the lines of all documents. A line with the kind of the document precedes each of them. */
export const paperLines = (documents: readonly DocumentView[]): string[] =>
  documents.flatMap(({ kind, text }) => [`=== ${kind}`, ...text])

export const receipts = checkKind({
  schema: countOrVariable.describe('The exact number of fiscal receipts and invoices that this scenario printed.'),
  needs: 'paper',
  judge: async (expected, panel, run) => {
    const documents = (await printedBy(panel, run)).filter(({ kind }) => kind === 'fiscal' || kind === 'invoice')
    return problems(differences(expected, documents.length, 'fiscal receipts printed'))
  },
  ask: async (expected, reader, run) => askKinds({ fiscal: expected }, 'fiscal receipts printed', reader, run),
})

/** Kinds that the electronic journals of some devices do not distinguish. */
const INDISTINGUISHABLE_KINDS: readonly (readonly string[])[] = [['fiscal', 'invoice'], ['copy', 'memory', 'service']] // biome-ignore format: a list

/**
 * Compares the counts of documents with those in the electronic journal. Kinds that the device does not report become
 * manual checks.
 */
async function askKinds(
  expected: Readonly<Record<string, unknown>>,
  name: string | undefined,
  reader: DeviceReader,
  run: ScenarioRun,
): Promise<CheckResult> {
  const documents = await printedSince(reader, run)
  const lines = Object.entries(expected).map(([kind, number]) => `${name ?? kind}: ${formatValue(number)}`)
  if (!documents || documents.some(({ kind }) => kind === null)) return { manualChecks: [{ at: 'paper', lines }] }
  const title = documentNames(documents)
  const wrong: string[] = []
  const unsure: string[] = []
  const seenPieces = new Set<string>()
  for (const kind of Object.keys(expected)) {
    const alike = INDISTINGUISHABLE_KINDS.find((kinds) => kinds.includes(kind)) ?? [kind]
    const key = alike.join()
    if (seenPieces.has(key)) continue
    seenPieces.add(key)
    const sum = alike.reduce((total, one) => total + Number(expected[one] ?? 0), 0)
    const there = documents.filter((one) => alike.includes(one.kind ?? '')).length
    const otherDocuments = alike.includes('copy') ? documents.filter((one) => one.kind === 'other').length : 0
    if (sum < there || sum > there + otherDocuments)
      wrong.push(`${name ?? alike.filter((one) => one in expected).join(' and ')}: expected ${sum}, it is ${there}`)
    if (
      otherDocuments > 0 ||
      (name === undefined &&
        alike.filter((one) => Number(expected[one] ?? 0) > 0 && one !== 'fiscal').length > 0 &&
        alike.length > 1)
    )
      unsure.push(...alike.filter((one) => one in expected).map((one) => `${one}: ${formatValue(expected[one])}`))
  }
  return {
    problems: problems(wrong),
    manualChecks:
      unsure.length === 0 ? [] : [{ at: 'paper', ...(title !== undefined && { of: title }), lines: unsure }],
  }
}

export const documents = checkKind({
  schema: z
    .partialRecord(z.enum(DOCUMENT_KINDS), countOrVariable, expected(`numbers by kind: ${DOCUMENT_KINDS.join(', ')}`))
    .describe('The exact number of documents of each kind.'),
  needs: 'paper',
  judge: async (expected, panel, run) => {
    const documents = await printedBy(panel, run)
    const numberOf = (kind: string) => documents.filter((document) => document.kind === kind).length
    return problems(Object.entries(expected).flatMap(([kind, number]) => differences(number, numberOf(kind), kind)))
  },
  ask: async (expected, reader, run) => askKinds(expected, undefined, reader, run),
})

export const journal = checkKind({
  schema: members('a check of the journal', {
    has: texts.optional().describe('Lines (or parts of lines) that must be there.'),
    hasNot: texts.optional().describe('Lines (or parts of lines) that must not be there.'),
    times: times.optional().describe('How many lines contain each text.'),
    saleLines: orMatcher(count, 'a number of lines')
      .optional()
      .describe('Lines of sales: an amount that is not negative, and the letter of its tax group.'),
    intact: z
      .boolean(expected('true or false'))
      .optional()
      .describe('Whether each line is chained to the previous one.'),
  }).describe('The electronic journal, as far as this scenario has written it.'),
  needs: 'journal',
  ask: async ({ intact, saleLines, ...rules }, reader, run) => {
    const title = documentNames(await printedSince(reader, run))
    const lines = [
      ...ruleLines(rules),
      ...(saleLines === undefined ? [] : [`${formatValue(saleLines)} lines of sales`]),
      ...(intact === undefined ? [] : ['each line is chained to the one before']),
    ]
    return { manualChecks: [{ at: 'journal', ...(title !== undefined && { of: title }), lines }] }
  },
  judge: async (expected, panel, { log: { beginning } }) => {
    const lines = await panel('GET /emulator/journal')
    const own = lines.filter(({ id }) => id > beginning.journal).map(({ line }) => line)
    const broken = expected.intact === true ? brokenLine(lines) : undefined
    return problems([
      ...lineProblems(expected, own),
      ...(expected.saleLines === undefined
        ? []
        : differences(expected.saleLines, own.filter(isSaleLine).length, 'lines of sales')),
      ...(broken === undefined ? [] : [`its chain is broken at line ${broken}`]),
    ])
  },
})

/**
 * Matches a line such as `Bread 1.20 A`. A void and a discount have a minus, and a tax line does not end with a letter.
 */
const isSaleLine = (line: string): boolean =>
  /(?:^|\s)\d+\.\d{2} \p{L}$/u.test(line.trimEnd()) && !/^\s*SURCHARGE\b/.test(line)

interface LineRules {
  readonly has?: string | readonly string[] | undefined
  readonly hasNot?: string | readonly string[] | undefined
  readonly times?: Readonly<Record<string, unknown>> | undefined
}

const listOf = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value

function lineProblems({ has, hasNot, times = {} }: LineRules, lines: readonly string[]): string[] {
  const missing = listOf(has).filter((one) => !lines.some(lineTest(one)))
  const forbidden = listOf(hasNot).flatMap((one) => {
    const line = lines.find(lineTest(one))
    return line === undefined ? [] : [`${formatValue(one)} must not be there: ${formatValue(line)}`]
  })
  const counts = Object.entries(times).flatMap(([one, expected]) => {
    const number = lines.filter(lineTest(one)).length
    if (differences(expected, number, '').length === 0) return []
    return [`expected ${formatValue(one)} in ${formatCount(expected, 'line')}, it is in ${number}`]
  })
  const absent = missing.map((one) => {
    const near = nearestLine(one, lines)
    return `${formatValue(one)} is not there${near === undefined ? '' : `; the nearest line: ${formatValue(near)}`}`
  })
  return [...absent, ...forbidden, ...counts]
}
