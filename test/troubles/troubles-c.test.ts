import { troublesSuite } from './troubles.suite.ts'

troublesSuite('C')
