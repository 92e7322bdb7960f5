import { codePage } from '../../wire/charset.ts'
import {
  type CommandCall,
  type LinkProbe,
  type OperatorLogin,
  openReceiptStatusBy,
  PAGE_LETTERS,
  type Questionnaire,
  range,
  type StatePath,
  withBits,
} from '../../wire/questionnaire.ts'
import { taxLetterOf, writeTax } from './cells.ts'
import { NAME_WIDTH } from './commands/sales.ts'
import { configureCommands, learn } from './discovery.ts'
import { EDITION, type Edition, type EditionName } from './edition.ts'
import { nibbleMeaning } from './errors.ts'
import { deviceShape, hostShape, RETRY, writeFrame } from './frame.ts'
import { catalogueOf } from './index.ts'
import { answerFrame, isLast, nibblesIn, printBlockers, readAnswer } from './passport-answers.ts'
import { GS_WIDTHS, PING_ALIVE, PING_READY, PING_STATE } from './unframed.ts'

const named = (rest: string): string => `${'PASSPORT'.padEnd(NAME_WIDTH)};${rest}`

function examples(d: Edition, { operator, password }: OperatorLogin): Questionnaire['examples'] {
  const who = `${operator};${password.padEnd(d.passwordWidth)}`
  const groups = range(1, d.taxClasses).map((code) => writeTax(taxLetterOf(code, d.taxLetters)))
  const [first = ''] = groups
  return {
    status: [''],
    deviceInfo: ['', 'B'],
    deviceNumbers: [''],
    registration: [''],
    readTaxRates: [''],
    readDecimalPoint: [''],
    readPayments: [''],
    readParameters: [''],
    printerStatus: [''],
    readClock: [''],
    readHeader: range(0, 9).map(String),
    readOperator: ['01', '1', '02', '20', '21'],
    automaticZ: ['H;R'],
    customerBase: ['R;1000'],
    readInvoiceRange: [''],
    freeMemoryRecords: [''],
    readArticle: ['00001', '00002', '00003', '99999', ...['"', '1', '2', '3', '4'].map((part) => `00001;${part}`)],
    readDepartment: ['01', '02', '50', '01;"'],
    daySums: [''],
    dayRegisters: ['0', '1', '2', '3', '4', '5', '6', '7', '9', ':'],
    operatorRegisters: range(1, 6).flatMap((option) => [`${option};1`, `${option};20`]),
    lastDocument: [''],
    transactionStatus: [''],
    receiptPayments: ['P'],
    receiptCode: ['B', 'b;000001'],
    electronicReceipt: ['e;000001'],
    lastZ: [''],
    archivedZ: ['0001;0001;8', '9999;9999;8'],
    journalRead: ['J0;Z;0001;0001', 'J0;N;000001;000001'],
    subtotal: ['0;0', '1;0', '0;0,-50.00%', '1;0:-0.01'],

    displayUpper: ['PASSPORT'.padEnd(20)],
    displayLower: ['PASSPORT'.padEnd(20)],
    displayText: ['PASSPORT'.padEnd(40)],
    displayClear: [''],
    displayClock: [''],
    cut: [''],
    feed: [''],
    openNonFiscal: [who],
    fiscalText: ['PASSPORT', 'W'.repeat(64), ...PAGE_LETTERS],
    closeNonFiscal: [''],
    barcode: ['P;2;12;594123456789', 'P;3;7;9638507', 'P;H;8;PASSPORT', 'P;I;8;PASSPORT'],
    reportX: ['X'],

    openFiscal: [`${who};0;0;0`],
    sale: [
      named(`${first};0.01*1.000`),
      ...groups.map((letter) => named(`${letter};0.01`)),
      named(`${first};-0.01`),
      named(`${first};0.02,-50.00%`),
      named(`${first};0.01:0.01`),
      named(`${first};0.00`),
    ],
    saleByPlu: ['+00001', '+99999', '-00001'],
    saleByDepartment: [named('\x81;0.01')],
    saleOfFraction: [named(`${first};0.03*1/3`)],
    adjustment: ['1;0,-50.00%'],
    payment: ['0;0;"'],
    payAndClose: [''],
    closeFiscal: [''],
    cancelFiscal: [''],
    duplicate: [''],
  }
}

const receipt = (d: Edition, { operator, password }: OperatorLogin): readonly [...CommandCall, 'selling'] => [
  'openFiscal',
  `${operator};${password.padEnd(d.passwordWidth)};0;0;0`,
  'selling',
]
const sold = (d: Edition): CommandCall => ['sale', named(`${writeTax(taxLetterOf(1, d.taxLetters))};0.02`)]
const END_SEQUENCES: StatePath['ends'] = [
  [['cancelFiscal', '']],
  [['payAndClose', '']],
  [['closeFiscal', '']],
  [['closeNonFiscal', '']],
]

