import { DIALECTS, type Dialect, type DialectName } from '../../drivers/family-c/protocol/dialect.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** What the editions of family C say differently is the same on both sides of the wire (sheet 0.2). */
export type Edition = Dialect

export const editionOf = ({ profile }: DeviceProfile): Edition => DIALECTS[profile as DialectName]
