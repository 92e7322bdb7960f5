import { describe, expect, it } from 'vitest'
import { answerA, type Invention, readA } from './firmware.ts'
import { outcomeOfInvented } from './record-passport.ts'

const CLOCK = 62
const INFO = 90
const LEFT = 68
const STATUS_BYTE = 4
const MEMORY_DAMAGED = 0x40

function everyOther(act: (answer: Uint8Array, time: number) => Uint8Array | null) {
  let time = 0
  return (answer: Uint8Array) => (time++ % 2 === 0 ? act(answer, time) : undefined)
}

function varied(command: number, act: (answer: Uint8Array, time: number) => Uint8Array | null): Invention {
  const change = everyOther(act)
  let last: { readonly asked: string; readonly said: Uint8Array | null | undefined } | undefined
  return {
    answers(request, answer) {
      if (readA(request).command !== command) return undefined
      // A retransmission under the same number gets the same response.
      const asked = Buffer.from(request).toString('hex')
      if (last?.asked !== asked) last = { asked, said: change(answer) }
      return last.said
    },
  }
}

const VARIED: readonly (readonly [string, Invention, RegExp])[] = [
  [
    'a field',
    varied(INFO, (answer, time) => answerA(answer, { data: readA(answer).data.replace('1.00BG', `2.${time}0BG`) })),
    /^deviceInfo\./,
  ],
  ['a refusal', varied(LEFT, (answer) => answerA(answer, { data: '-111018\t' })), /^closuresLeft\./],
  ['a missing answer', varied(LEFT, () => null), /^closuresLeft\./],
  [
    'a status bit',
    varied(CLOCK, (answer) => {
      const { status } = readA(answer)
      return answerA(answer, { status: status.with(STATUS_BYTE, (status[STATUS_BYTE] ?? 0) | MEMORY_DAMAGED) })
    }),
    /^readClock\./,
  ],
  [
    'a piece of unreadable text',
    varied(LEFT, (answer, time) => answerA(answer, { data: `0\tx${time}\t` })),
    /^closuresLeft\./,
  ],
]

describe.each(VARIED)('%s that varies', (_, invention, where) => {
  it('is reported, and does not count as a difference', { timeout: 60_000 }, async () => {
    const { passport, varying } = await outcomeOfInvented('A', 'bg', 'read', invention)
    expect(passport.differences.map(({ probe, meaning }) => `${probe}: ${meaning}`)).toEqual([])
    expect(passport.overrides).toEqual([])
    expect(varying.length).toBeGreaterThan(0)
    expect(varying.filter((probe) => !where.test(probe))).toEqual([])
  })
})
