/**
 * Probes that show whether a command was executed although its answer was lost (sheet 4.14). Each probe reads state
 * that only that command changes.
 */
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isClosedSince } from '../link/z-reports.ts'
import type { Money, Percent } from '../model/money.ts'
import type { Probe } from './confirmed-command.ts'
import { documentOf } from './journal.ts'
import type { ReceiptState } from './protocol/commands/registers.ts'
import { flagsOf, lastDocument, lastZ, stateOf } from './reported-values.ts'
import type { WireC } from './wire.ts'

type AskingC = DeviceClient<WireC>

const stateNow = async (device: AskingC): Promise<ReceiptState> => (await stateOf(device)).state

const sum = (amounts: readonly Money[]): Money => amounts.reduce((all, amount) => all + amount, 0)
const differ = (one: readonly Money[], other: readonly Money[]): boolean =>
  one.some((amount, index) => amount !== other[index])

interface ReceiptFlags {
  readonly fiscal: boolean
  readonly nonFiscal: boolean
  readonly document: number
}

async function readState(device: AskingC): Promise<ReceiptFlags> {
  const flags = await flagsOf(device)
  return {
    fiscal: flags.has('fiscalOpen'),
    nonFiscal: flags.has('nonFiscalOpen'),
    document: await lastDocument(device),
  }
}

const isOpen = ({ fiscal, nonFiscal }: ReceiptFlags): boolean => fiscal || nonFiscal

/**
 * Confirms that a receipt of this kind is open under the next number and is empty. A receipt with content may be one
 * that another program opened. The content of a non-fiscal receipt cannot be queried, so an open one counts as
 * confirmed.
 */
export const opening = (kind: 'fiscal' | 'nonFiscal'): Probe<ReceiptFlags> => ({
  look: readState,
  async wasDone(before, after, device) {
    if (after.document === before.document && isOpen(after) === isOpen(before)) return false
    if (!after[kind] || after.document !== before.document + 1) return undefined
    if (kind === 'nonFiscal') return true
    const { open, sales, turnover, payStarted } = await stateNow(device)
    return open && sales === 0 && turnover.every((amount) => amount === 0) && !payStarted ? true : undefined
  },
})

/**
 * Confirms that the receipt was ended: it is no longer open under its number, and `isWanted` confirms the way it ended.
 */
const ended = (isWanted: (device: AskingC, document: number) => Promise<boolean | undefined>): Probe<ReceiptFlags> => ({
  look: readState,
  async wasDone(before, after, device) {
    if (!isOpen(before)) return isOpen(after) || after.document !== before.document ? undefined : false
    if (isOpen(after) && after.document === before.document) return false
    return isWanted(device, before.document)
  },
})

/** Confirms that the receipt was ended, unless the journal shows that it was ended in this other way. */
const endedUnless = (kind: 'fiscal' | 'cancelled'): Probe<ReceiptFlags> =>
  ended(async (device, document) => ((await documentOf(device, document))?.kind === kind ? undefined : true))

export const closed = endedUnless('cancelled')
export const cancelled = endedUnless('fiscal')
export const slipClosed = ended(async () => true)

/**
 * Applies `probe` only to the receipt with this number. Another program may have closed it and opened a receipt that
 * looks the same in command 72h. If `receipt` is `undefined`, the outcome is always unknown.
 */
export const within = <Seen>(receipt: number | undefined, probe: Probe<Seen>): Probe<Seen> => ({
  look: probe.look,
  wasDone: async (before, after, device) =>
    (await lastDocument(device)) === receipt ? probe.wasDone(before, after, device) : undefined,
})

export const sale: Probe<ReceiptState> = {
  look: stateNow,
  wasDone(before, after) {
    if (after.open !== before.open || after.payStarted !== before.payStarted) return undefined
    return after.sales !== before.sales || differ(after.turnover, before.turnover)
  },
}

/**
 * Confirms that the turnover has changed. An unchanged turnover is a result only if the adjustment is large enough not
 * to be rounded away.
 */
export const adjustmentProbe = (change: {
  readonly percent?: Percent
  readonly value?: Money
}): Probe<ReceiptState> => ({
  look: stateNow,
  wasDone(before, after) {
    if (after.open !== before.open || after.payStarted !== before.payStarted) return undefined
    if (differ(after.turnover, before.turnover)) return true
    const { percent = 0, value = 0 } = change
    const moves = value !== 0 || before.turnover.some((amount) => Math.abs(amount * percent) >= PERCENT_WHOLE)
    return !before.open || moves ? false : undefined
  },
})
const PERCENT_WHOLE = 10_000

export const unreported: Probe<undefined> = { look: async () => undefined, wasDone: () => undefined }

export const harmless: Probe<undefined> = { look: async () => undefined, wasDone: () => false }

interface PaymentState {
  readonly state: ReceiptState
  /** Payments by type; only c6 reports them, and only after the first payment. */
  readonly payments: readonly Money[] | undefined
}

