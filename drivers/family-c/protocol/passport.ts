import { codePage } from '../../wire/charset.ts'
import {
  type AnswerParts,
  type Ask,
  type Asker,
  type Hindrance,
  type LinkProbe,
  PAGE_LETTERS,
  type Questionnaire,
  type Request,
  range,
  type Way,
  withBits,
} from '../../wire/questionnaire.ts'
import { taxLetterOf, writeTax } from './cells.ts'
import { NAME_WIDTH } from './commands/sales.ts'
import { EDITION, type Edition, type EditionName } from './edition.ts'
import { DEVICE_NIBBLES, type Nibbles, nibbleCode, nibbleMeaning } from './errors.ts'
import { type DeviceFrame, deviceShape, hostShape, RETRY, writeAck, writeFrame } from './frame.ts'
import { catalogueOf } from './index.ts'
import { learn, teach } from './learnt.ts'
import { status } from './status.ts'
import { GS_WIDTHS, PING_ALIVE, PING_READY, PING_STATE } from './unframed.ts'

/** How a device of family C is got to know: `fiscal-rig passport`. */

const named = (rest: string): string => `${'PASSPORT'.padEnd(NAME_WIDTH)};${rest}`

function examples(d: Edition, { operator, password }: Asker): Questionnaire['examples'] {
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

const receipt = (d: Edition, { operator, password }: Asker): readonly [...Ask, 'selling'] => [
  'openFiscal',
  `${operator};${password.padEnd(d.passwordWidth)};0;0;0`,
  'selling',
]
const sold = (d: Edition): Ask => ['sale', named(`${writeTax(taxLetterOf(1, d.taxLetters))};0.02`)]
const ENDS: Way['ends'] = [
  [['cancelFiscal', '']],
  [['payAndClose', '']],
  [['closeFiscal', '']],
  [['closeNonFiscal', '']],
]

const ways = (d: Edition, asker: Asker): readonly Way[] => [
  {
    id: 'text',
    depth: 'paper',
    steps: [['openNonFiscal', `${asker.operator};${asker.password.padEnd(d.passwordWidth)}`, 'nonFiscal']],
    ends: [[['closeNonFiscal', '']]],
  },
  { id: 'cancelled', depth: 'day', steps: [receipt(d, asker), sold(d)], ends: ENDS },
  {
    id: 'paid',
    depth: 'day',
    steps: [
      receipt(d, asker),
      sold(d),
      ['payment', '0;0;0.01', 'paying'],
      ['payment', '0;0;"', 'paid'],
      ['closeFiscal', ''],
      ['duplicate', ''],
    ],
    ends: ENDS,
  },
  // The last payment is currency, which has a rate.
  ...range(1, d.payments - 2).map(
    (type): Way => ({
      id: `payment${type}`,
      depth: 'day',
      steps: [receipt(d, asker), sold(d), ['payment', `${type};1;"`], ['closeFiscal', '']],
      ends: ENDS,
    }),
  ),
]

const asking = (number: number, code = 0x20): Uint8Array => writeFrame(number, code, '')

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
  { id: 'repeatOther', section: '2.4', bytes: (number) => [asking(number), asking(number, 0x68)] },
]

const isFailure = ({ device, command }: Nibbles): boolean => device !== 0 || command !== 0

/** Requests whose answer is an ACK and then messages up to one that holds only `@` (sheet 4.15). */
function streams({ code, data }: Request): boolean {
  if (code === 0x75) return true
  if (code === 0x72) return /^[eE]/.test(data)
  if (code === 0x7c) return /^[jJ][08]/.test(data)
  return code >= 0x78 && code <= 0x7b && /;8;?$/.test(data)
}

const read = (bytes: Uint8Array): DeviceFrame | undefined => deviceShape.parse(bytes)

function isLast(bytes: Uint8Array, request: Request): boolean {
  const frame = read(bytes)
  if (!streams(request) || frame === undefined) return true
  return frame.kind === 'ack' ? isFailure(frame) : frame.kind === 'message' && /^(\d{4})?@$/.test(frame.data)
}

