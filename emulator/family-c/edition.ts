import { EDITION, type Edition, type EditionName } from '../../drivers/family-c/protocol/edition.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

export type { Edition }

export const editionOf = ({ profile }: DeviceProfile): Edition => EDITION[profile as EditionName]
