/** `node test/sabotage/run.ts FAMILY`: the verdicts on one family's table as one JSON object on stdout. */
import { readFileSync } from 'node:fs'
import { type Judge, type Mutation, type Published, tryAll } from './bench.ts'
import { judgeA } from './judge-a.ts'
import { judgeB } from './judge-b.ts'
import { judgeC } from './judge-c.ts'
import { mutationsA } from './mutations-a.ts'
import { mutationsB } from './mutations-b.ts'
import { mutationsC } from './mutations-c.ts'

const tables: Readonly<Record<string, { readonly judge: Judge; readonly mutations: readonly Mutation[] }>> = {
  a: { judge: judgeA, mutations: mutationsA },
  b: { judge: judgeB, mutations: mutationsB },
  c: { judge: judgeC, mutations: mutationsC },
}

const family = process.argv[2] ?? ''
const table = tables[family]
if (!table) throw new RangeError(`no table for family ${family}: there are ${Object.keys(tables).join(', ')}`)
const path = new URL(`../../fixtures/sabotage/family-${family}.json`, import.meta.url)
const frames = JSON.parse(readFileSync(path, 'utf8')) as Published[]
process.stdout.write(JSON.stringify(await tryAll(family, table.judge, frames, table.mutations)))
