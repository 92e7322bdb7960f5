import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { auditMemory } from '../../emulator/fiscal/audit.ts'
import { readMemoryFile, type StoredPaper } from '../../emulator/fiscal/audit-file.ts'
import { auditPapers } from '../../emulator/fiscal/audit-papers.ts'
import { profileOf, storePath } from '../../emulator/profiles.ts'
import { openUnguarded } from '../support/device-file.ts'
import { runToEnd } from '../support/in-process.ts'

const FAMILIES = ['A', 'B', 'C'] as const
const PROFILES = { A: 'bg', B: 'b8', C: 'c4' } as const
let folder: string
const fileOf = (family: 'A' | 'B' | 'C'): string =>
  join(folder, `device-${family.toLowerCase()}-${PROFILES[family]}.sqlite`)

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

function changed(sql: string): readonly string[] {
  const copy = join(folder, 'copy.sqlite')
  copyFileSync(fileOf('A'), copy)
  const database = openUnguarded(copy)
  database.exec(sql)
  database.close()
  return auditMemory(readMemoryFile(copy), profileOf({ family: 'A' }))
}

describe('an unmodified memory and journal', () => {
  it.each(FAMILIES)('are reported as sound on family %s', (family) => {
    const file = readMemoryFile(fileOf(family))
    expect(auditMemory(file, profileOf({ family }))).toEqual([])
    expect(file.records.filter(({ event }) => event?.kind === 'z')).toHaveLength(2)
    expect(file.documents).toHaveLength(12)
  })
})

describe('a device that has used every function', () => {
  it.each(FAMILIES)(
    'is reported as sound on family %s, with a receipt open, and after a reset that keeps the memory',
    async (family) => {
      const data = join(folder, `all-${family}`)
      const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
      const { device, reset, close } = createEmulator({ family, clock, data })
      const sale = (kind: 'sale' | 'reversal', invoice: boolean) => {
        device.openFiscal({
          kind,
          invoice,
          operator: 1,
          pointOfSale: 1,
          ...(kind === 'reversal' && { reason: 'refund', original: { document: 1, at: '2026-07-14T09:00:00' } }),
        } as Parameters<typeof device.openFiscal>[0])
        device.printText({ text: 'a text that is longer than the line of this device, with an @ and a #' })
        device.sell({
          name: 'A name that is much longer than a line of this device can be, with ž',
          taxCode: 1,
          price: 250,
          quantity: 1_000,
          void: false,
        })
        device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 1_000 } })
        device.pay({ mode: 0 })
        device.setCustomer({ fields: ['1'], taxNumber: 'RO1', name: 'ACME', address: 'Street' } as never)
        device.closeFiscal()
      }
      device.cashInOut({ direction: 'in', amount: 10_000 })
      sale('sale', false)
      sale('sale', true)
      sale('reversal', false)
      device.copyLastReceipt()
      device.reportX()
      device.registers.setTaxRates([...device.registers.taxRates])
      device.printMemoryReport(1, 1, true)
      device.reportZ()
      device.registers.setTaxRates([...device.registers.taxRates])
      device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
      const soundNow = () => auditMemory(readMemoryFile(storePath({ family, data })), profileOf({ family }))
      expect(soundNow()).toEqual([])
      device.cancelFiscal()
      device.resetRam()
      expect(soundNow()).toEqual([])
      device.setClock('2026-07-14T12:00:00')
      sale('sale', false)
      expect(soundNow()).toEqual([])
      if (family === 'B') {
        reset({ keep: 'fiscalMemory' })
        sale('sale', false)
        expect(soundNow()).toEqual([])
      }
      await close()
    },
  )
})

/** Members that contain printed text, or the data of a printed code. */
const TEXTS = new Set(['text', 'left', 'right', 'label', 'data'])

function* textsIn(
  value: unknown,
  put: (text: string) => void,
  name = 'text',
): Generator<[string, (text: string) => void]> {
  if (typeof value === 'string' && TEXTS.has(name)) yield [value, put]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const own = Array.isArray(value) ? name : key
    yield* textsIn(inner, (text) => Object.assign(value, { [key]: text }), own)
  }
}

