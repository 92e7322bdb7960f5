import { describe, expect, it } from 'vitest'
import { cannotPrint, DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import { isSame } from '../../drivers/model/printer.ts'
import { plainSession, say } from '../support/plain-session.ts'
import { problemOf } from '../support/problems.ts'

const NO_PAPER = new DeviceError(cannotPrint('noPaper'))

describe('a caller that relies on reported numbers', () => {
  const identity = { serialNumber: 'S1', fiscalMemoryNumber: 'M1' }
  const other = { kind: 'portLost', path: 'plain', why: 'S2 responds there now instead of S1' }

  it('prints on that device', async () => {
    const { session, done } = plainSession()
    session.noteReportedDevice(identity)
    await session.perform((device) => device.ask('pay', say))
    expect(done).toEqual(['open', '1 who', '2 pay hi'])
  })

  it('prints nothing on another device, and gets an error once', async () => {
    const { session, state, done } = plainSession()
    session.noteReportedDevice(identity)
    state.who = 'S2/M1'
    const pay = () => session.perform((device) => device.ask('pay', say))
    expect(await problemOf(pay())).toEqual(other)
    expect(done).toEqual(['open', '1 who'])
    expect(await problemOf(pay())).toBe('done')
  })

  it('may query another device', async () => {
    const { session, state } = plainSession()
    session.noteReportedDevice(identity)
    state.who = 'S2/M1'
    expect(await problemOf(session.look((device) => device.ask('say', say)))).toBe('done')
  })

  it.each([
    ['before', 'S2/M1', 'S2/M1', other],
    ['during the operation', 'S1/M1', 'S2/M1', other],
    ['never', 'S1/M1', 'S1/M1', 'done'],
  ])('can read at that device only (the device was replaced: %s)', async (_name, before, after, expected) => {
    const { session, state, link } = plainSession()
    session.noteReportedDevice(identity)
    state.who = before
    const looking = session.queryReportedDevice(async (device) => {
      const answer = await device.ask('say', say)
      await link.close()
      state.who = after
      return answer
    })
    expect(await problemOf(looking)).toEqual(expected)
  })

  it('recognizes a device by both of its numbers', () => {
    expect(isSame(identity, { ...identity })).toBe(true)
    expect(isSame(identity, { ...identity, serialNumber: 'S2' })).toBe(false)
    expect(isSame(identity, { ...identity, fiscalMemoryNumber: 'M2' })).toBe(false)
  })
})

describe('an operation reports the retransmissions', () => {
  it.each([
    ['of none of its commands', [false, false], false],
    ['of its first command', [true, false], true],
    ['of its last command', [false, true], true],
  ])('%s', async (_name, repeats, retransmitted) => {
    const { session, state } = plainSession()
    const performing = session.perform(async (device) => {
      for (const one of repeats) {
        state.isRepeated = one
        await device.ask('pay', say)
      }
      return { number: 1 }
    })
    expect(await performing).toEqual({ number: 1, retransmitted })
  })

  it('of a failed command from which the operation recovered', async () => {
    const { session, answers } = plainSession()
    answers.push(new DeviceError({ kind: 'noAnswer' }, true))
    const performing = session.print(async (device) => {
      await device.ask('pay', say).catch(() => undefined)
      return device.ask('say', say)
    })
    expect(await performing).toEqual({ text: 'ok', retransmitted: true })
  })

  const failing = async (retransmitted: boolean, failure: DeviceError | TypeError) => {
    const { session, state, answers } = plainSession()
    const performing = session.perform(async (device) => {
      state.isRepeated = retransmitted
      await device.ask('pay', say)
      answers.push(failure)
      return device.ask('say', say)
    })
    return performing.then(
      () => undefined,
      (problem) => problem,
    )
  }

  it('if a later failure occurs, too', async () => {
    expect(await failing(true, NO_PAPER)).toMatchObject({ problem: NO_PAPER.problem, retransmitted: true })
  })

  it('of no command if another failure occurs, which it passes on unchanged', async () => {
    const error = new DeviceError(NO_PAPER.problem, true)
    const mistake = new TypeError('a mistake of the program')
    expect(await failing(false, NO_PAPER)).toBe(NO_PAPER)
    expect(await failing(true, error)).toBe(error)
    expect(await failing(true, mistake)).toBe(mistake)
  })
})

describe('a refused query after an executed operation', () => {
  const REFUSED = ['!no']
  const refusal = { kind: 'refused', code: '7', key: 'no', meaning: 'it does not want to' }
  type CommandName = 'pay' | 'say'
  const asking = async (...asked: readonly CommandName[]) => {
    const { session, state, answers } = plainSession()
    return problemOf(
      session.perform(async (device) => {
        state.isRepeated = true
        for (const name of asked.slice(0, -1)) await device.ask(name, say)
        answers.push(REFUSED)
        return device.ask(asked.at(-1) as CommandName, say)
      }),
    )
  }

  it('leaves the outcome of the operation unknown', async () => {
    const unknown = { kind: 'outcomeUnknown', what: 'the device rejected further queries', command: 'payment' }
    expect(await asking('pay', 'say')).toEqual(unknown)
    expect(await asking('pay', 'pay', 'say')).toEqual(unknown)
  })

  it('leaves the outcome unknown if the outcome of the command was unknown', async () => {
    const { session, answers } = plainSession()
    const lost: DeviceProblem = { kind: 'outcomeUnknown', what: 'the answer was lost', command: 'payment' }
    answers.push(new DeviceError(lost), REFUSED)
    const performing = session.perform(async (device) => {
      await device.ask('pay', say).catch(() => undefined)
      return device.ask('say', say)
    })
    expect(await problemOf(performing)).toEqual({ ...lost, what: 'the device rejected further queries' })
  })

  it('leaves the outcome unknown if the later answer has an unreadable form', async () => {
    const { session, answers } = plainSession()
    const performing = session.perform(async (device) => {
      await device.ask('pay', say)
      answers.push(new DeviceError({ kind: 'notThisFamily', why: 'its answer has the wrong form' }))
      return device.ask('say', say)
    })
    const what = 'the device no longer sent valid responses'
    expect(await problemOf(performing)).toEqual({ kind: 'outcomeUnknown', what, command: 'payment' })
  })

  it.each<DeviceProblem>([
    { kind: 'noAnswer' },
    { kind: 'stillBusy' },
    { kind: 'portLost', path: 'plain', why: 'pulled out' },
    { kind: 'portMissing', path: 'plain', why: 'no such port' },
    { kind: 'lineNoise', why: 'the response was damaged' },
  ])('leaves the outcome unknown if the device is silent afterwards: $kind', async (problem) => {
    const { session, answers } = plainSession()
    const lost = new DeviceError(problem)
    const performing = session.perform(async (device) => {
      await device.ask('pay', say)
      answers.push(lost)
      return device.ask('say', say)
    })
    const what = 'the device stopped responding'
    expect(await problemOf(performing)).toEqual({ kind: 'outcomeUnknown', what, command: 'payment' })
    const asking = plainSession()
    asking.answers.push(lost)
    expect(await problemOf(asking.session.perform((device) => device.ask('say', say)))).toBe(problem)
  })

  it('does not hide the result of a later command', async () => {
    const { session, answers } = plainSession()
    const lost: DeviceProblem = { kind: 'outcomeUnknown', what: 'no answer came', command: 'drawer' }
    const performing = session.perform(async (device) => {
      await device.ask('pay', say)
      answers.push(new DeviceError(lost))
      return device.ask('pay', say)
    })
    expect(await problemOf(performing)).toEqual(lost)
  })

  it('differs from a refused query before the operation and a refused command after it, which are refusals', async () => {
    expect(await asking('say')).toEqual(refusal)
    expect(await asking('say', 'pay')).toEqual(refusal)
    expect(await asking('pay', 'pay')).toEqual(refusal)
  })

  it('changes nothing if the driver expects the refusal', async () => {
    const { session, answers } = plainSession()
    const performing = session.perform(async (device) => {
      await device.ask('pay', say)
      answers.push(REFUSED)
      return { answer: await device.askUnlessRefused('any', 'say', say) }
    })
    expect(await performing).toMatchObject({ answer: undefined })
  })
})
