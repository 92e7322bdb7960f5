/** Former failures of recovery, each as its shortest case, at all places where its fault can be triggered. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { OtherProgramAction } from '../../scenarios/simulation/other-program.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { Case, PaymentKind, RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { slice } from '../support/slice.ts'

type Finding = readonly [
  what: string,
  cases: readonly (readonly Step[])[],
  more?: Partial<Case> & { readonly families?: readonly Family[] },
]

const HOUR_MS = 3_600_000
const AGAIN: RequestStep = { do: 'again' }
const STATUS: RequestStep = { do: 'status' }
const ENDS: Step = { do: 'hand', what: 'the trouble ends' }
const UNREADABLE = { do: 'hand', what: 'electronic journal unreadable' } as const
const PAPER: Step = { do: 'hand', what: 'paper in' }
/** The service stores responses to idempotency keys for a shorter time. */
const A_DAY: Step = { do: 'wait', ms: 25 * HOUR_MS }
const receipt = (key = true): RequestStep => ({ do: 'receipt', rows: 1, paying: 'nothing said', key })
const mixed = (key = true): RequestStep => ({ do: 'receipt', rows: 3, paying: 'two cards and cash', key })
const another = (deed: OtherProgramAction): Step => ({ do: 'otherProgram', deed })
/** Drops everything that the device sends from its n-th response on. */
const silence = (skip: number): Step => ({ do: 'fault', rule: { at: 'link.toHost', skip, times: 200, do: 'drop' } })
const crash = (during: RequestStep, write: number): Step => ({ do: 'crash', during, write })
const cut = (on: string, skip = 0): Step => ({
  do: 'fault',
  rule: { at: 'command.after', on, skip, times: 1, do: 'powerCut' },
})
const refuses = (
  on: string,
  times: number,
  what: 'refuse' | 'paperOut' | 'memoryFull' | 'powerCut',
  skip = 0,
): Step => ({
  do: 'fault',
  rule: { at: 'command.before', on, skip, times, do: what },
})

const off = (percent: number, paying: PaymentKind): RequestStep => ({
  ...{ do: 'receipt', rows: 2, paying, key: true },
  by: { percent },
})
const nothingDue = (free: 'all taken off' | 'all taken back'): RequestStep => ({
  ...{ do: 'receipt', rows: 1, paying: 'nothing said', key: true },
  free,
})
const statusRequests = (times: number): readonly Step[] => Array.from({ length: times }, () => STATUS)
/** The bit is in the first byte of the response. */
const flipped = (on: string, flip: number, skip = 0): Step => ({
  do: 'fault',
  rule: { at: 'link.toHost', on, skip, times: 1, do: { flip } },
})

const from = (first: number, last: number, of: (place: number) => readonly Step[]): readonly (readonly Step[])[] =>
  Array.from({ length: last - first + 1 }, (_, index) => of(first + index))

/** Long ranges are tested only at one in `every` places. */
const some = (
  ...[first, last, every, of]: [number, number, number, (place: number) => readonly Step[]]
): readonly (readonly Step[])[] => from(0, Math.floor((last - first) / every), (index) => of(first + index * every))

const ON_PAPER = { z: 'reportZ', x: 'reportX', copy: 'duplicate' } as const

const CUT_OFF: readonly (readonly [on: string, ...steps: Step[]])[] = [
  ['openFiscal', mixed()],
  ['fiscalText', mixed()],
  ['saleByPlu', mixed()],
  ['subtotal', off(-10, 'card and cash')],
  ['payment', mixed()],
  ['closeFiscal', mixed()],
  ['openFiscal', { do: 'open', key: true }],
  ['saleByPlu', { do: 'open' }, { do: 'sale', key: true }],
  ['payment', { do: 'open' }, { do: 'sale' }, { do: 'payCard', key: true }],
  ['duplicate', receipt(false), { do: 'copy', key: true }],
  ['cashInOut', { do: 'lines', calls: ['cash'], key: true }],
]

