import { FAMILIES } from '../../drivers/index.ts'
import { OWN_FAMILIES } from '../../scenarios/simulation/checked-families.ts'
import { waysOf } from '../support/connections.ts'
import { describePrinter } from './printer.suite.ts'

for (const family of FAMILIES) {
  for (const way of waysOf(family)) describePrinter(family, way)
}
describePrinter('A', 'embedded', OWN_FAMILIES, 'ro')
