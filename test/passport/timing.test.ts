import { expect, it } from 'vitest'
import { measuredTimes, realisticDuration, USUAL_TIMES } from '../../emulator/line/durations.ts'
import { passportOf } from './record-passport.ts'

it('the time of a printed line and of a slow report is measured and imitated', { timeout: 60_000 }, async () => {
  const own = { lineMs: 110, reportZMs: 3_000, answerMs: 30, slow: { reportX: 9_000 } }
  const first = (await passportOf({ family: 'A', depth: 'print', durationMs: realisticDuration(own) })).passport
  expect(first.differences).toEqual([])
  expect(first.line.perPrintedLineMs).toBeGreaterThanOrEqual(110)
  expect(first.line.perPrintedLineMs).toBeLessThanOrEqual(150)
  // The time is measured from the end of the request, whose bytes take as long as at 115200 baud.
  expect(first.line.firstByteMs?.median).toBeGreaterThan(25)
  expect(Object.keys(first.line.slow ?? {})).toEqual(['reportX'])
  const durationMs = realisticDuration(measuredTimes(first.line))
  const second = (await passportOf({ family: 'A', depth: 'print', passport: first, durationMs })).passport
  expect(second.differences).toEqual([])
  expect(second.line.slow?.['reportX']).toBeGreaterThan(8_900)
  expect(second.line.perPrintedLineMs).toBeGreaterThan((first.line.perPrintedLineMs ?? 0) - 20)
})

it('without measurements a device has the usual times', () => {
  expect(measuredTimes()).toEqual(USUAL_TIMES)
  expect(measuredTimes({ perPrintedLineMs: 20 })).toEqual({ ...USUAL_TIMES, lineMs: 20 })
})

it('a device that answers before the request could pass a real cable has an answer time of 0', async () => {
  const { passport } = await passportOf({ family: 'A', depth: 'read' })
  expect(passport.line.firstByteMs?.median).toBe(0)
})
