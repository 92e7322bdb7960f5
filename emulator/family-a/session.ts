import type { Commands } from '../../drivers/family-a/protocol/index.ts'
import type { ResponseOf } from '../../drivers/wire/command.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import {
  type Numbered,
  number,
  numbered,
  optional,
  type PersistentCells,
  persistentCells,
  record,
  text,
} from '../fiscal/persistent-cells.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'

/** What the wire of family A remembers between commands. */
export interface Session extends Volatile {
  readonly persistentCells: PersistentCells<typeof PERSISTENT_CELLS>
  /** The base of clients (6.13, 140) by number. */
  readonly clients: Numbered<Client | undefined>
}

/** Gone with the power. */
interface Volatile {
  /** The journal document selected by 125/0, and what of it has been read. */
  reading:
    | { readonly lines: readonly string[]; line: number; readonly pieces: readonly string[]; piece: number }
    | undefined
  /** What is left of texts that were chosen to be read piece by piece (9.1): 94 and 95, 125 option 10 and 20, 128. */
  lines: { report: string[]; log: string[]; journal: string[]; files: string[] }
  /** Header lines that 43 has taken and not written yet, by their place from 0. */
  headerBuffer: Readonly<Record<number, string>>
  /** Rows of 125/9 that 125/8 hands out. */
  rows: CsvRow[]
  /** Where 107 N and n, and 140 N, go on. */
  articleCursor: Cursor | undefined
  soldCursor: Cursor | undefined
  clientCursor: Cursor | undefined
  /** Lines of 122 that are not printed yet. */
  rotated: string[]
  /** Pictures being sent by 202 and 203: base64 so far. */
  uploads: Partial<Record<Picture, string>>
  /** 96 has been answered with the right password since the power came. */
  unlocked: boolean
}

/** Kept over a power cut. */
const PERSISTENT_CELLS = {
  /** 96; empty: no command wants it. */
  softwarePassword: text(),
  /** Of the last receipt that was opened with one. */
  UNP: text(),
  /** Written by 89, which has room for a few. */
  testRecords: number(),
  pictures: record<Partial<Record<Picture, string>>>({}),
  stampName: optional(text()),
  /** 149 and 253 of the edition ro. */
  mode: number(),
  servicePassword: text('1234'),
}

export type Picture = 'logo' | 'stampPicture'
export type Client = Extract<ResponseOf<Commands['clients']>, { form: 'record' }>
export type Direction = 'up' | 'down'

interface Cursor {
  readonly at: number
  readonly direction: Direction
}

export interface CsvRow {
  readonly document: number
  readonly kind: string
  readonly receipt: FiscalReceipt
  readonly row: number
}

export const powered = (): Volatile => ({
  reading: undefined,
  lines: { report: [], log: [], journal: [], files: [] },
  headerBuffer: {},
  rows: [],
  articleCursor: undefined,
  soldCursor: undefined,
  clientCursor: undefined,
  rotated: [],
  uploads: {},
  unlocked: false,
})

export const newSession = ({ registers }: FiscalDevice): Session => ({
  ...powered(),
  persistentCells: persistentCells(registers, PERSISTENT_CELLS),
  clients: numbered(registers, 'client', optional(record<Client>({} as Client))),
})
