import { faultTableSuite } from './fault-table.suite.ts'

faultTableSuite('A')
