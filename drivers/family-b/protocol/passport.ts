import {
  type CommandCall,
  type LinkProbe,
  type OperatorLogin,
  openReceiptStatusBy,
  PAGE_LETTERS,
  type Questionnaire,
  type Request,
  type ResponseParts,
  range,
  type StatePath,
  withBits,
} from '../../wire/questionnaire.ts'
import { cyrillic, georgian } from './charset.ts'
import { configureCommands, FOOTER, HEADER, learn, PARAMETERS, PAYMENTS } from './discovery.ts'
import { ERRORS } from './errors.ts'
import {
  answerShape,
  FIRST_SEQUENCE,
  LAST_SEQUENCE,
  LINE_TAKEN,
  parseAnswer,
  parseRequest,
  requestShape,
  START,
  SYN,
  writeAnswer,
  writeRequest,
} from './frame.ts'
import { catalogueOf, type EditionName } from './index.ts'
import { readStatus, type StatusName, writeStatus } from './status.ts'

const pageOf = (edition: EditionName) => (edition === 'b8' ? cyrillic : georgian)

const reads = (numbers: readonly number[]): readonly string[] => numbers.map((number) => `R${number}`)

const GROUPS: Readonly<Record<EditionName, readonly string[]>> = {
  b8: range(0xc0, 0xc7).map((byte) => String.fromCharCode(byte)),
  b5: [' ', 'A', 'B', 'C', 'D'],
}

function examples(edition: EditionName, { operator, password }: OperatorLogin): Questionnaire['examples'] {
  const [first = ''] = GROUPS[edition]
  return {
    status: ['', 'X'],
    transactionStatus: ['', 'T'],
    receiptSums: [''],
    deviceInfo: ['1', '0', ''],
    constants: [''],
    taxRates: [''],
    taxNumber: [''],
    readClock: [''],
    lastFiscalRecord: ['T', 'N', ''],
    daySums: ['T', 'N', ''],
    freeRecords: [''],
    dayPayments: ['', 'A'],
    operatorInfo: ['1', '2', '20'],
    lastDocument: [''],
    lastDocumentQr: [''],
    firstUnsent: [''],
    shopFlags: [''],
    documentInfo: ['1', '99999999'],
    errorText: ['66', '20', '82', '127'],
    modemTest: ['T'],
    archivedZ: ['1,0', '1,1', '1,2', '1,3', '9999,0'],
    archivedZByDate: ['010120,0'],
    journalRead: ['R12,1,1,A', 'R11,1,1,A'],
    article: ['R1', 'R2', 'R3', 'R30000', 'F0', 'N', 'F1'],
    department: ['R1', 'R2', 'R50'],
    texts: reads([...HEADER, ...FOOTER, ...PAYMENTS, 600, 999]),
    parameters: reads([...PARAMETERS, 99]),
    paymentNames: reads(range(1, 4)),
    printOptions: ['I0', 'I1', 'I2', 'IP', 'IL', 'IC', 'IA'],
    cashInOut: edition === 'b8' ? ['', '0'] : [''],
    subtotal: ['00', '10', '10,-50.00'],
    dailyReport: ['2', '5'],

    displayUpper: ['PASSPORT'],
    displayLower: ['PASSPORT'],
    displayText: ['1,PASSPORT'],
    displayClear: [''],
    displayClock: [''],
    feed: ['1'],
    openNonFiscal: [''],
    nonFiscalText: ['PASSPORT', 'W'.repeat(64), ...PAGE_LETTERS],
    closeNonFiscal: [''],
    fiscalText: ['PASSPORT', 'W'.repeat(64)],
    barcode: ['2,594123456789', '1,9638507', '3,PASSPORT', '6,123456\tC,0,10,1', '9,ABC'],
    qrCode: ['Q,PASSPORT'],

    openFiscal: [`${operator},${password}`],
    saleByPlu: ['+1*0.001', '+1', '+2', '+3', '-1*0.001', '+30000', '+1*0.010,-50.00'],
    sale: [`PASSPORT\t${first}0.01`, ...GROUPS[edition].map((letter) => `PASSPORT\t${letter}0.01*1.000`)],
    saleOnDisplay: [`PASSPORT\t${first}0.01`],
    saleByDepartment: ['+1@0.01', '+50@0.01'],
    payment: ['\t'],
    closeFiscal: [''],
    cancelFiscal: [''],
    duplicate: ['1'],
  }
}

const receipt = ({ operator, password }: OperatorLogin): readonly [...CommandCall, 'selling'] => [
  'openFiscal',
  `${operator},${password}`,
  'selling',
]
const SALE_CALL: CommandCall = ['saleByPlu', '+1*0.020']
const END_SEQUENCES: StatePath['ends'] = [
  [['cancelFiscal', '']],
  [
    ['payment', '\t'],
    ['closeFiscal', ''],
  ],
  [['closeFiscal', '']],
  [['closeNonFiscal', '']],
]

const statePaths = (login: OperatorLogin): readonly StatePath[] => [
  { id: 'text', depth: 'print', steps: [['openNonFiscal', '', 'nonFiscal']], ends: [[['closeNonFiscal', '']]] },
  { id: 'cancelled', depth: 'fiscal', steps: [receipt(login), SALE_CALL], ends: END_SEQUENCES },
  {
    id: 'paid',
    depth: 'fiscal',
    steps: [
      receipt(login),
      SALE_CALL,
      ['payment', '\tP0.01', 'paying'],
      ['payment', '\t', 'paid'],
      ['closeFiscal', ''],
      ['duplicate', '1'],
    ],
    ends: END_SEQUENCES,
  },
  ...[...'NCDB'].map(
    (letter): StatePath => ({
      id: `payment${letter}`,
      depth: 'fiscal',
      steps: [receipt(login), SALE_CALL, ['payment', `\t${letter}`], ['closeFiscal', '']],
      ends: END_SEQUENCES,
    }),
  ),
]

const { status, readClock } = catalogueOf('b8').byName
const asking = (seq: number, command: number = status.code): Uint8Array => writeRequest({ seq, command, data: '' })

const LINK: readonly LinkProbe[] = [
  { id: 'wrongSum', section: '5.5', bytes: (seq) => [withBits(asking(seq), -2, 1)] },
  { id: 'wrongLength', section: '5.5', bytes: (seq) => [withBits(asking(seq), 1, 2)] },
  { id: 'noise', section: '5.5', bytes: (seq) => [Uint8Array.of(0x41, 0x42, ...asking(seq))] },
  { id: 'doubledStart', section: '5.5', bytes: (seq) => [Uint8Array.of(START, ...asking(seq))] },
  { id: 'half', section: '5.5', bytes: (seq) => [asking(seq).subarray(0, 5)] },
  { id: 'lowNumber', section: '5.5', bytes: () => [asking(0x1f)] },
  {
    id: 'tooMuch',
    section: '5.5',
    bytes: (seq) => [writeRequest({ seq, command: status.code, data: 'X'.repeat(201) })],
  },
  { id: 'repeat', section: '5.4', bytes: (seq) => [asking(seq), asking(seq)] },
  { id: 'repeatOther', section: '5.4', bytes: (seq) => [asking(seq), asking(seq, readClock.code)] },
  {
    id: 'repeatData',
    section: '5.4',
    bytes: (seq) => [asking(seq), writeRequest({ seq, command: status.code, data: 'X' })],
  },
]

/** Status bits of a refusal (sheet 8). A refusal is one of these bits, the error number of byte 3, or both. */
const REFUSING: Readonly<Record<string, StatusName>> = {
  invalid: 'invalidCommand',
  syntax: 'syntaxError',
  notAllowed: 'notAllowedNow',
}

