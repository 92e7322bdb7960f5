/**
 * Requests that were left open: how the service reconciles each before any other work, what it logs about them, and the
 * response to a retry.
 */
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../server/operations/operation.ts'
import { outcomeOf, textReason } from '../../server/operations/outcome.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import { alone, documentOf } from './entries.ts'
import { type LeftOpen, left, leftOpen, NAME, unsettledOver } from './left-open.ts'
import {
  allPaid,
  BEFORE,
  FISCAL,
  GIVEN_OUT,
  NO_ANSWER,
  NO_PAPER,
  partPaid,
  REFUSED,
  type Script,
  UNKNOWN,
  unpaid,
} from './scripted-printer.ts'

const closed: Script = { says: [GIVEN_OUT], documents: { 17: FISCAL } }
const inCash = { of: { payments: [{ mode: 1 }] }, total: 480, inCash: true } as const
const x = (key?: string): LeftOpen => left(documentOf('x'), key)
const close = (key?: string, more: Partial<Entry> = {}): LeftOpen =>
  left(alone({ does: 'close' }, { document: 17, ...more }), key)

describe('a request that was left open', () => {
  it('is pending until it is reconciled', async () => {
    const { unsettled } = unsettledOver(closed, [leftOpen('closing')])
    expect(unsettled.isNeeded).toBe(true)
    await unsettled.settleAll()
    expect(unsettled.isNeeded).toBe(false)
    expect(unsettledOver(closed).unsettled.isNeeded).toBe(false)
  })

  const WHY =
    'it started on the device with serial number S1, but S2 is connected now. Check the paper of S1, or reconnect it.'
  const twice = { unconfirmed: [{ is: 'text', text: 'ONCE', times: 1 }] } as const
  it.each<[string, LeftOpen, Script]>([
    ['closed as receipt 17.', leftOpen('closing'), closed],
    ['closed as receipt 17, the remaining amount paid in cash.', leftOpen('closing', inCash), closed],
    ['closed as receipt 17, paid or closed by another program, or by this service without a record of it.', leftOpen('filling'), closed],
    ['closed as receipt 17, a line of text printed twice.', leftOpen('closing', twice), { ...closed, lines: { 17: ['ONCE', 'ONCE'] } }],
    ['its receipt was cancelled.', leftOpen('filling'), { says: [unpaid] }],
    ['the device executed it.', x(), { says: [GIVEN_OUT] }],
    ['the device did not execute it.', x(), { says: [{}] }],
    ['its outcome cannot be determined: document 17 was not opened by this request.', leftOpen('closing'), { says: [GIVEN_OUT], documents: { 17: { kind: 'x', total: null } } }],
    [WHY, x(), { says: [{ serialNumber: 'S2' }] }],
  ])('is logged: %s', async (words, left, script) => {
    const { unsettled, notes, tables } = unsettledOver(script, [left])
    await unsettled.settleAll()
    expect(notes).toEqual([`${NAME}, interrupted: ${words}`])
    expect([unsettled.isNeeded, tables.requests.lastId()]).toEqual([false, 0])
  }) // biome-ignore format: a table

  const body = (status: number, rest: object) => JSON.stringify({ StatusCode: status, ...rest })
  const interrupted = 'The request was interrupted.'
  it.each<[string, LeftOpen, Script, number, object]>([
    ['its number', leftOpen('closing', { key: 'k' }), closed, 200, { Data: '17' }],
    ['how it was completed', leftOpen('filling', { key: 'k' }), closed, 424, { Message: `Completed as receipt 17: ${interrupted} Another program registered a payment or closed the receipt, or this service did and could not store it in its operation log. Take the items and payments from the paper.` }],
    ['that the remaining amount was paid in cash', leftOpen('closing', { key: 'k', ...inCash }), closed, 424, { Message: `Completed as receipt 17: ${interrupted} The remaining amount was registered as a cash payment.` }],
    ['what can be read again', left(documentOf('z'), 'k'), { says: [{ lastDocument: 17, lastZ: 5 }] }, 200, { Data: '5,12.00' }],
    ['that its outcome is unknown', leftOpen('closing', { key: 'k' }), { says: [{}] }, 424, { Message: `Outcome unknown: ${interrupted} The device assigned document number 17, but now reports 16 as its last.` }],
  ])('is answered in its retry as before: %s', async (_, left, script, status, rest) => {
    const { unsettled, answers } = unsettledOver(script, [left])
    await unsettled.settleAll()
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { status, body: body(status, rest) } })
  }) // biome-ignore format: a table

  it('stores the number of its receipt with the answer', async () => {
    const { unsettled, answers } = unsettledOver(closed, [leftOpen('closing', { key: 'k' })])
    await unsettled.settleAll()
    const outcome = { status: 200, effect: 'asRequested', receiptNumber: '17', reasons: [] }
    expect(answers.find('k')).toMatchObject({ reply: { outcome } })
  })

  it('contains its interruption as data', async () => {
    const { unsettled, answers } = unsettledOver(closed, [leftOpen('filling', { key: 'k' })])
    await unsettled.settleAll()
    const outcome = { status: 424, effect: 'completedByOther', receiptNumber: '17', reasons: [textReason(interrupted)] }
    expect(answers.find('k')).toMatchObject({ reply: { outcome } })
  })

  it.each<[string, LeftOpen, Script]>([
    ['cancelled', leftOpen('filling', { key: 'k' }), { says: [unpaid] }],
    ['not executed', x('k'), { says: [{}] }],
  ])('may be retried from the beginning when it was %s', async (_, left, script) => {
    const { unsettled, answers } = unsettledOver(script, [left])
    await unsettled.settleAll()
    expect(answers.find('k')).toBeUndefined()
  })

  it.each<[string, LeftOpen, Script, object]>([
    ['cancelled', leftOpen('filling'), { says: [unpaid], fails: { cancelFiscal: NO_ANSWER } }, { is: 'cancelling', at: 1 }],
    ['paid', leftOpen('paying', { of: { payments: [{ mode: 1, amount: 480 }] }, total: 480 }), { says: [partPaid], fails: { closeFiscal: NO_ANSWER } }, { at: 4, inCash: true }],
  ])('is stored as to be %s before that is done', async (_, left, script, row) => {
    const { unsettled, rows, flushed } = unsettledOver(script, [left])
    await expect(unsettled.settleAll()).rejects.toBe(NO_ANSWER)
    expect(rows()).toMatchObject([row])
    expect(flushed.slice(1)).not.toContain(false)
  }) // biome-ignore format: a table

  it('is reconciled on a full disk too, which is logged', async () => {
    const { unsettled, disk, tables, notes, answers } = unsettledOver({ says: [unpaid] }, [
      leftOpen('filling', { key: 'k' }),
    ])
    disk.isFull = true
    await unsettled.settleAll()
    const full =
      'The service cannot write its operation log (in memory): the disk is full. Until this is fixed, it rejects all requests that print.'
    expect(notes).toEqual([full, `${NAME}, interrupted: its receipt was cancelled.`, full])
    expect([unsettled.isNeeded, answers.find('k')]).toEqual([false, undefined])
    disk.isFull = false
    await unsettled.settleAll()
    expect(tables.requests.withKey('k')).toBeUndefined()
  })
})

