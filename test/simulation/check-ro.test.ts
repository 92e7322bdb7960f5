import { checkSuite } from './check.suite.ts'

checkSuite('A', 'ro')
