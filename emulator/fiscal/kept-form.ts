/**
 * How a value of the books stands in a file where its text would be too long: most of a receipt's bytes are checksums
 * of lines and JSON that says the same words again and again. What tells how a value is kept is its type in the file,
 * so a text of an older version is still read as it stands.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Value } from './store.ts'

/**
 * `DIGEST`: a checksum in hexadecimal digits, kept as its bytes. `SECOND`: a local time (2026-07-15T09:00:00), kept as
 * a number of seconds. `PACKED`: JSON, kept deflated (RFC 1951). None of them can be looked for.
 */
export type KeptForm = 'DIGEST' | 'SECOND' | 'PACKED'
export type KeptValue = Value | bigint | Uint8Array

/**
 * What such JSON is made of, the most frequent last: the deflater's preset dictionary. It is part of the file's format,
 * so it must never change: another one would come beside it.
 */
const WORDS = Buffer.from(
  [
    '{"op":"logo","name":"fiscal","text":"FISCAL RECEIPT"},',
    '{"op":"barcode","type":4,"label":"QR","data":"","size":4,"align":"center","printText":false},',
    '{"op":"columns","left":"TOTAL","right":"0.00  ","bold":true,"height":"double"},',
    '{"op":"text","text":"","align":"center"},{"op":"rule","style":1},{"op":"columns","left":"","right":" A"},',
    '],"subtotalAdjustments":[],"groups":[0,0,0,0,0,0,0,0],"total":0,',
    '"payments":[{"mode":0,"tendered":0,"change":0}],"paid":0,"rest":0,"change":0,"items":0}',
    '{"kind":"sale","invoice":false,"document":1,"openedAt":17,"operator":1,"pointOfSale":1,"rows":[',
    '{"asked":{"ask":"payment","mode":0,"amount":0},"lines":1},{"asked":null,"lines":',
    '{"asked":{"ask":"sale","row":{"name":"","taxCode":1,"price":0,"quantity":1000,"department":0,"unit":"","plu":0,',
    '"void":false,"adjustment":{"kind":"discount","percent":1000},"amount":0,"adjusted":0}},"lines":2},',
  ].join(''),
)

const DIGEST = /^[0-9a-f]{64}$/

/** A text that is not of its form is kept as it is. */
const KEPT: Readonly<Record<KeptForm, (text: string) => KeptValue>> = {
  DIGEST: (text) => (DIGEST.test(text) ? Buffer.from(text, 'hex') : text),
  SECOND: (text) => {
    // A bigint is bound as a whole number, a number as one with a fraction: twice as long.
    const seconds = Date.parse(`${text}Z`) / 1000
    return Number.isInteger(seconds) && toldSecond(seconds) === text ? BigInt(seconds) : text
  },
  PACKED: (text) => deflateRawSync(text, { dictionary: WORDS }),
}

const TOLD: Readonly<Record<KeptForm, (value: number | bigint | Uint8Array) => string>> = {
  DIGEST: (bytes) => Buffer.from(bytes as Uint8Array).toString('hex'),
  SECOND: (seconds) => toldSecond(Number(seconds)),
  PACKED: (bytes) => inflateRawSync(bytes as Uint8Array, { dictionary: WORDS }).toString(),
}

const toldSecond = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)

export const keptAs = (form: KeptForm, value: Value): KeptValue =>
  typeof value === 'string' ? KEPT[form](value) : value

/** Throws Error when the file is damaged here. */
export const toldOf = (form: KeptForm, value: unknown): Value =>
  value === null || typeof value === 'string' ? value : TOLD[form](value as number | Uint8Array)
