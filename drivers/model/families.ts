/**
 * Name of a family of devices: a capital letter. The families are listed in drivers/families.ts and
 * emulator/families.ts. `openPrinter`, `createEmulator` and `compose` accept other lists.
 */
export type Family = string

/** Families in the order in which messages list them; the first is the default. */
export type Families<Member> = ReadonlyMap<Family, Member>

/**
 * Returns the member of a family. Throws RangeError, with a message for the user, if there is none. `what` describes
 * the member, for example `driver for`.
 */
export function familyIn<Member>(families: Families<Member>, name: Family, what: string): Member {
  const family = families.get(name)
  if (family) return family
  throw new RangeError(`there is no ${what} family ${name}: there are ${[...families.keys()].join(', ')}`)
}

export const oneOfFamilies = (names: readonly Family[]): string => joined(names, 'or')
export const allOfFamilies = (names: readonly Family[]): string => joined(names, 'and')

const joined = (names: readonly Family[], last: string): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