interface Payment {
  readonly type: number
  readonly amount: Money | 'exact'
}

const paymentsNow = async (device: AskingC): Promise<readonly Money[] | undefined> =>
  (await device.askUnlessRefused('any', 'receiptPayments', {}))?.values?.payments

/**
 * Confirms that a payment was registered. Command 72h shows the first payment and the one that completes the receipt;
 * only command 72h P of c6 shows others. Another program may have paid, so the difference must be exactly this payment.
 * `before`: the amount paid in this receipt, if known.
 */
export const paid = ({ type, amount }: Payment, before: Money | undefined): Probe<PaymentState> => ({
  async look(device) {
    const state = await stateNow(device)
    const asks = state.open && state.payStarted && !state.payFinished
    return { state, payments: asks ? await paymentsNow(device) : undefined }
  },
  async wasDone({ state, payments }, after, device) {
    if (!state.open) return after.state.open ? undefined : false
    if (!after.state.open) return undefined
    const earlier = state.payStarted ? payments : []
    const paidBefore = earlier ? sum(earlier) : before
    const remaining = paidBefore === undefined ? undefined : sum(state.turnover) - paidBefore
    const finishes = amount === 'exact' || (remaining !== undefined && amount >= remaining)
    const isReported = payments !== undefined && after.payments !== undefined
    if (!hasMoved(state, after.state) && !(isReported && differ(after.payments, payments))) {
      return isReported || !state.payStarted || state.payFinished || finishes ? false : undefined
    }
    const paidAmount = amount === 'exact' ? remaining : amount
    const change = paidAmount === undefined || remaining === undefined ? 0 : Math.max(0, paidAmount - remaining)
    const now = after.payments ?? (await paymentsNow(device))
    const fits =
      now && earlier && paidAmount !== undefined
        ? isAdded(now, earlier, type, [paidAmount, paidAmount - change])
        : after.state.payFinished === finishes && after.state.change === change
    return fits ? true : undefined
  },
})

const hasMoved = (before: ReceiptState, after: ReceiptState): boolean =>
  after.payStarted !== before.payStarted || after.payFinished !== before.payFinished

/**
 * Returns whether one of these amounts was added to this type alone. Some devices report the tendered amount, others
 * only the part that was owed. The type may be outside the list, because the settings can define other types.
 */
function isAdded(now: readonly Money[], before: readonly Money[], type: number, amounts: readonly Money[]): boolean {
  const added = now.map((amount, place) => amount - (before[place] ?? 0))
  return (
    added.every((amount, place) => amount === 0 || place === type || type >= now.length) && amounts.includes(sum(added))
  )
}

/**
 * Confirms that the journal contains a new document of this kind. If the journal does not show the kind of every new
 * document, the outcome may remain unknown.
 */
export const newDocument = (kind: 'x' | 'copy'): Probe<number> => ({
  look: lastDocument,
  async wasDone(before, after, device) {
    if (after === before) return false
    if (after < before || after > before + OTHER_DOCUMENTS_MAX) return undefined
    let isReported = true
    for (let number = before + 1; number <= after; number++) {
      const recordedKind = (await documentOf(device, number))?.kind
      if (recordedKind === kind) return true
      isReported &&= recordedKind !== undefined && recordedKind !== null && recordedKind !== 'other'
    }
    return isReported ? false : undefined
  },
})
/**
 * Maximum number of documents that are searched. Another program may have printed some of them while the answer was
 * pending.
 */
const OTHER_DOCUMENTS_MAX = 5

export const dayClosed: Probe<number> = {
  look: lastZ,
  wasDone: isClosedSince,
}

interface Drawer {
  readonly document: number
  readonly lastZ: number | undefined
  /**
   * Register 2 or 3 of command 6Eh: count and sum of the movements out of or into the drawer; `undefined` if the device
   * does not report them.
   */
  readonly moves: { readonly count: number; readonly sum: Money } | undefined
}

/** Confirms that a document was printed, and that the register of cash in or out grew by exactly this amount. */
export const cashMoved = (amount: Money): Probe<Drawer> => ({
  async look(device) {
    const registers = (await device.askUnlessRefused('any', 'dayRegisters', { option: amount < 0 ? '3' : '2' }))?.values
    const moves = registers?.option === '2' || registers?.option === '3' ? registers : undefined
    const lastZ = (await device.askUnlessRefused('any', 'lastZ', {}))?.values?.number
    return {
      document: await lastDocument(device),
      lastZ,
      moves: moves && { count: moves.count, sum: Math.abs(moves.sum) },
    }
  },
  wasDone(before, after) {
    if (after.document === before.document) return false
    if (!before.moves || !after.moves || before.lastZ !== after.lastZ) return undefined
    const grown = after.moves.sum - before.moves.sum
    if (grown === 0 && after.moves.count === before.moves.count) return false
    return grown === Math.abs(amount) && after.moves.count === before.moves.count + 1 ? true : undefined
  },
})
