/** Differences between two answers to one request, and their application to another answer. */
import type { Questionnaire, Request, ResponseParts } from '../../drivers/wire/questionnaire.ts'
import type { FieldTable } from '../../drivers/wire/row.ts'
import type { AnswerChange, Override } from './passport.ts'

export type Action = Pick<Override, 'refusal' | 'answer' | 'silent' | 'bytes'>

type Values = Readonly<Record<string, unknown>>
type FieldFacts = FieldTable[string]

const plain = (value: unknown): unknown => {
  if (value instanceof Set) return [...value].map(String).sort()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, plain(member)]),
  )
}
const same = (one: unknown, other: unknown): boolean => JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const isOwn = (fieldFacts: FieldFacts): boolean => typeof fieldFacts === 'object' && fieldFacts['own'] === true
const isTable = (fieldFacts: FieldFacts): fieldFacts is FieldTable =>
  typeof fieldFacts === 'object' && typeof fieldFacts['unit'] !== 'string'
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set)

interface MergedAnswer {
  /** The emulated values; a field that may differ, or that does differ, has the device's value. */
  readonly values: Values
  readonly fields: Record<string, unknown>
  readonly missing: string[]
}

/** `ownNames` are fields that may differ, in addition to those declared as such. */
function merge(
  device: Values,
  emulated: Values,
  fieldTable: FieldTable,
  ownNames: ReadonlySet<string> | 'all',
): MergedAnswer {
  const fields: Record<string, unknown> = {}
  const missing: string[] = []
  const values: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(emulated), ...Object.keys(device)])) {
    const [theirs, ours] = [device[name], emulated[name]]
    const fact = fieldTable[name]
    if (theirs === undefined) {
      if (ours !== undefined && !isOwn(fact) && ownNames !== 'all') missing.push(name)
      continue
    }
    values[name] = theirs
    if (ownNames === 'all' || ownNames.has(name) || isOwn(fact) || same(theirs, ours)) continue
    if (isTable(fact) && isObject(theirs) && isObject(ours)) {
      const inner = merge(theirs, ours, fact, new Set())
      if (Object.keys(inner.fields).length > 0 || inner.missing.length > 0) fields[name] = plain(theirs)
    } else fields[name] = plain(theirs)
  }
  return { values, fields, missing }
}

export function valuesOf(q: Questionnaire, request: Request, response: ResponseParts): Values | undefined {
  const command = q.catalogue.find(request.code, request.data)
  if (!command) return undefined
  try {
    const values: unknown = command.response.read(response.data, q.page)
    return isObject(values) ? values : undefined
  } catch {
    return undefined
  }
}

function encode(q: Questionnaire, request: Request, values: Values): string | undefined {
  try {
    return q.catalogue.find(request.code, request.data)?.response.write(values as never, q.page)
  } catch {
    return undefined
  }
}

/**
 * Returns the names of the fields that differ between answers to one request, without fields whose declaration has
 * `own`, because these differ on every device. For unreadable answers, returns the positions of the pieces that differ.
 */
export function varyingParts(
  q: Questionnaire,
  request: Request,
  answers: readonly ResponseParts[],
): ReadonlySet<string> {
  const values = answers.map((response) => valuesOf(q, request, response))
  const fieldTable = fieldsOf(q, request)
  if (values.every((one) => one !== undefined)) {
    const names = new Set(values.flatMap((one) => Object.keys(one)))
    const differs = (name: string) => values.some((one) => !same(one[name], values[0]?.[name]))
    return new Set([...names].filter((name) => !isOwn(fieldTable[name]) && differs(name)))
  }
  const all = answers.map(({ data }) => pieces(q, data))
  const places = Array.from({ length: Math.max(...all.map(({ length }) => length)) }, (_, at) => at)
  return new Set(places.filter((at) => all.some((one) => one[at] !== all[0]?.[at])).map((at) => String(at + 1)))
}

const fieldsOf = (q: Questionnaire, request: Request): FieldTable =>
  (q.catalogue.find(request.code, request.data)?.response.fields ?? {}) as FieldTable

/** Positions in `widths` and `added` refer to these pieces. */
const pieces = (q: Questionnaire, data: string): string[] => (data === '' ? [] : data.split(q.separator))

const isNumber = (piece: string): boolean => /^ *[+-]?\d+$/.test(piece)

