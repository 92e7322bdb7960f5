/** Refusals of values that the wire protocol cannot carry name the field of the API. */
import { expect, it } from 'vitest'
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import { explainRefusals } from '../../server/explain-refusals.ts'
import { outcomeOf } from '../../server/operations/outcome.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import { createFakePrinter } from '../support/fake-printer.ts'

it('the failure of a request names a value as the client does, and is otherwise unchanged', async () => {
  const tooLarge: DeviceProblem = { kind: 'badValue', field: 'adjustment', why: 'too large' }
  const failure = new DeviceError(tooLarge, true, 'ReceiptItems[2]')
  const subtotal = () => Promise.reject(failure)
  const error: unknown = await explainRefusals({ ...createFakePrinter(), subtotal })
    .subtotal({ print: true, display: false })
    .catch((reason) => reason)
  expect(sentenceOf(outcomeOf(error))).toBe('ReceiptItems[2]: DiscountValue: too large.')
  expect(error).toMatchObject({ retransmitted: true })
})
