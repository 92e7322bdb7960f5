/** `fiscal-rig` over a whole year of a shop, with one receipt a day. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runToEnd } from '../support/in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-year-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('prints the result of a year as JSON', async () => {
  const asked = ['check', '--shop-year', '--family', 'B', '--receipts-per-day', '1', '--json']
  const { status, out, err } = await runToEnd(asked, { env: { TMPDIR: folder } })
  expect(err).not.toContain('Z ')
  const summary = JSON.parse(out)
  expect(summary).toEqual({
    ...{ family: 'B', days: 365, receipts: expect.any(Number), booksBalanced: true, chainVerified: true },
    bytesPerReceipt: expect.any(Number),
    rssMiB: { day1: expect.any(Number), day30: expect.any(Number), day365: expect.any(Number) },
    ...{ firstStartMs: expect.any(Number), oldestZMs: expect.any(Number), tookMs: expect.any(Number) },
  })
  expect(summary.receipts).toBeGreaterThan(355)
  expect(readdirSync(folder).filter((name) => name.startsWith('fiscal-rig-year-'))).toEqual([])
  expect(status).toBe(0)
})