const statePaths = (d: Edition, login: OperatorLogin): readonly StatePath[] => [
  {
    id: 'text',
    depth: 'print',
    steps: [['openNonFiscal', `${login.operator};${login.password.padEnd(d.passwordWidth)}`, 'nonFiscal']],
    ends: [[['closeNonFiscal', '']]],
  },
  { id: 'cancelled', depth: 'fiscal', steps: [receipt(d, login), sold(d)], ends: END_SEQUENCES },
  {
    id: 'paid',
    depth: 'fiscal',
    steps: [
      receipt(d, login),
      sold(d),
      ['payment', '0;0;0.01', 'paying'],
      ['payment', '0;0;"', 'paid'],
      ['closeFiscal', ''],
      ['duplicate', ''],
    ],
    ends: END_SEQUENCES,
  },
  ...range(1, d.payments - 2).map(
    (type): StatePath => ({
      id: `payment${type}`,
      depth: 'fiscal',
      steps: [receipt(d, login), sold(d), ['payment', `${type};1;"`], ['closeFiscal', '']],
      ends: END_SEQUENCES,
    }),
  ),
]

const { status, readClock } = catalogueOf('c4').byName
const asking = (number: number, code: number = status.code): Uint8Array => writeFrame(number, code, '')

const LINK: readonly LinkProbe[] = [
  { id: 'ping04', section: '2.5', bytes: () => [Uint8Array.of(PING_ALIVE)] },
  { id: 'ping05', section: '2.5', bytes: () => [Uint8Array.of(PING_READY)] },
  { id: 'ping09', section: '2.5', bytes: () => [Uint8Array.of(PING_STATE)] },
  { id: 'widths', section: '4.16', bytes: () => [GS_WIDTHS] },
  { id: 'wrongSum', section: '2.1', bytes: (number) => [withBits(asking(number), -2, 1)] },
  { id: 'wrongSymbol', section: '2.1', bytes: (number) => [withBits(asking(number), -2, 0x80)] },
  { id: 'wrongEnd', section: '2.6', bytes: (number) => [withBits(asking(number), -1, 1)] },
  { id: 'noise', section: '2.5', bytes: (number) => [Uint8Array.of(0x41, 0x42, ...asking(number))] },
  { id: 'half', section: '2.6', bytes: (number) => [asking(number).subarray(0, 4)] },
  { id: 'repeat', section: '2.4', bytes: (number) => [asking(number), asking(number)] },
  { id: 'repeatOther', section: '2.4', bytes: (number) => [asking(number), asking(number, readClock.code)] },
]

export function questionnaireC(name: EditionName, login: OperatorLogin): Questionnaire {
  const d = EDITION[name]
  return {
    edition: name,
    catalogue: catalogueOf(name),
    page: codePage(d.codePage),
    framesToDevice: hostShape,
    framesFromDevice: deviceShape,
    laterByte: RETRY,
    numbers: { first: 0x20, last: 0x9f, skipped: 0x40 },
    separator: ';',
    writeRequest: ({ number, code, data }) => writeFrame(number, code, data),
    readRequest(bytes) {
      const frame = hostShape.parse(bytes)
      return frame?.kind === 'command' ? { number: frame.number, code: frame.code, data: frame.data } : undefined
    },
    isLast,
    readAnswer,
    meaning: (refusal) => nibbleMeaning(nibblesIn(refusal)).text,
    writeAnswer: answerFrame,
    commandFlags: [],
    ownFlags: [
      'powerCut',
      'customerReportNotZeroed',
      'dailyReportNotZeroed',
      'articleReportNotZeroed',
      'operatorReportNotZeroed',
      'duplicatePrinted',
      'detailed',
      'vatPrinted',
      'journalNearFull',
      'memoryNearFull',
      'paperNearEnd',
      'speed9600',
      'unsentData',
    ],
    continuingQueries: [],
    lowPaper: 'paperNearEnd',
    state: ['status', ''],
    readReceiptStatus: openReceiptStatusBy('fiscalOpen', 'nonFiscalOpen'),
    mechanism: ['printerStatus', ''],
    printBlockers: (parts, request) => printBlockers(parts, request, name),
    examples: examples(d, login),
    refused: {
      openFiscal: [`${login.operator};${'9'.repeat(d.passwordWidth)};0;0;0`],
      openNonFiscal: [`${login.operator};${'9'.repeat(d.passwordWidth)}`],
    },
    moving: [
      ...['openNonFiscal', 'closeNonFiscal', 'openFiscal', 'openReversal', 'payment', 'payAndClose', 'closeFiscal'],
      ...['cancelFiscal', 'duplicate', 'cashInOut'],
    ],
    statePaths: statePaths(d, login),
    readings: [],
    archivedZ(closure) {
      const number = String(closure).padStart(4, '0')
      return ['archivedZ', `${number};${number};8`]
    },
    link: LINK,
    unknown: [0x4e, 0x5d],
    unknownSection: '2.3',
    closing: ['reportZ', 'Z'],
    isHarmless: (frame) => Buffer.from(frame).equals(GS_WIDTHS),
    learn: (parts) => learn(d, parts),
    configureCommands: (facts) => configureCommands(d, facts, codePage(d.codePage)),
  }
}
