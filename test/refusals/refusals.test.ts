/** A refusal says what happened, where, and what the caller can do (decisions 3). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ERRORS as ERRORS_A } from '../../drivers/family-a/protocol/errors.ts'
import { ERRORS as ERRORS_B } from '../../drivers/family-b/protocol/errors.ts'
import { nibbleMeaning } from '../../drivers/family-c/protocol/errors.ts'
import { capabilitiesOf } from '../../drivers/index.ts'
import { refused } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { explain } from '../../drivers/model/refusals.ts'
import type { Answer } from '../support/rig.ts'
import { provocationsOf, provoke, type Subject } from './provocations.ts'
import { startRefusals } from './refusal-rig.ts'

const FAMILIES: readonly Family[] = ['A', 'B', 'C']
const SUBJECTS: readonly Subject[] = [
  { family: 'A', profile: 'bg' },
  { family: 'A', profile: 'ro' },
  { family: 'B', profile: 'b8' },
  { family: 'C', profile: 'c4' },
]
const PAGE = join(import.meta.dirname, '..', '..', 'fixtures', 'refusals.md')

/** The text is a refusal by the device, with its code. */
const IN_WORDS =
  /^(?:[A-Z]\w+(?:\[\d+\])?: )?[A-Z0-9].* \(device: [^)]+\): (?:[a-z]|Void must).*\.(?: The receipt was cancelled\.)?$/
const BY_THE_SERVICE =
  /^(?:Payments(?:\[\d\])?|Amount): The (?:payment of|payments total) \d+\.\d\d.*\.$|^The device rejected the command: .*\. Receipt 1, opened with .*, is still open\. Close or cancel it first\.$/

async function askAll(subject: Subject): Promise<readonly (readonly [string, Answer])[]> {
  const rows: (readonly [string, Answer])[] = []
  for (const provocation of provocationsOf(subject.family)) {
    const rig = await startRefusals(subject)
    rows.push([provocation.name, await provoke(provocation, rig)])
    await rig.close()
  }
  return rows
}

describe('the refusals of a device', () => {
  const answersOf = new Map<Subject, readonly (readonly [string, Answer])[]>()
  beforeAll(async () => {
    for (const subject of SUBJECTS) answersOf.set(subject, await askAll(subject))
  }, 120_000)

  it.each(SUBJECTS)('of family $family, profile $profile, are answered with 400 and a text', (subject) => {
    const rows = answersOf.get(subject) ?? []
    expect(rows.length).toBeGreaterThanOrEqual(45)
    const wrong = rows.filter(([, { StatusCode, Message = '' }]) => {
      return StatusCode !== 400 || !(IN_WORDS.test(Message) || BY_THE_SERVICE.test(Message))
    })
    expect(wrong).toEqual([])
  })

  it.each(SUBJECTS)('inside a complete receipt name the part of the request: $family, $profile', (subject) => {
    const answers = new Map(answersOf.get(subject))
    const partOf = (name: string) => {
      const { Message = '', Errors = [] } = answers.get(name) as Answer & { Errors?: readonly { Path: string }[] }
      return [Message.slice(0, Message.indexOf(':')), ...Errors.map(({ Path }) => Path)]
    }
    expect(partOf('a complete receipt whose third item is not programmed')).toEqual([
      'ReceiptItems[2]',
      'ReceiptItems[2]',
    ])
    expect(partOf('a complete receipt whose void was not sold')).toEqual(['ReceiptItems[1]', 'ReceiptItems[1]'])
    expect(partOf('a complete receipt whose second payment is too large')).toEqual(['Payments[1]', 'Payments[1]'])
    expect(partOf('a complete receipt whose payments are too small')).toEqual(['Payments', 'Payments'])
    expect(partOf('a complete receipt with a wrong password')).toEqual(['OpenFiscalReceipt', 'OpenFiscalReceipt'])
  })

  it('are listed in fixtures/refusals.md; after a change: vitest -u test/refusals', async () => {
    await expect(pageOf(answersOf)).toMatchFileSnapshot(PAGE)
  })
})

const pageOf = (answersOf: ReadonlyMap<Subject, readonly (readonly [string, Answer])[]>): string =>
  [
    '# What a refusal says',
    '',
    'Made by `test/refusals`, which provokes each of them through REST on an emulated device of its family.',
    ...[...answersOf].flatMap(([{ family, profile }, rows]) => [
      '',
      `## Family ${family}, profile ${profile}`,
      '',
      '| asked for | the answer, 400 |',
      '| --- | --- |',
      ...rows.map(([name, { Message }]) => `| ${name} | ${Message} |`),
    ]),
    '',
  ].join('\n')

describe('the table of refusals', () => {
  const PUBLISHED: Readonly<Record<string, () => readonly string[]>> = {
    A: () => ERRORS_A.map(({ key }) => key),
    // The status of the device replaces the meaning of some codes.
    B: () => [
      ...Object.values(ERRORS_B).map(({ key }) => key),
      ...['session.ts', 'auxiliary-commands.ts'].flatMap((file) => keysIn(`drivers/family-b/${file}`)),
    ],
    C: () => Array.from({ length: 256 }, (_, pair) => nibbleMeaning({ device: pair >> 4, command: pair & 15 }).key),
  }
  const keysIn = (file: string) =>
    [...readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8').matchAll(/'(\w+)', '[a-z ;]+'[\])]/g)].map(
      ([, key = '']) => key,
    )

  it.each(FAMILIES)('has only keys of published error codes: family %s', (family) => {
    const { refusals = [] } = capabilitiesOf({ family, device: '' })
    const published = new Set(PUBLISHED[family]?.())
    expect(refusals.map(({ key }) => key).filter((key) => !published.has(key))).toEqual([])
  })

  it.each(FAMILIES)('has no row that an earlier row hides: family %s', (family) => {
    const { refusals = [] } = capabilitiesOf({ family, device: '' })
    const hidden = refusals.filter((row, index) =>
      refusals
        .slice(0, index)
        .some(({ key, operations, adjusted }) => key === row.key && operations === undefined && adjusted === undefined),
    )
    expect(hidden).toEqual([])
  })
})

it('a refusal that counts the fields of its command has no raw name in its text', () => {
  const { message } = refused(-112203, 'valueField3', 'field 3 of the command has a wrong value')
  expect(message).toBe('The device rejected the command: field 3 of the command has a wrong value (-112203).')
})

describe('a refusal that is in no table', () => {
  it.each(FAMILIES)('is self-explanatory on family %s', (family) => {
    const { refusals = [] } = capabilitiesOf({ family, device: '' })
    const now = { operation: 'sell', phase: 'selling', number: 1, items: 1, remaining: 100 } as const
    expect(explain(refusals, 'neverHeardOf', now)).toBeUndefined()
  })

  it.each(FAMILIES)('is self-explanatory if the state allows the request: family %s', (family) => {
    const { refusals = [] } = capabilitiesOf({ family, device: '' })
    const key = { A: 'receiptOpen', B: 'notNow', C: 'notAllowedNow' }[family as 'A' | 'B' | 'C']
    const now = { operation: 'sell', phase: 'selling', number: 1, items: 1, remaining: 100 } as const
    expect(explain(refusals, key, now)).toBeUndefined()
  })
})
