import { describe, expect, it } from 'vitest'
import { badValueOf } from '../../drivers/wire/bad-value.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { FieldTable } from '../../drivers/wire/row.ts'

const fields: FieldTable = {
  type: { unit: 'choice', model: 'mode' },
  price: 'money',
  sum: { unit: 'money', own: true },
  customer: { name: 'text' },
  password: 'text',
}

describe('a value that the wire protocol cannot carry', () => {
  it.each([
    ['by the name that the model has for it', 'type', 'mode'],
    ['by its own name if the model has no other', 'price', 'price'],
    ['by its own name if only this device has it', 'sum', 'sum'],
    ['by its own name if there are values inside it', 'customer', 'customer'],
    ['as the whole row if no field of it is to blame', 'row', 'row'],
  ])('appears in the error %s', (_how, field, called) => {
    const { problem } = badValueOf(new FieldError(field, 'value', '7 is outside 0 to 3'), fields)
    expect(problem).toEqual({ kind: 'badValue', field: called, why: '7 is outside 0 to 3' })
  })

  it('is not shown if it is a password', () => {
    const { message, problem } = badValueOf(
      new FieldError('password', 'value', '"12345678" has the wrong form'),
      fields,
    )
    expect(problem).toEqual({ kind: 'badValue', field: 'password', why: 'it is not valid on this device' })
    expect(message).not.toContain('12345678')
  })
})