describe('several requests that were left open', () => {
  const reportAfter = (number: number): LeftOpen =>
    left(documentOf('x', { before: { ...BEFORE, lastDocument: number } }))

  it('are reconciled oldest first, and those after one that cannot be queried wait', async () => {
    const { unsettled, printer, notes } = unsettledOver({ says: [{}, NO_ANSWER] }, [
      reportAfter(16),
      reportAfter(16),
      reportAfter(16),
    ])
    await expect(unsettled.reconcilePending()).rejects.toBe(NO_ANSWER)
    expect(printer.story).toHaveLength(2)
    expect(notes).toHaveLength(1)
    expect([unsettled.isNeeded, unsettled.stillOpen('k').effect]).toEqual([true, 'unknown'])
  })

  it('do not block one another by a refusal, and are tried again', async () => {
    const { unsettled, notes, rows } = unsettledOver({ says: [REFUSED, REFUSED, {}] }, [
      reportAfter(15),
      reportAfter(16),
    ])
    await unsettled.settleAll()
    const refused =
      'interrupted: its outcome cannot be determined yet. The device rejected the command: not now (7, no).'
    expect(notes).toEqual([`${NAME}, ${refused}`, `${NAME}, interrupted: the device did not execute it.`])
    expect([unsettled.isNeeded, rows().length]).toEqual([true, 1])
    await unsettled.settleAll()
    expect([unsettled.isNeeded, rows().length]).toEqual([false, 0])
  })
})

