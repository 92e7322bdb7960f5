import { afterEach, describe, expect, it } from 'vitest'
import { type Printer, startPrinter, startService } from '../../bin/library.ts'
import { matchers, type PrinterMatchers } from '../../bin/matchers.ts'

const started: Printer[] = []
async function printerOf(): Promise<Printer> {
  const printer = await startPrinter({
    family: 'A',
    clock: '2026-03-01T08:00:00',
    articles: [{ plu: 7, name: 'Tea', taxCode: 1, price: '1.20' }],
  })
  started.push(printer)
  return printer
}
afterEach(async () => {
  for (const printer of started.splice(0)) await printer.close()
})

async function post(printer: Printer, path: string, body?: object): Promise<void> {
  await using service = await startService({ printer })
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...sent,
  })
  expect(await response.json()).toMatchObject({ StatusCode: 200 })
}

const TWO_TEAS = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 7, Quantity: 2 } }] }

function failure<Name extends keyof PrinterMatchers>(
  name: Name,
  printer: unknown,
  ...expected: Parameters<PrinterMatchers[Name]>
): string | undefined {
  const judge = matchers[name] as (
    received: unknown,
    ...expected: readonly unknown[]
  ) => ReturnType<typeof matchers.toBeBalanced>
  const { pass, message } = judge(printer, ...expected)
  return pass ? undefined : message()
}

describe('a printed receipt', () => {
  it('matches by the named members, amounts by their value', async () => {
    const printer = await printerOf()
    await post(printer, '/print-fiscal-receipt', TWO_TEAS)
    expect(failure('toHavePrinted', printer, { total: 2.4 })).toBeUndefined()
    expect(
      failure('toHavePrinted', printer, {
        total: '2.40',
        rows: [{ name: 'Tea', quantity: 2, price: '1.2', amount: '2.40', taxCode: 1 }],
        payments: [{ paymentMode: 0, amount: '2.4' }],
      }),
    ).toBeUndefined()
    expect(failure('toHaveReceipts', printer, 1)).toBeUndefined()
  })

  it('is shown on paper next to the expectation', async () => {
    const printer = await printerOf()
    await post(printer, '/print-fiscal-receipt', TWO_TEAS)
    const message = failure('toHavePrinted', printer, { total: '2.50', rows: [{ name: 'Coffee' }, { name: 'Tea' }] })
    expect(message).toContain('total: 2.40, expected 2.50')
    expect(message).toContain('rows: 1, expected 2')
    expect(message).toContain('rows[0].name: "Tea", expected "Coffee"')
    expect(message).toContain('  | ')
    expect(message).toContain('2 x 1.20')
    expect(failure('toHavePrinted', printer, { total: '2.40', rows: [] })).toContain('rows: 1, expected 0')
    expect(failure('toHaveReceipts', printer, 2)).toContain('closed: 1')
    expect(failure('toHavePrintedNothing', printer)).toContain('printed: 1 document')
  })
})

it('toHavePrintedNothing passes if nothing was printed', async () => {
  const printer = await printerOf()
  expect(failure('toHavePrintedNothing', printer)).toBeUndefined()
  expect(failure('toHaveReceipts', printer, 0)).toBeUndefined()
  expect(failure('toHavePrinted', printer, { total: 1 })).toContain('nothing was printed.')
})

it('the display shows lines without their blanks at the end', async () => {
  const printer = await printerOf()
  const [upper = '', lower = ''] = printer.display
  expect(failure('toShow', printer, upper.trimEnd(), lower)).toBeUndefined()
  expect(failure('toShow', printer, 'SOMETHING ELSE')).toContain('  | SOMETHING ELSE')
})

it('the books are balanced across a Z report, and a missing sum is reported', async () => {
  const printer = await printerOf()
  await post(printer, '/print-fiscal-receipt', TWO_TEAS)
  await post(printer, '/report-z')
  await post(printer, '/print-fiscal-receipt', TWO_TEAS)
  expect(failure('toBeBalanced', printer)).toBeUndefined()
  const robbed = { ...printer, day: { ...printer.day, total: '0.00' } }
  expect(failure('toBeBalanced', robbed)).toContain(
    'receipts in the journal, and Z reports with the day: 4.80 is not 2.40',
  )
})

it('a wrong use of a matcher throws a readable message, and is not a verdict', async () => {
  const printer = await printerOf()
  expect(() => failure('toBeBalanced', {})).toThrow('toBeBalanced: expected a printer of startPrinter')
  expect(() => failure('toHavePrinted', printer, { total: 1, payment: [] } as never)).toThrow(
    'toHavePrinted: a receipt has no "payment"; there are total, rows, payments',
  )
  expect(() => failure('toHavePrinted', printer, { total: 1, rows: [{ plu: 7 }] } as never)).toThrow(
    'a row has no "plu"',
  )
})
