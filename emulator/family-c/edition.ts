import { EDITION, type Edition, type EditionName } from '../../drivers/family-c/protocol/edition.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** The editions of family C, which driver and emulator have in common (sheet 0.2). */
export type { Edition }

export const editionOf = ({ profile }: DeviceProfile): Edition => EDITION[profile as EditionName]