describe('a request whose reconciliation fails with a bug of the service', () => {
  /** The journal of the device throws an unforeseen error for document 17. */
  const stumbling = (open: readonly LeftOpen[]) => {
    const linesOf = () => Promise.reject(new TypeError('a mistake'))
    const unconfirmed = [{ is: 'text', text: 'ONCE', times: 1 }] as const
    const script: Script = { ...closed, more: { linesOf } }
    return unsettledOver(script, [leftOpen('closing', { key: 'k', unconfirmed }), ...open])
  }

  it('is set aside with its reason, and blocks no other request', async () => {
    const { unsettled, notes, answers } = stumbling([leftOpen('closing', { key: 'next' })])
    await unsettled.reconcilePending()
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^${NAME}, interrupted: skipped, TypeError: a mistake`)),
      `${NAME}, interrupted: closed as receipt 17.`,
    ])
    expect(answers.find('next')).toMatchObject({ state: 'answered', reply: { status: 200 } })
  })

  it('is reported to its retry as unknown, and is not tried again by this service', async () => {
    const { unsettled, notes, printer } = stumbling([])
    await unsettled.settleAll()
    const queriesBefore = printer.story.length
    await unsettled.settleAll()
    expect([notes.length, printer.story.length]).toEqual([1, queriesBefore])
    expect(unsettled.stillOpen('k')).toEqual({
      ...{ status: 424, effect: 'maybeOnOtherDevice' },
      reasons: [
        textReason('Its outcome cannot be determined; see the log of the service for the reason. Check its paper.'),
      ],
    })
  })

  it('is tried again by the service after a restart', async () => {
    const { unsettled, restarted, notes } = stumbling([])
    await unsettled.settleAll()
    await restarted().settleAll()
    expect(notes).toHaveLength(2)
  })
})

describe('a receipt that the device cannot close now', () => {
  it('is reported by its number until it is closed, also by the service after a restart', async () => {
    const script: Script = { says: [allPaid], fails: { closeFiscal: NO_PAPER } }
    const { unsettled, restarted, rows } = unsettledOver(script, [leftOpen('closing', { key: 'k' })])
    expect(unsettled.stillOpen('k')).toMatchObject({ status: 424, effect: 'unknown' })
    await expect(unsettled.settleAll()).rejects.toBe(NO_PAPER)
    const paidNotClosed = { status: 424, effect: 'paidNotClosed', receiptNumber: '17' }
    const notTried = textReason('The receipt of this request has been neither closed nor cancelled.')
    expect(unsettled.stillOpen('k')).toEqual({ ...paidNotClosed, reasons: [notTried] })
    expect(rows()).toMatchObject([{ at: 4, receiptNumber: '17' }])
    expect(restarted().stillOpen('k')).toEqual({ ...paidNotClosed, reasons: [notTried] })
    const lost = textReason(
      'Its outcome cannot be determined; see the log of the service for the reason. Check its paper.',
    )
    expect(unsettled.stillOpen('other')).toEqual({ status: 424, effect: 'unknown', reasons: [lost] })
  })

  it('is reported with the reason of the last refusal', async () => {
    const script: Script = { says: [allPaid], fails: { closeFiscal: REFUSED } }
    const { unsettled } = unsettledOver(script, [leftOpen('closing', { key: 'k' })])
    await unsettled.settleAll()
    const outcome = unsettled.stillOpen('k')
    expect(sentenceOf(outcome)).toContain(
      'The device refused the last attempt to close or cancel the receipt. The device rejected the command: not now (7, no).',
    )
  })

  it('is reported with its paid amount', async () => {
    const { unsettled, flushed } = unsettledOver({ says: [NO_PAPER, partPaid] }, [leftOpen('paying', { key: 'k' })])
    await expect(unsettled.settleAll()).rejects.toBe(NO_PAPER)
    // The device reports the payment again after a crash, so the write needs no flush of the disk.
    expect(flushed.at(-1)).toBe(false)
    expect(unsettled.stillOpen('k')).toMatchObject({ effect: 'partlyPaidNotClosed', paid: { paid: 100, total: 480 } })
  })

  it('is no longer reported as partly paid after the whole sum is paid', async () => {
    const script: Script = { says: [NO_PAPER, partPaid, allPaid], fails: { closeFiscal: NO_PAPER } }
    const { unsettled } = unsettledOver(script, [leftOpen('paying', { key: 'k' })])
    await expect(unsettled.settleAll()).rejects.toBe(NO_PAPER)
    expect(unsettled.stillOpen('k')).toMatchObject({ effect: 'partlyPaidNotClosed', paid: { paid: 100, total: 480 } })
    await expect(unsettled.settleAll()).rejects.toBe(NO_PAPER)
    const { effect, paid } = unsettled.stillOpen('k')
    expect({ effect, paid }).toEqual({ effect: 'paidNotClosed', paid: undefined })
  })

  it('is not reported by a number while nothing of it is paid', async () => {
    const { unsettled, rows } = unsettledOver({ says: [NO_PAPER, unpaid] }, [leftOpen('filling', { key: 'k' })])
    await expect(unsettled.settleAll()).rejects.toBe(NO_PAPER)
    expect(unsettled.stillOpen('k').effect).toBe('unknown')
    expect(rows()).toEqual([leftOpen('filling').entry])
  })

  it('is not queried again on a silent device', async () => {
    const { unsettled, printer } = unsettledOver({ says: [NO_ANSWER] }, [leftOpen('closing')])
    await expect(unsettled.settleAll()).rejects.toBe(NO_ANSWER)
    expect(printer.story).toEqual(['evidence thorough'])
  })

  const paidNotClosed = leftOpen('closing', { receiptNumber: '17' })
  it.each([
    ['it', [paidNotClosed]],
    ['it and a request before it', [leftOpen('filling'), paidNotClosed]],
  ])('is named to requests that have to wait for %s', async (_, open) => {
    const { unsettled } = unsettledOver({ says: [NO_ANSWER] }, open)
    const outcome = outcomeOf(await unsettled.reconcilePending().catch((error) => error))
    expect(outcome).toEqual({
      status: 424,
      effect: 'blockedByEarlier',
      receiptNumber: '17',
      reasons: [NO_ANSWER.problem],
    })
    await expect(unsettled.settleAll()).rejects.toBe(NO_ANSWER)
  })

  it.each<[Partial<Entry>, string]>([
    [{}, '"Data":"17"'],
    [{ as: 'unconfirmed' }, 'Completed as receipt 17:'],
  ])('is reported to its retry as closed, whatever blocks the device: %o', async (more, text) => {
    const open = [leftOpen('filling'), leftOpen('done', { key: 'k', receiptNumber: '17', ...more })]
    const { unsettled, answers, notes, printer } = unsettledOver({ says: [NO_ANSWER] }, open)
    await expect(unsettled.settleAll()).rejects.toBe(NO_ANSWER)
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { body: expect.stringContaining(text) } })
    expect([notes.length, printer.story]).toEqual([1, ['evidence thorough']])
  })

  it.each<[string, LeftOpen[], Error]>([
    ['nothing is paid', [leftOpen('filling')], NO_ANSWER],
    ['it is closed already', [leftOpen('filling'), leftOpen('done', { receiptNumber: '9' })], NO_ANSWER],
    ['the outcome on the device is unknown', [leftOpen('closing', { receiptNumber: '17' })], UNKNOWN],
  ])('is not named if %s', async (_, left, error) => {
    const { unsettled } = unsettledOver({ says: [error as typeof UNKNOWN] }, left)
    await expect(unsettled.reconcilePending()).rejects.toBe(error)
  })

  it('is not pending if it is already closed', async () => {
    const { unsettled, notes } = unsettledOver({ says: [NO_ANSWER] }, [
      leftOpen('done', { key: 'k', receiptNumber: '17' }),
    ])
    expect(unsettled.isNeeded).toBe(false)
    await unsettled.settleAll()
    expect(notes).toEqual([`${NAME}, interrupted: closed as receipt 17.`])
  })

  it('blocks no requests once it is no longer open', async () => {
    const { unsettled } = unsettledOver(closed, [leftOpen('closing', { receiptNumber: '17' })])
    await unsettled.reconcilePending()
    expect(unsettled.isNeeded).toBe(false)
  })
})

describe('a part of a job', () => {
  const part = (isLast: boolean) => ({ key: 'k', part: { job: 'k', index: 0, isLast } })

  it('that is printed stays printed, and the retry continues after it', async () => {
    const { unsettled, answers, prints } = unsettledOver(closed, [leftOpen('closing', part(false))])
    prints.begin({ key: 'k', part: 0 })
    await unsettled.settleAll()
    expect(answers.find('k')).toBeUndefined()
    expect(prints.printsOfKey('k')).toMatchObject([{ part: 0, end: { effect: 'asRequested' } }])
  })

  it('that is the last part answers the retry', async () => {
    const { unsettled, answers } = unsettledOver(closed, [leftOpen('closing', part(true))])
    await unsettled.settleAll()
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { status: 200 } })
  })

  it('without a known outcome ends the job', async () => {
    const { unsettled, answers } = unsettledOver({ says: [{}] }, [leftOpen('closing', part(false))])
    await unsettled.settleAll()
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { status: 424 } })
  })

  it('that was cancelled is printed by the retry', async () => {
    const { unsettled, answers, prints } = unsettledOver({ says: [unpaid] }, [leftOpen('filling', part(false))])
    prints.begin({ key: 'k', part: 0 })
    await unsettled.settleAll()
    expect([answers.find('k'), prints.printsOfKey('k')]).toEqual([undefined, []])
  })
})

describe('an unreported close', () => {
  it('is reported once, to the next close', async () => {
    const { unsettled } = unsettledOver(closed, [close()])
    expect(unsettled.takeUnreportedClose()).toBeUndefined()
    await unsettled.settleAll()
    expect(unsettled.takeUnreportedClose()).toEqual({ receiptNumber: '17', serialNumber: 'S1' })
    expect(unsettled.takeUnreportedClose()).toBeUndefined()
  })

  it('is reported without a device if no device was stored', async () => {
    const { unsettled } = unsettledOver(closed, [close(undefined, { before: null })])
    await unsettled.settleAll()
    expect(unsettled.takeUnreportedClose()).toEqual({ receiptNumber: '17', serialNumber: undefined })
  })

  it.each<[string, LeftOpen, Script]>([
    ['has a key, because its retry is answered', close('k'), closed],
    ['belongs to a complete receipt', leftOpen('closing'), closed],
    ['was not executed', close(), { says: [allPaid] }],
  ])('is not reported if it %s', async (_, left, script) => {
    const { unsettled } = unsettledOver(script, [left])
    await unsettled.settleAll()
    expect(unsettled.takeUnreportedClose()).toBeUndefined()
  })
})

describe('the state in which the device was left', () => {
  const intent = { name: '/other', fingerprint: 'g' }
  it('is used for the next request for 10 s', () => {
    const { unsettled, clock } = unsettledOver(closed)
    expect(unsettled.track(intent).last).toBeUndefined()
    unsettled.noteDeviceState(BEFORE)
    clock.advance(5000)
    // Setting the same evidence again does not extend its validity.
    unsettled.noteDeviceState(BEFORE)
    clock.advance(5000)
    expect(unsettled.track(intent).last).toBe(BEFORE)
    clock.advance(1)
    expect(unsettled.track(intent).last).toBeUndefined()
  })

  it('is unknown if the previous request does not know it', () => {
    const { unsettled } = unsettledOver(closed)
    unsettled.noteDeviceState(BEFORE)
    unsettled.noteDeviceState(undefined)
    expect(unsettled.track(intent).last).toBeUndefined()
  })

  it('is not used while an operation is left open', () => {
    const { unsettled } = unsettledOver(closed, [leftOpen('closing')])
    unsettled.noteDeviceState(BEFORE)
    expect(unsettled.track(intent).last).toBeUndefined()
  })
})
