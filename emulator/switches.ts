import type { Family } from '../drivers/model/families.ts'
import type { SwitchOptions } from './wire.ts'

type Choices = Readonly<Record<string, readonly string[]>>
export type ChosenSwitches<C extends Choices> = { readonly [Name in keyof C]: C[Name][number] }

/**
 * Returns the chosen values of a family's switches. Throws RangeError for an unknown name or value. `further` are the
 * names of switches that the family reads separately, for the message.
 */
export function readSwitches<C extends Choices>(
  family: Family,
  choices: C,
  options: SwitchOptions,
  further: readonly string[] = [],
): ChosenSwitches<C> {
  const knownChoices = new Map(Object.entries(choices))
  for (const [name, value] of Object.entries(options)) {
    const values = knownChoices.get(name)
    if (!values) {
      throw new RangeError(
        `family ${family} has no switch ${name}, only ${[...knownChoices.keys(), ...further].join(', ')}`,
      )
    }
    if (!values.includes(value)) throw new RangeError(`${name}=${value}: expected one of ${values.join(', ')}`)
  }
  const chosen = [...knownChoices].map(([name, values]) => [name, options[name] ?? values[0]])
  return Object.fromEntries(chosen) as ChosenSwitches<C>
}
