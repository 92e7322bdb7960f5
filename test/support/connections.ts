import { slice } from './slice.ts'

/**
 * Returns the connections to test a device with: embedded, and in turn TCP or pty; in `npm run test:deep` all three.
 */
export const waysOf = (family: string) => slice(['embedded', 'tcp', 'pty'] as const, { keep: 1, of: 2, salt: family })
