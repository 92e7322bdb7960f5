/** Every command in every state of the receipt, as raw data: the table of sheet 9. */
import { describe, expect, it } from 'vitest'
import { type CommandName, catalogueOf } from '../../drivers/family-b/protocol/index.ts'
import { RECEIPT, say, talk } from './talk.ts'

const WAYS = {
  none: [],
  nonFiscal: ['38'],
  selling: ['48 1,1', '58 1'],
  paying: ['48 1,1', '58 1', '53 \\tC0.20'],
  paid: ['48 1,1', '58 1', '53 \\t'],
} as const
type State = keyof typeof WAYS
const STATES = Object.keys(WAYS) as State[]

/**
 * Reactions: `.` success, `s` bit 1.1 with error 20, `o` bit 1.1 with error 19, `f` success with the letter F, a
 * number: byte 3 alone.
 */
type Cells = readonly [none: string, nonFiscal: string, selling: string, paying: string, paid: string]
const any: Cells = ['.', '.', '.', '.', '.']
const between: Cells = ['.', 'o', 'o', 'o', 'o']

const TABLE: Readonly<Record<CommandName, readonly [data: string, cells: Cells]>> = {
  displayClear: ['', any],
  displayUpper: ['Hello', any],
  displayLower: ['Hello', any],
  displayText: ['2,Hello', any],
  displayClock: ['', any],
  displayRaw: ['Hello', any],
  displayConversion: ['ABC', any],
  displaySetUp: ['2,20', any],
  openNonFiscal: ['', between],
  nonFiscalText: ['Hello', ['s', '.', 's', 's', 's']],
  closeNonFiscal: ['', ['s', '.', 's', 's', 's']],
  openFiscal: ['1,1', between],
  saleByPlu: ['1', ['s', 's', '.', '6', '6']],
  sale: ['Milk\\tБ1.50', ['s', 's', '.', '6', '6']],
  saleOnDisplay: ['Milk\\tБ1.50', ['s', 's', '.', '6', '6']],
  saleByDepartment: ['+2@1.50', ['s', 's', '.', '6', '6']],
  subtotal: ['10', ['s', 's', '.', '.', '.']],
  payment: ['\\t', ['s', 's', '.', '.', 's']],
  fiscalText: ['Thanks', ['s', 's', '.', '.', '.']],
  invoiceData: ['123456789', ['s', 's', 's', 's', 's']],
  closeFiscal: ['', ['s', 's', 's', 's', '.']],
  cancelFiscal: ['', ['s', 's', '.', 's', 's']],
  barcode: ['6,123456789', ['s', '.', '.', '.', '.']],
  qrCode: ['Q,abc', ['s', '.', '.', '.', '.']],
  readClock: ['', any],
  lastFiscalRecord: ['T', any],
  daySums: ['T', any],
  freeRecords: ['', any],
  status: ['X', any],
  transactionStatus: ['T', any],
  deviceInfo: ['1', any],
  taxRates: ['', any],
  taxRatesByDate: ['', between],
  taxNumber: ['', any],
  receiptSums: ['', any],
  dayPayments: ['A', any],
  operatorInfo: ['1', any],
  lastDocument: ['', any],
  lastDocumentQr: ['', any],
  firstUnsent: ['', any],
  shopFlags: ['', any],
  modemTest: ['T', any],
  documentInfo: ['1,S', any],
  constants: ['', any],
  errorText: ['66', any],
  dailyReport: ['2', between],
  dailyReportWithArticles: ['2', between],
  archivedZ: ['1,0', any],
  archivedZByDate: ['140725,0', any],
  memoryReportByNumber: ['1,1', between],
  memoryReportShortByNumber: ['1,1', between],
  memoryReportByDate: ['010125,311225', between],
  memoryReportShortByDate: ['010125,311225', between],
  memoryPassword: ['000000', any],
  operatorsReport: ['', between],
  clearOperators: ['', between],
  articlesReport: ['', between],
  departmentsReport: ['', between],
  parametersReport: ['', between],
  diagnosticsReport: ['', between],
  setClock: ['14-07-25 13:00:00', between],
  cashInOut: ['5.00', ['.', 'f', 'f', 'f', 'f']],
  setTaxRates: ['20.00,20.00,20.00,09.00', between],
  setPassword: ['2,2,1234', between],
  setOperatorName: ['2,2,Anna', between],
  drawer: ['', any],
  feed: ['2', any],
  cut: ['1', any],
  duplicate: ['1', between],
  printOptions: ['0Shop', between],
  texts: ['P40,Shop', between],
  parameters: ['P2,4', between],
  paymentNames: ['P1,CARD', between],
  article: ['PБ500,1.23,New', between],
  department: ['P9,Dairy\\nБ,0', between],
  reportAsText: ['', any],
  journalRead: ['R1,1,1,1', any],
}

function cellOf({ data, status, error }: { data: string; status: string; error: number }): string {
  const refused = status.split(' ')[1] === '82'
  if (refused) return error === 19 ? 'o' : error === 20 ? 's' : `1.1 ${error}`
  if (error !== 0) return String(error)
  return data.startsWith('F,') ? 'f' : '.'
}

function inWords(cell = ''): string {
  if (cell === '.') return 'executed'
  if (cell === 'f') return 'answered with F'
  return `refused (${cell === 'o' ? 'error 19' : cell === 's' ? 'error 20' : cell})`
}

describe.each(STATES)('in the state "%s" of family B', (state) => {
  const place = STATES.indexOf(state)
  const rows = Object.entries(TABLE).map(
    ([name, [data, cells]]) => [name, inWords(cells[place]), data, cells[place]] as const,
  )
  it.each(rows)('%s is %s', (name, _result, data, cell) => {
    const rig = talk()
    // The receipt and the Z report make a copy and an archived report possible.
    say(rig, ...RECEIPT, '69 0', ...WAYS[state])
    const { code } = catalogueOf('b8').byName[name as CommandName]
    const before = rig.device.receipt
    const reply = say(rig, `${code} ${data}`)
    expect(cellOf(reply)).toBe(cell)
    if (cell !== '.') expect(rig.device.receipt).toEqual(before)
    if (cell !== '.' && cell !== 'f') expect(reply.data).toBe('')
  })
})

describe('a register that is not in its PC mode', () => {
  const starred = [38, 39, 42, 44, 45, 48, 49, 50, 51, 52, 53, 54, 56, 57, 58, 69, 70, 71, 73, 79, 94, 95, 105, 106, 108, 109, 111, 130, 138, 165, 166] // biome-ignore format: a list
  it.each(starred)('refuses %i with 1.1', (code) => {
    const rig = talk({ switches: { pcMode: 'off' } })
    expect(rig.ask(code).status).toBe('A0 82 80 94 80 B8')
  })
  it('serves the others, with bit 2.6 off', () => {
    const rig = talk({ switches: { pcMode: 'off' } })
    expect(say(rig, '74').status).toBe('80 80 80 80 80 B8')
    expect(say(rig, '62').data).toBe('14-07-25 12:00:00')
  })
})
