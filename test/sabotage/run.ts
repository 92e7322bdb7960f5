/** `node test/sabotage/run.ts FAMILY`: the verdicts on one family's table as one JSON object on stdout. */
import { fixture } from '../support/fixture.ts'
import { families } from './families.ts'
import { type Published, tryAll } from './trials.ts'

const letter = process.argv[2] ?? ''
const family = families[letter]
if (!family) throw new RangeError(`no table for family ${letter}: there are ${Object.keys(families).join(', ')}`)
const frames = fixture<Published[]>(`sabotage/family-${letter}.json`)
process.stdout.write(JSON.stringify(await tryAll(letter, family, frames)))
