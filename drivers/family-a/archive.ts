/**
 * Reads archived Z reports (sheet 6.12). The structured record is not published; the house layout is read only from a
 * device whose name contains "emulator". Other devices yield number, time and text, and for the newest Z report the
 * sums of command 64.
 */
import { DeviceError } from '../model/errors.ts'
import { parseDecimal } from '../model/money.ts'
import type { ArchivedZ } from '../model/printer.ts'
import { TAX_CODES, taxLetter } from '../model/receipt.ts'
import { trimEndOf } from '../model/trim-end.ts'
import { codePage } from '../wire/charset.ts'
import type { Edition } from './protocol/edition.ts'
import type { DeviceA } from './session.ts'

const CLOSURES = 2
const houseFields = ({ taxGroups, currencyMode }: Edition): number => 20 + 4 * taxGroups + currencyMode

/** Resolves to `undefined` if the device has no Z report with that number. */
export async function readArchivedZ(device: DeviceA, number: number): Promise<ArchivedZ | undefined> {
  // The number of a Z report has at most four digits in the wire protocol.
  if (number < 1 || number > 9_999) return undefined
  const missing = ['ejNoRecords', 'notFound', 'noRecords', 'endOfData', 'valueField2'] as const
  const selection = { option: '0', number, type: CLOSURES } as const
  const select = async () => {
    const values = (await device.askUnlessRefused(missing, 'journalRead', selection))?.values
    return values?.form === 'document' && values.closure === number ? values : undefined
  }
  const lines = await piecesOf(device, '1', select)
  if (!lines) return undefined
  if (device.facts.emulated) {
    const structured = fromStructure((await piecesOf(device, '2', select))?.pieces ?? [], device.edition)
    if (structured?.number === number) return structured
  }
  const text = lines.pieces.join('\n')
  return fromText({ number, at: lines.selected.at, text }, await newestSums(device, number), device.edition)
}

/**
 * Upper limits for a device that never reports the end of its journal. No real day has as many lines or needs as long.
 */
const PIECES_MAX = 200_000
const PIECES_MS = 120_000

/** Resolves to the lines of the document that `select` selects; `undefined` if it selects none. */
export const selectedText = async (
  device: DeviceA,
  select: () => Promise<unknown>,
): Promise<readonly string[] | undefined> => (await piecesOf(device, '1', select))?.pieces

const READ_AGAIN_MAX = 3

/**
 * Selects a document and reads its pieces with command 125 until the device has no more. After a brief power failure,
 * or if the port was opened again, the device may have lost the selection, and reports the end too early. The reading
 * then starts again. Throws after `READ_AGAIN_MAX` attempts.
 */
async function piecesOf<Selected>(
  device: DeviceA,
  option: '1' | '2',
  select: () => Promise<Selected | undefined>,
): Promise<{ readonly selected: Selected; readonly pieces: readonly string[] } | undefined> {
  const { link } = device
  for (let times = 0; times < READ_AGAIN_MAX; times++) {
    const { hold, retransmissions } = link
    const selected = await select()
    if (selected === undefined) return undefined
    const pieces = await piecesNow(device, option)
    if (link.hold === hold && link.retransmissions === retransmissions) return { selected, pieces }
  }
  throw new DeviceError({ kind: 'lineNoise', why: 'its electronic journal could not be read to the end' })
}

/**
 * Returns the pieces up to the first of the two refusals that mean the end of the data (sheet 6.12). Throws DeviceError
 * if no end arrives.
 */
async function piecesNow(device: DeviceA, option: '1' | '2'): Promise<readonly string[]> {
  const pieces: string[] = []
  const { clock } = device.link
  for (const until = clock.now() + PIECES_MS; ; ) {
    if (pieces.length >= PIECES_MAX || clock.now() > until) {
      throw new DeviceError({ kind: 'lineNoise', why: 'its electronic journal has no end marker' })
    }
    const answer = await device.askUnlessRefused(['ejNoRecords', 'endOfData'], 'journalRead', { option })
    if (answer?.values.form !== 'text') return pieces
    pieces.push(answer.values.text)
  }
}

