/** The calls that the API's declarations write are calls of the API, which reads the same steps in them. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../../drivers/model/json.ts'
import type { FiscalOpening, TextLine } from '../../drivers/model/receipt.ts'
import type { Step } from '../../drivers/model/steps.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { readAs } from '../../server/fields.ts'
import { serviceCalls } from '../../server/service-calls.ts'

const opening: FiscalOpening = { operator: { code: 2, password: '0002' }, pointOfSale: 7, invoice: true }
const free = { name: 'Tea', taxCode: 2, price: 150, department: 1, unit: 'kg', quantity: 1235 } as const
const line: TextLine = { text: 'Hi', bold: true, italic: true, underline: true, height: 'half', alignment: 'right' }
const barcode = { type: 4, data: 'x', qrSize: 4, position: 0, scale: 2, height: 9, printText: false }
const adjustment = { kind: 'discount', percent: 1050 } as const

const STEPS: readonly Step[] = [
  { does: 'open', opening },
  { does: 'openNonFiscal' },
  { does: 'openNonFiscal', operator: { code: 1, password: '1' } },
  { does: 'sell', sale: { ...free, void: true } },
  { does: 'sell', sale: { plu: 3, quantity: 2000, void: false, adjustment } },
  { does: 'sell', sale: { plu: 3, quantity: 2000, void: false, adjustment: { kind: 'surcharge', amount: 5 } } },
  { does: 'subtotal', subtotal: { print: true, display: false, adjustment: { kind: 'discount', amount: 120 } } },
  { does: 'pay', payment: { mode: 1, amount: 999_999_999 } },
  { does: 'print', element: { is: 'text', line }, on: 'fiscal' },
  { does: 'print', element: { is: 'text', line: { text: 'Hi' } }, on: 'nonFiscal' },
  { does: 'print', element: { is: 'barcode', barcode }, on: 'fiscal' },
  { does: 'print', element: { is: 'separatingLine', style: 4 }, on: 'fiscal' },
  { does: 'close' },
  { does: 'closeNonFiscal' },
  { does: 'cancel' },
  { does: 'cancelNonFiscal' },
  { does: 'document', kind: 'x' },
  { does: 'document', kind: 'z' },
  { does: 'document', kind: 'copy' },
]

const RECEIPT: readonly Step[] = [
  { does: 'open', opening },
  { does: 'sell', sale: { ...free, void: false } },
  { does: 'sell', sale: { plu: 3, quantity: 1000, void: true } },
  { does: 'print', element: { is: 'text', line }, on: 'fiscal' },
  { does: 'print', element: { is: 'barcode', barcode }, on: 'fiscal' },
  { does: 'print', element: { is: 'separatingLine', style: 2 }, on: 'fiscal' },
  { does: 'subtotal', subtotal: { print: true, display: true } },
  { does: 'pay', payment: { mode: 1, amount: 100 } },
  { does: 'pay', payment: { mode: 0, amount: 1 } },
  { does: 'close' },
]

/** Returns the value of the model that the endpoint reads, or its problems. */
function readBack({ path, body }: ReturnType<typeof serviceCalls.of>[number]): unknown {
  const endpoint = endpoints.find((one) => one.path === path.replace(/\/\d$/, '/{type}'))
  if (!endpoint) return `${path} is no endpoint`
  if (body === undefined || !endpoint.body) return undefined
  const problems: string[] = []
  const value = readAs(endpoint.body, readJson(JSON.stringify(body)), (why, at = []) =>
    problems.push(`${at.join('.')} ${why}`),
  )
  return problems.length > 0 ? problems : value
}

/** Returns what a step hands to its endpoint. */
function contentOf(step: Step): unknown {
  switch (step.does) {
    case 'open':
      return step.opening
    case 'openNonFiscal':
      return step.operator
    case 'sell':
      return step.sale
    case 'subtotal':
      return step.subtotal
    case 'pay':
      return step.payment
    case 'print':
      if (step.element.is === 'separatingLine') return undefined
      return step.element.is === 'text' ? step.element.line : step.element.barcode
    default:
      return undefined
  }
}

describe('the calls of a document', () => {
  it.each(STEPS.map((step) => [JSON.stringify(step), step] as const))('are read as the step %s', (_name, step) => {
    const [call, ...others] = serviceCalls.of([step])
    expect(others).toEqual([])
    expect(call && readBack(call)).toEqual(contentOf(step))
  })

  it('are one call for a complete receipt, with all of its parts', () => {
    const [call, ...others] = serviceCalls.of(RECEIPT)
    expect([call?.path, others]).toEqual(['/print-fiscal-receipt', []])
    expect(call && readBack(call)).toEqual({
      opening,
      items: [
        { is: 'freeSale', sale: { ...free, void: false } },
        { is: 'articleSale', sale: { plu: 3, quantity: 1000, void: true } },
        { is: 'text', line },
        { is: 'barcode', barcode },
        { is: 'separatingLine', style: 2 },
      ],
      subtotal: { print: true, display: true },
      payments: [
        { mode: 1, amount: 100 },
        { mode: 0, amount: 1 },
      ],
      named: true,
    })
  })

  it.each<[string, readonly Step[]]>([
    ['a receipt that sells nothing', RECEIPT.filter(({ does }) => does !== 'sell')],
    ['a receipt without payments', RECEIPT.filter(({ does }) => does !== 'pay')],
    ['a text between the payments', [...RECEIPT.slice(0, 8), ...RECEIPT.slice(3, 4), ...RECEIPT.slice(8)]],
    ['two subtotals', [...RECEIPT.slice(0, 7), ...RECEIPT.slice(6)]],
    ['a cancelled receipt', [...RECEIPT.slice(0, -1), { does: 'cancel' }]],
  ])('are a call for each step of %s', (_what, steps) => {
    expect(serviceCalls.of(steps)).toHaveLength(steps.length)
  })

  it('do not exist for cash in and cash out', () => {
    expect(() => serviceCalls.of([{ does: 'document', kind: 'cashIn' }])).toThrow('no endpoint exists for cashIn')
  })
})
