/** The REST suite over real wires: every family that is driven, embedded, over TCP and on a pty. */
import { drivenFamilies } from '../../drivers/index.ts'
import { describeService } from './device.suite.ts'

for (const family of drivenFamilies()) {
  for (const way of ['embedded', 'tcp', 'pty'] as const) describeService(family, way)
}
