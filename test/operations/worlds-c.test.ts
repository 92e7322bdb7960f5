import { worldsSuite } from './worlds.suite.ts'

worldsSuite({ family: 'C' })
