/** Types of Vitest's `expect` with the matchers of a printer: `import 'fiscal-rig/matchers/vitest'`. */
import 'vitest'
import type { PrinterMatchers } from '../matchers.ts'

declare global {
  // Vitest's own interface for this has other type parameters in each version; Vitest includes all members of Chai's.
  namespace Chai {
    interface Assertion extends PrinterMatchers {}
  }
}
