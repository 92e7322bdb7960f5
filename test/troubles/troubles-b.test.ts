import { troublesSuite } from './troubles.suite.ts'

troublesSuite('B')
