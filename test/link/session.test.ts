import { describe, expect, it } from 'vitest'
import { SequenceNumberTaken } from '../../drivers/link/failure.ts'
import { isRefusal } from '../../drivers/link/session.ts'
import { refused } from '../../drivers/model/errors.ts'
import { MISTAKE, plainSession, plainSpeech, SILENCE, say } from '../support/plain-session.ts'
import { problemOf } from '../support/problems.ts'
import { withWords } from '../support/verdict-rows.ts'

describe('a request', () => {
  it('is sent to a device that was identified once, after the port was opened', async () => {
    const { session, done } = plainSession()
    await session.look((device) => device.ask('say', say))
    await session.look((device) => device.ask('say', say))
    expect(done).toEqual(['open', '1 who', '2 say hi', '3 say hi'])
  })

  it('restarts if the port was lost in the middle of an operation', async () => {
    const { session, link, done } = plainSession()
    await session.look(async (device) => {
      await link.close()
      await device.ask('say', say)
      await link.close()
      await device.lines('say', say)
    })
    const found = ['open', '1 who', '2 say hi']
    expect(done).toEqual(['open', '1 who', 'close', ...found, 'close', ...found])
  })

  it('is sent to the connected device if it is sent without start-up, and the start-up follows', async () => {
    const { session, link, done } = plainSession()
    await session.look(async (device) => {
      await link.close()
      await device.withoutStartup.ask('say', say)
      await device.ask('say', say)
    })
    expect(done).toEqual(['open', '1 who', 'close', 'open', '2 say hi', '1 who', '2 say hi'])
  })

  it('returns its answer unchanged, without the end of its text', async () => {
    const { session, answers } = plainSession()
    answers.push(['said hi  '])
    const answer = await session.look((device) => device.ask('say', say))
    expect(answer).toEqual({ values: { text: 'said hi  ' }, text: 'said hi', status: 'fine' })
  })

  it('has no values if the answer has no data', async () => {
    const { session, answers } = plainSession()
    answers.push([''])
    const answer = await session.look((device) => device.ask('say', say))
    expect(answer).toEqual({ values: undefined, text: '', status: 'fine' })
  })

  it.each([
    [
      'a letter that the wire protocol lacks',
      'a*b',
      'ok',
      { kind: 'badValue', field: 'text', why: 'a star is none of its letters' },
    ],
    ['more than a frame holds', 'x'.repeat(21), 'ok', { kind: 'badValue', field: 'say', why: 'longer than a frame' }],
    [
      'an answer of the wrong form',
      'hi',
      'a%b',
      {
        kind: 'notThisFamily',
        why: 'its response to say has the wrong form: text: a percent sign is none of its letters',
      },
    ],
    ['a bug in writing', MISTAKE, 'ok', new TypeError(MISTAKE)],
    ['a bug in reading', 'hi', MISTAKE, new TypeError(MISTAKE)],
    ['a refusal', 'hi', '!full', { kind: 'refused', code: '7', key: 'full', meaning: 'it does not want to' }],
  ])('fails with its own problem: %s', async (_name, text, answer, problem) => {
    const { session, answers } = plainSession()
    answers.push([answer])
    expect(await problemOf(session.look((device) => device.ask('say', { text })))).toEqual(problem)
  })

  it.each([
    [3, 'done'],
    [4, { kind: 'notThisFamily', why: 'it postponed say 4 times' }],
  ])('may be postponed at most three times (here: %i)', async (times, expected) => {
    const { session, answers, done } = plainSession()
    for (let time = 0; time < times; time++) answers.push(['?'])
    expect(await problemOf(session.look((device) => device.ask('say', say)))).toEqual(expected)
    expect(done.slice(2)).toEqual(['2 say hi', '3 say hi', '4 say hi', '5 say hi'])
  })

  it.each([
    [3, 'done'],
    [4, { kind: 'noAnswer' }],
  ])(
    'is sent under another number at most three times if its own number is occupied (here: %i)',
    async (times, expected) => {
      const { session, answers, done } = plainSession()
      for (let time = 0; time < times; time++) answers.push(new SequenceNumberTaken({ kind: 'noAnswer' }))
      expect(await problemOf(session.look((device) => device.ask('say', say)))).toEqual(expected)
      expect(done.slice(2)).toEqual(['2 say hi', '3 say hi', '4 say hi', '5 say hi'])
    },
  )

  it('waits for the time that its command needs, or that the family defines for it', async () => {
    const own = plainSession()
    await own.session.look(async (device) => [await device.ask('slow', say), await device.ask('say', say)])
    expect(own.options).toEqual([{ name: 'who' }, { name: 'slow', totalMs: 90_000 }, { name: 'say' }])
    const slow = plainSession({ times: ({ name }) => (name === 'slow' ? { firstByteMs: 9000 } : {}) })
    await slow.session.look((device) => device.ask('slow', say))
    expect(slow.options[1]).toEqual({ name: 'slow', firstByteMs: 9000 })
    await slow.session.perform((device) => device.ask('pay', say))
    expect(slow.options[2]).toEqual({ name: 'payment', fiscal: true, mayWait: true })
  })

  it('may be refused by one of the expected refusals only', async () => {
    const { session, answers } = plainSession()
    answers.push(['!full'], ['!full'], SILENCE, ['fine'])
    const asked = (expected: readonly string[] | 'any') =>
      session.look((device) => device.askUnlessRefused(expected, 'say', say))
    expect(await asked(['empty', 'full'])).toBeUndefined()
    expect(await problemOf(asked(['empty']))).toMatchObject({ kind: 'refused', key: 'full' })
    expect(await problemOf(asked('any'))).toEqual({ kind: 'noAnswer' })
    expect((await asked('any'))?.text).toBe('fine')
  })
})

