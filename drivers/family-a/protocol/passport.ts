import { codePage } from '../../wire/charset.ts'
import {
  type CommandCall,
  type OperatorLogin,
  openReceiptStatusBy,
  PAGE_LETTERS,
  type Questionnaire,
  type Request,
  type ResponseParts,
  type StatePath,
  withBits,
} from '../../wire/questionnaire.ts'
import { answersWithoutCode, readCoded, writeCoded } from './answer.ts'
import { CLOSURE } from './commands/journal.ts'
import { asksOwn, configureCommands, learn, parametersOf } from './discovery.ts'
import { EDITION, type EditionName } from './edition.ts'
import { errorOf } from './errors.ts'
import { deviceShape, encodeDeviceFrame, encodeHostFrame, FIRST_SEQ, hostShape, LAST_SEQ, SYN } from './frame.ts'
import { catalogueOf } from './index.ts'
import { type StatusFlag, status } from './status.ts'

const { parameter, status: general, readClock } = catalogueOf('bg').byName
const MARGIN = 2
const PAGE = codePage('cp1251')

/** Key of an answer without data, which therefore lacks the required code (sheet 4.1). */
const NO_DATA = 'empty'

/** Style fields of a text line: bold, italic, double height, half height, underlined, centred, right. */
const styles = [
  ...['1\t\t\t\t\t', '\t1\t\t\t\t', '\t\t1\t\t\t', '\t\t2\t\t\t', '\t\t\t1\t\t', '\t\t\t\t1\t', '\t\t\t\t2\t'],
]
const counted = (count: number): readonly string[] => ['', ...Array.from({ length: count }, (_, index) => `${index}\t`)]

function examples(edition: EditionName, { operator, password }: OperatorLogin): Questionnaire['examples'] {
  const isBg = edition === 'bg'
  const groups = Array.from({ length: EDITION[edition].taxGroups }, (_, at) => at + 1)
  return {
    status: isBg ? ['', '0\t', '1\t'] : [''],
    transactionStatus: [''],
    currentReceipt: [''],
    errorText: ['-111018\t', '-112000\t', '-1\t', '0\t'],
    deviceInfo: ['', '\t', '1', '1\t'],
    deviceDetails: ['1\t', '2\t', '3\t', '5\t'],
    taxNumber: [''],
    modemInfo: isBg ? ['1\t', '2\t', '4\t', '9\t'] : [],
    readClock: [''],
    taxRates: [''],
    invoiceRange: [''],
    memoryTest: [''],
    readMemory: ['0\t0\t16\t'],
    modemTest: ['M\t'],
    clients: ['I\t'],
    parameter: parametersOf(EDITION[edition]),
    headerLine: ['I\t', 'B\t1\t', 'B\t2\t', 'B\t3\t'],
    articles: ['I\t', 'R\t1\t', 'R\t2\t', 'R\t3\t', 'R\t99999\t', 'F\t', 'L\t', 'N\t', 'X\t', 'x\t'],
    journalSearch: ['\t\t\t', '\t\t1\t', '\t\t2\t'],
    journalRead: ['0\t9999999\t0\t', '0\t1\t2\t'],
    exportFiles: ['1\t'],
    daySums: isBg ? counted(4) : counted(2),
    closuresLeft: [''],
    lastFiscalRecord: [''],
    lastClosure: isBg ? counted(4) : counted(2),
    dayCounters: isBg ? counted(6) : ['', '0\t', '2\t', '3\t', '4\t', '5\t'],
    operatorTotals: ['1\t', '2\t', '30\t'],
    groupTotals: ['1\t'],
    departmentTotals: ['1\t', '99\t'],
    cashInOut: ['0\t0.00\t', '2\t0.00\t'],
    subtotal: ['0\t0\t\t\t', '1\t0\t\t\t', '0\t0\t2\t1.00\t'],

    displayUpper: ['PASSPORT\t'],
    displayLower: ['PASSPORT\t'],
    displayClear: [''],
    showClock: [''],
    feed: ['1\t'],
    openNonFiscal: [''],
    nonFiscalText: [
      'PASSPORT\t',
      ...styles.map((style) => `PASSPORT\t${style}`),
      ...PAGE_LETTERS.map((letters) => `${letters}\t`),
    ],
    closeNonFiscal: [''],
    fiscalText: ['PASSPORT\t', ...styles.map((style) => `PASSPORT\t${style}`)],
    barcode: ['2\t5941234567899\t', '1\t96385074\t', '3\tPASSPORT\t', '4\tPASSPORT\t6\t', '5\t123456\t'],
    separatingLine: ['1\t', '2\t', '3\t'],
    report: ['X\t'],

    openFiscal: [`${operator}\t${password}\t1\t\t`],
    sale: [
      'PASSPORT\t1\t0.01\t1.000\t\t\t0\t',
      ...groups.map((group) => `PASSPORT\t${group}\t0.01\t\t\t\t0\t`),
      'PASSPORT\t1\t-0.01\t\t\t\t0\t',
      'PASSPORT\t1\t0.02\t\t2\t50.00\t0\t',
      'PASSPORT\t1\t0.01\t\t1\t50.00\t0\t',
      'PASSPORT\t1\t0.01\t0.000\t\t\t0\t',
      'PASSPORT\t1\t0.00\t\t\t\t0\t',
    ],
    saleByPlu: ['1\t\t\t\t\t', '99999\t\t\t\t\t'],
    payment: ['0\t\t\t'],
    closeFiscal: [''],
    cancelFiscal: [''],
    duplicate: [''],
  }
}

