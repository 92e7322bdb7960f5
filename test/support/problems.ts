import { DeviceError } from '../../drivers/model/errors.ts'
import { FieldError } from '../../drivers/wire/field.ts'

/** What comes of something that may fail, as one value: a table of cases has what is given beside what is refused. */

/** `syntax`, `value`, or the wire's own number for the mistake where it has one: `error 14`. */
const wordsOf = ({ code, problem }: FieldError): string => (code === undefined ? problem : `error ${code}`)

/** What `act` gives, or what `words` make of the field that it refuses. It fails as `act` fails otherwise. */
export function orRefusal(act: () => unknown, words: (refusal: FieldError) => unknown = wordsOf): unknown {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return words(error)
  }
}

/** The problem of a `DeviceError`, any other failure as it came, or `done` where nothing failed. */
export const problemOf = (working: Promise<unknown>): Promise<unknown> =>
  working.then(
    () => 'done',
    (error: unknown) => (error instanceof DeviceError ? error.problem : error),
  )