function pieceChange(
  q: Questionnaire,
  device: string,
  emulated: string,
  ownPlaces: ReadonlySet<string> | 'all',
): AnswerChange {
  if (ownPlaces === 'all') return {}
  const [theirs, ours] = [pieces(q, device), pieces(q, emulated)]
  const fields: Record<string, string> = {}
  const widths: Record<string, number> = {}
  for (const [at, piece] of theirs.slice(0, ours.length).entries()) {
    const other = ours[at] ?? ''
    if (piece === other || ownPlaces.has(String(at + 1))) continue
    if (isNumber(piece) && isNumber(other) && Number(piece) === Number(other)) widths[at + 1] = piece.length
    else fields[at + 1] = piece
  }
  const added = theirs.slice(ours.length)
  const missing = ours.slice(theirs.length).map((_, at) => theirs.length + at + 1)
  return compact({ fields, widths, added, missing })
}

function compact(change: AnswerChange): AnswerChange {
  const entries = Object.entries(change).filter(([, value]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined,
  )
  return Object.fromEntries(entries)
}

/** Returns the differences in the data. The result is empty if only fields differ that may differ. */
export function dataChange(
  q: Questionnaire,
  request: Request,
  device: ResponseParts,
  emulated: ResponseParts,
  ownNames: ReadonlySet<string> | 'all',
): AnswerChange {
  if (device.data === emulated.data) return {}
  const [theirs, ours] = [valuesOf(q, request, device), valuesOf(q, request, emulated)]
  if (!theirs || !ours) return pieceChange(q, device.data, emulated.data, ownNames)
  const fieldTable = fieldsOf(q, request)
  const { values, fields, missing } = merge(theirs, ours, fieldTable, ownNames)
  const written = encode(q, request, values)
  const form = written === undefined || written === device.data ? {} : pieceChange(q, device.data, written, new Set())
  return compact({ ...form, fields: { ...fields, ...form.fields }, missing: [...missing, ...(form.missing ?? [])] })
}

export function changedData(q: Questionnaire, request: Request, response: ResponseParts, change: AnswerChange): string {
  if (change.data !== undefined) return change.data
  const named = Object.entries(change.fields ?? {}).filter(([name]) => !/^\d+$/.test(name))
  const removedFields = (change.missing ?? []).filter((one) => typeof one === 'string')
  const values = named.length > 0 || removedFields.length > 0 ? valuesOf(q, request, response) : undefined
  const next: Record<string, unknown> = { ...values, ...Object.fromEntries(named) }
  for (const name of removedFields) delete next[name]
  const data = (values && encode(q, request, next)) ?? response.data
  const list = pieces(q, data)
  for (const [place, width] of Object.entries(change.widths ?? {})) {
    const at = Number(place) - 1
    const digits = (list[at] ?? '').trim().replace(/^0+(?=\d)/, '')
    if (list[at] !== undefined) list[at] = /^ /.test(list[at]) ? digits.padStart(width) : digits.padStart(width, '0')
  }
  for (const [place, piece] of Object.entries(change.fields ?? {}))
    if (/^\d+$/.test(place)) list[Number(place) - 1] = String(piece)
  const places = new Set((change.missing ?? []).filter((one) => typeof one === 'number'))
  const remaining = list.filter((_, at) => !places.has(at + 1))
  return [...remaining, ...(change.added ?? [])].join(q.separator)
}

/** `+name` is a status bit that only the device sets, `-name` one that only the emulated device sets. */
export function statusChange(device: readonly string[], emulated: readonly string[]): string[] {
  const added = device.filter((flag) => !emulated.includes(flag)).map((flag) => `+${flag}`)
  const taken = emulated.filter((flag) => !device.includes(flag)).map((flag) => `-${flag}`)
  return [...added, ...taken].sort()
}

export function changedFlags(flags: readonly string[], change: readonly string[] = []): string[] {
  const taken = change.filter((one) => one.startsWith('-')).map((one) => one.slice(1))
  const added = change.filter((one) => one.startsWith('+')).map((one) => one.slice(1))
  return [...flags.filter((flag) => !taken.includes(flag)), ...added.filter((flag) => !flags.includes(flag))]
}

/** Returns the status bits of a device, without those that depend on its last command. */
export const standingFlags = (q: Questionnaire, { flags }: ResponseParts): string[] =>
  flags.filter((flag) => !q.commandFlags.includes(flag))
