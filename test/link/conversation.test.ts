/** A device's bytes for one request, with their times: the number of writes, and the outcome. Times are in ms. */
import { describe, expect, it } from 'vitest'
import { createLink } from '../../drivers/link/link.ts'
import type { AskOptions, LinkRules } from '../../drivers/link/types.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { fakePort } from '../support/fake-port.ts'
import { type PlainFrame, plain, plainAnswer, plainAsk, plainRules } from '../support/plain-wire.ts'

type Saying = readonly [at: number, text: string]

interface Talk {
  readonly says: readonly Saying[]
  readonly options?: AskOptions<PlainFrame>
  readonly rules?: LinkRules<PlainFrame>
  readonly request?: Uint8Array
  readonly understood?: true
}

interface Conversation extends Talk {
  readonly name: string
  readonly writes: readonly number[]
  /** Texts of the frames, or kind and reason of the failure. */
  readonly outcome: string
}

const SAY = { name: 'say' }
const PAY = { name: 'payment', fiscal: true }
const ASK = plain(plainAsk('1', 'say'))
const OK = plain(plainAnswer('1', 'ok'))
const LATE = plain(plainAnswer('0', 'late'))
const STRANGE = 'notThisFamily: it sends bytes that are not valid responses; check the configured family and baud rate'
const ECHO = 'notThisFamily: it echoes the bytes it receives, like a loopback plug or a modem with echo enabled'
const ECHOED = 'outcomeUnknown: only the bytes of the request came back'
const REFUSED = 'outcomeUnknown: the device reported nothing except that the frame was damaged'

const NO_REPEATS = plainRules({ afterSilence: 'give up' })
const { laterByte: _, ...ONE_ANSWER } = plainRules()
const every = (stepMs: number, text: string): Saying[] =>
  Array.from({ length: 5000 / stepMs - 1 }, (_, count) => [(count + 1) * stepMs, text])

function outcomeOf(problem: unknown): string {
  if (!(problem instanceof DeviceError)) return String(problem)
  const { kind, ...rest } = problem.problem
  return [kind, ...('why' in rest ? [rest.why] : []), ...('what' in rest ? [rest.what] : [])].join(': ')
}

async function converse({ says, options = SAY, rules = plainRules(), request, understood }: Talk) {
  const clock = new SimulatedClock(0)
  const log: string[] = []
  const writes: number[] = []
  const port = fakePort({ write: async () => void writes.push(clock.now()) })
  const link = createLink(rules, port.open, { path: 'fake', clock, log: (line) => log.push(line) })
  await link.open()
  if (understood) {
    port.answers.push(OK)
    await link.ask(plainAsk('1', 'say'), SAY)
    writes.length = 0
  }
  for (const [at, text] of says) clock.after(at, () => port.say(text))
  const asking = link.ask(request ?? plainAsk('1', 'say'), options).then(
    ({ frames, retransmitted }) => ({
      outcome: frames.map(({ text }) => text).join(),
      problem: undefined,
      retransmitted,
    }),
    (problem) => ({ outcome: outcomeOf(problem), problem: problem.problem, retransmitted: problem.retransmitted }),
  )
  const result = await simulate(clock, asking)
  return { ...result, writes, log, link, port }
}

