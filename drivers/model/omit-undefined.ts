/** Returns only the defined members, to spread into an object in which absent differs from undefined. */
export const omitUndefined = <Members extends object>(members: Members): DefinedMembers<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedMembers<Members>

type DefinedMembers<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }
