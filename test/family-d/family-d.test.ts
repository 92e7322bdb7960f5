/**
 * A fourth family, added as server/docs/guide/contributing.md describes: two folders, and an entry in each list. The
 * test passes extended lists to the code that works with families. No source outside of this folder contains family D.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { driverFamilies } from '../../drivers/families.ts'
import type { DriverFamily } from '../../drivers/family.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { check, failureText } from '../../scenarios/simulation/check.ts'
import { loadSettings } from '../../server/config.ts'
import { describeService } from '../api/device.suite.ts'
import { describePrinter } from '../contract/printer.suite.ts'
import { frameSuite } from '../frames/frame-fixtures.suite.ts'
import { waysOf } from '../support/connections.ts'
import { startService } from '../support/rig.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'
import { familyD as devices } from './device/index.ts'
import { familyD as driver } from './driver/index.ts'
import { framesD } from './frames.ts'

const families = {
  drivers: new Map<string, DriverFamily>([...driverFamilies, ['D', driver]]),
  devices: new Map<string, EmulatedFamily>([...emulatedFamilies, ['D', devices]]),
}

frameSuite(framesD)

for (const way of waysOf('D')) {
  describePrinter('D', way, families)
  describeService('D', way, families)
}

describe('random runs with faults on family D', () => {
  const RUNS = rotatingRuns(40, 800)

  it(`keep every promise in ${RUNS} runs`, { timeout: 60_000 + RUNS * 500 }, async () => {
    const { failure, runs, hits } = await check({ family: 'D', families, runs: RUNS, seed: rotatingSeed() })
    expect(failure ? failureText(failure, 'this test') : '').toBe('')
    expect(runs).toBe(RUNS)
    // Without triggered faults the test would prove nothing.
    expect(hits).toBeGreaterThan(RUNS / 4)
  })
})

describe('a service that knows family D', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-family-d-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('reads the family from the configuration, and lists all families for an unknown one', async () => {
    const file = join(folder, 'rig.yaml')
    const names = [...families.drivers.keys()]
    writeFileSync(file, 'family: D\n')
    expect(await loadSettings(file, {}, folder, names)).toMatchObject({ family: 'D' })
    writeFileSync(file, 'family: E\n')
    await expect(loadSettings(file, {}, folder, names)).rejects.toThrow('A, B, C or D')
  })

  it('describes family D next to the other families', async () => {
    const { get, close } = await startService({ family: 'D', families: families.devices, drivers: families.drivers })
    const text = JSON.stringify(await get('/openapi.json'))
    await close()
    expect(text).toContain('| | Family A | Family B | Family C | Family D |')
    expect(text).toContain('0 coins, 1 bank card')
  })
})
