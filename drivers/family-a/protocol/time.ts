import type { Field } from '../../wire/field.ts'
import { FieldError } from '../../wire/field.ts'

/**
 * Times on family A's wire (sheet section 2.8). Values are local times as `YYYY-MM-DDThh:mm:ss`; the letters DST follow
 * the season, by the European rule: last Sunday of March 3:00 to last Sunday of October 4:00.
 */
const WIRE = /^(\d\d)-(\d\d)-(\d\d|\d{4}) (\d\d):(\d\d):(\d\d)(?: DST)?$/
const WIRE_DATE = /^(\d\d)-(\d\d)-(\d\d)$/

export function isSummer(local: string): boolean {
  const year = Number(local.slice(0, 4))
  return local >= `${lastSunday(year, 3)}T03:00:00` && local < `${lastSunday(year, 10)}T04:00:00`
}

function lastSunday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month, 0))
  last.setUTCDate(last.getUTCDate() - last.getUTCDay())
  return last.toISOString().slice(0, 10)
}

const exists = (local: string): boolean => {
  const at = new Date(`${local}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(local)
}

const dateOf = (local: string): string => `${local.slice(8, 10)}-${local.slice(5, 7)}-${local.slice(2, 4)}`
const longDateOf = (local: string): string => `${local.slice(8, 10)}-${local.slice(5, 7)}-${local.slice(0, 4)}`

function readTime(name: string, raw: string): string {
  const match = WIRE.exec(raw)
  if (!match) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not DD-MM-YY hh:mm:ss`)
  const [, day, month, year = '', hour, minute, second] = match
  const local = `${year.length === 2 ? `20${year}` : year}-${month}-${day}T${hour}:${minute}:${second}`
  if (!exists(local)) throw new FieldError(name, 'value', `${raw} does not exist`)
  return local
}

/** `DD-MM-YY hh:mm:ss`, with ` DST` in summer. */
export const time = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  optional: false,
  write: (local) => `${dateOf(local)} ${local.slice(11, 19)}${isSummer(local) ? ' DST' : ''}`,
  read: (raw) => readTime(name, raw),
})

/** `DD-MM-YYYY hh:mm:ss` (commands 86 and 123). */
export const longTime = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  optional: false,
  write: (local) => `${longDateOf(local)} ${local.slice(11, 19)}`,
  read: (raw) => readTime(name, raw),
})

/** `DD-MM-YY`; values are `YYYY-MM-DD`. */
export const date = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  optional: false,
  write: (local) => dateOf(local),
  read(raw) {
    const match = WIRE_DATE.exec(raw)
    if (!match) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not DD-MM-YY`)
    const local = `20${match[3]}-${match[2]}-${match[1]}`
    if (!exists(`${local}T00:00:00`)) throw new FieldError(name, 'value', `${raw} does not exist`)
    return local
  },
})
