import type { Condition } from '../model/printer.ts'
import type { ByteText } from './charset.ts'

export interface StatusBit<Name extends string> {
  readonly byte: number
  readonly bit: number
  readonly name: Name
}

export type StatusFlags<Name extends string> = ReadonlySet<Name>

/** Creates the codec of status bytes with named flags. Bit 7 of every byte is set, in all three wire protocols. */
export function statusCodec<const Name extends string>(length: number, bits: readonly StatusBit<Name>[]) {
  // Few of many flags are set, so `write` iterates over the flags and `read` over the table.
  const places = Map.groupBy(bits, ({ name }) => name)
  return {
    length,
    bits,
    write(flags: StatusFlags<Name>): ByteText {
      const bytes = new Array<number>(length).fill(0x80)
      for (const flag of flags) {
        for (const { byte, bit } of places.get(flag) ?? []) bytes[byte] = (bytes[byte] ?? 0x80) | (1 << bit)
      }
      return String.fromCharCode(...bytes)
    },
    read(raw: ByteText): Set<Name> {
      const flags = new Set<Name>()
      for (const { byte, bit, name } of bits) if ((raw.charCodeAt(byte) >> bit) & 1) flags.add(name)
      return flags
    },
  }
}

const NO_CONDITIONS: ReadonlySet<Condition> = new Set()

export function conditionsOf<Name extends string>(
  table: readonly (readonly [flag: Name, condition: Condition])[],
  flags: ReadonlySet<Name>,
): ReadonlySet<Condition> {
  const reportedFlags = table.filter(([flag]) => flags.has(flag))
  return reportedFlags.length === 0 ? NO_CONDITIONS : new Set(reportedFlags.map(([, condition]) => condition))
}
