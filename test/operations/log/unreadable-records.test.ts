/** An unreadable record of the log blocks no other request, and the retry of its request says so (operations 4). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../../drivers/families.ts'
import { type KillableService, startKillableService } from '../../support/killable-service.ts'

let folder: string
let rig: KillableService | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-aside-'))
})
afterEach(async () => {
  await rig?.close()
  rig = undefined
  rmSync(folder, { recursive: true, force: true })
})

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const PRINT = '/print-fiscal-receipt'

const RECORDS: readonly (readonly [what: string, record: string, why: string])[] = [
  ['of an unknown step', '{"steps":[{"does":"open"},{"does":"coupon"}],"at":1,"before":null}', 'another version'],
  ['with an unknown state', '{"steps":[{"does":"cancel"}],"at":0,"is":"begun","before":null}', 'another version'],
  ['without a position', '{"steps":[{"does":"cancel"}],"before":null}', 'another version'],
  ['with a position between two others', '{"steps":[{"does":"cancel"}],"at":0.5,"before":null}', 'another version'],
  ['with an invalid step', '{"steps":[null],"at":0,"before":null}', 'another version'],
  ['of an earlier version', '{"undertaking":"step","stage":"filling","before":null}', 'another version'],
  ['of version 0.1', '{"kind":"receipt","state":"open"}', 'another version'],
  ['that is cut off', '{"steps":[{"does":"op', 'it is damaged'],
  ['that is not an object', 'null', 'it is damaged'],
]

describe.each(FAMILIES)('family %s, a log record', (family) => {
  it.each(RECORDS)(
    '%s blocks no other request, and its retry reports an unknown outcome',
    async (_what, record, why) => {
      const journal = join(folder, 'answers.sqlite')
      rig = startKillableService(family, { journal })
      expect(await rig.post(PRINT, RECEIPT)).toMatchObject({ StatusCode: 200 })
      expect(await rig.post('/report-x', undefined, 'lost')).toMatchObject({ StatusCode: 200 })
      rig.restart(() => {
        const file = new DatabaseSync(journal)
        const unanswered = file.prepare("UPDATE requests SET record = ?, status = NULL, body = NULL WHERE key = 'lost'")
        expect(unanswered.run(record).changes).toBe(1)
        file.close()
      })
      await rig.run(rig.service.start())
      expect(rig.warnings).toEqual([
        expect.stringMatching(/^\/report-x with key lost, interrupted: skipped, its record cannot be read: /),
      ])
      expect(rig.warnings[0]).toContain(why)
      expect(await rig.post(PRINT, RECEIPT, 'another')).toMatchObject({ StatusCode: 200 })
      const { StatusCode, Message } = await rig.post('/report-x', undefined, 'lost')
      expect(StatusCode).toBe(424)
      expect(Message).toMatch(
        /^Outcome unknown: a request with this Idempotency-Key was started, and its record in the operation log/,
      )
      expect(Message).toContain(why)
    },
  )
})

it('an answer is returned again, whatever is stored next to it', async () => {
  const journal = join(folder, 'answers.sqlite')
  rig = startKillableService('A', { journal })
  const first = await rig.post(PRINT, RECEIPT, 'answered')
  expect(first).toMatchObject({ StatusCode: 200 })
  rig.restart(() => {
    const file = new DatabaseSync(journal)
    expect(file.prepare("UPDATE requests SET record = 'broken'").run().changes).toBe(1)
    file.close()
  })
  expect(await rig.post(PRINT, RECEIPT, 'answered')).toEqual(first)
  expect(rig.emulator.device.documents()).toHaveLength(1)
})
