/**
 * Times of family A (sheet 2.8). Values are local times as `YYYY-MM-DDThh:mm:ss`; the letters DST follow the season by
 * the European rule: last Sunday of March 3:00 to last Sunday of October 4:00.
 */
import type { Field } from '../../wire/field.ts'
import { FieldError } from '../../wire/field.ts'

const FORMS = {
  short: { text: 'DD-MM-YY', pattern: /^(\d\d)-(\d\d)-(\d\d)$/, century: '20' },
  long: { text: 'DD-MM-YYYY', pattern: /^(\d\d)-(\d\d)-(\d{4})$/, century: '' },
} as const
type Form = keyof typeof FORMS
const TIME = /^(\S+) (\d\d:\d\d:\d\d)(?: DST)?$/

function isSummer(local: string): boolean {
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

function readDay(raw: string, form: Form): string | undefined {
  const { pattern, century } = FORMS[form]
  const match = pattern.exec(raw)
  return match ? `${century}${match[3]}-${match[2]}-${match[1]}` : undefined
}

function readTime(name: string, raw: string, form: Form): string {
  const [, day = '', hour] = TIME.exec(raw) ?? []
  const date = readDay(day, form)
  if (!date) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not ${FORMS[form].text} hh:mm:ss`)
  const local = `${date}T${hour}`
  if (!exists(local)) throw new FieldError(name, 'value', `${raw} does not exist`)
  return local
}

/** Declares `DD-MM-YY hh:mm:ss`, with ` DST` in summer. */
export const time = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  unit: 'time',
  own: true,
  optional: false,
  write: (local) => `${dateOf(local)} ${local.slice(11, 19)}${isSummer(local) ? ' DST' : ''}`,
  read: (raw) => readTime(name, raw, 'short'),
})

/** Declares `DD-MM-YY hh:mm:ss`, never with ` DST` (commands 50 and 64 of the edition ro). */
export const plainTime = <Name extends string>(name: Name): Field<Name, string> => ({
  ...time(name),
  write: (local) => `${dateOf(local)} ${local.slice(11, 19)}`,
})

export const longTime = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  unit: 'time',
  own: true,
  optional: false,
  write: (local) => `${longDateOf(local)} ${local.slice(11, 19)}`,
  read: (raw) => readTime(name, raw, 'long'),
})

export const date = <Name extends string>(name: Name): Field<Name, string> => ({
  name,
  unit: 'time',
  own: true,
  optional: false,
  write: (local) => dateOf(local),
  read(raw) {
    const local = readDay(raw, 'short')
    if (!local) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not ${FORMS.short.text}`)
    if (!exists(`${local}T00:00:00`)) throw new FieldError(name, 'value', `${raw} does not exist`)
    return local
  },
})
