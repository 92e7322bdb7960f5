/** Returns only the defined members, for objects in which an absent member differs from an undefined one. */
export const omitUndefined = <Members extends object>(members: Members): DefinedMembers<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedMembers<Members>

type DefinedMembers<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }
