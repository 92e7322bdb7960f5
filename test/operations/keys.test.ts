import { describe, expect, it } from 'vitest'
import { SimulatedClock, settled } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { failed, type Reply, success } from '../../server/envelope.ts'
import { type KeyedJob, KeyedJobs, OTHER_REQUEST } from '../../server/operations/keys.ts'
import type { Answers, StoredAnswer } from '../../server/operations/log/answers.ts'
import { type Outcome, outcomeOf, textReason } from '../../server/operations/outcome.ts'
import type { Job } from '../../server/operations/perform.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import type { UnsettledRequests } from '../../server/operations/unsettled-requests.ts'
import { PrinterQueue } from '../../server/printer-queue.ts'
import { withWords } from '../support/verdict-rows.ts'
import { receipt } from './entries.ts'

const PATIENCE_MS = 10_000
const HELD: Outcome = { status: 424, effect: 'unknown', reasons: [textReason('It is still open.')] }
const answered = (data: string, fingerprint = 'body'): StoredAnswer => ({
  state: 'answered',
  fingerprint,
  reply: success(data),
})
const begun = (entry = receipt('filling')): StoredAnswer => ({ state: 'begun', fingerprint: 'body', entry })

/** `settling` runs before the job. The response of a job is its number among the executed jobs. */
function rig(
  kept?: StoredAnswer,
  settling: (keep: (next: StoredAnswer | undefined) => void) => void = () => undefined,
) {
  const clock = new SimulatedClock(0)
  const queue = new PrinterQueue(clock)
  const done: string[] = []
  const state: { kept: StoredAnswer | undefined; failure?: unknown } = { kept }
  const gates: (() => void)[] = []
  let isHeld = false
  let jobs = 0
  const keep = (next: StoredAnswer | undefined) => {
    state.kept = next
  }
  const answers: Pick<Answers, 'find' | 'freed'> = {
    find: () => state.kept,
    freed: (key) => void done.push(`freed ${key}`),
  }
  const unsettled: Pick<UnsettledRequests, 'reconcilePending' | 'stillOpen'> = {
    async reconcilePending() {
      done.push('settled')
      settling(keep)
    },
    stillOpen: () => HELD,
  }
  async function perform(): Promise<Reply> {
    const place = ++jobs
    done.push(`begins ${place}`)
    if (isHeld) await new Promise<void>((resolve) => gates.push(resolve))
    done.push(`ends ${place}`)
    if (state.failure !== undefined) throw state.failure
    return success(String(place))
  }
  const keyed = new KeyedJobs({
    ...{ clock, perform: perform as (job: Job) => Promise<Reply> },
    runInTurn: (job, deadline) => queue.run(job, deadline),
    answers: answers as Answers,
    unsettled: unsettled as UnsettledRequests,
  })
  const textOf = ({ body }: Reply): string => {
    const { Data, Message } = JSON.parse(body)
    return Data ?? Message
  }
  return {
    ...{ clock, queue, done, state, keep },
    run: (fingerprint = 'body', key = 'k', waitMs = PATIENCE_MS) =>
      keyed
        .run({ intent: { name: '/x', key, fingerprint } } as KeyedJob, { until: clock.now() + waitMs })
        .then(textOf, (error: unknown) => sentenceOf(outcomeOf(error))),
    knows: (key = 'k') => keyed.knows(key),
    refused: () =>
      keyed
        .run(
          { intent: { name: '/x', key: 'k', fingerprint: 'body' }, refusal: failed(400, 'no such tax') },
          { until: 1 },
        )
        .then(textOf),
    /** Makes jobs that start from now on wait until the returned function is called. */
    hold() {
      isHeld = true
      return async () => {
        isHeld = false
        for (const go of gates.splice(0)) go()
        await settled()
      }
    },
  }
}

