import type { EditionName } from '../../drivers/family-a/protocol/index.ts'
import { questionnaireA } from '../../drivers/family-a/protocol/passport.ts'
import type { EmulatedFamily, Wire } from '../wire.ts'
import { advice } from './advice.ts'
import { PROFILES, profile } from './profile.ts'
import { CHOICES } from './switches.ts'
import { createWire } from './wire.ts'

export const familyA: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [
    [
      'the Georgian dialect',
      'known: a library of the manufacturer for that country has the same frames and the same table of errors; not known: field layouts, tax groups and texts; a device with this dialect is treated as the edition `bg`',
    ],
    [
      'an edition whose answers begin with P or F',
      'known: P or F is in place of the code, and 76 has no document number; the driver reports it as not supported',
    ],
    [
      '126, structured closures',
      'its layouts are known only from a test that never ran on a device (C-BV); 125 has the emulator’s own layout instead',
    ],
    [
      '128 of profile `ro`',
      'the content of its files is not published with the wire protocol; the emulator’s own layout contains the sums of the Z report',
    ],
    ['reading 43 of profile `ro`', 'its two letters are not published: the emulator uses B and R'],
    ['55, card terminal', 'no terminal is attached: every option answers -111557'],
    ['253, service', 'answers -104001: needs the service jumper'],
    ['83 without decimals (`DecimalPoint` 0)', 'the books use hundredths: refused'],
  ],
  advice,
  questionnaire: (name, asker) => questionnaireA(profile(name).profile as EditionName, asker),
  switches: CHOICES,
  wire: (device, options) => createWire(device, options) as Wire,
}