const FINDINGS: readonly Finding[] = [
  ...['\u0015', '\u000e', '\u0000'].map(
    (noise): Finding => [
      `a stray byte of a device whose power is back is no refusal: byte ${noise.charCodeAt(0)}`,
      CUT_OFF.flatMap(([on, ...steps]) => [[cut(on), ...steps, AGAIN, STATUS]]),
      { powerBackMs: 300, powerOnNoise: noise },
    ],
  ),
  [
    'of several payments, one whose acknowledgement is lost is not registered twice',
    from(0, 3, (skip) => [
      { do: 'fault', rule: { at: 'link.toHost', on: 'payment', skip, times: 1, do: 'drop' } },
      mixed(),
      AGAIN,
    ]),
  ],
  [
    'a single step is not executed twice by a device that was without power for a moment',
    [
      [{ do: 'open' }, { do: 'sale' }, cut('saleByPlu'), { do: 'sale' }],
      [{ do: 'open' }, { do: 'sale' }, cut('payment'), { do: 'payCard' }],
      [{ do: 'open' }, { do: 'sale' }, cut('subtotal'), { do: 'discount' }],
    ],
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'a record of the operation log that could not be written does not act later',
    (['locked', 'full'] as const).flatMap((trouble) =>
      from(0, 4, (skip) => [
        { do: 'journal', trouble, skip, times: trouble === 'full' ? 8 : 1 },
        receipt(),
        { do: 'journal', trouble, skip: 0, times: 0 },
        crash({ do: 'status' }, 1),
        another('opens and sells'),
        AGAIN,
      ]),
    ),
  ],
  [
    'a service that cannot read its operation log does not answer a retry that nothing was printed',
    [
      [receipt(), { do: 'restart' }, { do: 'journal', trouble: 'damaged', skip: 0, times: 1 }, AGAIN, AGAIN],
      [
        { do: 'order', order: 1, token: 1 },
        { do: 'restart' },
        { do: 'journal', trouble: 'damaged', skip: 0, times: 1 },
        { do: 'order', order: 1, token: 1 },
        { do: 'order', order: 1, token: 1 },
      ],
    ],
  ],
  [
    'an order whose print another request has reconciled is not printed again when the answers have aged',
    from(4, 30, (skip) => [
      silence(skip),
      { do: 'order', order: 1, token: 1 },
      ENDS,
      STATUS,
      A_DAY,
      { do: 'z' },
      { do: 'order', order: 1, token: 1 },
      { do: 'order', order: 1, token: 2 },
    ]),
  ],
  [
    'an order is not forgotten if its key is used again for another one',
    [
      [
        { do: 'order', order: 1, token: 1, key: 1 },
        { do: 'order', order: 2, token: 2, key: 1 },
        A_DAY,
        { do: 'z' },
        { do: 'order', order: 2, token: 2, key: 1 },
        { do: 'order', order: 1, token: 3 },
        { do: 'order', order: 1, token: 1 },
      ],
    ],
  ],
  [
    'a key of an order that was printed without the key is not free for another request',
    [[{ do: 'order', order: 1, token: 1 }, { do: 'order', order: 1, token: 1, key: 1 }, { do: 'reuse' }, AGAIN]],
  ],
  [
    'the printed documents of a legacy job of several documents are not printed again',
    [
      ...from(6, 20, (skip) => [silence(skip), { do: 'lines', calls: ['cash', 'x'], key: true }, ENDS, AGAIN]),
      ...from(10, 30, (write) => [crash({ do: 'lines', calls: ['cash', 'x'], key: true }, write), AGAIN]),
    ],
  ],
  [
    'the receipt of another program is not closed, and its documents are not taken for those of a request',
    [
      ...from(8, 20, (write) => [crash(receipt(), write), another('opens and sells'), STATUS]),
      ...from(6, 14, (skip) => [silence(skip), { do: 'copy', key: true }, ENDS, another('sells'), AGAIN]),
      ...from(6, 14, (skip) => [silence(skip), { do: 'z', key: true }, ENDS, another('prints X'), AGAIN]),
      ...from(
        24,
        40,
        (write) => [crash({ do: 'lines', calls: ['cash'], key: true }, write), another('puts cash in'), AGAIN] as const,
      ),
    ],
  ],
  [
    'a receipt whose close was refused, and that another program has closed, is not printed again',
    [
      [refuses('payment', 1, 'paperOut'), mixed(), PAPER, another('ends what is open'), AGAIN],
      [refuses('closeFiscal', 6, 'refuse'), receipt(), ENDS, another('ends what is open'), AGAIN],
    ],
  ],
  [
    'a receipt of another device is not reported as that of the request',
    from(6, 18, (skip) => [
      receipt(false),
      silence(skip),
      receipt(),
      ENDS,
      { do: 'replaceDevice' },
      another('sells'),
      another('sells'),
      AGAIN,
    ]),
  ],
  [
    'a changed wall clock prints nothing again, and does not block the line',
    [
      [receipt(), { do: 'wall clock', byMs: 26 * HOUR_MS, write: 0 }, AGAIN],
      ...from(1, 12, (write) => [{ do: 'wall clock', byMs: -HOUR_MS, write }, receipt()]),
    ],
  ],
  [
    'a close with nothing open is rejected, and returns an unreported outcome once',
    from(1, 10, (skip) => [
      { do: 'open' },
      { do: 'sale' },
      { do: 'payRest' },
      silence(skip),
      { do: 'close' },
      ENDS,
      { do: 'close' },
      { do: 'close' },
    ]),
  ],
  [
    'a legacy cancel whose answer was lost cancels no second receipt',
    from(1, 10, (skip) => [
      { do: 'open' },
      silence(skip),
      { do: 'lines', calls: ['cancel'], key: true },
      ENDS,
      { do: 'open' },
      { do: 'sale' },
      AGAIN,
      { do: 'payRest' },
      { do: 'close' },
    ]),
  ],
  [
    'an open receipt of a request that the device refuses to close is not sold on, paid or closed by another request',
    [
      [
        { do: 'fault', rule: { at: 'memory.write', times: 8, do: 'memoryFull' } },
        { do: 'receipt', rows: 1, paying: 'card', key: false },
        { do: 'open' },
        { do: 'sale' },
        { do: 'payRest' },
        { do: 'close', key: true },
        crash(AGAIN, 1),
        AGAIN,
        { do: 'lines', calls: ['cash'], key: false },
      ],
      ...from(1, 8, (times) => [
        refuses('closeFiscal', times, 'refuse'),
        mixed(),
        { do: 'payRest' },
        { do: 'close' },
        STATUS,
      ]),
      ...from(1, 8, (times) => [refuses('payment', times, 'refuse', 1), mixed(), { do: 'payCard' }, { do: 'text' }]),
    ],
  ],
  [
    'the remaining rows of a request are not printed on a device that replaced another one between two commands',
    [
      ...from(4, 12, (write) => [
        { do: 'replaceDevice', write },
        crash({ do: 'order', order: 1, token: 1 }, write + 10),
        crash(receipt(false), 1),
      ]),
      ...from(1, 24, (write) => [
        { do: 'replaceDevice', write },
        mixed(),
        AGAIN,
        { do: 'open' },
        { do: 'sale' },
        STATUS,
      ]),
    ],
  ],
  [
    'a receipt that another program has partly paid is not reported as paid as requested',
    from(12, 44, (write) => [crash(receipt(), write), another('pays a part of what is open'), AGAIN, AGAIN]),
  ],
  [
    'a receipt on which another program has sold is reported with its actual total',
    [
      ...from(8, 44, (write) => [crash(receipt(), write), another('sells on what is open'), AGAIN, AGAIN]),
      ...from(8, 16, (skip) => [
        silence(skip),
        { do: 'order', order: 1, token: 1, key: 1 },
        ENDS,
        another('sells on what is open'),
        another('ends what is open'),
        AGAIN,
      ]),
    ],
  ],
  [
    'a line of text of a complete receipt that the device has printed twice is reported',
    ([receipt(), receipt(false), { do: 'legacy receipt', key: true }, { do: 'slip', key: true }] as const).flatMap(
      (request) =>
        (['fiscalText', 'nonFiscalText'] as const).flatMap((on) => [
          [cut(on), request, AGAIN, STATUS],
          [cut(on), crash(request, 20), AGAIN, STATUS],
          [cut(on), crash(request, 24), AGAIN, STATUS],
        ]),
    ),
    { powerBackMs: 300 },
  ],
  [
    'a slip that is marked as void, because its cancel was interrupted, can be closed, and the answer reports the mark',
    from(16, 30, (write) => [
      { do: 'openSlip' },
      crash({ do: 'lines', calls: ['cancel', 'cash'], key: false }, write),
      { do: 'closeSlip' },
    ]),
  ],
  [
    'a report, a copy or cash that was printed twice after a power failure is not answered as printed once, even if the service was killed during the retransmission',
    (
      [
        ['reportZ', { do: 'z', key: true }],
        ['reportZ', { do: 'z', key: false }],
        ['reportX', { do: 'x', key: true }],
        ['duplicate', { do: 'copy', key: true }],
        ['cashInOut', { do: 'lines', calls: ['cash'], key: true }],
        ['reportZ', { do: 'lines', calls: ['z', 'cash'], key: true }],
      ] as const
    ).flatMap(([on, request]) =>
      from(9, 22, (write) => [receipt(false), cut(on), crash(request, write), AGAIN, STATUS, { do: 'x' }]),
    ),
    { powerBackMs: 300 },
  ],
  [
    'the identity of a device is not combined from two devices if one replaced the other during the queries',
    from(1, 40, (write) => [
      { do: 'sale' },
      crash({ do: 'lines', calls: ['cash'], key: true }, 10),
      { do: 'replaceDevice', write },
      AGAIN,
      STATUS,
    ]),
  ],
  [
    'the journal of another device decides nothing about a document with the same number',
    [10, 17].flatMap((died) =>
      from(1, 40, (write) => [
        receipt(false),
        { do: 'replaceDevice' },
        receipt(false),
        receipt(false),
        receipt(false),
        { do: 'replaceDevice', back: true },
        crash({ do: 'lines', calls: ['cash'], key: true }, died),
        { do: 'replaceDevice', back: true, write },
        AGAIN,
        STATUS,
      ]),
    ),
  ],
  [
    'lines that cancel their receipt at the end leave it closed if another program has paid on it in the meantime',
    [
      [
        receipt(false),
        { do: 'fault', rule: { at: 'link.toDevice', skip: 10, times: 200, do: 'drop' } },
        { do: 'legacy receipt', key: false, cancelled: true },
        ENDS,
        another('pays a part of what is open'),
        { do: 'fault', rule: { at: 'command.before', times: 1, do: 'drop' } },
      ],
    ],
  ],
  [
    'a report, a copy or cash that is printed once more after each power failure, and then not answered, is reported so',
    (
      [
        ['reportX', { do: 'x', key: true }],
        ['duplicate', { do: 'copy', key: true }],
        ['cashInOut', { do: 'lines', calls: ['cash'], key: true }],
      ] as const
    ).flatMap(([on, request]) => [
      ...from(8, 40, (skip) => [
        receipt(false),
        { do: 'fault', rule: { at: 'command.after', skip, times: 6, do: 'powerCut' } },
        request,
      ]),
      ...from(1, 3, (times) => [
        receipt(false),
        { do: 'fault', rule: { at: 'link.toHost', on, times, do: 'powerCut' } },
        { do: 'fault', rule: { at: 'command.before', on: 'deviceInfo', skip: 1, times: 60, do: 'drop' } },
        request,
      ]),
    ]),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'the document after a retransmitted command is unknown if the device falls silent there',
    (
      [
        ['reportZ', { do: 'z', key: true }],
        ['reportX', { do: 'x', key: true }],
        ['duplicate', { do: 'copy', key: true }],
        ['duplicate', { do: 'copy', key: false }],
        ['cashInOut', { do: 'lines', calls: ['cash'], key: true }],
      ] as const
    ).flatMap(([on, request]) =>
      from(2, 24, (skip) => [
        receipt(false),
        cut(on),
        silence(skip),
        request,
        ENDS,
        ...(request.key ? [AGAIN] : [STATUS]),
      ]),
    ),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'a step that is refused when it is retransmitted may have been executed before',
    (
      [
        ['closeFiscal', [{ do: 'sale' }, { do: 'payRest' }], { do: 'close', key: true }],
        ['cancelFiscal', [{ do: 'sale' }], { do: 'cancel' }],
        ['saleByPlu', [], { do: 'sale' }],
        ['payment', [{ do: 'sale' }], { do: 'payRest' }],
        ['subtotal', [{ do: 'sale' }], { do: 'discount' }],
      ] as const
    ).flatMap(([on, before, step]) =>
      from(2, 16, (skip) => [{ do: 'open' }, ...before, cut(on), silence(skip), step, ENDS, STATUS]),
    ),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'the outcome of a step that is executed once more after each power failure is unknown',
    [2, 3, 6].map((times) => [
      { do: 'fault', rule: { at: 'link.toHost', on: 'saleByPlu', times, do: 'powerCut' } },
      { do: 'open' },
      { do: 'sale' },
    ]),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'the outcome of a report that is printed once more after each power failure, and never answered, is unknown',
    (['z', 'x', 'copy'] as const).map((what) => [
      receipt(false),
      { do: 'fault', rule: { at: 'link.toHost', on: ON_PAPER[what], times: 3, do: 'powerCut' } },
      { do: what },
    ]),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'a receipt that a caller wanted closed is closed, even if the service is killed before it can answer',
    from(5, 25, (write) => [
      another('opens and sells'),
      crash({ do: 'lines', calls: ['cancel'], key: true }, write),
      { do: 'lines', calls: ['cash'], key: true },
    ]),
  ],
  [
    'cash that another program has moved is not taken for a copy or a report of a request whose service was killed',
    (['copy', 'x'] as const).flatMap((what) =>
      from(8, 24, (write) => [
        crash({ do: what, key: true }, write),
        another('puts cash in'),
        AGAIN,
        { do: 'wait', ms: 1000 },
      ]),
    ),
  ],
  [
    'a statement about an earlier receipt is about the device that printed it, even if another device is silent in its place',
    [
      [
        { do: 'fault', rule: { at: 'memory.write', times: 3, do: 'memoryFull' } },
        receipt(false),
        { do: 'replaceDevice', write: 1 },
        { do: 'open' },
        silence(0),
        receipt(false),
      ],
    ],
  ],
  [
    'a slip that another program has cancelled before its close is not reported as requested',
    [
      ...from(30, 45, (write) => [
        crash({ do: 'slip', key: true }, write),
        another('cancels what is open'),
        AGAIN,
        { do: 'wait', ms: 1000 },
      ]),
      [
        { do: 'fault', rule: { at: 'link.toDevice', on: 'closeNonFiscal', times: 200, do: 'drop' } },
        { do: 'slip', key: true },
        ENDS,
        another('cancels what is open'),
        AGAIN,
      ],
      [
        { do: 'fault', rule: { at: 'link.toDevice', on: 'closeNonFiscal', times: 1, do: { delayMs: 16_000 } } },
        { do: 'slip', key: true },
        another('cancels what is open'),
        { do: 'restart' },
        AGAIN,
      ],
    ],
  ],
  [
    'a receipt whose computer loses its power is closed or cancelled: the number from the device is on the disk',
    from(14, 24, (write) => [
      { do: 'cut', write, loses: 'answer' },
      { do: 'receipt', rows: 2, paying: 'card', key: true },
      ENDS,
      { do: 'restart', losesPower: true },
      AGAIN,
      STATUS,
    ]),
  ],
  [
    'a receipt that will be cancelled according to the answer is cancelled, even if the computer then loses its power',
    from(7, 14, (skip) => [
      { do: 'fault', rule: { at: 'command.after', skip, times: 1, do: 'powerCut' } },
      { do: 'receipt', rows: 2, paying: 'card and cash', key: true },
      ENDS,
      { do: 'restart', losesPower: true },
      AGAIN,
      STATUS,
    ]),
    { powerBackMs: 150_000 },
  ],
  [
    'an order on which another program has sold and paid is closed, and no answer is missing',
    from(9, 16, (skip) => [
      silence(skip),
      { do: 'order', order: 1, token: 1 },
      ENDS,
      another('sells on what is open'),
      another('pays a part of what is open'),
      AGAIN,
    ]),
  ],
  [
    'a key that was free when its request arrived is not occupied by a wall clock that is set back in the meantime',
    [3, 6, 8, 14, 20].map((skip) => [
      receipt(),
      silence(skip),
      { do: 'slip', key: false },
      ENDS,
      { do: 'wall clock', byMs: -26 * HOUR_MS, write: 1 },
      A_DAY,
      AGAIN,
      receipt(false),
    ]),
  ],
  [
    'the receipt of another request with the key of an order that never reached the device is not taken for the order',
    from(1, 30, (write) => [
      crash({ do: 'order', order: 1, token: 1, key: 1 }, write),
      { do: 'reuse' },
      A_DAY,
      AGAIN,
      { do: 'order', order: 1, token: 1, key: 1 },
    ]),
  ],
  [
    'a duplicated row is reported even for a receipt whose cancellation is unknown',
    from(20, 36, (skip) => [
      { do: 'fault', rule: { at: 'memory.write', times: 1, do: 'paperOut' } },
      { do: 'fault', rule: { at: 'link.toHost', skip, times: 1, do: 'powerCut' } },
      { do: 'receipt', rows: 1, paying: 'card', key: false },
    ]),
    { families: ['A', 'B'], slow: true, powerBackMs: 300 },
  ],
  [
    'a payment of another program is reported even if the service is killed after it has paid the remaining amount',
    [12, 14].flatMap((skip) =>
      from(10, 17, (write) => [
        silence(skip),
        receipt(),
        ENDS,
        another('pays a part of what is open'),
        { do: 'restart', write },
        AGAIN,
      ]),
    ),
  ],
  [
    'the answer to an order is available while the disk does not accept it',
    from(3, 6, (skip) => [
      { do: 'journal', trouble: 'locked', skip, times: 8 },
      { do: 'order', order: 1, token: 1, key: 1 },
      another('opens a non-fiscal receipt'),
      AGAIN,
    ]),
  ],
  [
    'a receipt on which a payment of another program was refused is not changed if the service was killed with it open',
    from(9, 12, (skip) => [
      { do: 'fault', rule: { at: 'paper.line', skip, times: 3, do: 'powerCut' } },
      crash(receipt(false), 28),
      another('ends what is open'),
    ]),
  ],
  [
    'a busy device has accepted the command, even if it seems to refuse it',
    from(0, 9, (skip) => [
      { do: 'open' },
      { do: 'fault', rule: { at: 'link.toHost', skip, times: 6, do: { noise: '\u0015' } } },
      { do: 'text' },
    ]),
    { slow: true },
  ],
  [
    'a receipt that a caller has opened on a device that is replaced after its answer may be open on that device',
    (['open', 'openSlip'] as const).flatMap((opening) =>
      // Frames after the opening itself, on families B, A and C.
      [10, 11, 13, 28, 29, 30].map(
        (write) => [{ do: 'replaceDevice', write }, { do: opening }, { do: 'replaceDevice', back: true }] as const,
      ),
    ),
  ],
  [
    'a command that was never sent to a silent device is sent by its retry, whatever another program has done in the meantime',
    from(0, 24, (skip) => [
      { do: 'open' },
      silence(skip),
      { do: 'sale', key: true },
      ENDS,
      another('sells on what is open'),
      AGAIN,
    ]),
    { families: ['C'] },
  ],
  [
    'a non-fiscal receipt is not closed before the disk knows that it may be printed',
    from(0, 5, (skip) => [
      { do: 'journal', trouble: 'locked', skip, times: 8 },
      { do: 'slip', key: true },
      crash(STATUS, 1),
      { do: 'replaceDevice' },
      receipt(false),
      AGAIN,
    ]),
  ],
  [
    'no operation begins on a device that refuses to report its state before it',
    [
      ...from(0, 12, (skip) => [
        { do: 'fault', rule: { at: 'command.before', skip, times: 2, do: 'refuse' } },
        { do: 'fault', rule: { at: 'link.toHost', skip: skip + 3, times: 200, do: 'drop' } },
        { do: 'slip', key: false },
        { do: 'hand', what: 'the trouble ends' },
        STATUS,
      ]),
      ...from(0, 12, (skip) => [
        { do: 'fault', rule: { at: 'command.before', skip, times: 3, do: 'refuse' } },
        { do: 'slip', key: false },
        { do: 'open' },
        receipt(),
      ]),
    ],
  ],
  [
    'a caller that stops waiting for a slow device that prints its Z report repeatedly is informed that there may be several Z reports',
    from(1, 5, (times) => [
      receipt(false),
      { do: 'fault', rule: { at: 'link.toHost', on: ON_PAPER.z, times, do: 'powerCut' } },
      { do: 'z', key: true },
      STATUS,
      ENDS,
      AGAIN,
    ]),
    { families: ['A', 'B'], slow: true, powerBackMs: 300 },
  ],
  [
    'a step does not go to a receipt that an earlier request has left on a device that is reconnected in the middle of the step',
    (['sale', 'payRest', 'cancel'] as const).flatMap((what) =>
      [5, 6, 7, 8, 9].flatMap((skip) =>
        from(8, 24, (write) => [
          STATUS,
          silence(skip),
          { do: 'legacy receipt', key: false },
          ENDS,
          { do: 'replaceDevice' },
          { do: 'replaceDevice', back: true, write },
          { do: what, key: true },
          AGAIN,
        ]),
      ),
    ),
  ],
  [
    'a receipt on a disconnected device is known to the service after a restart, even if the disk did not accept its outcome',
    from(0, 4, (skip) => [
      { do: 'fault', rule: { at: 'command.before', on: 'sale', times: 1, do: 'coverOpen' } },
      { do: 'legacy receipt', key: true },
      { do: 'journal', trouble: 'locked', skip, times: 1 },
      { do: 'replaceDevice' },
      receipt(false),
      { do: 'replaceDevice', back: true },
      crash(STATUS, 1),
    ]).concat(
      [0, 1, 2, 3, 4, 5].flatMap((skip) =>
        from(10, 30, (write) => [
          { do: 'journal', trouble: 'locked', skip, times: 1 },
          { do: 'replaceDevice', write },
          receipt(),
          crash(STATUS, 1),
          { do: 'replaceDevice', back: true },
        ]),
      ),
    ),
  ],
  [
    'an order that was begun on a disconnected device is not forgotten if the disk then fails',
    [2, 3, 4].flatMap((skip) =>
      from(8, 36, (write) => [
        STATUS,
        { do: 'replaceDevice', write },
        { do: 'journal', trouble: 'locked', skip, times: 8 },
        { do: 'order', order: 1, token: 1 },
        { do: 'replaceDevice', back: true },
        { do: 'order', order: 1, token: 2 },
      ]),
    ),
  ],
  [
    'a close is reported to its retry, whatever is open on the connected device now',
    [4, 5, 6, 7].flatMap((skip) =>
      from(14, 36, (place) => [
        { do: 'fault', rule: { at: 'command.before', skip: place, times: 1, do: 'coverOpen' } },
        { do: 'legacy receipt', key: true },
        { do: 'journal', trouble: 'locked', skip, times: 8 },
        { do: 'replaceDevice' },
        AGAIN,
        crash(STATUS, 1),
        { do: 'replaceDevice', back: true },
        AGAIN,
      ]),
    ),
  ],
  [
    'a refusal is one byte, as is noise: after a refusal that followed the last write, the service still waits for the answer',
    [0, 1, 2, 3].flatMap((before) =>
      from(0, 30, (skip) => [
        { do: 'fault', rule: { at: 'link.toDevice', skip, times: 2, do: { flip: 8 } } },
        { do: 'fault', rule: { at: 'link.toHost', skip: skip + before, times: 1, do: { noise: '\u0015' } } },
        mixed(false),
      ]),
    ),
  ],
  [
    'a discount of more than half is not registered twice by a device that was without power for a moment',
    [-51, -60, -75, -99, 60].flatMap((percent) => [
      [{ do: 'open' }, { do: 'sale' }, cut('subtotal'), { do: 'discount', by: { percent: Math.max(percent, -98) } }],
      [cut('subtotal'), off(percent, 'nothing said'), AGAIN],
      [cut('subtotal'), off(percent, 'card and cash'), AGAIN],
      [cut('subtotal'), crash(off(percent, 'nothing said'), 26), AGAIN],
    ]),
    { families: ['A', 'B'], powerBackMs: 300 },
  ],
  [
    'a receipt of 0.00 is closed, whatever follows its payment',
    (['all taken off', 'all taken back'] as const).flatMap((free, turn) => [
      ...from(0, 2, (skip) => [cut('payment', skip), nothingDue(free), AGAIN, STATUS]),
      ...some(14 + turn, 40, 3, (skip) => [
        { do: 'fault', rule: { at: 'command.after', skip, times: 1, do: 'powerCut' } },
        ...[nothingDue(free), AGAIN, STATUS],
      ]),
      ...some(14 + turn, 40, 3, (skip) => [silence(skip), nothingDue(free), ENDS, AGAIN, STATUS]),
      ...some(14 + turn, 40, 3, (write) => [crash(nothingDue(free), write), AGAIN, STATUS]),
    ]),
    { families: ['B', 'C'], powerBackMs: 300 },
  ],
  [
    'an acknowledgement with one flipped bit is not taken for another answer, whatever its number',
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((flip) => [
      ...(['x', 'z'] as const).flatMap((what) =>
        from(5, 10, (earlier) => [
          ...statusRequests(earlier),
          flipped(ON_PAPER[what], flip),
          { do: what, key: true },
          AGAIN,
        ]),
      ),
      ...from(5, 10, (earlier) => [
        ...[...statusRequests(earlier), flipped('cashInOut', flip)],
        { do: 'lines', calls: ['cash'], key: true },
      ]),
      ...[0, 1, 2].flatMap((skip) =>
        from(6, 8, (earlier) => [...statusRequests(earlier), flipped('saleByPlu', flip, skip), mixed(), AGAIN]),
      ),
      ...[0, 1].flatMap((skip) =>
        from(2, 4, (earlier) => [...statusRequests(earlier), flipped('payment', flip, skip), mixed(), AGAIN]),
      ),
    ]),
    { families: ['C'] },
  ],
  [
    'three refusals of one byte before a late answer do not count as an answer',
    [150, 600].flatMap((delayMs) =>
      (
        [
          ['cashInOut', [], { do: 'lines', calls: ['cash'], key: true }],
          ['reportX', [], { do: 'x', key: true }],
          ['reportZ', [], { do: 'z', key: true }],
          ['openFiscal', [], mixed()],
          ['saleByPlu', [], mixed()],
          ['subtotal', [], mixed()],
          ['payment', [], mixed()],
          ['closeFiscal', [], mixed()],
          ['saleByPlu', [{ do: 'open' }], { do: 'sale', key: true }],
          ['payment', [{ do: 'open' }, { do: 'sale' }], { do: 'payCard', key: true }],
          ['closeFiscal', [{ do: 'open' }, { do: 'sale' }, { do: 'payRest' }], { do: 'close', key: true }],
        ] as const
      ).flatMap(([on, before, request]) =>
        ['\u0015\u0015\u0015', '\u000e\u000e\u000e'].map((noise) => [
          ...before,
          { do: 'fault', rule: { at: 'link.toHost', on, times: 1, do: { delayMs } } } as const,
          { do: 'fault', rule: { at: 'link.toHost', on, times: 1, do: { noise } } } as const,
          ...[request, AGAIN, STATUS],
        ]),
      ),
    ),
    { families: ['A', 'B'] },
  ],
  [
    'a row that its own lines void is voided once, even if no answer is received',
    (
      [
        { do: 'legacy receipt', key: true, cancelled: true },
        { do: 'cancelled slip', key: true },
      ] as const
    ).flatMap((request, turn) => [
      ...(['cancelFiscal', 'closeNonFiscal'] as const).flatMap((on) => [
        [cut(on), request, AGAIN],
        [{ do: 'fault', rule: { at: 'link.toHost', on, times: 200, do: 'drop' } } as const, request, ENDS, AGAIN],
      ]),
      ...some(6 + turn, 40, 2, (skip) => [receipt(false), silence(skip), request, ENDS, AGAIN]),
      ...some(6 + turn, 42, 2, (write) => [receipt(false), crash(request, write), AGAIN]),
    ]),
    { powerBackMs: 300 },
  ],
  [
    'a receipt that a step has opened is not attributed to another program if its answer and the service after it are lost',
    (['open', 'openSlip'] as const).flatMap((what) => [
      ...from(5, 16, (skip) => [silence(skip), { do: what }, ENDS, crash(STATUS, 1), receipt(), STATUS]),
      ...from(1, 24, (write) => [crash({ do: what }, write), receipt(), STATUS]),
      ...from(1, 24, (write) => [crash({ do: what }, write), { do: 'open' }, { do: 'openSlip' }, receipt(), STATUS]),
    ]),
  ],
  [
    'an order that is requested again is closed without an error if another program has paid on its receipt before the cancel',
    from(6, 14, (skip) => [
      ...[{ do: 'order', order: 2, token: 1 } as const, silence(skip)],
      { do: 'order', order: 2, token: 2, again: true },
      ...[ENDS, another('pays a part of what is open'), crash(receipt(false), 1), STATUS],
    ]),
    { families: ['A', 'B'] },
  ],
  [
    'a copy is reported by the number of the receipt that it is a copy of, even if that receipt is of 0.00 or a later one is cancelled',
    [
      [receipt(false), { do: 'open' }, { do: 'payRest' }, { do: 'close' }, { do: 'copy' }],
      [receipt(false), { do: 'open' }, { do: 'cancel' }, { do: 'copy' }],
      [
        receipt(false),
        nothingDue('all taken off'),
        { do: 'copy' },
        { do: 'openSlip' },
        { do: 'closeSlip' },
        { do: 'copy' },
      ],
    ],
  ],
  [
    'the receipt that an earlier request has left on a reconnected device is closed before the next request is answered',
    from(10, 22, (write) => [
      { do: 'replaceDevice', write },
      { do: 'legacy receipt', key: false },
      { do: 'replaceDevice', back: true, write: 2 },
      ...[{ do: 'payRest' } as const, { do: 'close' } as const],
    ]),
    { powerBackMs: 300 },
  ],
  [
    'a receipt of another program that two requests are to close may be closed by the second request',
    from(11, 20, (write) => [
      another('opens and sells'),
      { do: 'meanwhile', request: { do: 'lines', calls: ['cancel'], key: false }, write },
      { do: 'order', order: 1, token: 1 },
      ...[{ do: 'close' } as const, receipt(false)],
    ]),
  ],
  [
    'lines that cancel their own receipt are given up if the disk fails before its end, and begun again by their retry',
    (
      [
        ['cancelFiscal', { do: 'legacy receipt', key: true, cancelled: true }],
        ['closeNonFiscal', { do: 'cancelled slip', key: true }],
      ] as const
    ).flatMap(([on, request]) =>
      from(0, 8, (skip) => [
        { do: 'journal', trouble: 'locked', skip, times: 1 },
        ...[cut(on), request, ENDS, AGAIN, STATUS],
      ]),
    ),
  ],
  [
    'lines that were given up are given up again if the service is killed during their retry',
    (
      [
        [8, { do: 'legacy receipt', key: true, cancelled: true }],
        [2, { do: 'cancelled slip', key: true }],
      ] as const
    ).flatMap(([skip, request]) =>
      from(1, 16, (write) => [
        { do: 'journal', trouble: 'locked', skip, times: 1 },
        ...[request, crash(AGAIN, write), AGAIN, STATUS],
      ]),
    ),
  ],
  [
    'an operation log that cannot be read does not prevent the service from starting, and hides no answer',
    (['copy', 'cash', 'x'] as const).flatMap((first) =>
      from(0, 8, (skip) => [
        { do: 'lines', calls: [first, 'cash'], key: true },
        { do: 'journal', trouble: 'damaged', skip, times: 8 },
        ...[AGAIN, crash({ do: 'open' }, 1), { do: 'openSlip' } as const],
      ]),
    ),
  ],
  [
    'a duplicated line of a device that was without power twice in between is reported',
    (
      [
        ['fiscalText', { ...mixed(), with: ['separating line', 'same text again'] }],
        ['nonFiscalText', { do: 'slip', with: ['separating line', 'same text again'], key: true }],
        ['barcode', { ...mixed(), with: ['barcode'] }],
        ['barcode', { do: 'slip', with: ['barcode'], key: true }],
        ['subtotal', { ...mixed(), with: ['subtotal'] }],
      ] as const
    ).flatMap(([on, request]) =>
      from(0, 6, (skip) => [cut(on, skip), refuses(on, 1, 'powerCut', skip + 1), request, STATUS]),
    ),
    { powerBackMs: 300 },
  ],
  [
    'a payment of another program on a disconnected device is completed there, even if the request was printed on another device',
    (
      [
        receipt(),
        mixed(),
        { do: 'order', order: 2, token: 1 },
        { do: 'legacy receipt', key: true },
        { do: 'legacy receipt', key: true, inTwo: true },
      ] as const
    ).flatMap((request) =>
      some(8, 20, 2, (skip) => [
        ...[silence(skip), request, ENDS, { do: 'replaceDevice' } as const, AGAIN],
        ...[crash(receipt(false), 1), { do: 'replaceDevice', back: true } as const],
        ...[another('pays a part of what is open'), STATUS],
      ]),
    ),
  ],
  [
    'a row that another program sells on a receipt of steps is not taken for the row that was lost',
    from(1, 22, (skip) => [
      ...[{ do: 'open' } as const, { do: 'sale' } as const],
      { do: 'fault', rule: { at: 'link.toDevice', skip, times: 300, do: 'drop' } },
      ...[{ do: 'sale', key: true } as const, ENDS, another('sells on what is open'), AGAIN, STATUS],
    ]),
  ],
  [
    'a receipt that was to be closed is closed, whichever program has closed it after a lost answer',
    (
      [
        [[{ do: 'open' }, { do: 'sale' }, { do: 'payRest' }], { do: 'close', key: true }],
        [[another('opens')], { do: 'close', key: true }],
        [[{ do: 'openSlip' }, { do: 'slipText' }], { do: 'closeSlip', key: true }],
      ] as const
    ).flatMap(([before, request]) =>
      from(1, 24, (skip) => [...before, silence(skip), request, ENDS, another('ends what is open'), AGAIN, STATUS]),
    ),
  ],
  [
    'a possible close by another program is not reported as certain if the electronic journal cannot be read',
    from(14, 30, (write) => [
      ...([{ do: 'open' }, { do: 'sale' }, { ...UNREADABLE, write }, { do: 'cut', write, loses: 'answer' }] as const),
      ...([{ do: 'cancel', key: true }, ENDS, UNREADABLE, { do: 'restart' }, AGAIN] as const),
    ]),
    { families: ['C'], profile: 'cr' },
  ],
  [
    'the statement about a receipt that cannot be closed now is true',
    [
      ...from(0, 1, (skip) => [refuses('payment', 6, 'memoryFull', skip), mixed(false), STATUS]),
      [refuses('closeFiscal', 3, 'refuse'), mixed(false), STATUS],
      [refuses('closeFiscal', 3, 'refuse'), mixed(), AGAIN],
    ],
  ],
  [
    'of 100,000 random runs of family A: another program prints between two requests while the service holds its line, and answers are lost',
    [
      [
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'fault', rule: { at: 'command.before', skip: 2, times: 1, do: 'unplug' } },
        { do: 'lines', calls: ['cancel', 'cash'], key: false },
        { do: 'receipt', rows: 1, paying: 'card', key: false },
        { do: 'sale' },
        { do: 'crash', during: { do: 'receipt', rows: 1, paying: 'nothing said', key: false }, write: 1 },
      ],
      [
        { do: 'order', order: 1, token: 1 },
        { do: 'otherProgram', deed: 'opens' },
        { do: 'fault', rule: { at: 'link.toHost', times: 1, do: 'drop' } },
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
        { do: 'fault', rule: { at: 'memory.write', times: 1, do: 'powerCut' } },
      ],
      [
        { do: 'fault', rule: { at: 'command.after', on: 'openFiscal', skip: 1, times: 6, do: 'powerCut' } },
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'meanwhile', request: { do: 'receipt', rows: 1, paying: 'nothing said', key: false }, write: 1 },
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
      ],
      [
        { do: 'legacy receipt', key: false },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'fault', rule: { at: 'command.before', skip: 1, times: 3, do: 'powerCut' } },
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
      ],
      [
        { do: 'meanwhile', request: { do: 'order', order: 1, token: 2 }, write: 1 },
        { do: 'order', order: 1, token: 1 },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'fault', rule: { at: 'link.toHost', skip: 8, times: 200, do: 'drop' } },
        { do: 'close' },
        { do: 'slip', key: false },
        { do: 'fault', rule: { at: 'link.toHost', times: 1, do: { busyMs: 100 } } },
      ],
      [
        { do: 'fault', rule: { at: 'paper.line', times: 1, do: 'paperOut' } },
        { do: 'fault', rule: { at: 'command.after', on: 'openFiscal', skip: 0, times: 1, do: 'powerCut' } },
        { do: 'order', order: 1, token: 1 },
        { do: 'restart' },
        { do: 'fault', rule: { at: 'link.toDevice', times: 1, do: 'refuse' } },
      ],
      [
        { do: 'payCard', key: true },
        { do: 'fault', rule: { at: 'link.toHost', skip: 9, times: 200, do: 'drop' } },
        { do: 'legacy receipt', key: false },
        { do: 'hand', what: 'the trouble ends' },
        { do: 'otherProgram', deed: 'pays a part of what is open' },
        { do: 'again' },
      ],
      [
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false, by: { percent: -1 } },
        { do: 'fault', rule: { at: 'command.after', skip: 3, times: 6, do: 'drop' } },
        { do: 'otherProgram', deed: 'opens' },
        { do: 'order', order: 1, token: 1 },
        { do: 'fault', rule: { at: 'link.toHost', times: 1, do: 'drop' } },
      ],
      [
        { do: 'order', order: 1, token: 1 },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'fault', rule: { at: 'link.toHost', skip: 1, times: 200, do: 'drop' } },
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
        { do: 'legacy receipt', key: false },
      ],
      [
        { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
        { do: 'otherProgram', deed: 'sells' },
        { do: 'fault', rule: { at: 'link.toHost', skip: 0, times: 200, do: 'drop' } },
        { do: 'order', order: 1, token: 1 },
        { do: 'hand', what: 'the trouble ends' },
        { do: 'sale' },
        { do: 'fault', rule: { at: 'command.before', on: 'payment', times: 1, do: 'paperOut' } },
      ],
    ],
    { families: ['A'], powerBackMs: 300 },
  ],
]

/** The first case of each list always runs. */
const SLICE = { keep: 1, of: 700 }

describe.each(FINDINGS.map(([what, cases, more = {}]) => [what, cases, more] as const))('%s', (what, cases, more) => {
  const { families = FAMILIES, ...given } = more
  it.each(families)('on family %s', { timeout: 300_000 }, async (family) => {
    for (const steps of slice(cases, { ...SLICE, salt: `${what} ${family}` })) {
      const { requests } = await runCase({ family, seed: 1, slow: false, steps, ...given })
      expect(requests).toBeGreaterThan(2)
    }
  })
})
