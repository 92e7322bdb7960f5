import type { EmulatedFamily, Wire } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** The emulated devices of family A. */
export const familyA: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [
    ['126, structured closures', 'its layout was not found; 125 has a layout of our own instead'],
    ['128 and 149 of profile `ro`', 'known by name only; answered as unknown commands'],
    ['43 of profile `ro`', 'its fields were not found: a line from 0 and the text are our own layout'],
    ['55, card terminal', 'no terminal is attached: every option answers -111557'],
    ['253, service', 'answers -104001: needs the service jumper'],
    ['83 without decimals (`DecimalPoint` 0)', 'the books hold hundredths: refused'],
  ],
  wire: (device, options) => createWire(device, options) as Wire,
}
