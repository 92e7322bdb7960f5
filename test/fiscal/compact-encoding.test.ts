import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import type { CompactEncoding } from '../../emulator/fiscal/column-types.ts'
import { decodeCompact, encodeCompact } from '../../emulator/fiscal/compact-encoding.ts'
import { bread, ok, plainDevice, sellReceipt } from './plain-device.ts'

const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DIGEST = '00ff'.repeat(16)
const PICTURE = JSON.stringify([
  { op: 'text', text: 'THANK YOU', align: 'center' },
  { op: 'columns', left: 'TOTAL', right: '154.51  ', bold: true, height: 'double' },
  { asked: { ask: 'sale', row: { name: 'Žito', taxCode: 3, price: 900 } }, lines: 2 },
])

describe('the compact encoding', () => {
  it.each<CompactEncoding>(['DIGEST', 'SECOND'])('%s restores every text unchanged', (form) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        expect(decodeCompact(form, encodeCompact(form, text))).toBe(text)
      }),
    )
  })

  it('WORDS restores all JSON unchanged, even with spaces and ends of lines', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, '\t', 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(decodeCompact('WORDS', encodeCompact('WORDS', text))).toBe(text)
      }),
    )
    const controls = JSON.stringify(Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join(''))
    expect(decodeCompact('WORDS', encodeCompact('WORDS', controls))).toBe(controls)
  })

  it.each<CompactEncoding>(['DIGEST', 'SECOND', 'WORDS'])('%s encodes null as null', (form) => {
    expect(decodeCompact(form, encodeCompact(form, null))).toBeNull()
  })

  it.each<[CompactEncoding, string, string | bigint]>([
    ['DIGEST', DIGEST, DIGEST],
    ['SECOND', '2026-07-15T09:00:00', 1_784_106_000n],
    ['SECOND', '1970-01-01T00:00:00', 0n],
  ])('%s restores the text of a stored file: %s', (form, text, expected) => {
    const encoded = encodeCompact(form, text)
    expect(encoded instanceof Uint8Array ? Buffer.from(encoded).toString('hex') : encoded).toBe(expected)
    expect(decodeCompact(form, encoded)).toBe(text)
  })

  it.each<[CompactEncoding, string]>([
    ['DIGEST', DIGEST.toUpperCase()],
    ['DIGEST', DIGEST.slice(1)],
    ['DIGEST', `${DIGEST}0`],
    ['SECOND', '2026-07-15T09:00'],
    ['SECOND', '2026-07-15T09:00:00.5'],
    ['SECOND', '2026-02-30T09:00:00'],
  ])('%s does not change %s, which has another form', (form, text) => {
    expect(encodeCompact(form, text)).toBe(text)
  })

  it('WORDS reads data of its first version, because the order of its words is part of the format', () => {
    const written = '[{"op":"text\x1aTHANK YOU\x0c\x07TOTAL\x02154.51  \x1b\x1f!\x13\x1eŽito\x043\x059\x01\x1d2}]'
    expect(decodeCompact('WORDS', written)).toBe(PICTURE)
    expect((encodeCompact('WORDS', PICTURE) as string).length).toBeLessThan(PICTURE.length / 3)
  })

  it.each<[CompactEncoding, unknown]>([
    ['WORDS', '[\x1f~]'],
    ['WORDS', '["\x1f'],
    ['WORDS', 7],
    ['WORDS', Buffer.from('[]')],
    ['DIGEST', 7],
    ['SECOND', Buffer.from('7')],
  ])('%s does not treat %j as encoded', (form, value) => {
    expect(() => decodeCompact(form, value)).toThrow(/^the file (?:contains|has) an? /)
  })
})

function device(path: string) {
  const { device } = plainDevice({ store: path })
  sellReceipt(device, [bread()])
  ok(device.reportZ())
  sellReceipt(device, [bread({ price: 777 })])
  return device
}

const formsIn = (path: string) => {
  const database = new DatabaseSync(path, { readOnly: true })
  const types = database
    .prepare(
      `SELECT DISTINCT typeof(j.at) AS at, typeof(j.chain) AS chain, json_valid(d.receipt) AS receipt,
         json_valid(p.operations) AS operations, json_valid(c.body) AS course
       FROM journal j JOIN journal_documents d ON d.document = j.document JOIN paper p ON p.number = d.document
         JOIN courses c ON c.paper = p.id WHERE d.kind = 'fiscal'`,
    )
    .all()
    .map((row) => ({ ...row }))
  database.close()
  return types
}
const SHORT = [{ at: 'integer', chain: 'blob', receipt: 0, operations: 0, course: 0 }]

describe('the file of a device', () => {
  it('stores long values in compact encoding, and lines as they are printed', () => {
    const path = join(folder, 'new.sqlite')
    device(path).close()
    expect(formsIn(path)).toEqual(SHORT)
    const database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare(`SELECT count(*) AS n FROM journal WHERE line LIKE 'BREAD%'`).get()?.['n']).toBe(2)
    database.close()
  })
})
