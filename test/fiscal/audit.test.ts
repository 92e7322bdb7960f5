/** `fiscal-rig memory`: a sound file is sound, and whatever is changed, missing or swapped in it is named. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { auditMemory, readMemoryFile } from '../../emulator/fiscal/audit.ts'
import { runToEnd } from '../support/command.ts'

const FAMILIES = ['A', 'B', 'C'] as const
const PROFILES = { A: 'bg', B: 'b8', C: 'c4' } as const
let folder: string
const fileOf = (family: 'A' | 'B' | 'C'): string =>
  join(folder, `device-${family.toLowerCase()}-${PROFILES[family]}.sqlite`)

/** Two days of three receipts each, one of them cancelled, and a non-fiscal document. */
async function twoDays(family: 'A' | 'B' | 'C'): Promise<void> {
  const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
  const emulator = createEmulator({ family, clock, data: folder })
  const { device } = emulator
  for (let day = 0; day < 2; day++) {
    for (const price of [250, 1099, 330]) {
      device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
      device.sellArticle({ plu: 1, quantity: price, void: false })
      if (price === 1099) device.cancelFiscal()
      else {
        device.pay({ mode: 0, amount: 10_000 })
        device.closeFiscal()
      }
    }
    device.openNonFiscal()
    device.closeNonFiscal()
    device.reportX()
    device.reportZ()
    clock.advance(86_400_000)
  }
  await emulator.close()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-audit-'))
  for (const family of FAMILIES) await twoDays(family)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A copy of A's file with something done to it behind the guards' back. */
function changed(sql: string): readonly string[] {
  const copy = join(folder, 'copy.sqlite')
  copyFileSync(fileOf('A'), copy)
  const database = new DatabaseSync(copy)
  for (const table of ['fiscal_memory', 'journal', 'journal_documents']) {
    database.exec(`DROP TRIGGER ${table}_no_update; DROP TRIGGER ${table}_no_delete`)
  }
  database.exec(sql)
  database.close()
  return auditMemory(readMemoryFile(copy))
}

describe('a memory and journal that nobody touched', () => {
  it.each(FAMILIES)('are sound on family %s', (family) => {
    const file = readMemoryFile(fileOf(family))
    expect(auditMemory(file)).toEqual([])
    expect(file.records.filter(({ event }) => event.kind === 'z')).toHaveLength(2)
    expect(file.documents).toHaveLength(12)
  })
})

describe('tampering is named:', () => {
  it.each<[string, string, RegExp]>([
    [
      'a changed line',
      "UPDATE journal SET line = 'TOTAL  0.01' WHERE id = 9",
      /^journal line 9 \(document 1\) does not follow/,
    ],
    ['a missing line', 'DELETE FROM journal WHERE id = 9', /^journal line 9 is missing$/],
    ['missing lines', 'DELETE FROM journal WHERE id BETWEEN 9 AND 11', /^journal line 9 to 11 is missing$/],
    [
      'the last line missing',
      'DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)',
      /^the journal ends with line \d+, the device has written \d+$/,
    ],
    [
      'two lines swapped',
      'UPDATE journal SET id = 100000 WHERE id = 9; UPDATE journal SET id = 9 WHERE id = 10; UPDATE journal SET id = 10 WHERE id = 100000',
      /^journal line 9 \(document 1\) does not follow/,
    ],
    [
      'a line moved to another document',
      'UPDATE journal SET document = 2 WHERE id = 9',
      /^journal line 9 \(document 2\) does not follow/,
    ],
    [
      'a document taken out',
      'DELETE FROM journal_documents WHERE document = 3',
      /^document 3 is missing in the journal$/,
    ],
    [
      'a changed Z',
      "UPDATE fiscal_memory SET body = json_set(body, '$.z.total', 1) WHERE number = 1",
      /^fiscal memory record 3 \(Z 1\): the total is 0\.01, recomputed \d+\.\d\d$/,
    ],
    [
      'a Z whose payments were changed',
      'UPDATE fiscal_memory SET body = json_set(body, \'$.z.payments."0"\', 1) WHERE number = 2',
      /^fiscal memory record 4 \(Z 2\): the sum of its payments is 0\.01/,
    ],
    ['a missing Z', 'DELETE FROM fiscal_memory WHERE number = 1', /^Z 1 is missing in the fiscal memory$/],
    [
      'the last Z missing',
      'DELETE FROM fiscal_memory WHERE number = 2',
      /^the fiscal memory ends with Z 1, the device has made 2$/,
    ],
    [
      'two Z swapped',
      'UPDATE fiscal_memory SET id = 9 WHERE number = 1; UPDATE fiscal_memory SET id = 3 WHERE number = 2; UPDATE fiscal_memory SET id = 4 WHERE number = 1',
      /Z 1 is missing|stands behind/,
    ],
  ])('%s', (_what, sql, message) => {
    const problems = changed(sql)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatch(message)
  })

  it('a line rewritten together with its own chain value', () => {
    const problems = changed("UPDATE journal SET line = 'x', chain = 'y' WHERE id = 9")
    expect(problems.slice(0, 2).every((one) => /^journal line (9|10) /.test(one))).toBe(true)
  })
})

describe('fiscal-rig memory', () => {
  it('verify ends with 0 on a sound folder and names each device', async () => {
    const { status, out } = await runToEnd(['memory', 'verify', fileOf('A')])
    expect(status).toBe(0)
    expect(out).toMatch(/^device-a-bg\.sqlite: 2 Z records, 12 documents, \d+ lines: sound\n$/)
  })

  it('verify ends with 1 and the record when something was changed', async () => {
    changed("UPDATE journal SET line = 'TOTAL  0.01' WHERE id = 9")
    const { status, out } = await runToEnd(['memory', 'verify', join(folder, 'copy.sqlite')])
    rmSync(join(folder, 'copy.sqlite'))
    expect(status).toBe(1)
    expect(out).toContain('journal line 9 (document 1) does not follow')
  })

  it('show lists the records, export gives one JSON line each', async () => {
    expect((await runToEnd(['memory', 'show', fileOf('B')])).out).toContain('Z 2: ')
    const lines = (await runToEnd(['memory', 'export', fileOf('C')])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'device', family: 'C' })
    expect(lines.filter(({ type }) => type === 'document')).toHaveLength(12)
  })

  it.each([
    ['a place that is not there', '/nowhere'],
    ['a folder without devices', import.meta.dirname],
  ])('%s is wrong usage', async (_what, place) => {
    expect((await runToEnd(['memory', 'verify', place])).status).toBe(2)
  })
})
