import { beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock, settled } from '../../drivers/model/clock.ts'
import { type Reply, success } from '../../server/envelope.ts'
import { type KeyedJob, KeyedJobs } from '../../server/operations/keys.ts'
import type { Answers } from '../../server/operations/log/answers.ts'
import { outcomeOf } from '../../server/operations/outcome.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import type { UnsettledRequests } from '../../server/operations/unsettled-requests.ts'
import { BUSY_TEXT, PrinterQueue, type RequestDeadline, WAITING_MAX } from '../../server/printer-queue.ts'

const LATE = 'Nothing was printed: the request timed out before it reached the printer. Retry later.'
const ALWAYS_BUSY = 'Nothing was printed: the printer was busy with other requests. Retry later.'
const HUNG_UP = 'Nothing was printed: the client disconnected before its request reached the printer.'
const STILL_AT_WORK = /^Outcome unknown: the device is still processing this request/

let clock: SimulatedClock
let queue: PrinterQueue
let done: string[]
let release: (() => void)[]

beforeEach(() => {
  clock = new SimulatedClock(0)
  queue = new PrinterQueue(clock)
  done = []
  release = []
})

const job = (name: string) => async () => {
  done.push(name)
  return name
}
const held = (name: string) => async () => {
  done.push(name)
  await new Promise<void>((resolve) => release.push(resolve))
  return name
}
const go = async () => {
  for (const end of release.splice(0)) end()
  await settled()
}
const run = (work: () => Promise<string>, deadline: Partial<RequestDeadline> = {}) =>
  queue.run(work, { until: clock.now() + 1000, ...deadline }).catch((error: unknown) => {
    const outcome = outcomeOf(error)
    return [outcome.status, sentenceOf(outcome)]
  })

describe('a job in the queue', () => {
  it('is executed after the jobs before it', async () => {
    const both = [run(held('one')), run(job('two'))]
    await settled()
    expect([done, queue.waiting]).toEqual([['one'], 1])
    await go()
    expect([await Promise.all(both), done]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ])
    await queue.idle()
    // No timer remains, because no caller waits.
    expect(clock.next()).toBeUndefined()
  })

  it('passes its error on, and blocks no other job', async () => {
    const mistake = new Error('a mistake')
    const failing = () => Promise.reject(mistake)
    await expect(queue.run(failing, { until: clock.now() + 1000 })).rejects.toBe(mistake)
    expect(await run(job('next'))).toBe('next')
  })

  it(`is refused if ${WAITING_MAX} jobs are waiting`, async () => {
    const others = [run(held('first')), ...Array.from({ length: WAITING_MAX }, () => run(job('other')))]
    await settled()
    expect(await run(job('one too many'))).toEqual([503, BUSY_TEXT])
    await go()
    await Promise.all(others)
    expect(done).not.toContain('one too many')
  })

  it.each([0, -1])('is not begun if its time is over already (%i ms are left)', async (leftMs) => {
    clock.advance(5000)
    expect(await run(job('late'), { until: clock.now() + leftMs })).toEqual([503, LATE])
    await settled()
    expect([done, queue.waiting, clock.next()]).toEqual([[], 0, undefined])
  })

  it('is begun if its time is not over', async () => {
    expect(await run(job('in time'), { until: clock.now() + 1 })).toBe('in time')
  })

  it('is not begun if its turn comes too late', async () => {
    const first = run(held('first'), { until: 9000 })
    const second = run(job('second'))
    await settled()
    clock.advance(1000)
    expect(await second).toEqual([503, ALWAYS_BUSY])
    await go()
    expect([await first, done]).toEqual(['first', ['first']])
  })

  it('is not begun if its turn comes too late, even if its timer fires late itself', async () => {
    // Time passes in a stalled process, but no timer runs.
    let heldUpMs = 0
    queue = new PrinterQueue({
      now: () => clock.now() + heldUpMs,
      wallTime: () => clock.wallTime(),
      after: (delayMs, call) => clock.after(delayMs, call),
    })
    const first = run(held('first'), { until: 9000 })
    const second = run(job('second'))
    await settled()
    heldUpMs = 1000
    await go()
    expect([await first, await second, done]).toEqual(['first', [503, ALWAYS_BUSY], ['first']])
    expect(await run(job('third'), { until: 9000 })).toBe('third')
    expect(clock.next()).toBeUndefined()
  })

  it('is executed to its end after its beginning, even if its caller has left', async () => {
    const gone = new AbortController()
    const first = run(held('first'), { gone: gone.signal })
    await settled()
    gone.abort()
    clock.advance(1000)
    expect(await first).toEqual([424, expect.stringMatching(STILL_AT_WORK)])
    const second = run(job('second'))
    await settled()
    expect(done).toEqual(['first'])
    await go()
    expect(await second).toBe('second')
  })
})

describe('the job of a caller who disconnects', () => {
  it('is not begun if the request had not reached the queue', async () => {
    expect(await run(job('gone'), { gone: AbortSignal.abort() })).toEqual([503, HUNG_UP])
    await settled()
    expect([done, queue.waiting, clock.next()]).toEqual([[], 0, undefined])
  })

  it('is not begun if other jobs were being executed', async () => {
    const gone = new AbortController()
    const all = [run(held('first')), run(job('gone'), { gone: gone.signal }), run(job('third'))]
    await settled()
    gone.abort()
    await go()
    expect([await Promise.all(all), done]).toEqual([
      ['first', [503, HUNG_UP], 'third'],
      ['first', 'third'],
    ])
  })
})

describe('a retry that waits for the first request of its key', () => {
  const begun: string[] = []
  /** The first request fails with nothing printed, so its response is not stored. */
  function keyed(): KeyedJobs {
    begun.length = 0
    const answers: Pick<Answers, 'find' | 'freed'> = { find: () => undefined, freed: () => undefined }
    const unsettled: Pick<UnsettledRequests, 'reconcilePending'> = { reconcilePending: async () => undefined }
    return new KeyedJobs({
      ...{ clock, answers: answers as Answers, unsettled: unsettled as UnsettledRequests },
      runInTurn: (job, deadline) => queue.run(job, deadline),
      async perform({ request = '' }): Promise<Reply> {
        begun.push(request)
        await held(request)()
        return success(request)
      },
    })
  }
  const send = (jobs: KeyedJobs, request: string, deadline: Partial<RequestDeadline> = {}) =>
    jobs
      .run({ request, intent: { name: '/x', key: 'k', fingerprint: 'body' } } as KeyedJob, {
        until: clock.now() + 1000,
        ...deadline,
      })
      .then(
        ({ body }) => JSON.parse(body).Data as string,
        (error: unknown) => sentenceOf(outcomeOf(error)),
      )

  it('is not begun if its caller disconnects while it waits', async () => {
    const jobs = keyed()
    const gone = new AbortController()
    const first = send(jobs, 'first')
    await settled()
    const repeat = send(jobs, 'repeat', { gone: gone.signal })
    await settled()
    gone.abort()
    await go()
    // The call would let the repeat end if the queue had begun it.
    await go()
    expect([await first, await repeat, begun]).toEqual(['first', HUNG_UP, ['first']])
    // The key is free for the next request.
    const third = send(jobs, 'third')
    await settled()
    await go()
    expect([await third, begun]).toEqual(['third', ['first', 'third']])
  })
})
