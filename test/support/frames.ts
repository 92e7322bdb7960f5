import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Published and worked frames as fixtures, and the four checks of each: the driver's side writes the request, the
 * device's side reads it, the device's side writes the answer, the driver's side reads it. Bytes are text in a file and
 * never computed; what they mean stands beside them. Knows no family: a family brings a `FrameCodec`.
 */
export type Provenance = 'published' | 'captured' | 'cross' | 'derived'

export interface AskFixture {
  /** Name in the family's catalogue; absent where the wire does not know the command. */
  readonly command?: string
  readonly code: number
  /** What the request says; absent where the catalogue refuses to write it, then `data` is sent as it is. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly data?: string
  /** What the device says about such data: which field, counted from 1 (0: the row), and why. */
  readonly refused?: { readonly problem: 'syntax' | 'value'; readonly index: number }
  readonly bytes: string
}

export interface AnswerFixture {
  /** A family's code of success or failure, where its answers carry one. */
  readonly code?: number
  readonly values?: Readonly<Record<string, unknown>>
  /** Names of the status flags that are set. */
  readonly flags?: readonly string[]
  /** A single byte in place of a frame, or before one. */
  readonly single?: readonly string[]
  readonly bytes: string
}

export interface FrameFixture {
  readonly id: string
  readonly provenance: { readonly ask: Provenance; readonly answer: Provenance | null }
  readonly source: string
  readonly meaning: string
  /** Sequence number, two hexadecimal digits. */
  readonly seq: string
  /** Damaged on purpose on its way: the bytes that arrive are refused. */
  readonly damaged?: boolean
  readonly ask: AskFixture
  /** Null: the source gives none. */
  readonly answer: AnswerFixture | null
}

export interface FrameCodec {
  writeAsk(frame: FrameFixture): Uint8Array
  /** The part of the fixture's `ask` that the bytes tell: command, code, and values or what is refused. */
  readAsk(bytes: Uint8Array, frame: FrameFixture): unknown
  writeAnswer(frame: FrameFixture, answer: AnswerFixture): Uint8Array
  /** The fixture's `answer` without its bytes. */
  readAnswer(bytes: Uint8Array, frame: FrameFixture): unknown
}

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.split(' ').map((digits) => Number.parseInt(digits, 16)))

export const textOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')

/** A fixture file below `fixtures/`. */
export const fixture = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')) as T

const without = <T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = object
  return rest
}

export function frameSuite(title: string, frames: readonly FrameFixture[], codec: FrameCodec): void {
  describe.each(frames.map((frame) => [frame.id, frame] as const))(`${title}: %s`, (_, frame) => {
    const { answer } = frame
    it('the driver writes the request', () => {
      expect(textOf(codec.writeAsk(frame))).toBe(frame.ask.bytes)
    })
    it('the emulator reads the request', () => {
      const { bytes, data: _data, ...asked } = frame.ask
      expect(codec.readAsk(bytesOf(bytes), frame)).toEqual(asked)
    })
    // A source that gives no answer leaves two checks.
    if (!answer) return
    it('the emulator writes the answer', () => {
      expect(textOf(codec.writeAnswer(frame, answer))).toBe(answer.bytes)
    })
    it('the driver reads the answer', () => {
      expect(codec.readAnswer(bytesOf(answer.bytes), frame)).toEqual(without(answer, 'bytes'))
    })
  })
}

/** fixtures/ledger.json: where the bytes of each command and direction come from. */
export interface LedgerEntry {
  readonly provenance: Provenance
  readonly source: string
  /** Of a derived entry: the data worked by hand, and the sum that makes it a frame. */
  readonly data?: string
  readonly arithmetic?: string
}
export type Ledger = Readonly<
  Record<string, Readonly<Record<string, { readonly request: LedgerEntry; readonly response: LedgerEntry }>>>
>

/** Every command has its two entries and there are no others; prints how many are derived. */
/**
 * `derivedMost`: how many directions may rest on derivation alone. It may grow only with a new command for which no
 * source prints bytes, and the commit that raises it says which.
 */
export function ledgerSuite(family: string, commands: readonly { readonly name: string }[], derivedMost: number): void {
  const ledger = fixture<Ledger>('ledger.json')[family] ?? {}
  describe(`ledger of family ${family}`, () => {
    it('names every command of the catalogue, and nothing else', () => {
      expect(Object.keys(ledger).sort()).toEqual(commands.map(({ name }) => name).sort())
    })
    it('says of each direction where its bytes come from', () => {
      const entries = Object.values(ledger).flatMap(({ request, response }) => [request, response])
      for (const entry of entries) {
        expect(['published', 'captured', 'cross', 'derived']).toContain(entry.provenance)
        expect(entry.source).not.toBe('')
        if (entry.provenance === 'derived') expect(entry.arithmetic).toBeTruthy()
      }
      const derived = entries.filter(({ provenance }) => provenance === 'derived').length
      expect(derived).toBeLessThanOrEqual(derivedMost)
      console.info(`family ${family}: ${derived} of ${entries.length} directions are derived`)
    })
  })
}
