/** Devices with a deliberate error: the fault table fails at the places where the error does harm, and nowhere else. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { executesAgain, sumsWrong } from '../simulation/deliberate-errors.ts'
import { BYTE_FAULTS, type FaultColumn, POWER_FAULTS } from './fault-columns.ts'
import { BYTES_OPERATION, undisturbed } from './fault-rows.ts'
import { tryPlace } from './fault-table.ts'
import type { Setting } from './play.ts'

const named = (all: readonly FaultColumn[], name: string): FaultColumn =>
  all.find((one) => one.name === name) as FaultColumn

async function violations(
  setting: Setting,
  fault: FaultColumn,
  count: number,
): Promise<{ readonly place: number; readonly message: string }[]> {
  const found = []
  for (let place = 0; place < count; place++) {
    try {
      await tryPlace({ device: setting.device, operation: BYTES_OPERATION, fault, place }, setting)
    } catch (problem) {
      found.push({ place, message: problem instanceof Error ? problem.message : String(problem) })
    }
  }
  return found
}

describe('a device whose sums of the day are wrong until the Z', () => {
  it.each(FAMILIES)(
    'is found if the power fails at any of the first three lines of paper of family %s',
    async (device) => {
      const trouble = named(POWER_FAULTS, 'power fails at paper.line')
      const found = await violations({ device, breakDevice: sumsWrong }, trouble, 3)
      expect(found).toHaveLength(3)
      expect(found.every(({ message }) => /the open day holds \d+\.\d\d, its receipts \d+\.\d\d$/.test(message))).toBe(
        true,
      )
    },
  )
})

describe('a device that executes a retransmitted command again', () => {
  it('is found only if a byte of the answer to the line of text is lost', async () => {
    const { bytesToHost } = (await undisturbed('A', BYTES_OPERATION)).places
    const trouble = named(BYTE_FAULTS, 'a byte is lost, to the service')
    const count = bytesToHost.reduce((sum, length) => sum + length, 0)
    const found = await violations({ device: 'A', breakDevice: executesAgain }, trouble, count)
    // The failures are at all bytes of one response.
    const first = found[0]?.place ?? 0
    const starts = bytesToHost.map((_length, index) => bytesToHost.slice(0, index).reduce((sum, one) => sum + one, 0))
    const answer = starts.indexOf(first)
    expect(answer).toBeGreaterThan(0)
    expect(found.map(({ place }) => place - first)).toEqual([...Array(bytesToHost[answer]).keys()])
    expect(found.every(({ message }) => message.includes('is printed 2 times instead of 1'))).toBe(true)
  })
})
