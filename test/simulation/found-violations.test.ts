import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { Case, RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'

const TWICE = 'The device was interrupted and executed a command twice:'

const receipt = (key: boolean): RequestStep => ({ do: 'receipt', rows: 1, paying: 'nothing said', key })
const AGAIN: Step = { do: 'again' }
const STATUS: Step = { do: 'status' }

type Found = readonly [what: string, steps: readonly Step[], more?: Partial<Case>]

const FOUND: readonly Found[] = [
  [
    'a receipt that another program ends while the service asks for it may be called open',
    [
      { do: 'openSlip' },
      { do: 'slipText' },
      { do: 'otherProgram', deed: 'cancels what is open', write: 20 },
      { do: 'fault', rule: { at: 'link.toDevice', skip: 19, times: 1, do: 'drop' } },
      { do: 'closeSlip', key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart' },
      AGAIN,
    ],
  ],
  [
    'a non-fiscal receipt that was proven to be ours is cancelled later, although the line was lost since',
    [
      { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'coverOpen' } },
      { do: 'fault', rule: { at: 'command.after', skip: 12, times: 1, do: 'powerCut' } },
      { do: 'slip', key: false },
      { do: 'fault', rule: { at: 'link.toHost', skip: 0, times: 200, do: 'drop' } },
      { do: 'lines', calls: ['cash'], key: false },
      { do: 'receipt', rows: 1, paying: 'nothing said', key: false, by: { percent: -1 } },
    ],
    { powerBackMs: 2000 },
  ],
  [
    'a job that voids its receipt may be printed again after a failed write of the log',
    [
      { do: 'journal', trouble: 'locked', skip: 2, times: 1 },
      { do: 'z' },
      { do: 'crash', during: { do: 'cancelled slip', key: true }, write: 16 },
      AGAIN,
    ],
  ],
  [
    'an empty receipt at an address, after an opening of which only damaged answers came, may be of another program',
    [
      { do: 'fault', rule: { at: 'command.after', on: 'openFiscal', skip: 1, times: 6, do: 'powerCut' } },
      receipt(false),
      { do: 'otherProgram', deed: 'sells' },
      { do: 'meanwhile', request: receipt(false), write: 1 },
      receipt(false),
    ],
    { powerOnNoise: '\u0015' },
  ],
  [
    'a line that the device refuses without paper is refused also if the paper is back before its answer',
    [
      { do: 'fault', rule: { at: 'command.before', on: 'closeNonFiscal', times: 1, do: 'paperOut' } },
      { do: 'slip', key: false },
      { do: 'fault', rule: { at: 'command.before', times: 6, do: { busyMs: 3000 } } },
      receipt(false),
    ],
  ],
  [
    'a cable is not moved to another device in the middle of a frame',
    [
      { do: 'fault', rule: { at: 'command.after', skip: 22, times: 6, do: { busyMs: 3000 } } },
      receipt(false),
      { do: 'crash', during: { do: 'lines', calls: ['cash'], key: true }, write: 1 },
      AGAIN,
      { do: 'replaceDevice', behindAdapter: true },
    ],
  ],
  ...[1, 2, 3].map(
    (skip): Found => [
      `a receipt on a device that may be another one is not promised to be cancelled: line lost at command ${skip + 1}`,
      [
        receipt(false),
        { do: 'replaceDevice', behindAdapter: true },
        { do: 'fault', rule: { at: 'command.after', skip, times: 6, do: 'unplug' } },
        { do: 'meanwhile', request: { do: 'order', order: 1, token: 2 }, write: 1 },
        { do: 'order', order: 1, token: 1 },
      ],
    ],
  ),
  [
    'an answer that names two devices may leave a receipt open on either',
    [
      receipt(false),
      { do: 'replaceDevice', behindAdapter: true },
      { do: 'otherProgram', deed: 'sells' },
      { do: 'receipt', rows: 1, paying: 'card', key: false },
    ],
  ],
  [
    'a receipt of an order that another program has paid in part is closed by a step',
    [
      { do: 'fault', rule: { at: 'link.toHost', skip: 12, times: 200, do: 'drop' } },
      { do: 'order', order: 1, token: 1 },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'otherProgram', deed: 'pays a part of what is open' },
      { do: 'payRest' },
      { do: 'close' },
    ],
  ],
  [
    'an opening that the open cover delayed is executed by another device, and the answer said that the outcome is unknown',
    [
      { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'coverOpen' } },
      { do: 'legacy receipt', key: false },
      { do: 'replaceDevice', behindAdapter: true },
      STATUS,
    ],
  ],
  [
    'a non-fiscal receipt whose number is forgotten is closed by a step',
    [
      receipt(false),
      { do: 'replaceDevice', behindAdapter: true },
      { do: 'crash', during: { do: 'slip', key: false }, write: 13 },
      { do: 'restart', losesPower: true },
      receipt(false),
      { do: 'crash', during: { do: 'open' }, write: 1 },
    ],
  ],
  [
    "a receipt whose number was not read is not called another program's on the device that has opened it",
    [
      receipt(false),
      { do: 'replaceDevice', behindAdapter: true },
      { do: 'fault', rule: { at: 'link.toHost', skip: 1, times: 200, do: 'drop' } },
      receipt(false),
      { do: 'hand', what: 'the trouble ends' },
      { do: 'crash', during: { do: 'slip', key: false }, write: 19 },
    ],
  ],
  [
    'an opening whose number another device reports is not continued there',
    [receipt(false), { do: 'replaceDevice', write: 6 }, { do: 'slip', key: false }],
    { powerBackMs: 300 },
  ],
  [
    'a receipt whose number was not read while other documents were printed is not left open without being reported',
    [
      { do: 'legacy receipt', key: false },
      { do: 'otherProgram', deed: 'sells' },
      { do: 'fault', rule: { at: 'link.toHost', skip: 6, times: 200, do: 'drop' } },
      receipt(false),
      { do: 'hand', what: 'the trouble ends' },
      { do: 'sale' },
      { do: 'meanwhile', request: { do: 'lines', calls: ['cash'], key: false }, write: 1 },
      { do: 'lines', calls: ['cash'], key: false },
    ],
  ],
  [
    'a power cut while a receipt is cancelled does not hide a lost line',
    [
      receipt(false),
      { do: 'otherProgram', deed: 'prints Z' },
      { do: 'fault', rule: { at: 'link.toHost', skip: 6, times: 6, do: 'unplug', after: 1 } },
      receipt(false),
      { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'powerCut' } },
    ],
  ],
  [
    'a receipt whose number was not read before the device lost its power is cancelled as promised',
    [
      { do: 'otherProgram', deed: 'opens a non-fiscal receipt', write: 11 },
      { do: 'fault', rule: { at: 'command.after', skip: 10, times: 1, do: 'powerCut' } },
      { do: 'receipt', rows: 2, paying: 'card', key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart', losesPower: true },
      AGAIN,
    ],
    { powerBackMs: 150_000 },
  ],
  [
    'a requested cancel that waits for paper may be executed after its answer',
    [
      { do: 'otherProgram', deed: 'opens a non-fiscal receipt' },
      { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'paperOut' } },
      { do: 'lines', calls: ['cancel', 'cash'], key: false },
    ],
  ],
  [
    "a receipt that a step opened before a power failure of the computer is not called another program's",
    [{ do: 'openSlip' }, { do: 'restart', losesPower: true }, { do: 'order', order: 1, token: 1 }, STATUS],
  ],
  [
    'a receipt that another program has closed while it was empty is reported by its number',
    [
      { do: 'crash', during: receipt(true), write: 31 },
      { do: 'crash', during: receipt(false), write: 1 },
      { do: 'otherProgram', deed: 'ends what is open' },
      AGAIN,
      { do: 'lines', calls: ['cash'], key: false },
    ],
  ],
  [
    'a key that is used again while the operation log cannot be read is unknown',
    [
      receipt(false),
      { do: 'crash', during: { do: 'slip', key: true }, write: 10 },
      { do: 'journal', trouble: 'damaged', skip: 0, times: 1 },
      { do: 'crash', during: { do: 'reuse' }, write: 1 },
    ],
  ],
  [
    'a payment on a non-fiscal receipt without a remaining amount is not taken for executed',
    [
      { do: 'crash', during: { do: 'openSlip' }, write: 10 },
      { do: 'crash', during: { do: 'payCard', key: true }, write: 11 },
      AGAIN,
    ],
  ],
  [
    'a power cut at the close does not show that the receipt was closed',
    [
      { do: 'fault', rule: { at: 'memory.write', times: 1, do: 'powerCut' } },
      receipt(false),
      { do: 'slip', key: false },
    ],
  ],
  [
    'a service that is killed with a receipt open closes it after its restart, with or without a key',
    [{ do: 'crash', during: receipt(false), write: 8 }, { do: 'open' }],
  ],
  [
    'a retry while the paper is out says that the outcome is unknown',
    [{ do: 'fault', rule: { at: 'memory.write', times: 1, do: 'paperOut' } }, receipt(true), AGAIN],
  ],
  [
    'a receipt that the device refuses to close now is closed later',
    [{ do: 'fault', rule: { at: 'memory.write', times: 3, do: 'memoryFull' } }, receipt(false), { do: 'z' }],
  ],
  [
    'a memory that was full for one command is not full for the next command',
    [{ do: 'fault', rule: { at: 'command.before', times: 1, do: 'memoryFull' } }, receipt(false), { do: 'z' }],
  ],
  [
    'a power failure at a line that had waited for paper does not hide the outcome',
    [
      { do: 'hand', what: 'paper out' },
      { do: 'fault', rule: { at: 'command.before', on: 'closeFiscal', times: 1, do: 'paperOut' } },
      { do: 'hand', what: 'paper in' },
      { do: 'fault', rule: { at: 'paper.line', skip: 30, times: 1, do: 'powerCut' } },
      receipt(true),
      { do: 'hand', what: 'paper in' },
      AGAIN,
    ],
  ],
  [
    'a device that refuses a frame although it finds the command in it has executed it once',
    [
      { do: 'status' },
      { do: 'fault', rule: { at: 'link.toDevice', on: 'openFiscal', times: 4, do: 'duplicate', byte: 0 } },
      { do: 'open' },
      receipt(false),
    ],
    { slow: true },
  ],
  [
    'a device whose power is back before the driver retransmits has sold twice: that receipt is cancelled',
    [{ do: 'fault', rule: { at: 'command.after', on: 'saleByPlu', times: 1, do: 'powerCut' } }, receipt(false), STATUS],
    { powerBackMs: 300 },
  ],
  [
    'a device whose power is back before the driver retransmits has opened a receipt, which is cancelled',
    [
      { do: 'fault', rule: { at: 'command.after', on: 'openFiscal', times: 1, do: 'powerCut' } },
      receipt(false),
      STATUS,
    ],
    { powerBackMs: 300 },
  ],
  [
    'a device whose power is back before the driver retransmits has registered a card payment twice: the answer says so',
    [
      { do: 'fault', rule: { at: 'command.after', on: 'payment', times: 1, do: 'powerCut' } },
      { do: 'receipt', rows: 3, paying: 'card and cash', key: true },
      AGAIN,
    ],
    { powerBackMs: 300 },
  ],
  [
    'a receipt that was cancelled twice because of power failures is not reported as closed',
    [
      { do: 'fault', rule: { at: 'command.before', on: 'fiscalText', times: 1, do: 'refuse' } },
      { do: 'fault', rule: { at: 'command.after', on: 'cancelFiscal', times: 1, do: 'powerCut' } },
      receipt(true),
      AGAIN,
    ],
    { powerBackMs: 300 },
  ],
  [
    'a receipt that was begun on a disconnected device is closed when the device is reconnected',
    [
      { do: 'crash', during: { do: 'receipt', rows: 1, paying: 'card', key: true }, write: 14 },
      { do: 'replaceDevice' },
      { do: 'open' },
      { do: 'restart' },
      { do: 'replaceDevice', back: true },
      STATUS,
    ],
  ],
  [
    'a slip that was begun on a device that is replaced in the middle is closed when that device is reconnected',
    [
      { do: 'replaceDevice', write: 15 },
      { do: 'slip', key: false },
      { do: 'replaceDevice', back: true },
      { do: 'restart' },
      STATUS,
    ],
  ],
  [
    'a Z report is printed once by a device whose power is back before the driver sends it again',
    [
      receipt(false),
      { do: 'fault', rule: { at: 'command.after', on: 'reportZ', times: 1, do: 'powerCut' } },
      { do: 'z', key: true },
      AGAIN,
    ],
    { powerBackMs: 300 },
  ],
  [
    "a receipt that a step has opened is not called another program's",
    [{ do: 'open' }, receipt(true), { do: 'restart' }, AGAIN, { do: 'openSlip' }, { do: 'slip', key: false }, STATUS],
  ],
  [
    "a receipt that the device refuses to close is not called another program's by the next request",
    [
      { do: 'fault', rule: { at: 'memory.write', times: 8, do: 'memoryFull' } },
      receipt(false),
      receipt(false),
      { do: 'slip', key: false },
    ],
  ],
  [
    "a receipt that another program's close closes when the paper is back was not closed by the service",
    [
      { do: 'fault', rule: { at: 'link.toHost', skip: 12, times: 200, do: 'drop' } },
      receipt(false),
      { do: 'hand', what: 'the trouble ends' },
      { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'paperOut' } },
      { do: 'otherProgram', deed: 'ends what is open' },
      { do: 'hand', what: 'paper in' },
      STATUS,
    ],
  ],
  [
    'a line of text that the device received twice is not reported as printed once',
    [
      { do: 'open' },
      { do: 'sale' },
      { do: 'fault', rule: { at: 'command.after', on: 'fiscalText', times: 1, do: 'powerCut' } },
      { do: 'text', key: true },
      AGAIN,
      { do: 'payRest' },
      { do: 'close' },
    ],
    { powerBackMs: 300 },
  ],
  [
    'another program is not said to have closed a cancelled non-fiscal receipt whose journal cannot be read afterwards',
    [
      { do: 'openSlip' },
      { do: 'hand', what: 'electronic journal unreadable', write: 7 },
      { do: 'cut', write: 7, loses: 'answer' },
      { do: 'cancelSlip', key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'hand', what: 'electronic journal unreadable' },
      { do: 'restart' },
      AGAIN,
    ],
  ],
  [
    'a Z report that a person prints while the command of the request is lost is taken for that of the request',
    [
      receipt(false),
      { do: 'hand', what: 'Z report', write: 6 },
      { do: 'fault', rule: { at: 'link.toDevice', skip: 5, times: 1, do: 'drop' } },
      { do: 'z', key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart', losesPower: true },
      AGAIN,
    ],
  ],
  [
    'a row that was executed twice, and of which one was voided, is on the receipt once',
    [
      { do: 'open' },
      { do: 'fault', rule: { at: 'command.after', on: 'saleByPlu', times: 1, do: 'powerCut' } },
      { do: 'sale', key: true },
      { do: 'hand', what: 'the trouble ends' },
      AGAIN,
    ],
    { powerBackMs: 300 },
  ],
  [
    'the lines of another memory that answers in the middle do not count as those of the printed receipt',
    [
      { do: 'replaceDevice', memory: 'as many documents', write: 51, also: true },
      { do: 'fault', rule: { at: 'command.after', skip: 18, times: 1, do: 'powerCut' } },
      {
        ...{ do: 'receipt', rows: 2, paying: 'nothing said', key: true },
        with: ['discount', 'separating line', 'same text again'],
      },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart' },
      AGAIN,
    ],
    { powerBackMs: 300 },
  ],
  [
    'cash is not moved again on another memory whose documents contradict its number of Z reports',
    [
      receipt(false),
      { do: 'replaceDevice', memory: 'as many documents', write: 43 },
      { do: 'hand', what: 'Z report', write: 62, also: true },
      { do: 'lines', calls: ['cash', 'x'], key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart', losesPower: true },
      AGAIN,
    ],
  ],
  [
    'a memory whose numbers went back is not queried further before the outcome is stored',
    [
      { do: 'replaceDevice', memory: 'new', write: 38 },
      { do: 'otherProgram', deed: 'opens', write: 64, also: true },
      { do: 'receipt', rows: 2, paying: 'card', key: true },
      { do: 'hand', what: 'the trouble ends' },
      AGAIN,
    ],
  ],
  [
    'a non-fiscal receipt that was opened by a retransmission after a Z report by hand is known to be ours',
    [
      { do: 'hand', what: 'Z report', write: 14 },
      { do: 'fault', rule: { at: 'link.toDevice', skip: 13, times: 1, do: 'drop' } },
      { do: 'openSlip', key: true },
      { do: 'hand', what: 'the trouble ends' },
      { do: 'restart', losesPower: true },
      AGAIN,
      { do: 'closeSlip', key: true },
    ],
  ],
  [
    'a receipt that may have been opened by a request without an answer can be closed, as its refusal advises',
    [
      { do: 'hand', what: 'Z report', write: 27 },
      { do: 'fault', rule: { at: 'command.after', skip: 12, times: 1, do: 'powerCut' } },
      { do: 'openSlip', key: true },
      { do: 'hand', what: 'the trouble ends' },
      AGAIN,
      { do: 'closeSlip', key: true },
    ],
    { powerBackMs: 300 },
  ],
]

describe.each(['A', 'B'] as const)('family %s, with its power back before the driver retransmits', (family) => {
  const cut = async (on: string, receipt: object) => {
    const world = new World({ family, powerBackMs: 300 })
    world.emulator.faults.add({ at: 'command.after', on, times: 1, do: 'powerCut' })
    const { status, message } = await world.request('/print-fiscal-receipt', receipt)
    await world.close()
    return { status, message }
  }
  const item = { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }

  it('reports that a row was executed twice, and that nothing was printed', async () => {
    expect(await cut('saleByPlu', { ReceiptItems: [item] })).toEqual({
      status: 424,
      message: `${TWICE} the receipt has 2 items instead of 1. The receipt was cancelled.`,
    })
  })

  it.each([
    ['the power fails directly after it', { at: 'command.after', on: 'reportZ', times: 1, do: 'powerCut' }],
    ['its answer is lost', { at: 'link.toHost', on: 'reportZ', times: 1, do: 'drop' }],
    ['its frame is lost', { at: 'link.toDevice', on: 'reportZ', times: 1, do: 'drop' }],
    ['its frame is refused', { at: 'link.toDevice', on: 'reportZ', times: 1, do: { flip: 60 } }],
  ] as const)('prints a Z report once and answers with its sums when %s', async (_when, rule) => {
    const world = new World({ family, powerBackMs: 300 })
    const undisturbed = new World({ family, powerBackMs: 300 })
    world.emulator.faults.add(rule)
    const { status, data } = await world.request('/report-z')
    expect({ status, data }).toEqual({ status: 200, data: (await undisturbed.request('/report-z')).data })
    expect(world.emulator.faults.list()).toMatchObject([{ hits: 1 }])
    expect(world.emulator.device.documents().map(({ kind }) => kind)).toEqual(['z'])
    await world.close()
    await undisturbed.close()
  })

  it('reports that a payment was executed twice, and on which receipt', async () => {
    const Payments = [
      { PaymentMode: 1, Amount: 1 },
      { PaymentMode: 0, Amount: 1.4 },
    ]
    expect(await cut('payment', { ReceiptItems: [item], Payments })).toEqual({
      status: 424,
      message: `Completed as receipt 1: ${TWICE} 2.00 was paid instead of 1.00. The remaining amount was registered as a cash payment.`,
    })
  })
})

describe.each(FAMILIES)('family %s', (family) => {
  it('names the condition that blocks an earlier receipt to the request that has to wait for it', async () => {
    const world = new World({ family })
    world.emulator.faults.add({ at: 'memory.write', times: 8, do: 'memoryFull' })
    const sale = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] }
    const answers = [
      await world.request('/print-fiscal-receipt', sale),
      await world.request('/print-fiscal-receipt', sale),
    ]
    await world.close()
    expect(answers.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Completed as receipt 1: the receipt is fully paid /),
      expect.stringMatching(
        /^The fiscal memory is full .* Receipt 1 of an earlier request must be completed or cancelled first\./,
      ),
    ])
  })

  it.each(FOUND.map(([what, steps, more]) => [what, steps, more] as const))('%s', async (_what, steps, more) => {
    for (const profile of profilesOf(family)) {
      const { requests } = await runCase({ family, profile, seed: 1, slow: false, steps, ...more })
      expect(requests).toBeGreaterThan(2)
    }
  })
})
