import type { EditionName } from '../../drivers/family-c/protocol/index.ts'
import { questionnaireC } from '../../drivers/family-c/protocol/passport.ts'
import type { EmulatedFamily, Wire } from '../wire.ts'
import { advice } from './advice.ts'
import { PROFILES, profile } from './profile.ts'
import { CHOICES } from './switches.ts'
import { createWire } from './wire.ts'

export const familyC: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [
    ['TCP password before the first frame', 'not needed by any client that was read (sheet, section 1)'],
    ['AAh, the maker’s batch protocol', 'ignored, as the sheet asks'],
    ['43h without fractions', 'the books hold hundredths: refused'],
  ],
  advice,
  questionnaire: (name, asker) => questionnaireC(profile(name).profile as EditionName, asker),
  switches: CHOICES,
  wire: (device, options) => createWire(device, options) as Wire,
}
