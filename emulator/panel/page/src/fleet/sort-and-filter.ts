import type { FleetRow, FleetState } from '../../../contract.ts'

interface StateWords {
  readonly label: string
  readonly tone: 'well' | 'warning' | 'bad'
  /** Severity; higher sorts first. States that change with every receipt have severity 0. */
  readonly trouble: number
}

export const STATES: Readonly<Record<FleetState, StateWords>> = {
  failed: { label: 'Not started', tone: 'bad', trouble: 8 },
  starting: { label: 'Starting again', tone: 'bad', trouble: 7 },
  off: { label: 'Switched off', tone: 'bad', trouble: 6 },
  unplugged: { label: 'Cable out', tone: 'bad', trouble: 5 },
  coverOpen: { label: 'Cover open', tone: 'bad', trouble: 4 },
  paperOut: { label: 'Paper out', tone: 'bad', trouble: 3 },
  paperLow: { label: 'Paper nearly out', tone: 'warning', trouble: 2 },
  receipt: { label: 'Receipt open', tone: 'well', trouble: 0 },
  idle: { label: 'Ready', tone: 'well', trouble: 0 },
}

export const isTroubled = ({ state }: FleetRow): boolean => STATES[state].trouble > 0

export const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

const number = (row: FleetRow): number => row.lastDocument?.number ?? 0

/** The first order is the default. Equal rows keep the order of the fleet. */
export const ORDERS = {
  trouble: { label: 'Trouble first', compare: (one, other) => STATES[other.state].trouble - STATES[one.state].trouble },
  name: { label: 'As they were named', compare: () => 0 },
  total: { label: 'Highest turnover first', compare: (one, other) => (cents(other.total) > cents(one.total) ? 1 : -1) },
  documents: { label: 'Most documents first', compare: (one, other) => number(other) - number(one) },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly compare: (one: FleetRow, other: FleetRow) => number }>
>
export type OrderName = keyof typeof ORDERS

/**
 * Minimum interval in ms at which orders that change with every receipt are recomputed, so that tiles do not move while
 * they are read.
 */
export const SETTLE_MS = 3000
export const changesWithEveryReceipt = (order: OrderName): boolean => order === 'total' || order === 'documents'

export const FILTERS = {
  all: { label: 'All printers', fits: () => true },
  troubled: { label: 'In trouble', fits: isTroubled },
  well: { label: 'Well', fits: (row: FleetRow) => !isTroubled(row) },
  open: { label: 'Receipt open', fits: ({ state }: FleetRow) => state === 'receipt' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly fits: (row: FleetRow) => boolean }>>
export type FilterName = keyof typeof FILTERS

/** Minimum length of a search word that matches anywhere. Shorter words match only the beginning of a word. */
const PART_LETTERS_MIN = 3

export function matchesSearch(row: FleetRow, typed: string): boolean {
  if (typed === '') return true
  const { name, family, profile, serialNumber, line, state } = row
  const text = ` ${name} family ${family} ${profile} ${serialNumber} ${line ?? ''} ${STATES[state].label}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word.length < PART_LETTERS_MIN ? ` ${word}` : word))
}