describe('one changed byte in the text of a stored document', () => {
  it.each(FAMILIES)('is found at any position: family %s', (family) => {
    const profile = profileOf({ family })
    const file = readMemoryFile(fileOf(family))
    const unnoticed: string[] = []
    let bytes = 0
    for (const paper of [file.papers[0], file.papers[1], ...file.papers.slice(3, 6)]) {
      const documents = file.documents.filter(({ document }) => document === paper?.number)
      const lines = file.lines.filter(({ document }) => document === paper?.number)
      for (const column of ['lines', 'operations'] as const) {
        const stored: unknown = JSON.parse(String(paper?.[column]))
        for (const [text, put] of [...textsIn(stored, () => undefined)]) {
          for (let at = 0; at < text.length; at++) {
            const other = text[at] === '#' ? '%' : '#'
            put(text.slice(0, at) + other + text.slice(at + 1))
            const papers = [{ ...(paper as StoredPaper), [column]: JSON.stringify(stored) }]
            const problems = auditPapers({ ...file, papers, documents, lines }, profile, {}, false)
            if (!problems.some((one) => one.startsWith(`paper ${paper?.id} `)))
              unnoticed.push(`${column} ${text} ${at}`)
            bytes++
          }
          put(text)
        }
      }
    }
    expect(unnoticed).toEqual([])
    expect(bytes).toBeGreaterThan(2_000)
  })
})

