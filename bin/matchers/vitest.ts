/** Types of Vitest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/vitest'`. */
import 'vitest'
import type { PrinterMatchers } from '../matchers.ts'

declare global {
  // Vitest's own interface for this takes other type parameters in each version; it takes over all that Chai has.
  namespace Chai {
    interface Assertion extends PrinterMatchers {}
  }
}
