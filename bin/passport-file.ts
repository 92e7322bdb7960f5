import { FAMILIES } from '../drivers/families.ts'
import type { Family } from '../drivers/model/families.ts'
import type { Passport } from '../emulator/passport/passport.ts'
import { PassportMistakes, readPassport } from '../scenarios/passport/passport-format.ts'
import { EXIT_USAGE, Exit, readInput } from './exit.ts'

/** Throws Exit with status 2 and one line per mistake. */
export function passportFrom(file: string): Passport {
  try {
    return readPassport(file, readInput(file))
  } catch (problem) {
    if (problem instanceof PassportMistakes) throw new Exit(EXIT_USAGE, problem.message)
    throw problem
  }
}

interface ChosenDevice {
  readonly passport?: string
  readonly family?: Family
  readonly profile?: string
}

/** Returns the passport of `--passport`. Throws Exit if another option contradicts the passport. */
export function chosenPassport({ passport: file, family, profile }: ChosenDevice): Passport | undefined {
  if (file === undefined) return undefined
  const passport = passportFrom(file)
  const { device } = passport
  if (family !== undefined && family !== device.family)
    throw new Exit(
      EXIT_USAGE,
      `--family ${family}: ${file} describes a device of family ${device.family}; omit --family`,
    )
  if (profile !== undefined && profile !== device.profile)
    throw new Exit(
      EXIT_USAGE,
      `--profile ${profile}: ${file} describes a device of profile ${device.profile}; omit --profile`,
    )
  return passport
}

export function chosenFamily(family: Family | undefined, passport: Passport | undefined): Family {
  const chosen = family ?? passport?.device.family
  if (chosen === undefined)
    throw new Exit(EXIT_USAGE, `error: required option '--family <${FAMILIES.join('|')}>' not specified`)
  return chosen
}
