/**
 * Receipts with three payments over REST: whichever acknowledgement is lost, no payment is made twice, and the response
 * lists the payments. 72h does not show a payment between two others.
 */
import { describe, expect, it } from 'vitest'
import type { Injector } from '../../emulator/faults/points.ts'
import { startKillableService } from '../support/killable-service.ts'
import { noFaults } from '../support/no-faults.ts'

const CASH = 0
const CARD = 1
const BODY = {
  ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 4 } }],
  Payments: [
    { PaymentMode: CARD, Amount: 1 },
    { PaymentMode: CARD, Amount: 1.5 },
    { PaymentMode: CASH, Amount: 50 },
  ],
}

/** `knows`: the device supports 72h P, which reports the payments (sheet 4.14: only c6). */
function startWith(profile: string, knows: boolean, lost: number, at: 'command.before' | 'command.after') {
  let payments = 0
  const command: Injector['command'] = (point, asked) => {
    if (asked === 'receiptPayments' && !knows && point === 'command.before') return { refuse: true }
    return asked === 'payment' && point === at && ++payments === lost ? { drop: true } : {}
  }
  const faults = () => ({ ...noFaults, watches: (point: string) => point.startsWith('command.'), command })
  return startKillableService('C', { profile, faults })
}

describe.each([
  ['c4', false],
  ['c4', true],
  ['c6', true],
  ['cr', false],
])('on %s (72h P reports payments: %s)', (profile, knows) => {
  it.each([
    [1, 'command.after'],
    [2, 'command.after'],
    [3, 'command.after'],
    [1, 'command.before'],
    [2, 'command.before'],
    [3, 'command.before'],
  ] as const)('payment %i is registered once after the fault %s', async (lost, at) => {
    const rig = startWith(profile, knows, lost, at)
    const answer = await rig.post('/print-fiscal-receipt', BODY)
    await rig.post('/clear-display')
    const { day, receipt } = rig.emulator.device
    await rig.close()
    expect(receipt).toBeNull()
    const { [CASH]: cash, [CARD]: card } = day.payments
    if (lost === 2 && !knows) {
      expect(answer.StatusCode).toBe(424)
      expect({ cash, card }).toEqual(at === 'command.after' ? { cash: 230, card: 250 } : { cash: 380, card: 100 })
    } else {
      expect(answer.StatusCode).toBe(200)
      expect({ cash, card }).toEqual({ cash: 230, card: 250 })
    }
  })
})
