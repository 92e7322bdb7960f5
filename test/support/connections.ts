import { slice } from './slice.ts'

/**
 * Returns the connections with which a test runs: embedded, and in turn TCP or pty. `npm run test:deep` uses all three.
 */
export const waysOf = (family: string) => slice(['embedded', 'tcp', 'pty'] as const, { keep: 1, of: 2, salt: family })
