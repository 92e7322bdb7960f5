/**
 * Types of Jest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/jest'`, for the globals of
 * `@types/jest`.
 */
import type { PrinterMatchers } from '../matchers.ts'

declare global {
  namespace jest {
    interface Matchers<R, T> extends PrinterMatchers<R> {}
  }
}
