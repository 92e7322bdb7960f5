/** `node test/sabotage/run.ts FAMILY`: the verdicts on one family's table as one JSON object on stdout. */
import { families } from './families.ts'
import { tryAll } from './trials.ts'

const name = process.argv[2] ?? ''
const family = families[name]
if (!family) throw new RangeError(`no table for family ${name}: there are ${Object.keys(families).join(', ')}`)
process.stdout.write(JSON.stringify(await tryAll(family)))
