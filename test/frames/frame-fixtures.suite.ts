/**
 * Published and computed frames as fixtures, with four checks of each: the driver's side writes the request, the
 * device's side reads it, the device's side writes the response, the driver's side reads it. The bytes are text in a
 * file and never computed, and their meaning is next to them. Each family provides a `FamilyFrames`.
 */
import { describe, expect, it } from 'vitest'
import type { ByteText, CodePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { bytesOf, textOf } from '../support/bytes.ts'

export type Provenance = 'published' | 'captured' | 'cross' | 'derived'

export interface AskFixture {
  readonly command?: string
  readonly code: number
  /**
   * Meaning of the request; `undefined` if the catalogue refuses the request. The `data` of a refused request are sent
   * unchanged.
   */
  readonly values?: Readonly<Record<string, unknown>>
  /** Data of the frame if the driver would write others: another spelling of `values`, or refused data. */
  readonly data?: string
  /** The device's refusal of such data: the number of the field, from 1 (0: the row), and the reason. */
  readonly refused?: { readonly problem: 'syntax' | 'value'; readonly index: number }
  /** Empty if the source has only the response. */
  readonly bytes: string
}

export interface AnswerFixture {
  /** Error code of the response, if the family has one. */
  readonly code?: number
  readonly values?: Readonly<Record<string, unknown>>
  /** Data of the frame if the emulator would write others: another spelling of `values`, or unreadable data. */
  readonly data?: string
  /** The field that the driver cannot read (0: the row), and the reason. */
  readonly refused?: { readonly problem: 'syntax' | 'value'; readonly index: number }
  /** Names of the status flags that are set, in the order of their bits. */
  readonly flags?: readonly string[]
  /** Single bytes instead of a frame, or before a frame. */
  readonly single?: readonly string[]
  readonly bytes: string
}

export interface FrameFixture {
  readonly id: string
  readonly provenance: { readonly ask: Provenance; readonly answer: Provenance | null }
  readonly source: string
  readonly meaning: string
  /** Sequence number as two hexadecimal digits. */
  readonly seq: string
  /** True if the frame is damaged on the line. The receiver refuses the bytes. */
  readonly damaged?: boolean
  /** Id of the frame with the response of real devices. The response of this frame is read, but no longer written. */
  readonly superseded?: string
  /**
   * Reason why the source's bytes differ from those that the project writes. Required if a request is refused or a
   * response has its own `data`.
   */
  readonly differs?: string
  readonly ask: AskFixture
  /** `null` if the source has no response. */
  readonly answer: AnswerFixture | null
}

export interface LedgerEntry {
  readonly provenance: Provenance
  readonly source: string
  /** Data of a derived entry, which were built by hand. `arithmetic` is the sum that makes a frame of them. */
  readonly data?: string
  readonly arithmetic?: string
}
export type Direction = 'request' | 'response'
export type Ledger = Readonly<Record<string, Readonly<Record<Direction, LedgerEntry>>>>

export interface FrameCodec {
  writeAsk(frame: FrameFixture): Uint8Array
  readAsk(bytes: Uint8Array, frame: FrameFixture): unknown
  writeAnswer(frame: FrameFixture, answer: AnswerFixture): Uint8Array
  readAnswer(bytes: Uint8Array, frame: FrameFixture): unknown
}

export interface FamilyFrames {
  readonly family: string
  readonly frames: readonly FrameFixture[]
  /** Number of frames in the protocol specification, so that no frame is missing in the fixtures. */
  readonly count: number
  readonly codec: FrameCodec
  flagsAgain(flags: readonly string[]): readonly string[]
  readonly ledger: Ledger
  readonly commands: readonly AnyCommand[]
  /**
   * Maximum number of directions whose bytes are only derived. It may grow only with a new command whose bytes no
   * source prints, and the commit that raises it names the command.
   */
  readonly derivedMost: number
  readonly page: CodePage
  /**
   * Returns the part of hand-built data that the command's layout reads, or `undefined` for text or bytes outside any
   * layout.
   */
  layoutOf(direction: Direction, data: string): ByteText | undefined
}

const without = <T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = object
  return rest
}

