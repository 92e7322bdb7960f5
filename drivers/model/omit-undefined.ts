/** Only the members that are there: to be spread into an object where absent is not the same as undefined. */
export const omitUndefined = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<Members>

type Present<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }
