import { slice } from './slice.ts'

/** How a device is attached: embedded always, over TCP or on a pty in turn; in `npm run test:deep` all three. */
export const waysOf = (family: string) => slice(['embedded', 'tcp', 'pty'] as const, { keep: 1, of: 2, salt: family })
