import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { SqliteStore } from '../../emulator/fiscal/sqlite-store.ts'
import type { Conditions, Query, Row, Store } from '../../emulator/fiscal/store.ts'
import { TABLES, type Table } from '../../emulator/fiscal/tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-stores-'))
let files = 0
const stores: Readonly<Record<string, () => Store>> = {
  'SQLite in a file': () => new SqliteStore(join(folder, `${files++}.sqlite`)),
  'SQLite in memory': () => new SqliteStore(':memory:'),
  'plain rows': () => new PlainStore(),
}

const line = (document: number, text: string): Row => ({ document, at: '2026-07-15T09:00:00', line: text, chain: text })
const article = (plu: number, change: Row = {}): Row => ({
  plu,
  name: `ARTICLE ${plu}`,
  sold: 0,
  turnover: 0,
  body: '{}',
  ...change,
})
const z = (number: number | null): Row => ({
  kind: number === null ? 'taxRates' : 'z',
  number,
  at: '2026',
  body: '{}',
  document: 0,
  journal: '',
  seal: 'ab'.repeat(32),
})

describe.each(Object.entries(stores))('a store of %s', (_name, open) => {
  let store: Store
  beforeEach(() => {
    store = open()
  })
  afterEach(() => store.close())

  const fill = (table: Table, ...rows: readonly Row[]) => {
    for (const row of rows) store.insert(table, row)
    store.commit('ordinary')
    // The SQLite store in memory executes committed operations before a read.
    store.first(table)
  }
  const texts = (query?: Query) => store.rows('journal', query).map((row) => row['line'])
  const plus = (query?: Query) => store.rows('articles', query).map((row) => row['plu'])

  it('contains nothing of an operation before it is committed, nor after it was dropped', () => {
    store.insert('journal', line(1, 'a'))
    store.saveState('day', { total: 1 })
    store.addEntry('{}')
    expect(TABLES.map((table) => store.count(table))).toEqual(TABLES.map(() => 0))
    store.rollback()
    store.commit('ordinary')
    expect(TABLES.map((table) => store.count(table))).toEqual(TABLES.map(() => 0))
    fill('journal', line(1, 'b'))
    expect(texts()).toEqual(['b'])
  })

  it('numbers rows by itself, and begins again when all rows are removed', () => {
    store.addEntry('one')
    store.addEntry('two')
    store.commit('ordinary')
    expect(store.rows('open_document')).toEqual([
      { id: 1, body: 'one' },
      { id: 2, body: 'two' },
    ])
    store.dropEntries()
    store.addEntry('three')
    store.commit('closing')
    expect(store.rows('open_document')).toEqual([{ id: 1, body: 'three' }])
  })

  it('stores only the last form of a record of the state', () => {
    store.saveState('day', { total: 1 })
    store.saveState('last', null)
    store.saveState('day', { total: 2 })
    store.commit('ordinary')
    store.saveState('day', { total: 3 })
    store.commit('ordinary')
    expect(store.rows('state')).toEqual([
      { name: 'day', body: '{"total":3}' },
      { name: 'last', body: 'null' },
    ])
  })

  it.each<[string, Table, Row]>([
    ['a key that is there', 'journal', { id: 1, ...line(2, 'again') }],
    ['a number that is there', 'fiscal_memory', z(1)],
  ])('throws an error for %s, and stores nothing of the operation', (_what, table, row) => {
    fill('journal', line(1, 'a'))
    fill('fiscal_memory', z(null), z(null), z(1))
    fill('articles', article(5))
    store.insert('journal', line(1, 'b'))
    store.replace('articles', article(5, { sold: 9 }))
    store.replace('articles', article(4))
    store.remove('articles', { plu: 5 })
    store.insert(table, row)
    expect(() => {
      store.commit('ordinary')
      store.rows('journal')
    }).toThrow()
    expect(texts()).toEqual(['a'])
    expect(store.rows('articles')).toEqual([article(5)])
    expect(store.count('fiscal_memory', { number: { from: 1 } })).toBe(1)
    fill('journal', line(1, 'c'))
    expect(texts()).toEqual(['a', 'c'])
  })

  it.each<[Table, Row, Conditions]>([
    ['fiscal_memory', { id: 1, ...z(7) }, { id: 1 }],
    ['journal', { id: 1, ...line(1, 'other') }, { document: 1 }],
    [
      'journal_documents',
      {
        ...{ document: 1, kind: 'x', kind_number: 1, reversal: 0, at: '2026', z: 1 },
        ...{ receipt: null, cash: null, memory: null, seal: 'cd'.repeat(32) },
      },
      { document: 1 },
    ],
  ])('%s refuses to be changed', (table, row, where) => {
    fill(table, row)
    store.remove(table, where)
    expect(() => {
      store.commit('ordinary')
      store.rows(table)
    }).toThrow(`${table} is append-only`)
    expect(store.rows(table)).toEqual([row])
  })

  it('returns rows in the order of their key, in both directions, as many as requested', () => {
    fill('articles', article(20), article(3), article(100))
    expect(plus()).toEqual([3, 20, 100])
    expect(plus({ order: 'down', limit: 2 })).toEqual([100, 20])
    expect(plus({ limit: 0 })).toEqual([])
    expect(store.first('articles', { order: 'down' })?.['plu']).toBe(100)
    expect(store.first('articles', { where: { plu: 4 } })).toBeUndefined()
    store.replace('articles', article(1))
    store.remove('articles', { plu: { from: 20, to: 50 } })
    store.commit('ordinary')
    expect([...store.each('articles')].map((row) => row['plu'])).toEqual([1, 3, 100])
  })

  it('finds rows by the value of a column', () => {
    fill('articles', article(1), article(2, { sold: 5 }), article(3, { turnover: -1 }), article(4, { name: 'TEA' }))
    expect(plus({ where: { name: 'TEA' } })).toEqual([4])
    expect(plus({ where: { name: 'TEA', plu: { not: 4 } } })).toEqual([])
    expect(plus({ where: { plu: { from: 2, to: 3 } } })).toEqual([2, 3])
    expect(plus({ where: { plu: { from: 3 } }, someNot0: ['sold', 'turnover'] })).toEqual([3])
    expect(plus({ someNot0: ['sold', 'turnover'] })).toEqual([2, 3])
    expect(plus({ where: { plu: { oneOf: [4, 9, 1] } } })).toEqual([1, 4])
    fill('fiscal_memory', z(null), z(1), z(2))
    expect(store.count('fiscal_memory', { number: { from: 1 } })).toBe(2)
    expect(store.count('fiscal_memory', { number: null })).toBe(1)
    fill('journal', line(1, 'Ärger TEA'), line(2, 'tea'), line(2, 'coffee'))
    expect(texts({ where: { document: 2 } })).toEqual(['tea', 'coffee'])
    expect(texts({ where: { line: { holds: 'tea' } } })).toEqual(['Ärger TEA', 'tea'])
    expect(texts({ where: { line: { holds: 'ärger' } } })).toEqual(['Ärger TEA'])
  })

  it('recreates tables, filled or empty, or leaves them if the filling fails', () => {
    fill('journal', line(1, 'a'))
    fill('articles', article(1))
    const twice = { id: 1, ...line(9, 'x') }
    expect(() =>
      store.renew(['journal'], (insert) => {
        insert('journal', twice)
        insert('journal', twice)
      }),
    ).toThrow()
    expect(texts()).toEqual(['a'])
    store.renew(['journal'], (insert) => insert('journal', { id: 4, ...line(2, 'b') }))
    expect(store.rows('journal')).toEqual([{ id: 4, ...line(2, 'b') }])
    fill('journal', line(3, 'c'))
    expect(store.rows('journal').map((row) => row['id'])).toEqual([4, 5])
    store.renew(['journal'])
    expect([texts(), plus()]).toEqual([[], [1]])
  })
})

