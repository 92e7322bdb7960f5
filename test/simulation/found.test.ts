/** What the runs with faults have found so far, kept as cases of their own: each was a violation once. */
import { describe, expect, it } from 'vitest'
import { runCase } from './run.ts'
import type { RequestStep, Step } from './steps.ts'
import type { Family } from './world.ts'

const FAMILIES: readonly Family[] = ['A', 'B', 'C']
const receipt = (key: boolean): RequestStep => ({ do: 'receipt', rows: 1, paying: 'nothing said', key })
const AGAIN: Step = { do: 'again' }

type Found = readonly [what: string, steps: readonly Step[], slow?: boolean]

const FOUND: readonly Found[] = [
  [
    'a power cut at the close is no sign that the receipt was closed',
    [
      { do: 'fault', rule: { at: 'memory.write', times: 1, do: 'powerCut' } },
      receipt(false),
      { do: 'slip', key: false },
    ],
  ],
  [
    'a service that dies with a receipt open ends it when it comes back, key or no key',
    [{ do: 'crash', during: receipt(false), write: 8 }, { do: 'open' }],
  ],
  [
    'a repeat while the paper is out says that the outcome is unknown',
    [{ do: 'fault', rule: { at: 'memory.write', times: 1, do: 'paperOut' } }, receipt(true), AGAIN],
  ],
  [
    'a receipt that the device refuses to end now is ended later',
    [{ do: 'fault', rule: { at: 'memory.write', times: 3, do: 'memoryFull' } }, receipt(false), { do: 'z' }],
  ],
  [
    'a memory that was full for one command is not full for the next',
    [{ do: 'fault', rule: { at: 'command.before', times: 1, do: 'memoryFull' } }, receipt(false), { do: 'z' }],
  ],
  [
    'the power fails at a line that had waited for paper',
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
    'a device that refuses a frame and finds the command in it all the same has carried it out once',
    [
      { do: 'status' },
      { do: 'fault', rule: { at: 'link.toDevice', on: 'openFiscal', times: 4, do: 'duplicate', byte: 0 } },
      { do: 'open' },
      receipt(false),
    ],
    true,
  ],
]

describe.each(FAMILIES)('family %s', (family) => {
  it.each(FOUND.map(([what, steps, slow = false]) => ({ what, steps, slow })))('$what', async ({ steps, slow }) => {
    const { requests } = await runCase({ family, seed: 1, slow, steps })
    expect(requests).toBeGreaterThan(2)
  })
})
