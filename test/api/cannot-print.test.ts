/**
 * A device that responds but cannot print (decisions 3): the service's response describes the state of the receipt, and
 * the receipt of the request is printed once or not at all. `Outcome unknown:` is reserved for a device that does not
 * respond.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Rule } from '../../emulator/faults/rule.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const FISCAL = '/print-fiscal-receipt'
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const PAID =
  /^Completed as receipt 1: the receipt is fully paid and can no longer be cancelled, but the device has not closed it yet\. /
const BEGUN =
  'Nothing was sold. If a receipt was opened, the service will cancel it before it processes any other request.'

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  let rig: KillableService
  beforeEach(async () => {
    rig = startKillableService(family)
    await rig.post('/clear-display')
  })
  afterEach(() => rig.close())

  const strike = (rule: Omit<Rule, 'times'>) => rig.emulator.faults.add({ ...rule, times: 1 } as Rule)
  const repair = () => {
    rig.emulator.setPaper('ok')
    rig.emulator.setCover(false)
    rig.emulator.faults.clear()
  }
  const documents = () => rig.emulator.device.documents().map(({ kind, number }) => `${kind} ${number}`)

  it.each([
    ['after', 'payment', 'paperOut'],
    ['after', 'payment', 'coverOpen'],
    ['before', 'closeFiscal', 'paperOut'],
  ] as const)('a paid receipt is reported, and is not sold twice: %s the command %s, %s', async (when, on, fault) => {
    strike({ at: `command.${when}`, on, do: fault })
    const first = await rig.post(FISCAL, RECEIPT, 'k')
    expect(first).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(PAID) })
    expect(first.Message).not.toContain('repeat the request.')
    expect(await rig.post(FISCAL, RECEIPT, 'k')).toEqual(first)
    const other = await rig.post(FISCAL, RECEIPT, 'another')
    expect(other.Message).toMatch(/ Receipt 1 of an earlier request must be completed or cancelled first\./)
    repair()
    expect(await rig.post(FISCAL, RECEIPT, 'k')).toEqual({ StatusCode: 200, Data: '1' })
    expect(documents()).toEqual(['fiscal 1'])
  })

  it('a paid receipt of a request without a key is closed before the next request', async () => {
    strike({ at: 'command.after', on: 'payment', do: 'paperOut' })
    expect((await rig.post(FISCAL, RECEIPT)).Message).toMatch(PAID)
    repair()
    expect((await rig.post('/status-of-the-fiscal-transaction')).Data).toMatchObject({ IsOpen: false })
    expect(documents()).toEqual(['fiscal 1'])
  })

  it('a receipt without a payment is cancelled, and the request may be retried', async () => {
    strike({ at: 'command.after', on: 'saleByPlu', do: 'coverOpen' })
    const { StatusCode, Message } = await rig.post(FISCAL, RECEIPT)
    expect([StatusCode, Message?.endsWith(BEGUN)]).toEqual([424, true])
    repair()
    expect(await rig.post(FISCAL, RECEIPT)).toEqual({ StatusCode: 200, Data: '2' })
    expect(documents()).toEqual(['cancelled 1', 'fiscal 2'])
  })

  it('a paid receipt that the device refuses to close is reported too', async () => {
    rig.emulator.faults.add({ at: 'memory.write', on: 'closeFiscal', do: 'memoryFull' })
    expect(await rig.post(FISCAL, RECEIPT, 'k')).toMatchObject({
      StatusCode: 400,
      Message: expect.stringMatching(PAID),
    })
    expect((await rig.post(FISCAL, RECEIPT, 'k')).Message).toMatch(PAID)
    repair()
    expect(await rig.post(FISCAL, RECEIPT, 'k')).toEqual({ StatusCode: 200, Data: '1' })
    expect(documents()).toEqual(['fiscal 1'])
  })

  it.each([
    ['before the request', { at: 'memory.write', do: 'memoryFull' }],
    ['directly before the opening', { at: 'command.before', on: 'openFiscal', do: 'memoryFull' }],
  ] as const)('no receipt is opened if the fiscal memory is full %s', async (_when, rule) => {
    rig.emulator.faults.add(rule)
    const { StatusCode, Message } = await rig.post(FISCAL, RECEIPT)
    expect([StatusCode, Message?.startsWith('The fiscal memory is full or has failed')]).toEqual([400, true])
    expect(documents()).toEqual([])
  })

  it('a non-fiscal receipt is voided before the next request', async () => {
    strike({ at: 'command.before', on: 'closeNonFiscal', do: 'paperOut' })
    const { Message } = await rig.post('/print-non-fiscal-receipt', {
      ReceiptItems: [{ Type: 0, Text: { Message: 'x' } }],
    })
    expect(Message).toBe(`The printer is out of paper. Load a new roll and retry. ${BEGUN}`)
    repair()
    await rig.post('/clear-display')
    expect(documents()).toEqual(['nonFiscal 1'])
  })
})
