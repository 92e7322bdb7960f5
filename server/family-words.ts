/**
 * Families in the sentences of the API description, selected by their abilities: `[[invoice]]` is replaced by the names
 * of the families with that ability, `[[!invoice]]` by the others, `[[!Invoice: ignores|ignore]]` adds the verb.
 */

import type { Capabilities } from '../drivers/model/capabilities.ts'
import { capitalize } from '../drivers/model/capitalize.ts'
import type { Family } from '../drivers/model/families.ts'

const CAN = {
  invoice: ({ invoice }) => invoice,
  freeSale: ({ freeSale }) => freeSale === true,
  formatting: ({ textFormatting }) => textFormatting === 'full',
  operator: ({ nonFiscalNeedsOperator }) => nonFiscalNeedsOperator,
  barcodes: ({ barcodes }) => barcodes.length > 0,
  qrSize: ({ barcodes }) => barcodes.some(({ size }) => size),
  position: ({ barcodes }) => barcodes.some(({ position }) => position === true),
  pointOfSale: ({ pointOfSale }) => pointOfSale === true,
  exactPassword: ({ passwordLength }) => passwordLength.exact !== undefined,
  paddedDisplay: ({ displayIsPadded }) => displayIsPadded === true,
  copyParameter: ({ copyNeedsParameter }) => copyNeedsParameter === true,
} satisfies Record<string, (capabilities: Capabilities) => boolean>

type Ability = keyof typeof CAN

const isAbility = (name: string): name is Ability => Object.hasOwn(CAN, name)

/** Throws for an unknown ability. */
export const withFamilies = (text: string, families: ReadonlyMap<Family, Capabilities>): string =>
  text.replace(/\[\[(!?)(\w+)(?:: (\w+)\|(\w+))?\]\]/g, (_, not: string, word: string, one?: string, many?: string) => {
    const ability = word.charAt(0).toLowerCase() + word.slice(1)
    if (!isAbility(ability)) throw new Error(`${ability} distinguishes no families`)
    const names = [...families].filter(([, can]) => CAN[ability](can) !== (not === '!')).map(([name]) => name)
    const subject = subjectOf(names)
    const verb = names.length > 1 ? many : one
    return `${ability === word ? subject : capitalize(subject)}${verb ? ` ${verb}` : ''}`
  })

function subjectOf(names: readonly Family[]): string {
  if (names.length === 0) return 'no family'
  if (names.length === 1) return `family ${names[0]}`
  return `families ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
