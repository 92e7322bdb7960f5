/**
 * Cases that the table of faults (fault-table/fault-table.ts) does not cover: log lines about a receipt whose service
 * was killed, and reading back a Z report or a copy whose response was lost.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const PLU = { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }
const TEXT = { Type: 2, Text: { Message: 'thank you' } }
const LINE = { Type: 4, SeparatingLineType: 1 }
const FISCAL = '/print-fiscal-receipt'

const RECEIPTS: Readonly<Record<string, object>> = {
  'without payments': { ReceiptItems: [PLU, TEXT, PLU], Subtotal: { Print: true } },
  'with two payments': {
    ReceiptItems: [PLU, LINE, PLU],
    Payments: [
      { PaymentMode: 1, Amount: 1 },
      { PaymentMode: 0, Amount: 50 },
    ],
  },
}
const DEVICES = [...FAMILIES, 'A ro']
const FAMILIES_AND_RECEIPTS = DEVICES.flatMap((family) => Object.keys(RECEIPTS).map((how) => [family, how] as const))

const open: KillableService[] = []
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close()
})

async function ready(device: string): Promise<KillableService> {
  const [family = '', profile] = device.split(' ')
  const rig = startKillableService(family, profile === undefined ? {} : { profile })
  open.push(rig)
  await rig.post('/clear-display')
  return rig
}

const closed = ({ emulator }: KillableService) => emulator.device.documents().filter(({ kind }) => kind === 'fiscal')

/**
 * Runs a case at each position until the position is after the end of the request. Resolves to the problems of all
 * positions.
 */
async function everywhere(run: (place: number) => Promise<readonly string[] | 'after the end'>): Promise<string[]> {
  const problems: string[] = []
  for (let place = 0; ; place++) {
    const outcome = await run(place)
    if (outcome === 'after the end') {
      if (place < 5) problems.push(`only ${place} places`)
      return problems
    }
    problems.push(...outcome.map((problem) => `at ${place}: ${problem}`))
  }
}

const add = ({ emulator }: KillableService, rule: Rule) => emulator.faults.add(rule)

describe.each(FAMILIES_AND_RECEIPTS)('family %s, a receipt %s', (family, how) => {
  const body = RECEIPTS[how] as object

  it('without a key is reconciled when the service restarts, and the log states its outcome', async () => {
    let undecided = 0
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      const answer = await rig.postAndKill({ frames: skip, sent: true }, FISCAL, body)
      if (answer !== 'killed') return 'after the end'
      rig.restart()
      await rig.run(rig.service.start())
      const [note = 'its receipt was cancelled. Or never begun.'] = rig.warnings
      const [one] = closed(rig)
      // If the service was killed right after it opened the receipt, another program may have opened the same number
      // since.
      if (/cannot be determined: document \d+ is open, and nothing is sold on it:/.test(note)) {
        undecided++
        return rig.emulator.device.receipt !== null && !one ? [] : [note]
      }
      const isReported = one ? note.includes(`closed as receipt ${one.number}`) : /cancelled|did not execute/.test(note)
      return [
        ...(rig.emulator.device.receipt === null ? [] : ['open']),
        ...(closed(rig).length > 1 ? ['two receipts'] : []),
        ...(isReported ? [] : [note]),
      ]
    })
    expect(problems).toEqual([])
    // Families B and C report the number only when queried.
    expect(undecided).toBe(family === 'B' || family === 'C' ? 2 : 1)
  })
})

describe.each(DEVICES)('family %s', (family) => {
  it.each([
    ['/report-z', 'z'],
    ['/copy-of-last-fiscal-receipt', 'copy'],
  ])(
    '%s is printed once if its answer is lost for a while, and its data are read back if possible',
    async (path, kind) => {
      const rig = await ready(family)
      await rig.post(FISCAL, RECEIPTS['without payments'])
      const reference = await ready(family)
      await reference.post(FISCAL, RECEIPTS['without payments'])
      const expected = await reference.post(path)
      const command = kind === 'z' ? 'reportZ' : 'duplicate'
      add(rig, { at: 'command.after', on: command, times: 1, do: 'drop' })
      add(rig, { at: 'link.toDevice', on: command, skip: 1, do: 'drop' })
      const answer = await rig.post(path, undefined, 'key')
      expect(answer).toEqual(expected)
      expect(await rig.post(path, undefined, 'key')).toEqual(answer)
      expect(rig.emulator.device.documents().map((one) => one.kind)).toEqual(['fiscal', kind])
    },
  )
})
