import { sweepSuite } from './sweep.suite.ts'

sweepSuite('A')
