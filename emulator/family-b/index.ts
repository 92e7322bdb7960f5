import { ERRORS } from '../../drivers/family-b/protocol/errors.ts'
import type { EditionName } from '../../drivers/family-b/protocol/index.ts'
import { questionnaireB } from '../../drivers/family-b/protocol/passport.ts'
import type { EmulatedFamily, Wire } from '../wire.ts'
import { advice } from './advice.ts'
import { PROFILES, profile } from './profile.ts'
import { CHOICES } from './switches.ts'
import { createWire } from './wire.ts'

export const familyB: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [
    [
      'the Macedonian dialect',
      'known: owners ask for it (C-ERP, issue 204), and its structure is said to be that of `b8`; not known: the country code in 90, the tax groups, and the replacement of the unique sale number; every country except 8 is treated as `b8`',
    ],
    ['91, 98, 72 (serial, tax number, fiscalise)', 'no format is published; answered as unknown commands'],
    ['194 S, I, C (data of the card, its PIN)', 'an emulated device has no card; answered as an unknown command'],
    ['whole-unit mode (parameter 1 = 0)', 'the books use hundredths'],
  ],
  advice,
  questionnaire: (name, asker) => questionnaireB(profile(name).profile as EditionName, asker),
  switches: { ...CHOICES, trouble: ['0', ...Object.keys(ERRORS)], memoryPassword: ['000000'] },
  wire: (device, options) => createWire(device, options) as Wire,
}
