/**
 * A command of family C whose response is lost (sheet 2.4): the driver sends the command again only if the device
 * certainly did not execute it.
 */
import { describe, expect, it } from 'vitest'
import { askConfirmed, type Probe } from '../../drivers/family-c/confirmed-command.ts'
import type { CommandName } from '../../drivers/family-c/protocol/index.ts'
import { writePing } from '../../drivers/family-c/protocol/unframed.ts'
import type { DeviceC } from '../../drivers/family-c/session.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { cannotPrint, DeviceError, type DeviceProblem, isOutcomeUnknown, refused } from '../../drivers/model/errors.ts'
import { problemOf } from '../support/problems.ts'
import { withWords } from '../support/verdict-rows.ts'
import { scriptedDevice } from './scripted-device.ts'

const LOST = new DeviceError({ kind: 'outcomeUnknown', what: 'no answer came', command: 'sale' })
const REFUSED = refused('1', 'no', 'not now')
const SAME = { serial: 'S1', memory: 'M1' }
const READY = writePing({ busy: false, noPaper: false, overheated: false, noDisplay: false })
const WORKING_WITHOUT_PAPER = writePing({ busy: true, noPaper: true, overheated: false, noDisplay: false })

interface Case {
  readonly answers: readonly (object | undefined | Error)[]
  readonly wasDone?: readonly (boolean | undefined | Error)[]
  readonly numbers?: object | Error | (() => undefined)
  readonly isOpen?: boolean
  readonly isHeld?: boolean
  /** Time in ms for which the device reports that it is busy and has no paper. */
  readonly workingMs?: number
}

