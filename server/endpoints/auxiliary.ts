import type { SeparatingLine } from '../../drivers/model/receipt.ts'
import { object } from '../field-objects.ts'
import { anyText, barcodeObject, barcodeProblems } from './bodies.ts'
import { display, step } from './shared.ts'

const displayText = object({ Text: anyText('[[PaddedDisplay]]: padded or truncated to exactly 20 characters.') })

export const elementEndpoints = [
  step({
    path: '/print-bar-code',
    section: '4.4',
    summary: 'Print a barcode on the open receipt',
    notes:
      'A type that the family does not support is 400. [[!Barcodes: has|have]] no barcodes: 400, Message begins NotSupportedException:.',
    body: barcodeObject,
    example: { Type: 2, Data: '5941234567899' },
    check: (body, capabilities) => barcodeProblems(body, capabilities, ''),
    step: (barcode) => ({ does: 'print', element: { is: 'barcode', barcode }, on: 'fiscal' }),
  }),
  step<undefined, { type: SeparatingLine }>({
    path: '/print-separating-line/{type}',
    section: '4.4',
    summary: 'Print a separating line on the open receipt',
    notes: '1 is a line of -, 2 of =, 3 of *, 4 is dashed (- - -).',
    params: {
      schema: { type: { type: 'integer', enum: [1, 2, 3, 4] } },
      read: ({ type: raw = '' }, reportIssue) => {
        if (!/^[1-4]$/.test(raw)) reportIssue('type', `must be 1, 2, 3 or 4; it is "${raw.slice(0, 40)}"`)
        return { type: Number(raw) as SeparatingLine }
      },
    },
    step: (_body, { type }) => ({ does: 'print', element: { is: 'separatingLine', style: type }, on: 'fiscal' }),
  }),
  display({
    path: '/display-line-one',
    section: '4.4',
    summary: 'Show a text on the first line of the customer display',
    body: displayText,
    example: { Text: 'Welcome' },
    act: (printer, body) => printer.displayLine(1, body.Text),
  }),
  display({
    path: '/display-line-two',
    section: '4.4',
    summary: 'Show a text on the second line of the customer display',
    body: displayText,
    example: { Text: 'Till 1' },
    act: (printer, body) => printer.displayLine(2, body.Text),
  }),
  display({
    path: '/clear-display',
    section: '4.4',
    summary: 'Clear the customer display',
    act: (printer) => printer.clearDisplay(),
  }),
]
