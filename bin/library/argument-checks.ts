import { distance } from '../../drivers/host/edit-distance.ts'
import { parseDecimal } from '../../drivers/model/money.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import { LOCAL_TIME_EXPECTED, localTime } from '../../drivers/model/time-text.ts'
import type { PrinterOptions } from './types.ts'

export function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name))
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

/** Throws TypeError if the value is not one of these words. */
export function checkWord<Word extends string>(what: string, value: unknown, words: readonly Word[]): Word {
  const word = words.find((one) => one === value)
  if (word !== undefined) return word
  throw new TypeError(`${what}: expected ${listNames(words)}, not ${JSON.stringify(value)}`)
}

export function checkFlag(what: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError(`${what}: expected true or false, not ${JSON.stringify(value)}`)
}

/** Throws RangeError for anything but a whole number in this range. */
export function checkWhole(what: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw new RangeError(`${what}: expected a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`)
}

/** Throws TypeError for an unknown member. The message names a similar member if there is one. */
export function checkMembers(what: string, value: unknown, members: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what}: expected an object (members: ${members.join(', ')}), not ${JSON.stringify(value)}`)
  }
  for (const name of Object.keys(value)) {
    if (members.includes(name)) continue
    const near = members.find((member) => distance(member.toLowerCase(), name.toLowerCase()) <= 2)
    const hint = near === undefined ? `there are ${members.join(', ')}` : `did you mean ${JSON.stringify(near)}?`
    throw new TypeError(`${what}: there is no option ${JSON.stringify(name)}; ${hint}`)
  }
}

/** A member of PrinterOptions that is missing here is a compile-time error. */
const OPTIONS: { readonly [Name in keyof Required<PrinterOptions>]: true } = {
  family: true,
  profile: true,
  switches: true,
  passport: true,
  clock: true,
  seed: true,
  faults: true,
  articles: true,
  taxRates: true,
  fiscalised: true,
  data: true,
  realistic: true,
  baud: true,
}

/** The highest speed that drivers of serial lines offer. */
const BAUD_MAX = 4_000_000

/**
 * Throws TypeError or RangeError for mistakes that do not depend on the device, which checks family, profile, switches
 * and rules.
 */
export function checkOptions(options: PrinterOptions): void {
  checkMembers('startPrinter', options, Object.keys(OPTIONS))
  const { profile, passport, switches, seed, faults, articles, data, realistic, baud, fiscalised } = options
  for (const [name, value] of Object.entries({ profile, passport, data })) {
    if (value !== undefined && typeof value !== 'string') throw new TypeError(`startPrinter: ${name}: expected a text`)
  }
  for (const [name, value] of Object.entries({ faults, articles })) {
    if (value !== undefined && !Array.isArray(value)) throw new TypeError(`startPrinter: ${name}: expected a list`)
  }
  if (switches !== undefined && (typeof switches !== 'object' || switches === null)) {
    throw new TypeError('startPrinter: switches: expected values by their names, such as { zeroPayment: "refuse" }')
  }
  if (seed !== undefined) checkWhole('startPrinter: seed', seed, 0, Number.MAX_SAFE_INTEGER)
  if (realistic !== undefined) checkFlag('startPrinter: realistic', realistic)
  if (fiscalised !== undefined) checkFlag('startPrinter: fiscalised', fiscalised)
  if (baud !== undefined) checkWhole('startPrinter: baud', baud, 50, BAUD_MAX)
}

/** Returns the start time of the device's clock, in ms since 1970. Throws RangeError for an invalid time. */
export function checkClock(clock: unknown): number {
  const text = typeof clock === 'string' ? localTime(clock) : undefined
  if (text === undefined) throw new RangeError(`startPrinter: clock: ${LOCAL_TIME_EXPECTED}`)
  return Date.parse(`${text}Z`)
}

/**
 * Returns hundredths of a percent by letter; `null` for a group that is switched off. Throws RangeError for an invalid
 * rate.
 */
export function checkRates(rates: NonNullable<PrinterOptions['taxRates']>): Readonly<Record<string, number | null>> {
  const letters = TAX_CODES.map(taxLetter)
  return Object.fromEntries(
    Object.entries(rates).map(([letter, rate]) => {
      if (!letters.includes(letter)) {
        throw new RangeError(`startPrinter: taxRates: there is no tax group ${JSON.stringify(letter)}, only A to H`)
      }
      const percent = rate === null ? null : parseDecimal(String(rate), 2)
      if (percent === null || (typeof percent === 'number' && percent >= 0 && percent < 10_000))
        return [letter, percent]
      throw new RangeError(`startPrinter: taxRates.${letter}: expected a percentage from 0 to 99.99, or null`)
    }),
  )
}
