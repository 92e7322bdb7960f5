/**
 * Types of Jest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/jest'`, for the globals of
 * `@types/jest` and for `import { expect } from '@jest/globals'`.
 */
import type { PrinterMatchers } from '../matchers.ts'

declare global {
  namespace jest {
    interface Matchers<R, T> extends PrinterMatchers<R> {}
  }
}

// Jest's packages declare their matchers in the package expect.
// biome-ignore lint/suspicious/noTsIgnore: this checkout has no Jest and has an error here, projects with Jest have none
/** @ts-ignore The package expect comes with Jest. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends PrinterMatchers<R> {}
}