function refusalOf(flags: ReadonlySet<StatusName>, error: number): string | undefined {
  const word = Object.entries(REFUSING).find(([, flag]) => flags.has(flag))?.[0]
  if (word !== undefined) return error === 0 ? word : `${word} ${error}`
  return error === 0 ? undefined : String(error)
}

function meaning(refusal: string): string | undefined {
  const words = refusal.split(' ').flatMap((word) => BIT_MEANINGS[word] ?? ERRORS[Number(word)]?.meaning ?? [])
  return words.length === 0 ? undefined : words.join(', ')
}

const BIT_MEANINGS: Readonly<Record<string, string>> = {
  invalid: 'the command is unknown',
  syntax: 'the data are malformed',
  notAllowed: 'it is not allowed now',
}

function readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined {
  const last = parseAnswer(frames.at(-1) ?? new Uint8Array(0))
  if (!last || last.command !== request.code) return undefined
  const { flags, error } = readStatus(last.status)
  const refusal = refusalOf(flags, error)
  const parts = { data: last.data, flags: [...flags], lines: frames.length - 1 }
  return refusal === undefined ? parts : { ...parts, refusal }
}

function answerFrame({ refusal, data, flags }: ResponseParts, { number: seq, code }: Request): Uint8Array {
  const [word = '', number = /^\d+$/.test(word) ? word : '0'] = (refusal ?? '').split(' ')
  const bit = REFUSING[word]
  const set = new Set([...flags, ...(bit ? [bit] : [])] as readonly StatusName[])
  return writeAnswer({ seq, command: code, data, status: writeStatus({ flags: set, error: Number(number) }) })
}

export const questionnaireB = (edition: EditionName, login: OperatorLogin): Questionnaire => ({
  edition,
  catalogue: catalogueOf(edition),
  page: pageOf(edition),
  framesToDevice: requestShape,
  framesFromDevice: answerShape,
  busyByte: SYN,
  lineAcknowledgement: LINE_TAKEN,
  numbers: { first: FIRST_SEQUENCE, last: LAST_SEQUENCE },
  separator: ',',
  writeRequest: ({ number: seq, code: command, data }) => writeRequest({ seq, command, data }),
  readRequest(bytes) {
    const frame = parseRequest(bytes)
    return frame && { number: frame.seq, code: frame.command, data: frame.data }
  },
  isLast: (frame) => frame[0] === START,
  readAnswer,
  meaning,
  writeAnswer: answerFrame,
  commandFlags: [...['generalError', 'invalidCommand', 'syntaxError', 'notAllowedNow', 'overflow', 'wrongPassword']],
  ownFlags: ['paperLow', 'journalNearlyFull', 'fiscalMemoryNearlyFull'],
  continuingQueries: [['article', 'N']],
  lowPaper: 'paperLow',
  state: ['status', ''],
  readReceiptStatus: openReceiptStatusBy('fiscalReceiptOpen', 'nonFiscalReceiptOpen'),
  mechanism: ['status', ''],
  // The wire protocol has no bit for the cover, but the mechanism does not work while the cover is open.
  printBlockers: ({ flags }) => [
    ...(flags.includes('paperOut') ? (['paperOut'] as const) : []),
    ...(flags.includes('mechanismError') ? (['coverOpen'] as const) : []),
  ],
  examples: examples(edition, login),
  refused: { openFiscal: [`${login.operator},999999`, '99,1'] },
  moving: [
    ...['openNonFiscal', 'closeNonFiscal', 'openFiscal', 'payment', 'closeFiscal', 'cancelFiscal', 'duplicate'],
    ...['cashInOut', 'invoiceData', 'dailyReportWithArticles'],
  ],
  statePaths: statePaths(login),
  readings: [],
  archivedZ: (closure) => ['archivedZ', `${closure},0`],
  link: LINK,
  unknown: [0xe0, 0xef, 0xfe],
  unknownSection: '8',
  closing: ['dailyReport', '0'],
  learn,
  configureCommands: (facts) => configureCommands(edition, facts, pageOf(edition)),
})