function subject({ answers, wasDone = [], numbers = SAME, isOpen = true, isHeld = true, workingMs = 0 }: Case) {
  const clock = new SimulatedClock(0)
  const done: string[] = []
  const [left, outcomes] = [[...answers], [...wasDone]]
  let looks = 0
  const link = {
    clock,
    isOpen,
    open: async () => void done.push('open'),
    silence: (): DeviceProblem => ({ kind: 'noAnswer' }),
    ping: async () => (clock.now() < workingMs ? WORKING_WITHOUT_PAPER : READY),
  }
  const { ask } = scriptedDevice({
    deviceNumbers: numbers,
    sale: () => {
      done.push('sale')
      return left.length > 1 ? left.shift() : left[0]
    },
  })
  const withoutStartup = { ask: (name: CommandName, values: never) => ask(name, values) }
  const identity = { model: 'c', firmware: '1', serialNumber: 'S1', fiscalMemoryNumber: 'M1' }
  const device = { withoutStartup, link, facts: { identity }, isHeld } as unknown as DeviceC
  const probe: Probe<number> = {
    async look(asking) {
      expect(asking).toBe(withoutStartup)
      done.push('look')
      return ++looks
    },
    wasDone(before, after) {
      done.push(`${before} and ${after}`)
      const answer = outcomes.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const asking = simulate(clock, askConfirmed(device, 'sale', {} as never, probe))
  return { asking, done, clock }
}

describe('a command whose execution is confirmed by a query', () => {
  it('that is answered is written once, and reported with the state before it', async () => {
    const { asking, done } = subject({ answers: [{ sales: 1 }] })
    expect(await asking).toEqual({ values: { sales: 1 }, text: '', status: undefined, before: 1, isAnswerLost: false })
    expect(done).toEqual(['look', 'sale'])
  })

  it.each([
    ['that is refused', REFUSED],
    ['that certainly did not reach the device', new DeviceError({ kind: 'noAnswer' })],
    ['on which the service has a bug', new TypeError('a mistake')],
  ])('%s causes no query', async (_, problem) => {
    const { asking, done } = subject({ answers: [problem] })
    await expect(asking).rejects.toBe(problem)
    expect(done).toEqual(['look', 'sale'])
  })

  it('whose answer was lost, and that was executed, has no answer', async () => {
    const { asking, done } = subject({ answers: [LOST], wasDone: [true] })
    expect(await asking).toEqual({ values: undefined, text: '', status: undefined, before: 1, isAnswerLost: true })
    expect(done).toEqual(['look', 'sale', 'look', '1 and 2'])
  })

  it('whose request was lost is sent again', async () => {
    const { asking, done } = subject({ answers: [LOST, { sales: 1 }], wasDone: [false] })
    expect(await asking).toMatchObject({ values: { sales: 1 }, before: 1 })
    expect(done).toEqual(['look', 'sale', 'look', '1 and 2', 'sale'])
  })

  it('whose request is lost three times does not reach the device', async () => {
    const { asking, done } = subject({ answers: [LOST], wasDone: [false, false, false] })
    expect(await problemOf(asking)).toEqual({ kind: 'lineNoise', why: 'sale does not reach the device' })
    expect(done.filter((one) => one === 'sale')).toHaveLength(3)
  })

  it('without a proof of its outcome stays unknown', async () => {
    const { asking, done } = subject({ answers: [LOST], wasDone: [undefined] })
    await expect(asking).rejects.toBe(LOST)
    expect(done.filter((one) => one === 'sale')).toHaveLength(1)
  })
})

describe('the outcome of a command without an answer', () => {
  it.each([
    ['another serial number', { ...SAME, serial: 'S2' }],
    ['another fiscal memory', { ...SAME, memory: 'M2' }],
    ['no reported numbers', () => undefined],
  ])('is unknown on a device with %s', async (_, numbers) => {
    const { asking, done } = subject({ answers: [LOST], wasDone: [true], numbers })
    await expect(asking).rejects.toBe(LOST)
    expect(done).toEqual(['look', 'sale'])
  })

  it.each([
    ['is unknown while the device is silent', { numbers: new DeviceError({ kind: 'noAnswer' }) }, LOST],
    [
      'is unknown while its answers are damaged',
      { wasDone: [new DeviceError({ kind: 'lineNoise', why: 'damaged' })] },
      LOST,
    ],
    ['is unknown if the device refuses to report it', { numbers: REFUSED }, LOST],
    ['does not hide a bug in the service', { wasDone: [new TypeError('a mistake')] }, new TypeError('a mistake')],
  ])('%s', async (_, more, problem) => {
    await expect(subject({ answers: [LOST], ...more }).asking).rejects.toEqual(problem)
  })

  it.each([
    ['which is opened again if it was lost', false, ['look', 'sale', 'open', 'look', '1 and 2']],
    ['which is not opened again otherwise', true, ['look', 'sale', 'look', '1 and 2']],
  ])('is queried over the port: %s', async (_, isOpen, expected) => {
    const { asking, done } = subject({ answers: [LOST], wasDone: [true], isOpen })
    await asking
    expect(done).toEqual(expected)
  })

  it('stays unknown if the line was not held since the command, whatever the device reports', async () => {
    for (const said of [true, false]) {
      const { asking, done } = subject({ answers: [LOST], wasDone: [said], isHeld: false })
      expect(await problemOf(asking)).toEqual(LOST.problem)
      expect(done).toEqual(['look', 'sale', 'look', '1 and 2'])
    }
  })

  it('is waited for while paper is missing', async () => {
    const { asking, clock } = subject({ answers: [LOST], wasDone: [true], workingMs: 30_000 })
    expect(await asking).toMatchObject({ before: 1 })
    expect(clock.now()).toBeGreaterThanOrEqual(30_000)
  })
})

it.each(
  withWords({ true: 'unknown', false: 'known' }, [
    ['an unknown outcome', LOST, true],
    ['a refusal for missing paper', new DeviceError(cannotPrint('noPaper')), false],
    ['any other failure', { problem: { kind: 'outcomeUnknown' } }, false],
  ]),
)('the outcome of a command is %s after %s', (_result, _, problem, expected) => {
  expect(isOutcomeUnknown(problem)).toBe(expected)
})
