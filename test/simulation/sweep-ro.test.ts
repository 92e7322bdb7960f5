import { sweepSuite } from './sweep.suite.ts'

/** The wire is that of the edition bg but for its fields: a part of the troubles is enough. */
sweepSuite('A', 'ro', ['cut', 'swallow the rest'])