const CONVERSATIONS: readonly Conversation[] = [
  { name: 'a busy device is waited for', says: [[400, '.'], [590, OK]], writes: [0], outcome: 'ok' },
  { name: 'a busy device that falls silent gets the request again', says: [[400, '.'], [650, OK]], writes: [0, 600], outcome: 'ok' },
  { name: 'a device that is busy endlessly is reported as still busy', understood: true, says: every(100, '.'), writes: [0], outcome: 'stillBusy' },
  { name: 'a device that is busy endlessly is reported as still busy, also if it was never understood', says: every(100, '.'), writes: [0], outcome: 'stillBusy' },
  { name: 'busy bytes with other bytes are reported as another wire protocol if nothing was understood', says: every(100, '.x'), writes: [0], outcome: STRANGE },
  { name: 'a payment on which the device is busy to the end has an unknown outcome', options: PAY, says: every(100, '.'), writes: [0], outcome: 'outcomeUnknown: the device did not finish in time' },
  { name: '"later" is not a refusal: the query is written as often as "later" is received', rules: NO_REPEATS, says: [[10, ','], [120, ','], [230, ','], [340, ','], [450, OK]], writes: [0, 110, 220, 330, 440], outcome: 'ok' },
  { name: '"later" followed by a byte of no frame was a damaged answer', rules: NO_REPEATS, options: PAY, says: [[10, ',x']], writes: [0], outcome: 'outcomeUnknown: the response was damaged' },
  { name: '"later" followed by a byte of another wire protocol was a damaged answer', rules: NO_REPEATS, options: PAY, says: [[10, ',+']], writes: [0], outcome: 'outcomeUnknown: the response was damaged' },
  { name: '"later" followed by the beginning of a frame was a damaged answer', rules: NO_REPEATS, options: PAY, says: [[10, ',(1']], writes: [0], outcome: 'outcomeUnknown: the response was damaged' },
  { name: '"later" followed by a late answer is "later"', rules: NO_REPEATS, says: [[10, `,${LATE}`], [120, OK]], writes: [0, 110], outcome: 'ok' },
  { name: '"later" twice at once is "later"', rules: NO_REPEATS, says: [[10, ',,'], [120, OK]], writes: [0, 110], outcome: 'ok' },
  { name: 'a payment is not retransmitted after "later"', rules: NO_REPEATS, options: PAY, says: [[10, ',']], writes: [0], outcome: REFUSED },
  { name: 'a payment is not retransmitted after "later" twice', rules: NO_REPEATS, options: PAY, says: [[10, ',,']], writes: [0], outcome: REFUSED },
  { name: 'a payment is not retransmitted after a refusal', rules: NO_REPEATS, options: PAY, says: [[10, '~']], writes: [0], outcome: REFUSED },
  { name: 'a payment is not retransmitted after "later" and a frame', rules: NO_REPEATS, options: PAY, says: [[10, `,${LATE}`]], writes: [0], outcome: 'outcomeUnknown: the response was damaged' },
  { name: 'a payment is not retransmitted if its answer follows a stray "later"', rules: NO_REPEATS, options: PAY, says: [[10, ','], [160, OK]], writes: [0], outcome: 'ok' },
  { name: 'a payment is not retransmitted if its answer follows a stray refusal', rules: NO_REPEATS, options: PAY, says: [[10, '~'], [160, OK]], writes: [0], outcome: 'ok' },
  { name: 'refusals in one piece answer one write', options: PAY, says: [[10, '~~~'], [160, OK]], writes: [0, 10], outcome: 'ok' },
  { name: 'refusals in one piece answer one write, also if the answer follows after another silence', options: PAY, says: [[10, '~~~'], [600, OK]], writes: [0, 10, 510], outcome: 'ok' },
  { name: 'an answer in the same piece as refusals is accepted', options: PAY, says: [[10, `~~${OK}`]], writes: [0, 10], outcome: 'ok' },
  { name: 'an answer that begins in the same piece as refusals is accepted', options: PAY, says: [[10, `~~${OK.slice(0, 3)}`], [20, OK.slice(3)]], writes: [0, 10], outcome: 'ok' },
  { name: '"later" in the same piece as a refusal is ignored', says: [[10, '~,'], [300, OK]], writes: [0, 10], outcome: 'ok' },
  { name: 'one refusal for each write leaves it unknown whether it was executed', options: PAY, says: [[10, '~'], [20, '~'], [30, '~']], writes: [0, 10, 20], outcome: REFUSED },
  { name: 'a byte that would be "later" on another wire protocol says nothing', rules: ONE_ANSWER, says: [[10, ','], [300, OK]], writes: [0], outcome: 'ok' },
  { name: 'a query is retransmitted after silence on every wire protocol', rules: NO_REPEATS, says: [], writes: [0, 500, 1000], outcome: 'noAnswer' },
  { name: 'the rest of a frame may come late', says: [[400, OK.slice(0, 3)], [550, OK.slice(3)]], writes: [0], outcome: 'ok' },
  { name: 'a frame whose rest does not come is damaged', says: [[400, OK.slice(0, 3)], [650, OK]], writes: [0, 600], outcome: 'ok' },
  { name: 'the answer ends the query: a second one after it is ignored', says: [[10, OK + OK]], writes: [0], outcome: 'ok' },
  { name: 'bytes of another wire protocol, and nothing else, are reported as such', says: [[10, 'x']], writes: [0, 500, 1000], outcome: STRANGE },
  { name: 'bytes of another wire protocol from a device that was understood before are noise', understood: true, says: [[10, 'x']], writes: [0, 500, 1000], outcome: 'noAnswer' },
  { name: 'the beginning of an echo is noise', says: [[10, ASK.slice(0, 4)], [20, OK]], writes: [0], outcome: 'ok' },
  { name: 'a complete echo in two pieces is an echo', says: [[10, ASK.slice(0, 4)], [20, ASK.slice(4)]], writes: [0], outcome: ECHO },
  { name: 'the echo of a payment is reported as an echo if nothing was understood before', options: PAY, says: [[10, ASK]], writes: [0], outcome: ECHO },
  { name: 'the echo of a payment that was written twice leaves the outcome unknown', options: PAY, says: [[510, ASK]], writes: [0, 500], outcome: ECHOED },
  { name: 'the echo of a payment that was refused before leaves the outcome unknown', options: PAY, says: [[10, '~'], [20, ASK]], writes: [0, 10], outcome: ECHOED },
  { name: 'the echo of a payment from a device that was understood before leaves the outcome unknown', understood: true, options: PAY, says: [[10, ASK]], writes: [0], outcome: ECHOED },
  { name: 'the echo of a query from a device that was understood before is reported as an echo', understood: true, says: [[10, ASK]], writes: [0], outcome: ECHO },
  { name: 'an echo after other bytes is noise', says: [[10, 'x'], [20, ASK], [30, OK]], writes: [0], outcome: 'ok' },
  { name: 'an echo whose first part looks like a damaged frame is an echo', request: Buffer.from('(1a*00)#'), says: [[10, '(1a*00)'], [20, '#']], writes: [0], outcome: ECHO },
  { name: 'more bytes than any answer has, after a payment, leave the outcome unknown', options: PAY, says: [[10, '\0'.repeat(16 * 1024 * 1024 + 1)]], writes: [0], outcome: 'outcomeUnknown: the response exceeded the maximum length' },
] // biome-ignore format: a table

