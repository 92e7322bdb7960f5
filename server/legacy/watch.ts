import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'

/**
 * A printer that remembers the first thing the device reported. Recovery turns that into a sentence for people; the
 * catalogue of POST /Receipt still needs to know what it was.
 */
export interface WatchedPrinter {
  readonly printer: FiscalPrinter
  first(): DeviceProblem | undefined
}

/** Asked by recovery itself, and may be refused without any harm. */
const HARMLESS = new Set<PropertyKey>(['lastDocument'])

export function watchPrinter(printer: FiscalPrinter): WatchedPrinter {
  let first: DeviceProblem | undefined
  const note = (error: unknown): never => {
    if (error instanceof DeviceError) first ??= error.problem
    throw error
  }
  const watched = new Proxy(printer, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, given)
        return answer instanceof Promise && !HARMLESS.has(key) ? answer.catch(note) : answer
      }
    },
  })
  return { printer: watched, first: () => first }
}
