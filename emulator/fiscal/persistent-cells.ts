import type { Registers } from './types/device-parts.ts'

/**
 * The conversion of a value that a wire protocol retains over a power cut. A family declares its cells once and uses
 * them like members. Values are stored as text among the device's parameters, so that snapshots contain them.
 */
export interface Cell<T> {
  /** `text` is `undefined` if the value was never stored. */
  read(text: string | undefined): T
  write(value: T): string
}

export const text = (factory = ''): Cell<string> => ({ read: (stored = factory) => stored, write: (value) => value })

export const number = (factory = 0): Cell<number> => ({ read: (stored) => Number(stored ?? factory), write: String })

export const flag = (): Cell<boolean> => ({ read: (stored) => stored === '1', write: (value) => (value ? '1' : '0') })

/** Members that were not stored have their factory values. */
export const record = <T extends object>(factory: T): Cell<T> => ({
  read: (stored) => (stored ? { ...factory, ...(JSON.parse(stored) as Partial<T>) } : factory),
  write: (value) => JSON.stringify(value),
})

/** Setting `undefined` removes the value. */
export const optional = <T>({ read, write }: Cell<T>): Cell<T | undefined> => ({
  read: (stored) => (stored ? read(stored) : undefined),
  write: (value) => (value === undefined ? '' : write(value)),
})

export type PersistentCells<Cells> = { -readonly [Name in keyof Cells]: Cells[Name] extends Cell<infer T> ? T : never }

type Settings = Pick<Registers, 'parameter' | 'setParameter'>

export function persistentCells<const Cells extends Readonly<Record<string, Cell<unknown>>>>(
  settings: Settings,
  cells: Cells,
): PersistentCells<Cells> {
  const members = Object.entries(cells).map(([name, cell]) => [
    name,
    {
      get: () => cell.read(settings.parameter(name)),
      set: (value: unknown) => settings.setParameter(name, cell.write(value)),
      enumerable: true,
    },
  ])
  return Object.defineProperties({}, Object.fromEntries(members)) as PersistentCells<Cells>
}

/** Cells of one type under numbers or letters, such as `customer.7`. */
export interface NumberedCells<T> {
  get(key: number | string): T
  set(key: number | string, value: T): void
}

export const numberedCells = <T>(settings: Settings, name: string, { read, write }: Cell<T>): NumberedCells<T> => ({
  get: (key) => read(settings.parameter(`${name}.${key}`)),
  set: (key, value) => settings.setParameter(`${name}.${key}`, write(value)),
})
