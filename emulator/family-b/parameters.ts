import type { FiscalDevice } from '../fiscal/api.ts'

/**
 * System parameters of command 150 (sheet 6.3, 10.1, 10.4, 10.5, 10.7 and 11). The sheet defines the numbers 1, 8, 9
 * and 13; the other numbers are the emulator's own.
 */
interface Parameter {
  readonly meaning: string
  readonly min: number
  readonly max: number
  readonly factory: number
  /** `fixed`: cannot be changed (error 94). `day`: cannot be changed while the day has sales (error 97). */
  readonly change?: 'fixed' | 'day'
}

export const PARAMETERS: Readonly<Record<number, Parameter>> = {
  1: { meaning: 'decimal point', min: 0, max: 2, factory: 2, change: 'fixed' },
  2: { meaning: 'print density', min: 1, max: 5, factory: 3 },
  3: { meaning: 'sales on display', min: 0, max: 2, factory: 0 },
  4: { meaning: 'line speed', min: 0, max: 10, factory: 4 },
  5: { meaning: 'display rows', min: 1, max: 4, factory: 2 },
  6: { meaning: 'display columns', min: 8, max: 24, factory: 20 },
  7: { meaning: 'empty lines after a receipt', min: 0, max: 50, factory: 4 },
  8: { meaning: 'operations forbidden', min: 0, max: 7, factory: 0, change: 'day' },
  9: { meaning: 'payments forbidden', min: 0, max: 31, factory: 0, change: 'day' },
  10: { meaning: 'header lines', min: 0, max: 8, factory: 6 },
  11: { meaning: 'footer lines', min: 0, max: 6, factory: 2 },
  12: { meaning: 'cutting', min: 0, max: 2, factory: 2 },
  13: { meaning: 'what a Z clears', min: 0, max: 3, factory: 2 },
  14: { meaning: 'printer number', min: 1, max: 99, factory: 1 },
  15: { meaning: 'drawer pulse in ms', min: 50, max: 999, factory: 100 },
}

const key = (number: number): string => `parameter.${number}`

export function parameterOf(device: FiscalDevice, number: number): number {
  return Number(device.registers.parameter(key(number)) ?? PARAMETERS[number]?.factory ?? 0)
}

export function setParameter(device: FiscalDevice, number: number, value: number): void {
  device.registers.setParameter(key(number), String(value))
  if (number === 9) {
    for (const { mode } of device.profile.payments) {
      device.registers.setPayment(mode, { enabled: ((value >> mode) & 1) === 0 })
    }
  }
}

const OPERATIONS = { article: 1, void: 2, adjustment: 4 } as const

export const operationForbidden = (device: FiscalDevice, operation: keyof typeof OPERATIONS): boolean =>
  (parameterOf(device, 8) & OPERATIONS[operation]) !== 0

/** Parameter 13 selects the totals that a Z report clears: bit 0 for articles, bit 1 for operators. */
export const zClears = (device: FiscalDevice, what: 'articles' | 'operators'): boolean =>
  (parameterOf(device, 13) & (what === 'articles' ? 1 : 2)) !== 0

const FACTORY_DIGITS = 9

/** Returns the maximum number of digits of a price in a sale by department. 0 forbids such sales (sheet 10.4). */
export const departmentDigits = (device: FiscalDevice, department: number): number =>
  Number(device.registers.parameter(`department.${department}.digits`) ?? FACTORY_DIGITS)

export function setDepartmentDigits(device: FiscalDevice, department: number, digits: number): void {
  device.registers.setParameter(`department.${department}.digits`, String(digits))
}
