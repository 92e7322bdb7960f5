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
    ['TCP password before the first frame', 'no known client needs it (sheet, section 1)'],
    ['AAh, the manufacturer’s batch protocol', 'ignored, as the protocol specification requires'],
    ['43h without fractions', 'the books use hundredths: refused'],
  ],
  advice,
  questionnaire: (name, asker) => questionnaireC(profile(name).profile as EditionName, asker),
  switches: CHOICES,
  wire: (device, options) => createWire(device, options) as Wire,
}
