import { EDITION, type Edition, type EditionName } from '../../drivers/family-a/protocol/edition.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** What the editions of family A say differently is the same on both sides of the wire (sheet 9). */
export type { Edition }

export const editionOf = ({ profile }: DeviceProfile): Edition => EDITION[profile as EditionName]
