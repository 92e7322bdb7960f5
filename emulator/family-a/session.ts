import type { Commands } from '../../drivers/family-a/protocol/index.ts'
import type { ResponseOf } from '../../drivers/wire/command.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import {
  type NumberedCells,
  number,
  numberedCells,
  optional,
  type PersistentCells,
  persistentCells,
  record,
  text,
} from '../fiscal/persistent-cells.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'

export interface Session extends VolatileState {
  readonly persistentCells: PersistentCells<typeof PERSISTENT_CELLS>
  /** The client database (sheet 6.13, command 140), by number. */
  readonly clients: NumberedCells<Client | undefined>
}

interface VolatileState {
  /** The document that 125/0 selected, with the read positions of its lines and pieces. */
  reading:
    | { readonly lines: readonly string[]; line: number; readonly pieces: readonly string[]; piece: number }
    | undefined
  /** Unread lines or pieces of the selected texts (sheet 9.1): 94 and 95, 125 options 10 and 20, 128. */
  lines: { report: string[]; log: string[]; journal: string[]; files: string[] }
  /** Header lines that 43 has received but not yet stored, by index from 0. */
  headerBuffer: Readonly<Record<number, string>>
  /** Rows that 125/9 selected and 125/8 reads. */
  rows: CsvRow[]
  /** Positions at which `N` and `n` of 107 and `N` of 140 continue. */
  articleCursor: Cursor | undefined
  soldCursor: Cursor | undefined
  clientCursor: Cursor | undefined
  /** Lines of 122 that are not yet printed. */
  rotated: string[]
  /** Base64 text of the pictures that 202 and 203 are transferring. */
  uploads: Partial<Record<Picture, string>>
  unlocked: boolean
}

const PERSISTENT_CELLS = {
  /** Password of 96. If it is empty, commands do not require 96. */
  softwarePassword: text(),
  UNP: text(),
  testRecords: number(),
  pictures: record<Partial<Record<Picture, string>>>({}),
  stampName: optional(text()),
  /** Mode of 149 and password of 253 (edition ro). */
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

export const stateAfterPowerOn = (): VolatileState => ({
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
  ...stateAfterPowerOn(),
  persistentCells: persistentCells(registers, PERSISTENT_CELLS),
  clients: numberedCells(registers, 'client', optional(record<Client>({} as Client))),
})