async function newestSums(device: DeviceA, number: number): Promise<NewestSums | undefined> {
  const turnover = await device.askUnlessRefused(['noRecords'], 'lastClosure', { of: 'turnover' })
  if (turnover?.values.number !== number) return undefined
  const tax = (await device.ask('lastClosure', { of: 'tax' })).values
  return { turnover: turnover.values.sums, tax: tax.sums }
}

interface SelectedLines {
  readonly number: number
  readonly at: string
  readonly text: string
}

interface NewestSums {
  readonly turnover: readonly number[]
  readonly tax: readonly number[]
}

function fromText(selected: SelectedLines, newest: NewestSums | undefined, edition: Edition): ArchivedZ {
  return {
    number: selected.number,
    dateTime: selected.at,
    firstReceipt: null,
    lastReceipt: null,
    receiptsCount: null,
    total: newest ? newest.turnover.reduce((sum, amount) => sum + amount, 0) : null,
    taxes: groupsOf(edition).map((taxCode, index) => ({
      taxCode,
      letter: taxLetter(taxCode),
      rate: null,
      turnover: newest?.turnover[index] ?? null,
      tax: newest?.tax[index] ?? null,
    })),
    payments: null,
    discounts: null,
    surcharges: null,
    voids: null,
    cashIn: null,
    cashOut: null,
    raw: selected.text,
  }
}

function fromStructure(pieces: readonly string[], edition: Edition): ArchivedZ | undefined {
  const line = codePage('cp1251').decode(Buffer.from(pieces.join(''), 'base64').toString('latin1'))
  const fields = line.split('\t')
  if (fields.pop() !== '' || fields.length !== houseFields(edition)) return undefined
  let at = 0
  const text = () => fields[at++] ?? ''
  const whole = () => Number(text())
  const amount = () => decimal(text())
  const groups = <T>(read: () => T): T[] => groupsOf(edition).map(() => read())
  const counted = () => ({ count: whole(), amount: amount() })
  const optional = (value: string) => (value === '' ? null : Number(value))

  const number = whole()
  const dateTime = isoOf(text())
  text() // the document number of the report itself
  const rates = groups(amount)
  const turnovers = groups(amount)
  groups(amount) // reversals
  const receiptsCount = whole()
  whole() // reversal receipts
  counted() // cancelled receipts
  const voids = counted()
  const discounts = counted()
  const surcharges = counted()
  const modes = edition.paymentModes.slice(0, edition.currencyMode)
  const payments = modes.map((_, paymentMode) => ({ paymentMode, amount: amount() }))
  const cashIn = amount()
  const cashOut = amount()
  amount() // drawer
  const firstReceipt = optional(text())
  const lastReceipt = optional(text())
  const taxes = groups(amount)
  const total = amount()
  const foreign = amount()
  if (dateTime === undefined) return undefined
  return {
    number,
    dateTime,
    firstReceipt,
    lastReceipt,
    receiptsCount,
    total,
    taxes: groupsOf(edition).map((taxCode, index) => ({
      taxCode,
      letter: taxLetter(taxCode),
      // A rate of 100 percent or more marks a disabled group.
      rate: (rates[index] ?? PERCENT_WHOLE) >= PERCENT_WHOLE ? null : (rates[index] as number),
      turnover: turnovers[index] ?? null,
      tax: taxes[index] ?? null,
    })),
    payments: foreign === 0 ? payments : [...payments, { paymentMode: edition.currencyMode, amount: foreign }],
    discounts,
    surcharges,
    voids,
    cashIn,
    cashOut,
    raw: trimEndOf(line, '\t'),
  }
}

const PERCENT_WHOLE = 10_000
const groupsOf = ({ taxGroups }: Edition) => TAX_CODES.slice(0, taxGroups)

const decimal = (text: string): number => {
  const value = parseDecimal(text, 2)
  return typeof value === 'number' ? value : 0
}

function isoOf(time: string): string | undefined {
  const match = /^(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)$/.exec(time)
  return match ? `${match[3]}-${match[2]}-${match[1]}T${match[4]}` : undefined
}
