/** Compares two passports member by member. Bytes of differences, times and versions are left out. */
import type { Passport } from '../../emulator/passport/passport.ts'

interface MemberDifference {
  readonly path: string
  readonly one: string
  readonly other: string
}

const comparable = ({ device, switches, notSeen, facts, overrides, differences, same }: Passport) => ({
  device,
  switches,
  notSeen: [...notSeen].sort(),
  facts,
  overrides: Object.fromEntries(
    overrides.map(({ refusal, answer, silent, bytes, ...key }) => [
      JSON.stringify(key),
      { refusal, answer, silent, bytes },
    ]),
  ),
  differences: Object.fromEntries(differences.map(({ probe, meaning }) => [probe, meaning])),
  same,
})

export const comparePassports = (one: Passport, other: Passport): readonly MemberDifference[] =>
  unequal('', comparable(one), comparable(other))

const formatValue = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function unequal(path: string, one: unknown, other: unknown): readonly MemberDifference[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  if (!isObject(one) || !isObject(other)) return [{ path, one: formatValue(one), other: formatValue(other) }]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) => unequal(path === '' ? name : `${path}.${name}`, one[name], other[name]))
}
