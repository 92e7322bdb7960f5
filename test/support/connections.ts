import { slice } from './slice.ts'

/** Connections to a device: embedded always, TCP and pty in turn; in `npm run test:deep` all three. */
export const waysOf = (family: string) => slice(['embedded', 'tcp', 'pty'] as const, { keep: 1, of: 2, salt: family })