describe('the conversation of a request and its answer:', () => {
  it.each(CONVERSATIONS.map((one) => [one.name, one] as const))('%s', async (_name, story) => {
    const { outcome, writes } = await converse(story)
    expect({ outcome, writes }).toEqual({ outcome: story.outcome, writes: story.writes })
  })

  it('the place to look at is reported only if a payment was not finished in time', async () => {
    const advice = 'Check whether it is out of paper or its cover is open'
    expect(await converse({ options: PAY, says: every(100, '.') })).toMatchObject({
      problem: { kind: 'outcomeUnknown', what: 'the device did not finish in time', command: 'payment', look: advice },
    })
    expect((await converse({ options: PAY, says: [] })).problem).toEqual({
      kind: 'outcomeUnknown',
      what: 'the device did not respond',
      command: 'payment',
    })
  })

  it.each([
    ['a payment retransmitted after silence', PAY, plainRules(), [[510, OK]], true],
    ['a query retransmitted after silence', SAY, plainRules(), [[510, OK]], false],
    ['a payment retransmitted because it was damaged', PAY, plainRules(), [[10, '~'], [20, OK]], true],
    ['a payment retransmitted because the device was busy with another request', PAY, plainRules(), [[10, ','], [120, OK]], true],
    ['a payment retransmitted although the device was busy during the pause', PAY, plainRules(), [[10, ','], [60, '.'], [300, OK]], true],
  ] as const)('reports a retransmission: %s', async (_name, options, rules, says, retransmitted) => {
    expect(await converse({ options, rules, says })).toMatchObject({ outcome: 'ok', retransmitted })
  }) // biome-ignore format: a table

  it('counts and logs a retransmission after a busy answer', async () => {
    const { link, log } = await converse({
      rules: NO_REPEATS,
      says: [
        [10, ','],
        [120, OK],
      ],
    })
    expect({ log, count: link.retransmissions }).toEqual({ log: ['opened fake', 'say: retransmitted (2)'], count: 1 })
  })

  it('logs its retransmissions, and how they ended', async () => {
    expect((await converse({ says: [] })).log).toEqual([
      'opened fake',
      'say: retransmitted (2)',
      'say: retransmitted (3)',
      'say: no answer',
    ])
  })

  it('closes the port on a device that sends endlessly, and opens it for the next request', async () => {
    const { link, port, log } = await converse({ says: [[10, '\0'.repeat(16 * 1024 * 1024 + 1)]] })
    expect(link.isOpen).toBe(false)
    expect(log).toEqual([
      'opened fake',
      'say: flood',
      'closed: the response is longer than any valid answer',
      'lost fake: it was closed',
    ])
    port.answers.push(OK)
    expect((await link.ask(plainAsk('1', 'say'), SAY)).frames).toHaveLength(1)
    expect(port.openings()).toBe(2)
  })

  it('treats a payment that the port failed to write as not sent, even if the device has sent bytes before', async () => {
    const clock = new SimulatedClock(0)
    let isTaken = true
    const port = fakePort({ write: () => (isTaken ? Promise.resolve() : Promise.reject(new Error('pulled out'))) })
    const link = createLink(plainRules(), port.open, { path: 'fake', clock })
    await link.open()
    port.answers.push(OK)
    await link.ask(plainAsk('1', 'say'), SAY)
    isTaken = false
    const paying = link.ask(plainAsk('2', 'payment'), PAY)
    await expect(simulate(clock, paying)).rejects.toMatchObject({ problem: { kind: 'portLost' } })
  })

  it('still reads an answer of the maximum size', async () => {
    const says: Saying[] = [[10, '\0'.repeat(16 * 1024 * 1024 - OK.length) + OK]]
    expect(await converse({ says })).toMatchObject({ outcome: 'ok' })
  })
})
