import { framesA } from './family-a.ts'
import { framesB } from './family-b.ts'
import { framesC } from './family-c.ts'
import { frameSuite } from './frame-fixtures.suite.ts'

for (const family of [framesA, framesB, framesC]) frameSuite(family)
