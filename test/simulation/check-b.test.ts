import { checkSuite } from './check.suite.ts'

checkSuite('B')
