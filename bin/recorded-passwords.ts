/**
 * `serve --record` without the operators' passwords. The recording replaces them by the well-known factory passwords,
 * in the device and in requests with the right password, so that a replay has the same results. A wrong password
 * becomes another wrong one, or `***` if it does not consist of 1 to 8 digits.
 */

import { isRecord } from '../drivers/model/json.ts'
import { REDACTED_MARK } from '../scenarios/runner/report/secrets.ts'

export interface PasswordReplacement {
  body(text: string): string
  snapshot(value: unknown): unknown
}

interface Passwords {
  readonly factory: (operator: number) => string
  readonly current: ReadonlyMap<number, string>
}

export function replacePasswords({ factory, current }: Passwords): PasswordReplacement {
  const replaced = (operator: number, password: string): string => {
    const usual = factory(operator)
    if (password === usual || password === current.get(operator)) return usual
    return /^\d{1,8}$/.test(password)
      ? usual.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
      : REDACTED_MARK
  }
  const inLine = (line: string): string =>
    line.replace(/^(48,[^;]*;\s*(\d+)\s*;)([^;]*)/, (_whole, before: string, operator: string, password: string) =>
      password === '' ? before : `${before}${replaced(Number(operator), password)}`,
    )
  const inBody = (value: unknown): unknown => {
    if (typeof value === 'string') return inLine(value)
    if (Array.isArray(value)) return value.map(inBody)
    if (!isRecord(value)) return value
    const operator = Number(value['OperatorCode'] ?? 1)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) =>
        /password/i.test(name) && (typeof member === 'string' || typeof member === 'number')
          ? [name, replaced(operator, String(member))]
          : [name, inBody(member)],
      ),
    )
  }
  const inSnapshot = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value, inSnapshot)
    if (Array.isArray(value)) return value.map(inSnapshot)
    if (!isRecord(value)) return value
    const { code } = value
    const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (!/password$/i.test(name)) return [[name, inSnapshot(member)]]
      // An operator whose password is dropped has the factory password.
      return name === 'password' && typeof code === 'number' ? [[name, factory(code)]] : []
    })
    return Object.fromEntries(members)
  }
  return {
    body(text) {
      const value = parsed(text)
      if (value === undefined)
        return text.replace(/("\w*password"\s*:\s*)("(?:[^"\\]|\\.)*"?|[\w.-]+)/gi, `$1"${REDACTED_MARK}"`)
      const without = inBody(value)
      return JSON.stringify(without) === JSON.stringify(value) ? text : JSON.stringify(without)
    },
    snapshot: inSnapshot,
  }
}

export function passwordsIn(value: unknown, found = new Map<number, string>()): Map<number, string> {
  if (typeof value === 'string') inText(value, (inner) => passwordsIn(inner, found))
  else if (Array.isArray(value)) for (const one of value) passwordsIn(one, found)
  else if (isRecord(value)) {
    const { code, password } = value
    if (typeof code === 'number' && typeof password === 'string') found.set(code, password)
    for (const member of Object.values(value)) passwordsIn(member, found)
  }
  return found
}

function inText(text: string, change: (value: unknown) => unknown): string {
  const value = /^[{[]/.test(text) ? parsed(text) : undefined
  return value === undefined ? text : JSON.stringify(change(value))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
