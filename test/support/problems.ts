import { DeviceError } from '../../drivers/model/errors.ts'
import { FieldError } from '../../drivers/wire/field.ts'

/** Returns `syntax` or `value`, or `error 14` if the protocol has a number for the problem. */
const wordsOf = ({ code, problem }: FieldError): string => (code === undefined ? problem : `error ${code}`)

/** Returns the result of `act`, or a text about the field that `act` refuses. Throws other errors. */
export function orRefusal(act: () => unknown, words: (refusal: FieldError) => unknown = wordsOf): unknown {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return words(error)
  }
}

/** Resolves to the problem of a `DeviceError`, to any other error unchanged, or to `done`. */
export const problemOf = (working: Promise<unknown>): Promise<unknown> =>
  working.then(
    () => 'done',
    (error: unknown) => (error instanceof DeviceError ? error.problem : error),
  )
