/** `name` says what the changed constant means. `from` occurs exactly once in the file. */
export type MutationRow = readonly [name: string, from: string, to: string]
export type MutationTable = Readonly<Record<string, readonly MutationRow[]>>

export interface Mutation {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

export const mutationsOf = (table: MutationTable): Mutation[] =>
  Object.entries(table).flatMap(([file, rows]) => rows.map(([name, from, to]) => ({ name, file, from, to })))

export const NIBBLES: readonly MutationRow[] = [
  ['nibbles on another base', 'String.fromCharCode(0x30 + ((value', 'String.fromCharCode(0x40 + ((value'],
  ['nibbles low first', 'value = value * 16 + nibble', 'value = value + nibble * 16 ** (at - from)'],
]
