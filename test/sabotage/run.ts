/**
 * `node test/sabotage/run.ts FAMILY` prints the verdicts on the current part of the family's mutations as one JSON
 * object.
 */
import { slice } from '../support/slice.ts'
import { families, OF } from './families.ts'
import { tryAll } from './trials.ts'

const name = process.argv[2] ?? ''
const family = families[name]
if (!family) throw new RangeError(`no table for family ${name}: there are ${Object.keys(families).join(', ')}`)
process.stdout.write(JSON.stringify(await tryAll({ ...family, mutations: slice(family.mutations, { of: OF }) })))
