/** Types of Vitest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/vitest'`. */
import 'vitest'
import type { PrinterMatchers } from '../matchers.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: Vitest's own declaration, which this one must repeat.
  interface Matchers<T = any> extends PrinterMatchers<T> {}
}
