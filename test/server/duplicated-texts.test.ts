/** A power failure can make a device execute a text line or a separator twice. The response is then never 200. */
import { describe, expect, it } from 'vitest'
import { JournalReader } from '../../scenarios/simulation/journal.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

describe('the service recognizes that a line was printed twice on the paper of a device', () => {
  const sale = { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }
  const slipText = (Message: string) => ({ Type: 0, Text: { Message } })
  const fiscal = (item: object) => ({ ReceiptItems: [sale, item, sale] })
  const slip = (item: object) => ({ ReceiptItems: [slipText('First'), item, slipText('Last')] })

  /** The power fails after the n-th such command, and returns while the link still retransmits. */
  async function cutAfter(rig: KillableService, skip: number, path: string, body: object) {
    rig.emulator.faults.add({ at: 'command.after', skip, times: 1, do: 'powerCut' })
    const reply = await rig.post(path, body)
    const isOver = rig.emulator.faults.list().some(({ hits }) => hits === 0)
    rig.emulator.faults.clear()
    return isOver ? undefined : reply
  }

  interface Duplicate {
    readonly answer: string
    /** True if the simulation's reader of the journal finds the duplicate. */
    readonly isSeen: boolean | undefined
  }

  async function duplicatesOn(device: string, path: string, body: object): Promise<readonly Duplicate[]> {
    const [family, profile] = device.split(' ') as ['A' | 'B', string | undefined]
    const start = () => startKillableService(family, { powerReturnsAfterMs: 300, ...(profile && { profile }) })
    const linesOn = ({ emulator }: KillableService): number => {
      const { powerLoss } = emulator.profile.paper.words
      return (
        emulator.device
          .documents()
          .at(-1)
          ?.text.filter((line) => line.trim() !== powerLoss).length ?? 0
      )
    }
    const calm = start()
    expect(await calm.post(path, body)).toMatchObject({ StatusCode: 200 })
    const whole = linesOn(calm)
    await calm.close()
    const found: Duplicate[] = []
    for (let skip = 0; ; skip++) {
      const rig = start()
      const reply = await cutAfter(rig, skip, path, body)
      if (reply && linesOn(rig) > whole) {
        const isSeen = new JournalReader(rig.emulator).documents().at(-1)?.hasDoubledLine
        found.push({ answer: `${reply.StatusCode} ${reply.Message}`, isSeen })
      }
      await rig.close()
      if (!reply) return found
    }
  }

  const TEXTS = ['Mulțumim, șef!', 'Dvořák', 'Thanks 🙂', 'Cafe\u0301', '#5#', '\u0301\u0301']
  const devices = ['A bg', 'A ro', 'B']
  it.each(devices.flatMap((device) => TEXTS.map((text) => [device, text] as const)))('%s: %s', async (device, text) => {
    const line = { Type: 2, Text: { Message: text } }
    const onReceipt = await duplicatesOn(device, '/print-fiscal-receipt', fiscal(line))
    expect(onReceipt.map(({ answer }) => answer)).toEqual([
      expect.stringMatching(/^\d+ Completed as receipt \d+: .*twice/),
    ])
    const onSlip = await duplicatesOn(device, '/print-non-fiscal-receipt', slip(slipText(text)))
    expect(onSlip.length).toBeGreaterThan(0)
    expect(onSlip.filter(({ answer }) => !/twice/.test(answer))).toEqual([])
  })

  it.each(devices)('%s: a dashed line', async (device) => {
    const onReceipt = await duplicatesOn(device, '/print-fiscal-receipt', fiscal({ Type: 4, SeparatingLineType: 4 }))
    expect(onReceipt).toEqual([{ answer: expect.stringMatching(/^\d+ Completed as receipt \d+:/), isSeen: true }])
  })
})
