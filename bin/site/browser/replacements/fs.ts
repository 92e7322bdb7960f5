/** Replaces node:fs in a browser by files in memory, for example the scenario of a link and the parts of a report. */

const files = new Map<string, Uint8Array>()
const open: { readonly bytes: Uint8Array; at: number }[] = []

export const put = (path: string, text: string): void => void files.set(path, new TextEncoder().encode(text))

const missing = (path: string): Error => Object.assign(new Error(`${path}: there is no such file`), { code: 'ENOENT' })

const statusOf = (bytes: Uint8Array) => ({ size: bytes.length, isFile: () => true, isDirectory: () => false, uid: 0 })

export const constants = { O_RDONLY: 0 }
export const existsSync = (path: string): boolean => files.has(path)
export const lstatSync = (): undefined => undefined
export const realpathSync = (path: string): string => path

export function statSync(path: string, { throwIfNoEntry = true } = {}) {
  const bytes = files.get(path)
  if (bytes === undefined && throwIfNoEntry) throw missing(path)
  return bytes && statusOf(bytes)
}

export function openSync(path: string): number {
  const bytes = files.get(path)
  if (bytes === undefined) throw missing(path)
  return open.push({ bytes, at: 0 }) - 1
}

export const fstatSync = (file: number) => statusOf((open[file] as (typeof open)[number]).bytes)

export function readSync(file: number, into: Uint8Array): number {
  const from = open[file] as (typeof open)[number]
  const part = from.bytes.subarray(from.at, from.at + into.length)
  into.set(part)
  from.at += part.length
  return part.length
}

export const closeSync = (): void => undefined

export function readFileSync(path: string): string {
  const bytes = files.get(path)
  if (bytes === undefined) throw missing(path)
  return new TextDecoder().decode(bytes)
}
