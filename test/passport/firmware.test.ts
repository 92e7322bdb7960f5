import { describe, expect, it } from 'vitest'
import type { Depth } from '../../drivers/wire/questionnaire.ts'
import { slice } from '../support/slice.ts'
import { ackC, answerA, answerB, dataC, type Invention, messageC, readA, readB } from './firmware.ts'
import { essence, passportOf, passportOfInvented } from './record-passport.ts'

const SUBTOTAL_A = 51
const CLOCK_A = 62
const INFO_A = 90
const SALE_A = 49
const LEFT_A = 68
const SEPARATOR_A = 92

/** The last member accepts the probes that must differ. No other probe may differ. */
const INVENTIONS: readonly (readonly [string, string, string, Depth, Invention, (probe: string) => boolean])[] = [
  [
    'A refuses a sale without a receipt with another code',
    ...(['A', 'bg', 'fiscal'] as const),
    {
      answers: (request, answer) =>
        readA(request).command === SALE_A && readA(answer).data === '-111016\t'
          ? answerA(answer, { data: '-111008\t' })
          : undefined,
    },
    (probe) => /^sale\..*\.idle$/.test(probe),
  ],
  [
    'A sets a status bit with the clock',
    ...(['A', 'bg', 'read'] as const),
    {
      // The status depends on the response, because a repeated number gets the previous response.
      answers(_request, answer) {
        const { command, status } = readA(answer)
        return command === CLOCK_A ? answerA(answer, { status: status.with(4, (status[4] ?? 0) | 0x40) }) : undefined
      },
    },
    (probe) => probe.startsWith('readClock.'),
  ],
  [
    'A reports another version',
    ...(['A', 'ro', 'print'] as const),
    {
      answers: (request, answer) =>
        readA(request).command === INFO_A
          ? answerA(answer, { data: readA(answer).data.replace('1.00RO', '2.10XX') })
          : undefined,
    },
    (probe) => probe.startsWith('deviceInfo.'),
  ],
  [
    'A pads the number of closures left',
    ...(['A', 'bg', 'read'] as const),
    {
      answers: (request, answer) =>
        readA(request).command === LEFT_A
          ? answerA(answer, {
              data: readA(answer).data.replace(/\t(\d+)\t/, (_, digits: string) => `\t${digits.padStart(9, '0')}\t`),
            })
          : undefined,
    },
    (probe) => probe.startsWith('closuresLeft.'),
  ],
  [
    'A reports one field more with the subtotal',
    ...(['A', 'bg', 'fiscal'] as const),
    {
      answers(request, answer) {
        const { data } = readA(answer)
        return readA(request).command === SUBTOTAL_A && data.startsWith('0\t')
          ? answerA(answer, { data: `${data}7\t` })
          : undefined
      },
    },
    (probe) => /^subtotal\.(good|good2|good3)\.selling$/.test(probe),
  ],
  [
    'A has no separating lines',
    ...(['A', 'bg', 'fiscal'] as const),
    {
      answers: () => undefined,
      instead: (request) => (readA(request).command === SEPARATOR_A ? unknownA(request) : undefined),
    },
    (probe) => probe.startsWith('separatingLine.'),
  ],
  [
    'B is silent if it is queried for its shop',
    ...(['B', 'b8', 'read'] as const),
    { answers: (request) => (readB(request).command === 118 ? null : undefined) },
    (probe) => probe.startsWith('shopFlags.'),
  ],
  [
    'B names another error for a missing article',
    ...(['B', 'b8', 'fiscal'] as const),
    {
      answers(request, answer) {
        const { status } = readB(answer)
        return readB(request).command === 58 && status[3] === 0x80 + 44
          ? answerB(answer, { status: status.with(3, 0x80 + 50) })
          : undefined
      },
    },
    (probe) => probe === 'saleByPlu.good6.selling',
  ],
  [
    'C refuses the registers of the second kind',
    ...(['C', 'c4', 'read'] as const),
    {
      answers: () => undefined,
      instead: (request) => (isC(request, 0x6e, '2') ? ackC(request[2] ?? 0, 0, 4) : undefined),
    },
    (probe) => probe === 'dayRegisters.good3.idle',
  ],
  [
    'C reports two decimals as none',
    ...(['C', 'c6', 'read'] as const),
    { answers: (request, answer) => (isC(request, 0x63) && dataC(answer) === '2' ? messageC(answer, '0') : undefined) },
    (probe) => probe.startsWith('readDecimalPoint.'),
  ],
  [
    'A refuses a number repeated with the same bytes',
    ...(['A', 'bg', 'read'] as const),
    atRepeats(5, (before, request) => (same(before, request) ? refusedA(request, '-111018\t') : undefined)),
    (probe) => probe === 'link.repeat',
  ],
  [
    'B is silent if a number is repeated with other data',
    ...(['B', 'b8', 'read'] as const),
    atRepeats(2, (before, request) => (before[3] === request[3] && !same(before, request) ? null : undefined)),
    (probe) => probe === 'link.repeatData',
  ],
  [
    'C has no time for a repeated number',
    ...(['C', 'c4', 'read'] as const),
    atRepeats(2, (before, request) => (same(before, request) ? ackC(request[2] ?? 0, 0, 4) : undefined)),
    (probe) => probe === 'link.repeat',
  ],
  [
    'C returns its old answer to a repeated number, whatever is requested',
    ...(['C', 'c6', 'read'] as const),
    atRepeats(2, (_before, _request, answer) => answer),
    (probe) => probe === 'link.repeatOther',
  ],
]

const isC = (frame: Uint8Array, code: number, data?: string): boolean =>
  frame[0] === 0x02 && frame[3] === code && (data === undefined || dataC(frame) === data)

/**
 * The invention changes only commands with the number of the previous command. `place` is the index of the number's
 * byte.
 */
function atRepeats(
  place: number,
  act: (before: Uint8Array, request: Uint8Array, answer: Uint8Array) => Uint8Array | null | undefined,
): Invention {
  let before: Uint8Array | undefined
  let last: Uint8Array = new Uint8Array(0)
  const numberOf = (frame: Uint8Array) => frame[place]
  return {
    answers(_request, answer) {
      last = answer
      return undefined
    },
    instead(request) {
      const is = before !== undefined && numberOf(before) === numberOf(request)
      const changed = is && before ? act(before, request, last) : undefined
      before = request
      return changed
    },
  }
}

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other)

function unknownA(request: Uint8Array): Uint8Array {
  const status = [0x80 | 0x22, 0x80, 0x80, 0x80, 0x86, 0x9a, 0x80, 0x80]
  return answerA(Uint8Array.from(request), { command: readA(request).command, data: '', status })
}

const refusedA = (request: Uint8Array, data: string): Uint8Array =>
  answerA(request, { data, status: [0x80, 0x80, 0x80, 0x80, 0x86, 0x9a, 0x80, 0x80] })

describe.each(slice(INVENTIONS, { keep: 1, of: 3 }))(
  'firmware in which %s',
  (_, family, profile, depth, invention, isExpected) => {
    it('is recorded as a difference, and imitated', { timeout: 60_000 }, async () => {
      const passport = await passportOfInvented(family, profile, depth, invention)
      const found = passport.differences.map(({ probe }) => probe)
      expect(found.filter((probe) => !isExpected(probe))).toEqual([])
      expect(found.length).toBeGreaterThan(0)
      expect(passport.differences.every(({ explainedBy }) => explainedBy === null)).toBe(true)
      const again = (await passportOf({ family, depth, passport })).passport
      expect(essence(again)).toEqual(essence(passport))
    })
  },
)