describe('the audit names', () => {
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
      /^the journal ends with line \d+, but the device has written \d+$/,
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
      'a removed document',
      'DELETE FROM journal_documents WHERE document = 3',
      /^document 3 is missing from the journal$/,
    ],
    [
      'a changed Z',
      "UPDATE fiscal_memory SET body = json_set(body, '$.z.total', 1) WHERE number = 1",
      /^fiscal memory record 3 \(Z 1\): total is 0\.01, recomputed \d+\.\d\d$/,
    ],
    [
      'a Z whose payments were changed',
      'UPDATE fiscal_memory SET body = json_set(body, \'$.z.payments."0"\', 1) WHERE number = 2',
      /^fiscal memory record 4 \(Z 2\): payments\.0 is 0\.01, recomputed \d+\.\d\d$/,
    ],
    [
      'a paper with another total',
      "UPDATE paper SET lines = replace(lines, 'TOTAL', 'TOTAI') WHERE id = 1",
      /^paper 1 \(document 1\): line \d+ differs from the journal$/,
    ],
    [
      'a picture with another total',
      "UPDATE paper SET operations = kept('WORDS', replace(decoded('WORDS', operations), 'TOTAL', 'TOTAI')) WHERE id = 1",
      /^paper 1 \(document 1\): line \d+ of its picture differs from its text$/,
    ],
    [
      'an invalid picture',
      'UPDATE paper SET operations = substr(operations, 2) WHERE id = 1',
      /^paper 1 \(document 1\): its picture cannot be read$/,
    ],
    [
      'a picture whose bytes are not all there',
      'UPDATE paper SET operations = substr(operations, 1, length(operations) - 9) WHERE id = 1',
      /^paper 1 \(document 1\): its picture cannot be read$/,
    ],
    [
      'a receipt of the journal with invalid bytes',
      "UPDATE journal_documents SET receipt = x'FF00FF' WHERE document = 1",
      /^document 1 of the journal: its receipt cannot be read$/,
    ],
    [
      'a checksum of a line as a number',
      'UPDATE journal SET chain = 7 WHERE id = 9',
      /^journal line 9 \(document 1\) does not follow/,
    ],
    [
      'another kind of paper',
      "UPDATE paper SET kind = 'nonFiscal' WHERE id = 2",
      /^paper 2 \(document 2\) has the kind nonFiscal, but its document in the journal has the kind cancelled$/,
    ],
    [
      'another time',
      "UPDATE paper SET at = '2026-07-13T09:00:00' WHERE id = 1",
      /^paper 1 .* was printed at 2026-07-13.*, but the journal says /,
    ],
    ['a removed paper', 'DELETE FROM paper WHERE id = 3', /^paper 3 is missing$/],
    [
      'a receipt of the journal with another total',
      "UPDATE journal_documents SET receipt = kept('WORDS', json_set(decoded('WORDS', receipt), '$.total', 1)) WHERE document = 1",
      /^document 1 of the journal: total is 0\.01, recomputed \d+\.\d\d$/,
    ],
    [
      'a receipt of the journal with another article',
      "UPDATE journal_documents SET receipt = kept('WORDS', json_set(decoded('WORDS', receipt), '$.rows[0].name', 'Gold')) WHERE document = 1",
      /^document 1 of the journal: rows\.0 \(Gold\) is not on the paper as it was booked$/,
    ],
    ...(
      [
        ['fiscalReceipts', /^the device's counter of fiscal receipts says 8, but its papers and journal contain 4$/],
        ['nonFiscal', /^the device's counter of non-fiscal receipts says 8, but its papers and journal contain 2$/],
        ['invoices', /^the device's counter of invoices says 8, but its papers and journal contain 0$/],
        ['papers', /^the device's counter of papers says 8, but its papers and journal contain 12$/],
        ['lastReceipt', /^the device's counter says last receipt 8, but the last receipt on its papers is document/],
        [
          'taxRateChanges',
          /^the device's counter of changes of the tax rates says 8, but its papers and journal contain 0$/,
        ],
        ['ramResets', /^the device's counter of resets of its memory says 8, but its papers and journal contain 0$/],
        ['kinds.x', /^the device's counter of the kind x is at 8/],
      ] as const
    ).map(([counter, message]): [string, string, RegExp] => [
      `the counter ${counter}`,
      `UPDATE state SET body = json_set(body, '$.${counter}', 8) WHERE name = 'counters'`,
      message,
    ]),
    ['a missing Z', 'DELETE FROM fiscal_memory WHERE number = 1', /^Z report 1 is missing from the fiscal memory$/],
    ['the last Z missing', 'DELETE FROM fiscal_memory WHERE number = 2', /^fiscal memory record 4 is missing$/],
    [
      'two Z swapped',
      'UPDATE fiscal_memory SET id = 9 WHERE number = 1; UPDATE fiscal_memory SET id = 3 WHERE number = 2; UPDATE fiscal_memory SET id = 4 WHERE number = 1',
      /^fiscal memory record 3 \(Z 2\) and fiscal memory record 4 \(Z 1\) were swapped$/,
    ],
  ])('%s', (_what, sql, message) => {
    const problems = changed(sql)
    expect(problems).toContainEqual(expect.stringMatching(message))
  })

  it('a line rewritten together with its own chain value', () => {
    const problems = changed("UPDATE journal SET line = 'x', chain = 'y' WHERE id = 9")
    expect(problems.slice(0, 2).every((one) => /^journal line (9|10) /.test(one))).toBe(true)
  })
})

describe('the command fiscal-rig memory', () => {
  it('verify exits with 0 for a sound folder, and names each device', async () => {
    const { status, out } = await runToEnd(['memory', 'verify', fileOf('A')])
    expect(status).toBe(0)
    expect(out).toMatch(/^device-a-bg\.sqlite: 2 Z records, 12 documents, \d+ lines: sound\n$/)
  })

  it('verify exits with 1 and names the record if a record was changed', async () => {
    changed("UPDATE journal SET line = 'TOTAL  0.01' WHERE id = 9")
    const { status, out } = await runToEnd(['memory', 'verify', join(folder, 'copy.sqlite')])
    rmSync(join(folder, 'copy.sqlite'))
    expect(status).toBe(1)
    expect(out).toContain('journal line 9 (document 1) does not follow')
  })

  it('show lists the records, and export prints one line of JSON for each', async () => {
    expect((await runToEnd(['memory', 'show', fileOf('B')])).out).toContain('Z 2: ')
    const lines = (await runToEnd(['memory', 'export', fileOf('C')])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'device', family: 'C' })
    expect(lines.filter(({ type }) => type === 'document')).toHaveLength(12)
  })

  it.each([
    ['a path that does not exist', '/nowhere'],
    ['a folder without devices', import.meta.dirname],
  ])('exits with status 2 for %s', async (_what, place) => {
    expect((await runToEnd(['memory', 'verify', place])).status).toBe(2)
  })
})
