import { FAMILIES } from '../../drivers/index.ts'
import { waysOf } from '../support/connections.ts'
import { describeService } from './device.suite.ts'

for (const family of FAMILIES) {
  for (const way of waysOf(family)) describeService(family, way)
}
