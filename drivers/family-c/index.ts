import type { DriverFamily } from '../family.ts'
import { tellRepeats } from '../link/repeats.ts'
import { capabilitiesOf, configuredDialect, USUAL_COLUMNS } from './capabilities.ts'
import { dialect } from './dialect.ts'
import { FamilyCPrinter } from './driver.ts'
import { C4 } from './protocol/dialect.ts'
import type { DeviceFrame } from './protocol/frame.ts'

/** Family C as the driver side knows it. */
export const familyC: DriverFamily<DeviceFrame> = {
  family: 'C',
  dialect,
  defaultBaud: 115_200,
  defaultTcpPort: 8000,
  capabilities: (settings) => capabilitiesOf(configuredDialect(settings) ?? C4, USUAL_COLUMNS, settings),
  createDriver: (link, settings) => tellRepeats(link, new FamilyCPrinter(link, settings)),
}
