import type { EmulatedFamily, Wire } from '../wire.ts'
import { advice } from './advice.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** The emulated devices of family A. */
export const familyA: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [
    ['126, structured closures', 'its layout was not found; 125 has a layout of our own instead'],
    [
      '128 of profile `ro`',
      'what its files hold is not published with the wire; the sums of the closure stand in ours',
    ],
    ['reading 43 of profile `ro`', 'its two letters were not found: B and R are ours'],
    ['55, card terminal', 'no terminal is attached: every option answers -111557'],
    ['253, service', 'answers -104001: needs the service jumper'],
    ['83 without decimals (`DecimalPoint` 0)', 'the books hold hundredths: refused'],
  ],
  advice,
  wire: (device, options) => createWire(device, options) as Wire,
}
