import supertest from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../drivers/model/clock.ts'
import { openStores, type Stores } from '../../server/compose.ts'
import { failed, failure } from '../../server/envelope.ts'
import { problemOf } from '../../server/legacy/answer.ts'
import { busy, type Effect, type Outcome, outcomeOf, textReason } from '../../server/operations/outcome.ts'
import { type PrintingService, startService } from '../support/rig.ts'

const JOURNAL = { kind: 'text', text: 'The journal cannot be used.', about: 'journal' } as const
const LOST = { kind: 'outcomeUnknown', what: 'the device did not answer', command: 'reportX' } as const
const codeOf = (outcome: Outcome) => problemOf(failure(outcome)).code
const of = (status: number, effect: Effect, reasons: Outcome['reasons'] = [textReason('Why.')]): Outcome => ({
  status,
  effect,
  reasons,
})

describe('the code of a failure', () => {
  it.each([
    [
      '502 if the operation log cannot be read, because it is unknown what was printed',
      of(503, 'unknown', [JOURNAL]),
      '502',
    ],
    ['901 if the operation log cannot be written, because nothing was printed', of(503, 'nothing', [JOURNAL]), '901'],
    ['510 if the printer is busy', outcomeOf(busy('The printer is busy.')), '510'],
    ['502 if the outcome is still to be determined', of(424, 'unknownCommand', [LOST]), '502'],
    ['502 if the outcome will never be known', of(424, 'undecided', [LOST]), '502'],
    ['501 if the outcome is known by now', of(424, 'notCarriedOut', [LOST]), '501'],
    ['901 if the failure was not foreseen', of(500, 'unforeseen'), '901'],
  ])('is %s', (_, outcome, code) => {
    expect(codeOf(outcome)).toBe(code)
  })

  it.each([
    ['refused before it reached the device', 400, '101'],
    ['of an unknown kind', 404, '901'],
  ])('matches the status of a request %s', (_, status, code) => {
    expect(problemOf(failed(status, 'Why.')).code).toBe(code)
  })
})

describe('a retry, while the operation log cannot be read', () => {
  let rig: PrintingService
  let stores: Stores
  afterEach(async () => {
    await rig.close()
    stores.close()
  })

  it('is answered with 502, and with the printed documents after the log can be read again', async () => {
    let isUnread = false
    const reading = () => {
      if (isUnread) throw Object.assign(new Error('disk'), { errcode: 10 })
    }
    stores = openStores(systemClock, { reading })
    rig = await startService({ family: 'A' }, { stores })
    const lines = ['S^Paine^350^1000^buc^2^1', 'P^1^350']
    const post = async () =>
      (await supertest(rig.app).post('/api/Receipt').set('Idempotency-Key', 'k').send(lines)).body as object
    const first = await post()
    isUnread = true
    expect(await post()).toEqual({
      ...{ ReceiptStatus: 'false', ReceiptNumber: '', ErrorCode: '502' },
      ErrorInfo: expect.stringMatching(
        /^DEVICE_OUTCOME_UNKNOWN: Outcome unknown: The service cannot read its operation log/,
      ),
    })
    isUnread = false
    expect([await post(), rig.papers().length]).toEqual([first, 1])
  })
})
