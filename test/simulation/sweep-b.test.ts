import { sweepSuite } from './sweep.suite.ts'

sweepSuite('B')
