import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { yearText } from '../../bin/commands/check-shop-year.ts'
import { FAMILIES } from '../../drivers/families.ts'
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import type { ArchivedZ } from '../../drivers/model/printer.ts'
import { storePath } from '../../emulator/emulator.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import { differences } from '../../scenarios/campaign/year/differences.ts'
import { judgeFile } from '../../scenarios/campaign/year/file-audit.ts'
import { type CashierAction, Shop, TROUBLES } from '../../scenarios/campaign/year/shop.ts'
import { shopYear, type Year } from '../../scenarios/campaign/year/year.ts'
import { daySums } from '../../scenarios/oracle/totals.ts'
import { runToEnd } from '../support/in-process.ts'
import { slice } from '../support/slice.ts'

const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-year-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm test` runs one family. */
const TRIED = slice(FAMILIES, { of: FAMILIES.length, salt: 'year' })
const [CHECKED = 'A'] = TRIED

describe('32 days of the shop year', () => {
  // These days include a change of prices and a change of tax rates.
  it.each(TRIED)('leave balanced books on family %s', async (family) => {
    const { report, differences: wrong } = await shopYear({ family, data: folder, receiptsPerDay: 3, days: 32 })
    expect(wrong).toEqual([])
    expect(report).toMatchObject({ family, days: 32, booksBalanced: true, chainVerified: true })
    expect(report.receipts).toBeGreaterThan(85)
  })
})

describe('the shop of the shop year', () => {
  it('sells every kind of receipt in its mix', () => {
    const shop = new Shop(seededRandom(1))
    const receipts = Array.from({ length: 4000 }, () => shop.receipt())
    const deeds = receipts.flatMap((receipt) => receipt.actions)
    const kinds: readonly CashierAction['do'][] = ['sell', 'void', 'subtotal', 'text']
    expect(kinds.filter((kind) => !deeds.some((deed) => deed.do === kind))).toEqual([])
    expect(TROUBLES.filter((trouble) => !receipts.some((receipt) => receipt.trouble === trouble))).toEqual([])
    const paid = new Set(receipts.map(({ payments }) => payments.map(({ mode }) => mode).join()))
    expect(paid).toEqual(new Set(['0', '1', '1,0', '']))
    expect(receipts.some(({ copy }) => copy)).toBe(true)
    expect(receipts.some(({ isCancelled }) => isCancelled)).toBe(true)
    expect(deeds.some((deed) => deed.do === 'sell' && deed.percentOff !== undefined)).toBe(true)
    expect(deeds.some((deed) => deed.do === 'sell' && deed.quantity % 1000 !== 0)).toBe(true)
  })
})

describe('the checks of the shop year', () => {
  const family = CHECKED
  const path = (): string => storePath({ family, data: folder })
  const changed = (statement: string): ReturnType<typeof judgeFile> => {
    const copy = join(folder, 'changed.sqlite')
    rmSync(copy, { force: true })
    const own = new DatabaseSync(path())
    own.exec(`VACUUM INTO '${copy}'`)
    own.close()
    const database = new DatabaseSync(copy)
    for (const table of ['journal', 'fiscal_memory']) database.exec(`DROP TRIGGER ${table}_no_update`)
    database.exec(statement)
    database.close()
    return judgeFile(copy)
  }

  it('detect one changed letter of the journal', () => {
    expect(judgeFile(path()).chainVerified).toBe(true)
    expect(changed("UPDATE journal SET line = line || '.' WHERE id = 1000").chainVerified).toBe(false)
  })

  it('detect a Z report that does not match its receipts', () => {
    const total = "json_set(body, '$.z.total', json_extract(body, '$.z.total') + 1)"
    const judged = changed(`UPDATE fiscal_memory SET body = ${total} WHERE number = 7`)
    expect(judged.differences).toEqual([
      expect.stringMatching(/^Z 7: \d receipts with a total of [\d.]+, but the journal has/),
    ])
  })

  it('know whether a cancelled receipt counts as issued', () => {
    const cancelled = { number: 1, kind: 'sale', entries: [], payments: [], cancelled: true } as const
    const nothing = { count: 0, amount: 0 }
    const z: ArchivedZ = {
      ...{ number: 1, dateTime: null, firstReceipt: 1, lastReceipt: 1, receiptsCount: 1, total: 0, raw: '', taxes: [] },
      ...{ payments: [], discounts: nothing, surcharges: nothing, voids: nothing, cashIn: 0, cashOut: 0 },
    }
    const sums = daySums([cancelled], [], [])
    expect(differences(z, sums, true)).toEqual([])
    expect(differences(z, sums, false)).toEqual(['Z 1: receipts: 1, of its receipts 0'])
  })

  it('detect a Z report that differs from the request', () => {
    const entries = [{ what: 'row', group: 1, price: 100n, quantity: 1000n }] as const
    const receipt = {
      number: 1,
      kind: 'sale',
      entries,
      payments: [{ mode: 0, amount: 500n }],
      cancelled: false,
    } as const
    const z: ArchivedZ = {
      ...{ number: 1, dateTime: null, firstReceipt: 1, lastReceipt: 1, receiptsCount: 1, total: 100, raw: '' },
      taxes: [{ taxCode: 2, letter: 'B', rate: 2000, turnover: 100, tax: 17 }],
      payments: [{ paymentMode: 0, amount: 100 }],
      ...{ discounts: null, surcharges: null, voids: { count: 0, amount: 0 }, cashIn: 0, cashOut: null },
    }
    const sums = daySums([receipt], [], [2000n, 2000n])
    expect(differences(z, sums)).toEqual([])
    expect(
      differences({ ...z, total: 101, receiptsCount: 2, cashIn: 5, voids: { count: 1, amount: 0 } }, sums),
    ).toEqual([
      'Z 1: the total is 1.01, the sum of its receipts is 1.00',
      'Z 1: receipts: 2, of its receipts 1',
      'Z 1: voids: 1, of its receipts 0',
      'Z 1: cash in is 0.05, the sum of its receipts is 0.00',
    ])
    expect(differences({ ...z, payments: [], taxes: z.taxes.map((tax) => ({ ...tax, tax: 16 })) }, sums)).toEqual([
      'Z 1: tax B is 0.16, the sum of its receipts is 0.17',
      'Z 1: payments of mode 0 is 0.00, the sum of its receipts is 1.00',
    ])
  })
})

describe('the command check --shop-year', () => {
  it('prints which targets are met and which are not', () => {
    const report: Year['report'] = {
      ...{ family: 'C', days: 365, receipts: 91_000, booksBalanced: true, chainVerified: false },
      bytesPerReceipt: 9000,
      rssMiB: { day1: 100, day30: 110, day365: 140 },
      ...{ firstStartMs: 5, oldestZMs: 3, tookMs: 240_000 },
    }
    const text = yearText({
      report,
      bytes: [
        { table: 'paper', bytes: 3 },
        { table: 'journal', bytes: 1 },
      ],
    })
    expect(text).toBe(`family C: 365 days, 91000 receipts, in 4 min 0 s
  books: balanced; chain of the journal: BROKEN
  on disk: 9000 bytes a receipt; content: paper 75 %, journal 25 %
  memory: 100 MiB after day 1, 110 after day 30, 140 after day 365 (goal: grows by at most 32: NOT MET)
  first start afterwards: 5 ms (goal: within 1000: met)
  Z of day 1: 3 ms (goal: within 20: met)
`)
  })

  it.each([
    ['several families in one folder', ['--data', folder], 'add --family'],
    ['runs', ['--runs', '5'], '--shop-year allows'],
    ['a folder that has a device', ['--family', CHECKED, '--data', folder], 'is a device already'],
  ])('refuses as wrong usage: %s', async (_what, args, message) => {
    const { status, err } = await runToEnd(['check', '--shop-year', ...args])
    expect(err).toContain(message)
    expect(status).toBe(2)
  })
})
