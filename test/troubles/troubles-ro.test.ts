import { troublesSuite } from './troubles.suite.ts'

troublesSuite('A ro')
