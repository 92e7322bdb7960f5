import { worldsSuite } from './worlds.suite.ts'

worldsSuite({ family: 'A', profile: 'ro' })
