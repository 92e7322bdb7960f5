/** The identity of the device that responds now, which may differ from the device found when the port was opened. */
import { describe, expect, it } from 'vitest'
import type { Device } from '../../drivers/link/protocol-adapter.ts'
import {
  askNumbers,
  askPresent,
  isPresent,
  openedNumber,
  openReceiptOf,
  reconcileClose,
} from '../../drivers/link/same-device.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { DeviceNumbers, TransactionStatus } from '../../drivers/model/printer.ts'
import { identityOf, type PlainTypes, plainSession, SILENCE, say } from '../support/plain-session.ts'
import { withWords } from '../support/verdict-rows.ts'

const numbersOf = async (device: Device<PlainTypes>) => identityOf((await device.ask('who', {})).values)
const ask = async (device: Device<PlainTypes>) => ({ said: (await device.ask('say', say)).text })
/** `hold` states that no other program had the line since it was opened. */
const held = (numbers: DeviceNumbers) => ({ ...numbers, hold: expect.any(Number) })
const S1 = { serialNumber: 'S1', fiscalMemoryNumber: 'M1' }
const S2 = { serialNumber: 'S2', fiscalMemoryNumber: 'M1' }

describe('the number of the document that was just opened', () => {
  const opened = (between: () => Promise<void> | void, number: () => number = () => 17) => {
    const lastDocument = async (device: Device<PlainTypes>) => {
      await ask(device)
      return number()
    }
    return async (device: Device<PlainTypes>) => {
      await ask(device)
      await between()
      return { number: await openedNumber(device, lastDocument) }
    }
  }

  it('is the number that the device reports, even if its port was lost and reopened in between', async () => {
    const { session, link } = plainSession()
    expect(await session.perform(opened(() => undefined))).toMatchObject({ number: 17 })
    expect(await session.perform(opened(() => link.close()))).toMatchObject({ number: 17 })
  })

  it.each(['S2/M1', 'S1/M2'])('is not the number of another device that was connected in between: %s', async (who) => {
    const { session, state, link } = plainSession()
    const exchanged = async () => {
      await link.close()
      state.who = who
    }
    expect(await session.perform(opened(exchanged))).toMatchObject({ number: null })
  })

  it('is unknown if the device does not report it, and any other failure is reported', async () => {
    const { session } = plainSession()
    const silent = () => {
      throw SILENCE
    }
    expect(await session.perform(opened(() => undefined, silent))).toMatchObject({ number: null })
    const mistaken = () => {
      throw new RangeError('a mistake')
    }
    await expect(session.perform(opened(() => undefined, mistaken))).rejects.toThrow('a mistake')
  })
})

it('an operation whose port was reopened does not continue with an unidentified device', async () => {
  const { session, link } = plainSession()
  const operation = session.perform(async (device) => {
    await ask(device)
    await link.close()
    await device.withoutStartup.ask('say', { text: 'whoever' })
    device.assertSameDevice()
    return {}
  })
  await expect(operation).rejects.toMatchObject({
    problem: { why: 'another device responds there now instead of S1' },
  })
})