describe('the lines of a streamed answer', () => {
  it('are each acknowledged before the next one arrives, and do not include the answer', async () => {
    const { session, answers, done } = plainSession()
    answers.push(['*one', '*two', 'done'])
    expect(await session.look((device) => device.lines('say', say))).toEqual(['one', 'two'])
    expect(done.slice(2)).toEqual(['2 say hi', '+', '+'])
  })

  it('may be the only answer', async () => {
    const { session, answers, done } = plainSession()
    answers.push(['*one', '*two$'])
    expect(await session.look((device) => device.lines('say', say))).toEqual(['one', 'two$'])
    expect(done.slice(2)).toEqual(['2 say hi', '+'])
  })

  it('can be refused like any other answer', async () => {
    const { session, answers } = plainSession()
    answers.push(['*one', '!full'])
    expect(await problemOf(session.look((device) => device.lines('say', say)))).toMatchObject({ key: 'full' })
  })

  it('are not acknowledged if the wire protocol has no acknowledgement, nor are frames before an answer', async () => {
    const { session, answers, done } = plainSession()
    answers.push(['*one', '*two', 'done'])
    expect((await session.look((device) => device.ask('say', say))).text).toBe('done')
    expect(done.slice(2)).toEqual(['2 say hi'])
    const quiet = plainSession({ lineAcknowledgement: undefined })
    quiet.answers.push(['*one', 'done'])
    expect(await quiet.session.look((device) => device.lines('say', say))).toEqual(['one'])
    expect(quiet.done.slice(2)).toEqual(['2 say hi'])
  })

  it('are an empty list if the family has no lines', async () => {
    const { session, answers } = plainSession({ lines: undefined })
    answers.push(['done'])
    expect(await session.look((device) => device.lines('say', say))).toEqual([])
  })
})

describe('a start-up', () => {
  it('that failed is repeated by the next operation', async () => {
    let tries = 0
    const { session, done } = plainSession({
      readStartupFacts(device) {
        if (tries++ === 0) throw SILENCE
        return plainSpeech.readStartupFacts(device)
      },
    })
    expect(await problemOf(session.start())).toEqual({ kind: 'noAnswer' })
    await session.start()
    expect(done).toEqual(['open', '1 who'])
  })

  it('that failed while an operation waited for it is repeated by the next operation', async () => {
    let tries = 0
    const { session } = plainSession({
      readStartupFacts: async (device) =>
        tries++ === 0 ? Promise.reject(SILENCE) : plainSpeech.readStartupFacts(device),
    })
    expect(await problemOf(session.start())).toEqual({ kind: 'noAnswer' })
    expect((await session.start()).identity.serialNumber).toBe('S1')
  })

  it('uses the usual edition until the device has reported its own', async () => {
    const editions: string[] = []
    const { session, link } = plainSession({
      command(name, edition) {
        editions.push(`${name} ${edition}`)
        return plainSpeech.command(name, edition)
      },
      async readStartupFacts(device) {
        const found = await plainSpeech.readStartupFacts(device)
        device.useEdition('new')
        return found
      },
    })
    await session.look((device) => device.ask('say', say))
    await link.close()
    await session.look((device) => device.ask('say', say))
    expect(editions).toEqual(['who usual', 'say new', 'who usual', 'say new'])
    expect(session.edition).toBe('new')
  })

  it('that was interrupted by a reopened port does not count, and ends no other start-up', async () => {
    const starts: PromiseWithResolvers<void>[] = []
    const { session, link } = plainSession({
      async readStartupFacts() {
        const start = Promise.withResolvers<void>()
        const serialNumber = `S${starts.push(start)}`
        await start.promise
        return { identity: { model: 'plain', firmware: '1', serialNumber, fiscalMemoryNumber: 'M1' } }
      },
    })
    const first = session.start()
    await new Promise(setImmediate)
    await link.close()
    const second = session.start()
    await new Promise(setImmediate)
    starts[0]?.resolve()
    await first
    expect(session.facts).toBeUndefined()
    const third = session.start()
    await new Promise(setImmediate)
    expect(starts).toHaveLength(2)
    starts[1]?.resolve()
    expect((await Promise.all([second, third])).map(({ identity }) => identity.serialNumber)).toEqual(['S2', 'S2'])
    expect(session.facts?.identity.serialNumber).toBe('S2')
  })
})

it.each(
  withWords({ true: 'recognized', false: 'not recognized' }, [
    ['a refusal with one of the keys', refused(7, 'full', 'it is full'), ['empty', 'full'], true],
    ['a refusal with another key', refused(7, 'full', 'it is full'), ['empty'], false],
    ['any refusal', refused(7, 'full', 'it is full'), 'any', true],
    ['silence', SILENCE, 'any', false],
    ['a bug in the service', new TypeError('full'), 'any', false],
  ] as const),
)('an expected refusal is %s: %s', (_result, _name, problem, keys, expected) => {
  expect(isRefusal(problem, keys)).toBe(expected)
})
