import { EDITION, type Edition, type EditionName } from '../../drivers/family-a/protocol/edition.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** The differences between the editions of family A are the same for driver and emulator (sheet 9). */
export type { Edition }

export const editionOf = ({ profile }: DeviceProfile): Edition => EDITION[profile as EditionName]
