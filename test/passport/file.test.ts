import { describe, expect, it } from 'vitest'
import type { Passport } from '../../emulator/passport/passport.ts'
import { comparePassports } from '../../scenarios/passport/compare-passports.ts'
import { PassportMistakes, passportText, readPassport } from '../../scenarios/passport/passport-format.ts'
import { PROFILES, passportOf } from './record-passport.ts'

const SWITCHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  A: { unknownCommand: 'code' },
  B: { partialFrame: 'nak' },
  C: { checkSymbols: 'strict' },
}
const taken = async (family: string, profile: string) =>
  (await passportOf({ family, profile, options: SWITCHED[family] ?? {} })).passport

const wrong = (text: string): string => {
  try {
    readPassport('my.yaml', text)
  } catch (problem) {
    if (problem instanceof PassportMistakes) return problem.message
    throw problem
  }
  return 'nothing is wrong'
}

describe('a passport file', () => {
  it.each(PROFILES)('of family %s, profile %s, is read as it was written', async (family, profile) => {
    const passport = await taken(family, profile)
    expect(readPassport('my.yaml', passportText(passport))).toEqual(JSON.parse(JSON.stringify(passport)))
    expect(comparePassports(passport, readPassport('my.yaml', passportText(passport)))).toEqual([])
  })

  it('with mistakes is refused with the line of each mistake', async () => {
    const text = passportText(await taken('A', 'bg'))
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length
    const cases: readonly (readonly [string, string, string])[] = [
      [
        'passport: 1',
        'passport: 2',
        'is in format 2, this version reads format 1: update fiscal-rig, because a newer version wrote it',
      ],
      ['passport: 1', 'passport: 0', 'is in format 0, this version reads format 1: record the passport again'],
      ['  family: A', '  family: Q', 'there is no family Q'],
      ['  profile: bg', '  profile: b8', 'expected a profile of family A: bg, ro'],
      ['  unknownCommand: code', '  unknownCommand: maybe', 'unknownCommand=maybe: expected one of empty, code'],
      ['  - emptyStock', '  - unknownCommand', 'unknownCommand is also in switches: remove one of the two'],
      ['  - emptyStock', '  - sevenLives', 'family A has no switch sevenLives'],
      ['overrides: []', 'overrides:\n  - {command: fly, silent: true}', 'profile bg has no command fly'],
      [
        'overrides: []',
        'overrides:\n  - {command: link, request: telepathy, silent: true}',
        'family A has no probe link.telepathy; expected one of ',
      ],
      [
        'overrides: []',
        'overrides:\n  - {command: sale, refusal: {code: abc}}',
        'family A has no refusal abc; use one of the error codes in its specification',
      ],
      [
        'overrides: []',
        'overrides:\n  - {command: deviceInfo, answer: {data: "\u2603"}}',
        'overrides.0.answer.data: expected bytes, each as a letter from 00h to FFh',
      ],
      [
        'overrides: []',
        `overrides:\n  - {command: deviceInfo, answer: {data: ${'W'.repeat(70_000)}}}`,
        'does not fit into an answer',
      ],
      ['  serialNumber: DT000123', '  serialNumber: "\u2603"', 'device.serialNumber: expected letters and digits'],
      ['overrides: []', 'overrides:\n  - {command: sale}', 'expected one of refusal, answer, silent and bytes'],
      [
        '    explainedBy: unknownCommand=code',
        '    explainedBy: unknownCommand=empty',
        'unknownCommand=empty is not among the switches of this passport',
      ],
      ['complete: true', 'complete: perhaps', 'complete: expected boolean, received string'],
      ['complete: true', 'complete: true\nage: 7', 'age: is not a member of a passport'],
      ['depth: read', 'depth: deep', 'depth: '],
    ]
    for (const [from, to, what] of cases) {
      const message = wrong(text.replace(from, to))
      expect(message).toContain(what)
      const shift = to.startsWith(`${from}\n`) || from.startsWith('overrides') ? 1 : 0
      expect([to, Number(/^my\.yaml:(\d+): /.exec(message)?.[1])]).toEqual([to, lineOf(from) + shift])
    }
  })

  it('with an article that the device cannot store is refused', async () => {
    const text = passportText(await taken('A', 'bg')).replace('name: Bread', 'name: {a: 1}')
    expect(wrong(text)).toMatch(
      /^my\.yaml:\d+: article 1 cannot be programmed into a device of profile bg: correct its name/,
    )
  })

  it.each(['', 'no yaml: [', '- 1', 'null', 'passport: 1'])('%j is rejected with its line', (text) => {
    expect(wrong(text)).toMatch(/^my\.yaml:\d+: /)
  })
})

describe('the comparison of two passports', () => {
  it('lists differing members, but not versions, times and bytes', async () => {
    const one = await taken('A', 'bg')
    const later = { ...one, rig: '9.9.9', line: { baud: 9600 } } satisfies Passport
    expect(comparePassports(one, later)).toEqual([])
    const other = { ...one, switches: { ...one.switches, unknownCommand: 'empty' }, same: one.same + 1 }
    expect(comparePassports(one, other)).toEqual([
      { path: 'switches.unknownCommand', one: 'code', other: 'empty' },
      { path: 'same', one: String(one.same), other: String(one.same + 1) },
    ])
  })
})

const hexOf = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ')

describe('the secrets that are removed from a passport', () => {
  it.each([
    ['A', { operators: { 1: { password: '86421357' } } }, '86421357'],
    ['B', { operators: { 1: { password: '864213' } } }, '864213'],
    ['C', { operators: { 1: { password: '8642' } } }, '8642'],
  ] as const)(
    'include a password of family %s, which appears nowhere, in text or in bytes',
    async (family, settings, password) => {
      // These settings differ from the defaults, so openings of receipts differ, too.
      const options =
        family === 'A' ? { duplicateMatch: 'frame' } : family === 'B' ? { pcMode: 'off' } : { deviceType: 'register' }
      const { passport } = await passportOf({ family, depth: 'fiscal', settings, options, ask: { password } })
      const text = passportText(passport)
      expect(text).not.toContain(password)
      expect(text).not.toContain(hexOf(password))
      expect(passport.overrides).toEqual([])
      // If PC mode is off, the printer opens no receipt. The passport contains the request with a masked password.
      if (family === 'B') expect(text).toContain('**')
    },
  )

  it.each(['A', 'B', 'C'])('include with --anonymous the numbers of a device of family %s', async (family) => {
    const identity = { serialNumber: family === 'C' ? 'ZK987654' : 'DY987654', fiscalMemoryNumber: '36987654' }
    const { passport } = await passportOf({ family, identity, depth: 'print', ask: { anonymous: true } })
    const text = passportText(passport)
    expect(passport.device.serialNumber).toBeUndefined()
    for (const number of [identity.serialNumber, identity.fiscalMemoryNumber, '123456789']) {
      expect(text).not.toContain(number)
      expect(text).not.toContain(hexOf(number))
    }
    expect(readPassport('my.yaml', text).device).toEqual(passport.device)
  })
})