describe('a query about the device that answers now', () => {
  it('identifies the device if nothing else is queried', async () => {
    const { session, done } = plainSession()
    expect(await askNumbers(session, numbersOf)).toEqual(held(S1))
    expect(done).toEqual(['open', '1 who', '2 who'])
  })

  it('is answered with its numbers, without closing the port', async () => {
    const { session, done } = plainSession()
    expect(await askPresent(session, numbersOf, ask)).toEqual({ said: 'ok', ...held(S1) })
    expect(done).toEqual(['open', '1 who', '2 who', '3 say hi'])
  })

  it('restarts if another device is connected to the open port', async () => {
    const { session, state, done } = plainSession()
    await session.start()
    state.who = 'S2/M1'
    expect(await askPresent(session, numbersOf, ask)).toEqual({ said: 'ok', ...held(S2) })
    expect(done).toEqual(['open', '1 who', '2 who', 'close', 'open', '1 who', '2 say hi'])
  })

  it('is repeated if another device was connected during it', async () => {
    const { session, state, link, answers } = plainSession()
    answers.push(['of the first'], ['of the first'], ['of the second'])
    let runs = 0
    const present = await askPresent(session, numbersOf, async (device) => {
      const first = await ask(device)
      if (runs++ > 0) return first
      await link.close()
      state.who = 'S2/M1'
      return ask(device)
    })
    expect(present).toEqual({ said: 'of the second', ...held(S2) })
  })

  it('is repeated if the port was opened during it and no device was identified yet', async () => {
    const { session, link } = plainSession()
    let runs = 0
    const present = await askPresent(session, numbersOf, async (device) => {
      if (runs++ > 0) return ask(device)
      await link.close()
      return { said: (await device.withoutStartup.ask('say', { text: 'whoever' })).text }
    })
    expect([present, runs]).toEqual([{ said: 'ok', ...held(S1) }, 2])
  })

  it('is not answered by another device if it is about one device', async () => {
    const { session, state } = plainSession()
    expect(await askPresent(session, numbersOf, ask, S1)).toMatchObject({ said: 'ok' })
    state.who = 'S2/M1'
    const problem = { problem: { kind: 'portLost', why: 'S2 responds there now instead of S1' } }
    await expect(askPresent(session, numbersOf, ask, S1)).rejects.toMatchObject(problem)
    // Later operations still require the first device.
    await expect(session.perform((device) => device.ask('pay', { text: 'all' }))).rejects.toMatchObject(problem)
    expect(await askPresent(session, numbersOf, ask, null)).toEqual({ said: 'ok', ...held(S2) })
  })

  it('determines the device on which later commands must print', async () => {
    const { session, state, link } = plainSession()
    await askPresent(session, numbersOf, ask)
    const pay = () => session.perform((device) => device.ask('pay', { text: 'all' }))
    expect((await pay()).text).toBe('ok')
    await link.close()
    state.who = 'S2/M1'
    await expect(pay()).rejects.toMatchObject({ problem: { why: 'S2 responds there now instead of S1' } })
  })
})

it.each(
  withWords({ true: 'present', false: 'missing' }, [
    ['the same device', 'S1/M1', true],
    ['another device', 'S2/M1', false],
    ['another memory', 'S1/M2', false],
  ]),
)('the device on which an operation began is %s: %s', async (_result, _name, who, expected) => {
  const { session, state } = plainSession()
  const present = await session.look(async (device) => {
    state.who = who
    return isPresent(device, numbersOf)
  })
  expect(present).toBe(expected)
})

describe('a close whose answer was lost', () => {
  const lost = new DeviceError({ kind: 'outcomeUnknown', what: 'the device did not answer' })
  const unreported = {
    problem: {
      kind: 'outcomeUnknown',
      what: 'the state of the device does not show whether the receipt was closed.',
    },
  }
  const settle = (who: string, wasClosed: () => Promise<boolean | undefined>, isHeld = true): Promise<unknown> => {
    const { session, state } = plainSession()
    return session
      .look(async (device) => {
        state.who = who
        if (!isHeld) {
          await device.link.close()
          await device.link.open()
        }
        await reconcileClose(device, numbersOf, lost, wasClosed)
      })
      .then(
        () => 'closed',
        (problem) => problem,
      )
  }

  it('has succeeded if the device says so', async () => {
    expect(await settle('S1/M1', async () => true)).toBe('closed')
  })

  it('fails with its own problem if the device denies it, or stays silent', async () => {
    expect(await settle('S1/M1', async () => false)).toBe(lost)
    const silent = () => Promise.reject(SILENCE)
    expect(await settle('S1/M1', silent)).toBe(lost)
  })

  it('remains unknown if the device does not report its outcome, or is another device', async () => {
    expect(await settle('S1/M1', async () => undefined)).toMatchObject(unreported)
    expect(await settle('S2/M1', async () => true)).toMatchObject(unreported)
  })

  it('remains unknown if the line was not held since, whatever the device reports', async () => {
    expect(await settle('S1/M1', async () => true, false)).toMatchObject(unreported)
    expect(await settle('S1/M1', async () => false, false)).toMatchObject(unreported)
  })
})

describe('the open receipt', () => {
  const status: TransactionStatus = {
    isOpen: true,
    kind: 'Fiscal',
    receiptNumber: '0000042',
    itemsCount: 2,
    total: 500,
    paid: 200,
    remaining: 300,
    raw: '1',
  }

  it('has the facts of the transaction, its number as a number', () => {
    const open = { kind: 'Fiscal', number: 42, items: 2, total: 500, paid: 200, remaining: 300 }
    expect(openReceiptOf(status)).toEqual(open)
    expect(openReceiptOf({ ...status, receiptNumber: null })).toEqual({ ...open, number: null })
  })

  it('is not reported when nothing is open', () => {
    expect(openReceiptOf({ ...status, isOpen: false })).toBeNull()
    expect(openReceiptOf({ ...status, kind: 'None' })).toBeNull()
  })
})
