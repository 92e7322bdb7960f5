/** Types of Vitest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/vitest'`. */
import 'vitest'
import type { PrinterMatchers } from '../matchers.ts'

declare global {
  // The type parameters of Vitest's own interface differ between versions, but Vitest includes all members of Chai's.
  namespace Chai {
    interface Assertion extends PrinterMatchers {}
  }
}
