/** Checks of what was printed: paper, documents, journal. */
import { relative } from 'node:path'
import { z } from 'zod'
import { brokenLine } from '../../../emulator/fiscal/journal.ts'
import { DOCUMENT_KINDS, type DocumentView } from '../../../emulator/panel/contract.ts'
import { type Course, type Problem, printedBy, problems } from '../course.ts'
import { count, expected, members, oneOf, orMatcher, whole0, words } from '../fields.ts'
import { goldenPath, paperDiff, readGolden, writeGolden } from '../golden.ts'
import { differences, lineTest, shown } from '../match.ts'
import { checkKind } from './check.ts'

const text = words('a text, or a pattern such as /TOTAL +1\\.20/')
const texts = z.union([text, z.array(text, expected('a list of texts'))], expected('a text or a list of texts'))
const times = z.record(
  z.string(),
  orMatcher(count, 'a number of times'),
  expected('texts with a number each: {"TOTAL": 1}'),
)

const paperSchema = z.union(
  [
    words('the name of a golden file'),
    members('a check of the paper', {
      golden: words('the name of a golden file')
        .optional()
        .describe('Text file that the paper must be equal to; dates and times are left out of the comparison.'),
      has: texts.optional().describe('Lines (or parts of lines) that must be there.'),
      hasNot: texts.optional(),
      times: times.optional().describe('How many lines contain each text.'),
      of: z.union([oneOf(['all', 'last', ...DOCUMENT_KINDS])], expected('all, last or a kind of document')).optional(),
    }),
  ],
  expected('the name of a golden file, or {golden, has, hasNot, times, of}'),
)

export const paper = checkKind({
  schema: paperSchema,
  needs: 'paper',
  judge: async (expected, panel, course) => {
    const check = typeof expected === 'string' ? { golden: expected } : expected
    const lines = paperLines(chosen(await printedBy(panel, course), check.of ?? 'all'))
    const wrong = problems(lineProblems(check, lines))
    return check.golden === undefined ? wrong : [...wrong, ...goldenProblems(check.golden, lines, course)]
  },
})

function goldenProblems(name: string, lines: readonly string[], { golden }: Course): Problem[] {
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
  if (!expectedLines) return [{ what: `there is no golden file ${shownPath}; --update writes it` }]
  const diff = paperDiff(expectedLines, lines)
  return diff ? [{ what: `it differs from ${shownPath}`, diff }] : []
}

function chosen(documents: readonly DocumentView[], of: string): readonly DocumentView[] {
  if (of === 'all') return documents
  return of === 'last' ? documents.slice(-1) : documents.filter(({ kind }) => kind === of)
}

/** All of them one below the other, each under its kind. */
export const paperLines = (documents: readonly DocumentView[]): string[] =>
  documents.flatMap(({ kind, text }) => [`=== ${kind}`, ...text])

export const receipts = checkKind({
  schema: whole0.describe('Exactly so many fiscal receipts and invoices were printed by this scenario.'),
  needs: 'paper',
  judge: async (expected, panel, course) => {
    const printed = (await printedBy(panel, course)).filter(({ kind }) => kind === 'fiscal' || kind === 'invoice')
    return problems(differences(expected, printed.length, 'fiscal receipts printed'))
  },
})

export const documents = checkKind({
  schema: z
    .partialRecord(z.enum(DOCUMENT_KINDS), whole0, expected(`numbers by kind: ${DOCUMENT_KINDS.join(', ')}`))
    .describe('Exactly so many documents of each kind named.'),
  needs: 'paper',
  judge: async (expected, panel, course) => {
    const printed = await printedBy(panel, course)
    const numberOf = (kind: string) => printed.filter((document) => document.kind === kind).length
    return problems(Object.entries(expected).flatMap(([kind, number]) => differences(number, numberOf(kind), kind)))
  },
})

export const journal = checkKind({
  schema: members('a check of the journal', {
    has: texts.optional(),
    hasNot: texts.optional(),
    times: times.optional(),
    saleLines: orMatcher(count, 'a number of lines')
      .optional()
      .describe('Lines of sales: an amount that is not negative, and the letter of its tax group.'),
    intact: z.boolean(expected('true or false')).optional().describe('Each line is chained to the one before.'),
  }),
  needs: 'journal',
  judge: async (expected, panel, { beginning }) => {
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

/** `Bread      1.20 A`: a void and a discount have a minus, a tax line no letter at its end. */
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
    return line === undefined ? [] : [`${shown(one)} is there: ${shown(line)}`]
  })
  const counts = Object.entries(times).flatMap(([one, expected]) => {
    const number = lines.filter(lineTest(one)).length
    if (differences(expected, number, '').length === 0) return []
    return [`expected ${shown(one)} in ${shown(expected)} lines, it is in ${number}`]
  })
  return [...missing.map((one) => `${shown(one)} is not there`), ...forbidden, ...counts]
}