const receipt = ({ operator, password }: OperatorLogin): readonly [...CommandCall, 'selling'] => [
  'openFiscal',
  `${operator}\t${password}\t1\t\t`,
  'selling',
]
const SALE_CALL: CommandCall = ['sale', 'PASSPORT\t1\t0.02\t\t\t\t0\t']
const END_SEQUENCES: StatePath['ends'] = [
  [['cancelFiscal', '']],
  [
    ['payment', '0\t\t\t'],
    ['closeFiscal', ''],
  ],
  [['closeFiscal', '']],
  [['closeNonFiscal', '']],
]

const statePaths = (edition: EditionName, login: OperatorLogin): readonly StatePath[] => [
  { id: 'text', depth: 'print', steps: [['openNonFiscal', '', 'nonFiscal']], ends: [[['closeNonFiscal', '']]] },
  { id: 'cancelled', depth: 'fiscal', steps: [receipt(login), SALE_CALL], ends: END_SEQUENCES },
  {
    id: 'paid',
    depth: 'fiscal',
    steps: [
      receipt(login),
      SALE_CALL,
      ['payment', '0\t0.01\t\t', 'paying'],
      ['payment', '0\t0.00\t\t', 'paid'],
      ['closeFiscal', ''],
      ['duplicate', ''],
    ],
    ends: END_SEQUENCES,
  },
  // All modes except cash, the first, and foreign currency, the last, which needs a rate.
  ...EDITION[edition].paymentModes.slice(1, -1).map(
    (_, at): StatePath => ({
      id: `mode${at + 1}`,
      depth: 'fiscal',
      steps: [receipt(login), SALE_CALL, ['payment', `${at + 1}\t0.02\t\t`], ['closeFiscal', '']],
      ends: END_SEQUENCES,
    }),
  ),
]

const asking = (seq: number, code: number = general.code): Uint8Array => encodeHostFrame({ seq, code, data: '' })

const LINK: Questionnaire['link'] = [
  { id: 'wrongSum', section: '2.7', bytes: (seq) => [withBits(asking(seq), -2, 1)] },
  { id: 'wrongLength', section: '2.7', bytes: (seq) => [withBits(asking(seq), 4, 2)] },
  { id: 'wrongNibble', section: '2.7', bytes: (seq) => [withBits(asking(seq), 1, 0x70)] },
  { id: 'noise', section: '2.7', bytes: (seq) => [Uint8Array.of(0x41, 0x42, ...asking(seq))] },
  { id: 'doubledStart', section: '2.7', bytes: (seq) => [Uint8Array.of(1, ...asking(seq))] },
  { id: 'half', section: '2.7', bytes: (seq) => [asking(seq).subarray(0, 8)] },
  { id: 'lowNumber', section: '2.7', bytes: () => [asking(0x1f)] },
  { id: 'classic', section: '2.7', bytes: () => [Uint8Array.of(1, 0x24, 0x20, 0x4a, 5, 0x30, 0x30, 0x39, 0x33, 3)] },
  { id: 'repeat', section: '2.6', bytes: (seq) => [asking(seq), asking(seq)] },
  { id: 'repeatOther', section: '2.6', bytes: (seq) => [asking(seq), asking(seq, readClock.code)] },
]

function readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined {
  const frame = frames.length === 1 ? deviceShape.parse(frames[0] as Uint8Array) : undefined
  if (!frame || frame.code !== request.code) return undefined
  const flags = [...status.read(frame.status)]
  const parts = { flags, lines: 0 }
  const coded = readCoded(frame.data)
  if (coded && coded.code !== 0) return { ...parts, refusal: String(coded.code), data: coded.rest }
  if (!coded && answersWithoutCode(request.code, request.data)) return { ...parts, data: frame.data }
  if (!coded && frame.data === '') return { ...parts, refusal: NO_DATA, data: '' }
  return { ...parts, data: coded?.rest ?? frame.data }
}

function answerFrame({ refusal, data, flags }: ResponseParts, { number: seq, code, data: sent }: Request): Uint8Array {
  const isBare = refusal === NO_DATA || (refusal === undefined && answersWithoutCode(code, sent))
  return encodeDeviceFrame({
    seq,
    code,
    data: isBare ? data : writeCoded(Number(refusal ?? 0), data),
    status: status.write(new Set(flags as readonly StatusFlag[])),
  })
}

export const questionnaireA = (edition: EditionName, login: OperatorLogin): Questionnaire => ({
  edition,
  catalogue: catalogueOf(edition),
  page: PAGE,
  framesToDevice: hostShape,
  framesFromDevice: deviceShape,
  busyByte: SYN,
  numbers: { first: FIRST_SEQ, last: LAST_SEQ },
  separator: '\t',
  writeRequest: ({ number: seq, code, data }) => encodeHostFrame({ seq, code, data }),
  readRequest(bytes) {
    const frame = hostShape.parse(bytes)
    return frame && { number: frame.seq, code: frame.code, data: frame.data }
  },
  isLast: () => true,
  readAnswer,
  meaning: (refusal) => (refusal === NO_DATA ? 'no answer but its status' : errorOf(Number(refusal))?.meaning),
  writeAnswer: answerFrame,
  commandFlags: ['generalError', 'unknownCommand', 'syntaxError', 'notPermitted', 'overflow'],
  isOwn: ({ code, data }) => code === parameter.code && asksOwn(data),
  ownFlags: ['paperLow', 'journalNearlyFull', 'memoryNearlyFull'],
  continuingQueries: [['articles', 'N\t']],
  lowPaper: 'paperLow',
  state: ['status', ''],
  readReceiptStatus: openReceiptStatusBy('fiscalReceiptOpen', 'nonFiscalReceiptOpen'),
  mechanism: ['status', ''],
  printBlockers: ({ flags }) => [
    ...(flags.includes('noPaper') ? (['paperOut'] as const) : []),
    ...(flags.includes('coverOpen') ? (['coverOpen'] as const) : []),
  ],
  examples: examples(edition, login),
  refused: { openFiscal: [`${login.operator}\t99999999\t1\t\t`, `99\t1\t1\t\t`] },
  moving: [
    ...['openNonFiscal', 'closeNonFiscal', 'openFiscal', 'openReversal', 'payment', 'closeFiscal', 'cancelFiscal'],
    ...['duplicate', 'cashInOut', 'invoiceData'],
  ],
  statePaths: statePaths(edition, login),
  readings: [{ id: 'journal', first: ['journalRead', '0\t1\t0\t'], again: ['journalRead', '1\t\t\t'] }],
  // Selects the document of that Z report and prints nothing; the commands 94 and 95 would print the document (sheet
  // 6.12).
  archivedZ: (closure) => ['journalRead', `0\t${closure}\t${CLOSURE}\t`],
  link: LINK,
  unknown: [0x1f0, 0x3e7],
  unknownSection: '4.1',
  closing: ['report', 'Z\t'],
  learn: (parts) => learn(EDITION[edition], parts),
  lineWidth: ({ textWidth, parameters }) => {
    const text = textWidth?.nonFiscalText ?? textWidth?.fiscalText
    return text === undefined ? Number(parameters?.['PrintColumns.0']) || undefined : text + MARGIN
  },
  configureCommands: (facts) => configureCommands(EDITION[edition], facts, PAGE),
  widest: {
    nonFiscal: (length) => ['nonFiscalText', `${'W'.repeat(length)}\t`],
    selling: (length) => ['fiscalText', `${'W'.repeat(length)}\t`],
  },
})
