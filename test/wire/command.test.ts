import { describe, expect, it } from 'vitest'
import { catalogue, declareCommand, factsOf, namesOf, question } from '../../drivers/wire/command.ts'
import { choice, optional } from '../../drivers/wire/field.ts'
import { nothing, row } from '../../drivers/wire/row.ts'

const command = declareCommand(nothing)
const commas = { separator: ',', ended: false, dropEmptyTail: true } as const
const request = row(commas, [optional(choice('option', { x: 'X', z: 'Z' }))] as const)
const declared = { ...question, request, response: nothing } as const

const report = command('dailyReport', 69, '1', declared, {
  variants: [
    { when: ({ option }) => option === 'x', runsAs: 'reportX', changes: 'paper', prints: true },
    { when: ({ option }) => option === 'z', runsAs: 'reportZ', changes: 'day', prints: true },
  ],
})

describe('the facts of a command', () => {
  it('are its own if no variant matches, and those of the variant otherwise', () => {
    expect(factsOf(report, {})).toEqual({ ...question, runsAs: 'dailyReport' })
    expect(factsOf(report, { option: 'z' })).toEqual({
      changes: 'day',
      prints: true,
      allowedIn: 'anywhere',
      runsAs: 'reportZ',
    })
  })

  it('are its own if its data cannot be read', () => {
    expect(factsOf(report)).toEqual({ ...question, runsAs: 'dailyReport' })
  })

  it('contain its needs and its editions', () => {
    const settled = command('a', 1, '1', declared, { needs: ['clock'], editions: ['ro'] })
    expect(factsOf(settled)).toEqual({ ...question, runsAs: 'a', needs: ['clock'], editions: ['ro'] })
  })
})

describe('the names under which a command runs', () => {
  it('are its own and those of its variants', () => {
    expect(namesOf(report)).toEqual(['dailyReport', 'reportX', 'reportZ'])
    expect(namesOf(command('a', 69, '1', declared, { variants: [{ when: () => true, changes: 'paper' }] }))).toEqual([
      'a',
    ])
  })

  it('do not include its own name if it has a common name instead', () => {
    const renamed = { ...report, runsAs: 'reportX', variants: [{ when: () => true, runsAs: 'dailyReport' }] }
    expect(namesOf(renamed as never)).toEqual(['reportX'])
  })

  it('contain each name only once', () => {
    const both = {
      ...report,
      variants: [
        { when: () => true, runsAs: 'z' },
        { when: () => false, runsAs: 'z' },
      ],
    }
    expect(namesOf(both as never)).toEqual(['dailyReport', 'z'])
  })
})

describe('the commands of an edition', () => {
  const only = (name: string, code: number, editions?: readonly string[]) =>
    command(name, code, '1', declared, editions && { editions }) as unknown as typeof report

  const all = [only('both', 1), only('bulgarian', 2, ['bg']), only('romanian', 3, ['ro'])]
  const namesIn = (edition?: string) => catalogue(all, edition).all.map(({ name }) => name as string)

  it('are those of every edition and its own', () => {
    expect(namesIn('ro')).toEqual(['both', 'romanian'])
    expect(namesIn('bg')).toEqual(['both', 'bulgarian'])
    expect(namesIn()).toEqual(['both', 'bulgarian', 'romanian'])
  })

  it('are found by their codes in that edition only', () => {
    expect(catalogue(all, 'ro').find(3, '')?.name).toBe('romanian')
    expect(catalogue(all, 'ro').find(2, '')).toBeUndefined()
    expect(Object.keys(catalogue(all, 'ro').byName)).toEqual(['both', 'bulgarian', 'romanian'])
  })

  it('can share a code if one command accepts only data of a certain form, and the other accepts the remaining data', () => {
    const claims = (data: string) => data.startsWith('B')
    const shared = catalogue([only('rest', 1), { ...only('claiming', 1), claims }])
    expect(shared.find(1, 'B2')?.name).toBe('claiming')
    expect(shared.find(1, 'x')?.name).toBe('rest')
    expect(shared.find(9, 'x')).toBeUndefined()
  })

  it('cannot share a code if no command accepts the remaining data', () => {
    expect(() => catalogue([{ ...only('claiming', 1), claims: () => true }])).toThrow(
      'command code 1 is declared twice',
    )
  })
})