describe('an Idempotency-Key', () => {
  it.each(
    withWords(
      ([, , answer]) => (answer === '1' ? 'accepted' : 'refused'),
      [
        ['1 character', 'k', '1'],
        ['128 characters', 'k'.repeat(128), '1'],
        ['128 characters of two code units each', '\u{1F600}'.repeat(128), '1'],
        ['no characters', '', 'Idempotency-Key must have 1 to 128 characters; it has 0.'],
        ['129 characters', 'k'.repeat(129), 'Idempotency-Key must have 1 to 128 characters; it has 129.'],
      ],
    ),
  )('is %s if it has %s', async (_result, _, key, answer) => {
    expect(await rig().run('body', key)).toBe(answer)
  })

  it('that is new is removed after open operations are reconciled, and its job is executed', async () => {
    const { run, done } = rig()
    expect(await run()).toBe('1')
    expect(done).toEqual(['settled', 'freed k', 'begins 1', 'ends 1'])
  })

  it('that was new when its request arrived stays new, even if an expired answer seems valid again', async () => {
    const { run } = rig(undefined, (keep) => keep(answered('old')))
    expect(await run()).toBe('1')
  })

  it('that has an answer is answered with it, and nothing is executed', async () => {
    const { run, done } = rig(answered('first'))
    expect([await run(), done]).toEqual(['first', []])
  })

  it.each([
    ['that has its answer', answered('first', 'another')],
    ['whose request was begun', { ...begun(), fingerprint: 'another' }],
  ])('%s is refused for another request', async (_, kept) => {
    const { run, done } = rig(kept)
    expect([await run(), done]).toEqual([OTHER_REQUEST, []])
  })

  it('whose request was begun gets the answer of the reconciliation', async () => {
    const { run, done } = rig(begun(), (keep) => keep(answered('found')))
    expect([await run(), done]).toEqual(['found', ['settled']])
  })

  it('whose request was begun but printed nothing is kept, because no other request used it, and the request is executed again', async () => {
    const { run, done } = rig(begun(), (keep) => keep(undefined))
    expect([await run(), done]).toEqual(['1', ['settled', 'begins 1', 'ends 1']])
  })

  it('whose request cannot be reconciled is answered with that problem', async () => {
    const { run, done } = rig(begun())
    expect([await run(), done]).toEqual(['Outcome unknown: It is still open.', ['settled']])
  })
})

describe('a request that cannot start', () => {
  it('is refused at once if its key is new', async () => {
    const { refused, knows, done } = rig()
    expect([knows(), await refused(), done]).toEqual([false, 'no such tax', []])
  })

  it('gets the first answer to its key, whatever device is connected now', async () => {
    const { refused, knows, done } = rig(answered('first'))
    expect([knows(), await refused(), done]).toEqual([true, 'first', []])
  })

  it('is reconciled first if it was begun: it gets its answer, is still open, or has printed nothing', async () => {
    const found = rig(begun(), (keep) => keep(answered('found')))
    expect([found.knows(), await found.refused()]).toEqual([true, 'found'])
    const left = rig(begun(), (keep) => keep(undefined))
    expect([await left.refused(), left.done]).toEqual(['no such tax', ['settled']])
  })

  it('is recognized while the first request with its key is running', async () => {
    const { run, knows, hold } = rig()
    const go = hold()
    const first = run()
    await settled()
    expect(knows()).toBe(true)
    await go()
    await first
    expect(knows()).toBe(false)
  })
})

describe('a failure to reach the device', () => {
  const LOST = new DeviceError({ kind: 'noAnswer' })
  const SILENT =
    'The device does not respond. Check that it is switched on, connected, and set to the configured baud rate.'

  it.each([
    ['is reported unchanged if nothing was begun', undefined, SILENT],
    ['is reported unchanged if the first request had paid nothing', begun(receipt('filling')), SILENT],
    [
      'leaves the outcome unknown if the first request was paying',
      begun(receipt('paying')),
      `Outcome unknown: ${SILENT}`,
    ],
    [
      'leaves a paid receipt to be closed later',
      begun(receipt('paying', { receiptNumber: '7' })),
      `Completed as receipt 7: the receipt is fully paid and can no longer be cancelled, but the device has not closed it yet. ${SILENT}`,
    ],
  ])('%s', async (_, kept, words) => {
    const { run } = rig(kept, () => {
      throw LOST
    })
    const result = await run()
    expect(String(result).slice(0, words.length)).toBe(words)
  })

  it('of the job itself is reported unchanged, and the key is free again', async () => {
    const { run, state } = rig()
    state.failure = LOST
    expect(await run()).toBe(LOST.message)
    state.failure = undefined
    expect(await run()).toBe('2')
  })
})

