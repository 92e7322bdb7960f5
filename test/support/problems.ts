/** Results of actions that may fail, as one value, so that a table of cases can contain both values and refusals. */
import { DeviceError } from '../../drivers/model/errors.ts'
import { FieldError } from '../../drivers/wire/field.ts'

/** Returns `syntax`, `value`, or the protocol's number of the mistake if it has one: `error 14`. */
const wordsOf = ({ code, problem }: FieldError): string => (code === undefined ? problem : `error ${code}`)

/** Returns the result of `act`, or the text of `words` for the field that it refuses. Other errors are thrown. */
export function orRefusal(act: () => unknown, words: (refusal: FieldError) => unknown = wordsOf): unknown {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return words(error)
  }
}

/** Returns the problem of a `DeviceError`, any other error as it is, or `done`. */
export const problemOf = (working: Promise<unknown>): Promise<unknown> =>
  working.then(
    () => 'done',
    (error: unknown) => (error instanceof DeviceError ? error.problem : error),
  )