export function frameSuite(family: FamilyFrames): void {
  fourChecks(family)
  wholeness(family)
  ledgerEntries(family)
  workedData(family)
}

function fourChecks({ family, frames, codec }: FamilyFrames): void {
  describe.each(frames.map((frame) => [frame.id, frame] as const))(`frame of family ${family}: %s`, (_, frame) => {
    const { answer } = frame
    if (frame.ask.bytes !== '') {
      it('the driver writes the request', () => {
        expect(textOf(codec.writeAsk(frame))).toBe(frame.ask.bytes)
        // `data` next to `values` must be another spelling, not a copy of what the driver writes.
        if (frame.ask.data !== undefined && frame.ask.values && !frame.damaged) {
          expect(textOf(codec.writeAsk({ ...frame, ask: without(frame.ask, 'data') }))).not.toBe(frame.ask.bytes)
        }
      })
      it('the emulator reads the request', () => {
        const { bytes, data: _data, ...request } = frame.ask
        expect(codec.readAsk(bytesOf(bytes), frame)).toEqual(request)
      })
    }
    if (!answer) return
    if (frame.superseded !== undefined) {
      it('another frame replaces it', () => {
        expect(frames.map(({ id }) => id)).toContain(frame.superseded)
        expect(textOf(codec.writeAnswer(frame, answer))).not.toBe(answer.bytes)
      })
    } else {
      it('the emulator writes the answer', () => {
        expect(textOf(codec.writeAnswer(frame, answer))).toBe(answer.bytes)
        if (answer.data !== undefined && answer.values) {
          expect(textOf(codec.writeAnswer(frame, without(answer, 'data')))).not.toBe(answer.bytes)
        }
      })
    }
    it('the driver reads the answer', () => {
      const { bytes, data, ...rest } = answer
      const expected = answer.values || data === undefined ? rest : { ...rest, data }
      expect(codec.readAnswer(bytesOf(bytes), frame)).toEqual(expected)
    })
  })
}

function wholeness({ family, frames, count, flagsAgain }: FamilyFrames): void {
  describe(`the fixtures of family ${family}`, () => {
    it(`are the ${count} frames of the sheet`, () => {
      expect(frames).toHaveLength(count)
      expect(new Set(frames.map(({ id }) => id)).size).toBe(count)
    })
    it('give the reason if a source differs from us', () => {
      const unexplained = frames.filter(
        ({ ask, answer, differs }) =>
          differs === undefined &&
          (answer?.data !== undefined || answer?.refused !== undefined) &&
          ask.bytes !== undefined,
      )
      expect(unexplained.map(({ id }) => id)).toEqual([])
    })
    it('have flags in the order of the bits', () => {
      const sets = frames.flatMap(({ answer }) => (answer?.flags ? [answer.flags] : []))
      expect(sets).not.toEqual([])
      for (const flags of sets) expect(flagsAgain(flags)).toEqual(flags)
    })
  })
}

function ledgerEntries({ family, ledger, commands, derivedMost }: FamilyFrames): void {
  describe(`ledger of family ${family}`, () => {
    it('names every command of the catalogue, and nothing else', () => {
      expect(Object.keys(ledger).sort()).toEqual(commands.map(({ name }) => name).sort())
    })
    it('names the source of the bytes of each direction', () => {
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

function workedData({ family, ledger, commands, page, layoutOf }: FamilyFrames): void {
  const rows = (['request', 'response'] as const).flatMap((direction) =>
    Object.entries(ledger).flatMap(([name, { [direction]: entry }]) => {
      const data = entry.data === undefined ? undefined : layoutOf(direction, entry.data)
      return data === undefined ? [] : [[name, direction, data] as const]
    }),
  )
  // A family may have all its hand-built data in its frames.
  if (rows.length === 0) return
  describe(`data built by hand for the ledger of family ${family}`, () => {
    it.each(rows)('%s: the layout of its %s reads and writes it', (name, direction, data) => {
      const layout = commands.find((command) => command.name === name)?.[direction]
      expect(layout?.write(layout.read(data, page), page)).toBe(data)
    })
  })
}
