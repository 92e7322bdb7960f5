import { DeviceError } from '../model/errors.ts'
import type { FieldError } from './field.ts'
import type { FieldTable } from './row.ts'

/**
 * Returns the problem of a value that the wire protocol cannot represent. Uses the name of the field in drivers/model,
 * and never quotes a password.
 */
export function badValueOf({ field, what }: FieldError, fields: FieldTable): DeviceError {
  const why = field === 'password' ? 'it is not valid on this device' : what
  const knownField = fields[field]
  const model = typeof knownField === 'object' && typeof knownField['model'] === 'string' ? knownField['model'] : field
  return new DeviceError({ kind: 'badValue', field: model, why })
}
