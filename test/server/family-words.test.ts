/** The sentences of the API description follow from the capabilities of any number of families. */
import { expect, it } from 'vitest'
import { withFamilies } from '../../server/family-words.ts'
import { CAPABILITIES_A, CAPABILITIES_B, CAPABILITIES_C } from '../support/fake-printer.ts'

const THREE = new Map([
  ['A', CAPABILITIES_A],
  ['B', CAPABILITIES_B],
  ['C', CAPABILITIES_C],
])
const FOUR = new Map([...THREE, ['D', CAPABILITIES_B]])

it.each([
  ['[[Invoice: opens|open]] an invoice.', THREE, 'Families A and C open an invoice.'],
  ['The customer is ignored on [[!invoice]].', THREE, 'The customer is ignored on family B.'],
  ['The customer is ignored on [[!invoice]].', FOUR, 'The customer is ignored on families B and D.'],
  ['[[!FreeSale: refuses|refuse]] it.', THREE, 'Family B refuses it.'],
  ['[[!FreeSale: refuses|refuse]] it.', FOUR, 'Families B and D refuse it.'],
  ['[[Operator]]: required.', FOUR, 'Family C: required.'],
  ['[[CopyParameter: asks|ask]].', THREE, 'No family asks.'],
  ['[[formatting]], [[barcodes]].', FOUR, 'families A and C, families A, B and D.'],
])('the words for families in the text %j, for the families %s, become: %s', (text, families, expected) => {
  expect(withFamilies(text, families)).toBe(expected)
})

it('an undocumented ability of a family is reported as an error', () => {
  expect(() => withFamilies('[[Telepathy]] only.', THREE)).toThrow('telepathy distinguishes no families')
})