describe('of several simultaneous requests with one key,', () => {
  it('the second waits, and gets the answer of the first', async () => {
    const { run, hold, keep, done, clock } = rig()
    const release = hold()
    const both = [run(), run()]
    await settled()
    expect(done).toEqual(['settled', 'freed k', 'begins 1'])
    keep(answered('kept'))
    await release()
    expect(await Promise.all(both)).toEqual(['1', 'kept'])
    expect(done.at(-1)).toBe('ends 1')
    // No request is waiting.
    expect(clock.next()).toBeUndefined()
  })

  it('those after a request that printed nothing are executed one after the other', async () => {
    const { run, hold, done } = rig()
    const release = hold()
    const all = [run(), run(), run()]
    await settled()
    await release()
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
    expect(done.filter((one) => /begins|ends/.test(one))).toEqual(
      ['begins 1', 'ends 1', 'begins 2', 'ends 2', 'begins 3', 'ends 3'],
    ) // biome-ignore format: one line
  })

  it('another request is refused while the first is still running', async () => {
    const { run, hold, done } = rig()
    const release = hold()
    const first = run()
    await settled()
    expect(await run('another')).toBe(OTHER_REQUEST)
    await release()
    expect([await first, done.at(-1)]).toEqual(['1', 'ends 1'])
  })

  it('requests with other keys do not wait', async () => {
    const { run, hold, queue } = rig()
    const release = hold()
    const both = [run('body', 'k'), run('another', 'l')]
    await settled()
    expect(queue.waiting).toBe(1)
    await release()
    expect(await Promise.all(both)).toEqual(['1', '2'])
  })

  it('the second waits only as long as its caller waits', async () => {
    const { run, hold, clock } = rig()
    clock.advance(1000)
    const release = hold()
    const first = run('body', 'k', 60_000)
    let result: unknown
    const second = run('body', 'k', 5000).then((words) => {
      result = words
    })
    clock.advance(4999)
    await settled()
    expect(result).toBeUndefined()
    clock.advance(1)
    await second
    expect(result).toBe('Outcome unknown: the first request with this Idempotency-Key is still in progress.')
    await release()
    expect(await first).toBe('1')
  })

  it('the first holds the key as long as its job runs, even after its caller has left', async () => {
    const { run, hold, clock } = rig()
    const release = hold()
    const first = run()
    await settled()
    clock.advance(PATIENCE_MS)
    expect(await first).toBe(
      'Outcome unknown: the device is still processing this request, and the service has stopped waiting. ' +
        'If the device lost power, it may have executed the command more than once. ' +
        'Check whether it is out of paper or its cover is open.',
    )
    expect(await run('another')).toBe(OTHER_REQUEST)
    await release()
    expect(await run('another')).toBe('2')
  })

  it('the first frees the key if the turn of its job has not come in time', async () => {
    const { run, hold, clock, done } = rig()
    const release = hold()
    const other = run('body', 'other', 60_000)
    const first = run()
    await settled()
    clock.advance(PATIENCE_MS)
    expect(await first).toMatch(/^Nothing was printed: the printer was busy with other requests/)
    const again = run('another')
    await release()
    expect(await Promise.all([other, again])).toEqual(['1', '2'])
    expect(done.filter((one) => one.startsWith('begins'))).toEqual(['begins 1', 'begins 2'])
  })
})
