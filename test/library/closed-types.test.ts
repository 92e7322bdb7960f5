/** Errors at compile time: families, profiles, commands, points and effects are closed unions. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import { libraryExports } from '../../bin/docs/library.ts'
import { type FamilyName, type PrinterOptions, type Profiles, type Rule, startPrinter } from '../../bin/library.ts'
import { type AnyCommand, namesOf } from '../../drivers/wire/command.ts'
import { createEmulator, profilesOf } from '../../emulator/emulator.ts'

const root = join(import.meta.dirname, '..', '..')

it('the types of families and profiles contain exactly the existing names', () => {
  const profiles: { readonly [Name in FamilyName]: readonly Profiles[Name][] } = {
    A: ['bg', 'ro'],
    B: ['b8', 'b5'],
    C: ['c4', 'c6', 'cr'],
  }
  for (const [family, names] of Object.entries(profiles)) expect(profilesOf(family)).toEqual(names)
})

it('a wrong name is refused by the compiler', async () => {
  expectTypeOf<{ family: 'A'; profile: 'ro' }>().toExtend<PrinterOptions>()
  expectTypeOf<{ family: 'A'; profile: 'c4' }>().not.toExtend<PrinterOptions>()
  expectTypeOf<{ family: 'X' }>().not.toExtend<PrinterOptions>()
  // @ts-expect-error there is no such family
  await expect(startPrinter({ family: 'D' })).rejects.toThrow()
  // @ts-expect-error the profile belongs to family C
  await expect(startPrinter({ family: 'B', profile: 'c4' })).rejects.toThrow()
  await using printer = await startPrinter({ family: 'A' })
  // @ts-expect-error there is no such command
  expect(() => printer.fault({ at: 'link.toHost', on: 'closeFiscl', do: 'drop' })).toThrow()
  // @ts-expect-error there is no such point
  expect(() => printer.fault({ at: 'link.toHots', do: 'drop' })).toThrow()
  // @ts-expect-error there is no such effect
  expect(() => printer.fault({ at: 'link.toHost', do: 'dropp' })).toThrow()
  expectTypeOf<NonNullable<Rule['on']>>().not.toEqualTypeOf<string>()
})

it('the type of commands in fault rules contains the commands of all families', async () => {
  const names = new Set<string>()
  for (const family of ['A', 'B', 'C'])
    for (const profile of profilesOf(family)) {
      const emulator = createEmulator({ family, profile })
      for (const command of emulator.wire.commands) for (const name of namesOf(command as AnyCommand)) names.add(name)
      await emulator.close()
    }
  const text = readFileSync(join(root, 'bin', 'library', 'command-names.ts'), 'utf8')
  expect([...text.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...names].sort())
})

it('every member of every declaration has a description', () => {
  const silent = libraryExports(root).flatMap(({ exports }) =>
    exports.flatMap(({ name, members }) =>
      members.filter(({ words }) => words === '').map(({ code }) => `${name}: ${code}`),
    ),
  )
  expect(silent).toEqual([])
})
