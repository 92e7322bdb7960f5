import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { taxLetter } from '../../drivers/model/receipt.ts'
import { createEmulator, profilesOf } from '../../emulator/emulator.ts'
import { factoryArticles } from '../../emulator/fiscal/factory-state.ts'
import type { ArticleView } from '../../emulator/panel/contract.ts'
import { articleView } from '../../emulator/panel/views.ts'

export const FAMILY_NAMES = ['family', 'password', 'operator', 'opening', 'lineWidth', 'bookGroup'] as const

export const Z_NAMES = ['z1', 'z2', 'z3'] as const

/** `password` is the factory password of operator 1, and `bookGroup` the tax group of articles 7 and 8. */
export function familyFacts(
  family: Family,
  profile?: string,
): Readonly<Record<(typeof FAMILY_NAMES)[number], unknown>> {
  const capabilities = capabilitiesOf({ family, device: '' })
  const { factoryPassword, book } = factoryOf(family, profile)
  const password = profile === undefined ? capabilities.defaultPassword(1) : factoryPassword(1)
  const operator = { OperatorCode: 1, OperatorPassword: password }
  return {
    family,
    password,
    operator,
    opening: { ...operator, PointOfSaleNumber: 1, Invoice: false },
    lineWidth: capabilities.lineWidth,
    bookGroup: book,
  }
}

const BOOK = 8

function factoryOf(family: Family, profile: string | undefined) {
  const emulator = createEmulator({ family, ...(profile !== undefined && { profile }) })
  const book = taxLetter(emulator.device.articles.get(BOOK)?.taxCode ?? 1)
  void emulator.close()
  return { factoryPassword: emulator.profile.factoryPassword, book }
}

export function articlesOf(family: Family, profile: string | undefined): readonly ArticleView[] {
  const emulator = createEmulator({ family, ...(profile !== undefined && { profile }) })
  void emulator.close()
  return factoryArticles(emulator.profile).map(articleView)
}

export const isProfile = (family: Family, profile: string): boolean => profilesOf(family).includes(profile)

const commands = new Map<Family, ReadonlySet<string>>()

export function commandsOf(family: Family): ReadonlySet<string> {
  let names = commands.get(family)
  if (!names) {
    const emulator = createEmulator({ family })
    names = new Set(emulator.wire.commands.map(({ name }) => name))
    void emulator.close()
    commands.set(family, names)
  }
  return names
}