/** Arbitrary writes to articles, after which all stores must have the same contents. */
const write = fc.oneof(
  fc.record({ do: fc.constant('replace' as const), plu: fc.nat(9), sold: fc.nat(2), name: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('insert' as const), plu: fc.nat(9), sold: fc.nat(2), name: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('remove' as const), from: fc.nat(9), to: fc.nat(9) }),
  fc.record({ do: fc.constant('removeNamed' as const), name: fc.constantFrom('a', 'b') }),
)
const operation = fc.record({ writes: fc.array(write, { maxLength: 5 }), isDropped: fc.boolean() })

it('plain rows and SQLite store the same after any operations', () => {
  const file = new SqliteStore(join(folder, 'any.sqlite'))
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
      const plain = new PlainStore()
      file.renew(['articles'])
      for (const { writes, isDropped } of operations) {
        const done = [file, plain].map((store) => {
          for (const one of writes) {
            if (one.do === 'remove') store.remove('articles', { plu: { from: one.from, to: one.to } })
            else if (one.do === 'removeNamed') store.remove('articles', { name: one.name })
            else store[one.do]('articles', article(one.plu, { sold: one.sold, name: one.name }))
          }
          if (isDropped) store.rollback()
          try {
            store.commit('ordinary')
            return 'done'
          } catch {
            return 'refused'
          }
        })
        expect(done[1]).toBe(done[0])
        for (const query of [{}, { order: 'down' as const }, { where: { name: 'a' } }, { someNot0: ['sold'] }])
          expect(plain.rows('articles', query)).toEqual(file.rows('articles', query))
      }
    }),
    { numRuns: 200, seed: 1 },
  )
  file.close()
  rmSync(folder, { recursive: true })
})