function readAnswer(frames: readonly Uint8Array[], request: Request): AnswerParts | undefined {
  const last = read(frames.at(-1) ?? new Uint8Array(0))
  const told = { flags: [], lines: frames.length - 1 }
  switch (last?.kind) {
    case 'ack':
      return isFailure(last) ? { ...told, data: '', refusal: nibbleCode(last) } : { ...told, data: '' }
    case 'message': {
      if (last.code !== request.code) return undefined
      // The status is told in the data of its own command.
      const flags = request.code === 0x20 ? [...status.read(last.data)] : []
      return { ...told, data: streams(request) ? '' : last.data, flags }
    }
    case 'widths':
    case undefined:
      return undefined
  }
}

/** `34/32` as it stands in a passport. */
function nibblesIn(refusal: string): Nibbles {
  const [device = 0, command = 0] = refusal.split('/').map((half) => Number.parseInt(half, 16) - 0x30)
  return { device, command }
}

function answerFrame({ refusal, data, flags }: AnswerParts, request: Request): Uint8Array {
  const { number, code } = request
  if (refusal !== undefined) {
    const { device, command } = nibblesIn(refusal)
    return writeAck(number, device, command)
  }
  const width = data.length
  if (code === 0x20) return writeFrame(number, code, status.write(new Set(flags as readonly never[])).slice(0, width))
  return data === '' ? writeAck(number, 0, 0) : writeFrame(number, code, data)
}

/** 66h tells which; 20h has one bit, and every other command is refused, for both alike. */
function hindrances(told: AnswerParts, { code }: Request, name: EditionName): readonly Hindrance[] | undefined {
  const { refusal, data, flags } = told
  if (refusal !== undefined) {
    const isHindered = DEVICE_NIBBLES[nibblesIn(refusal).device]?.key === 'noPaper'
    return isHindered ? ['paperOut'] : undefined
  }
  const { printerStatus, status: general } = catalogueOf(name).byName
  if (code === general.code) return flags.includes('noPaper') ? ['paperOut'] : []
  if (code !== printerStatus.code) return undefined
  try {
    const bits = printerStatus.response.read(data, codePage(EDITION[name].codePage)).flags
    return [
      ...(bits.has('paperEnd') ? (['paperOut'] as const) : []),
      ...(bits.has('coverOpen') ? (['coverOpen'] as const) : []),
    ]
  } catch {
    return undefined
  }
}

export function questionnaireC(name: EditionName, asker: Asker): Questionnaire {
  const d = EDITION[name]
  return {
    edition: name,
    catalogue: catalogueOf(name),
    page: codePage(d.codePage),
    hears: hostShape,
    says: deviceShape,
    laterByte: RETRY,
    numbers: { first: 0x20, last: 0x9f, skipped: 0x40 },
    separator: ';',
    writeRequest: ({ number, code, data }) => writeFrame(number, code, data),
    readRequest(bytes) {
      const frame = hostShape.parse(bytes)
      return frame?.kind === 'command' ? { number: frame.number, code: frame.code, data: frame.data } : undefined
    },
    isLast,
    readAnswer: readAnswer,
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
    goingOn: [],
    lowPaper: 'paperNearEnd',
    state: ['status', ''],
    standing: ({ flags }) => ({
      receipt: flags.includes('fiscalOpen') ? 'fiscal' : flags.includes('nonFiscalOpen') ? 'nonFiscal' : 'none',
      isFiscal: flags.includes('fiscalised'),
    }),
    mechanism: ['printerStatus', ''],
    hindrances: (told, request) => hindrances(told, request, name),
    examples: examples(d, asker),
    refused: {
      openFiscal: [`${asker.operator};${'9'.repeat(d.passwordWidth)};0;0;0`],
      openNonFiscal: [`${asker.operator};${'9'.repeat(d.passwordWidth)}`],
    },
    moving: [
      ...['openNonFiscal', 'closeNonFiscal', 'openFiscal', 'openReversal', 'payment', 'payAndClose', 'closeFiscal'],
      ...['cancelFiscal', 'duplicate', 'cashInOut'],
    ],
    ways: ways(d, asker),
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
    learn: (told) => learn(d, told),
    teach: (facts) => teach(d, facts, codePage(d.codePage)),
  }
}
