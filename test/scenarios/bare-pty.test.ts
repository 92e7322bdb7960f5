/** The scenarios run on a bare pty without a control API. The runner judges by the device's own responses. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { scenarioFiles } from '../../scenarios/runner/find-scenarios.ts'
import { manualCheckTitle } from '../../scenarios/runner/manual-checks.ts'
import { persistentTarget } from '../../scenarios/runner/target/persistent.ts'
import type { Person, Target } from '../../scenarios/runner/target/target.ts'
import { timelineOn } from '../../scenarios/runner/time.ts'
import { quickClock } from '../support/quick-clock.ts'
import { isDeep, rotating } from '../support/slice.ts'
import { failures, play, scenarioFile } from './play.ts'

const SHARDS = 7
const FILES = scenarioFiles(['scenarios'])
/** A faster clock shortens the time spent waiting for lost frames. */
const clock = quickClock(4)
const bareTarget = (name: string, families: readonly Family[], person?: Person) =>
  persistentTarget({ name, families, time: timelineOn(clock), ...omitUndefined({ person }) })
let ptys = 0

async function onBarePty<T>(
  family: Family,
  run: (path: string, emulator: Emulator) => Promise<T>,
  profile?: string,
): Promise<T> {
  const emulator = createEmulator({ family, clock, ...(profile !== undefined && { profile }) })
  const path = join(tmpdir(), `fiscal-rig-bare-${process.pid}-${ptys++}`)
  await emulator.openPty(path)
  try {
    return await run(path, emulator)
  } finally {
    await emulator.close()
  }
}

const used = `
name: somebody else's day
steps:
  - repeat: { times: 3, steps: [{ post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 8 } }] } }] }
`
const [today = 0] = rotating(SHARDS, { of: SHARDS, salt: 'bare' })
const shard = isDeep ? undefined : { index: today + 1, of: SHARDS }
const SOLD = 'steps: [{ post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] } }]\n'

const playSold = (target: Target, family: Family) =>
  play(scenarioFiles(['scenarios/basic/sales.yaml']), { target, families: [family], only: 'an article is sold, paid' })

describe('a device on a bare pty, without a control API,', () => {
  // The families share nothing, and mostly wait for lost frames.
  it.concurrent.each(FAMILIES)(
    `of family %s plays ${isDeep ? 'at least 80' : 'some'} scenarios of the collection`,
    async (family) => {
      const summary = await onBarePty(family, (name) =>
        play(FILES, { target: bareTarget(name, [family]), families: [family], ...(shard && { shard }) }),
      )
      expect(failures(summary)).toEqual([])
      const ran = new Set(
        summary.results.flatMap(({ play: { loaded }, status }) => (status === 'passed' ? [loaded.scenario.name] : [])),
      )
      expect(ran.size).toBeGreaterThanOrEqual(isDeep ? 80 : 9)
      // The shard of today may contain no scenario with a manual check.
      const seen = isDeep ? summary : await onBarePty(family, (name) => playSold(bareTarget(name, [family]), family))
      const manualChecks = seen.results.flatMap((result) => result.manualChecks.map(manualCheckTitle))
      expect(manualChecks.some((title) => /^check manually: paper of receipt \d+$/.test(title))).toBe(true)
      const lacking = new Set(summary.results.flatMap(({ reason = '' }) => /^\w+/.exec(reason)?.[0] ?? []))
      const known = ['articles', 'clock', 'config', 'displayCable', 'faults', 'fresh', 'hands', 'profile', 'wire']
      expect([...lacking].filter((need) => !known.includes(need))).toEqual([])
    },
    600_000,
  )

  it('uses the profile of --profile: its passwords, articles and wire protocol', async () => {
    const summary = await onBarePty(
      'A',
      (name) =>
        play(scenarioFiles(['scenarios/basic', 'scenarios/payments']), {
          target: bareTarget(name, ['A']),
          families: ['A'],
          profile: 'ro',
        }),
      'ro',
    )
    expect(failures(summary)).toEqual([])
    expect(summary.passed).toBeGreaterThanOrEqual(15)
  }, 120_000)

  it.each(FAMILIES)('of family %s: an error is found, whatever was sold before', async (family) => {
    const wrong = scenarioFile(`${used}---
name: sums
${SOLD}check: { day: { total: 1.21, taxes: { A: 1.20 }, payments: { 0: 1.00 } } }
---
name: receipts
${SOLD}check: { receipts: 2, documents: { cancelled: 1 } }
---
name: counters
${SOLD}check: { counters: { lastReceiptNumber: 2, lastZ: 0 } }
---
name: Z report
steps: [{ post /report-z: }]
check: { z: { number: 2 } }
---
name: frames
${SOLD}check: { frames: { count: { openFiscal: 0 } } }
---
name: open receipt
steps: [{ post /open-fiscal-receipt: $opening }]
check: { receipt: null }
`)
    const summary = await onBarePty(family, (name) =>
      play([wrong], { target: bareTarget(name, [family]), families: [family] }),
    )
    expect(failures(summary)).toEqual([
      `sums [${family}]: day: total: expected 1.21, it is 1.20 | day: payments.0: expected 1.00, it is 1.20`,
      `receipts [${family}]: receipts: fiscal receipts printed: expected 2, it is 1 | documents: cancelled: expected 1, it is 0`,
      `counters [${family}]: counters: lastReceiptNumber: expected 2, it is 1`,
      `Z report [${family}]: z: there is no Z report 2`,
      `frames [${family}]: frames: expected 0 frames of openFiscal, there were 1`,
      expect.stringMatching(/^open receipt \[\w\]: receipt: the open receipt: expected null, it is \{"kind":"fiscal"/),
    ])
  })

  it('gets manual checks with the number of the receipt', async () => {
    const summary = await onBarePty('A', (name) =>
      play(FILES, {
        target: bareTarget(name, ['A']),
        families: ['A'],
        only: 'an article is sold, paid in cash and closed',
      }),
    )
    const [look] = summary.results[0]?.manualChecks ?? []
    expect(look && manualCheckTitle(look)).toBe('check manually: paper of receipt 1')
    expect(look?.lines).toContain('Bread                               1.20 A')
  })

  it('is operated by a person at the terminal, who is prompted for each manual action', async () => {
    const prompts: string[] = []
    const summary = await onBarePty('A', async (name, emulator) => {
      const hands: Readonly<Record<string, () => void>> = {
        'take the paper out': () => emulator.setPaper('out'),
        'put the paper in': () => emulator.setPaper('ok'),
        'open the cover': () => emulator.setCover(true),
        'close the cover': () => emulator.setCover(false),
      }
      const person = {
        prompt: async (what: string) => {
          prompts.push(what)
          hands[what]?.()
        },
      }
      const target = bareTarget(name, ['A'], person)
      return play(FILES, { target, families: ['A'], tags: ['paper'], only: '[A' })
    })
    const ran = summary.results
      .filter(({ status }) => status !== 'notRun')
      .map(({ play: { loaded } }) => loaded.scenario.name)
    expect(failures(summary)).toEqual([])
    expect(ran).toEqual([
      'no paper before the receipt is opened',
      'the paper ends in the middle of a receipt and is reloaded',
      'the cover is open',
    ])
    expect(prompts).toEqual([
      'take the paper out',
      'put the paper in',
      'take the paper out',
      'put the paper in',
      'open the cover',
      'close the cover',
    ])
  })
})
