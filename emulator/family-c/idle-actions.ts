import { printType } from '../../drivers/family-c/protocol/commands/receipt.ts'
import type { DeviceTiming } from '../wire.ts'
import { type Context, openReceipt } from './context.ts'
import { cancelReceipt } from './handlers/receipt.ts'
import { closeNonFiscal } from './handlers/text.ts'

type Idle = ReturnType<NonNullable<DeviceTiming['idle']>>

/**
 * Time without a command, in ms, after which a postponed receipt is closed or voided. For an electronic receipt, it is
 * one minute (sheet 4.7).
 */
const POSTPONED_MS = 5_000
const ELECTRONIC_MS = 60_000
const DAY_MS = 24 * 60 * 60 * 1000

export function idleOf(context: Context): Idle {
  const { device, session } = context
  if (device.receipt?.kind === 'nonFiscal') {
    return session.postponedNonFiscal ? { afterMs: POSTPONED_MS, act: () => void closeNonFiscal(context) } : undefined
  }
  const receipt = openReceipt(context)
  if (receipt) {
    const type = printType(receipt.extra?.print ?? '0')
    const afterMs = type.electronic ? ELECTRONIC_MS : POSTPONED_MS
    return type.postponed || type.electronic ? { afterMs, act: () => void cancelReceipt(context) } : undefined
  }
  const dueAt = automaticZAt(context)
  if (dueAt === undefined) return undefined
  return { afterMs: Math.max(0, dueAt - device.now()), act: () => makeAutomaticZ(context) }
}

/**
 * Returns the device time of the automatic Z report that 4Fh `1` enables: 24 hours after the day began (sheet 4.1 and
 * 5.3). Returns `undefined` while a receipt is open, and if no Z report is due.
 */
function automaticZAt({ device, edition, session }: Context): number | undefined {
  const { since } = device.day
  const isOn = edition.name === 'c6' && session.persistentCells.automaticZ
  return isOn && since !== null && device.receipt === null && device.clockSet ? since + DAY_MS : undefined
}

/** Makes the Z report if its time has come. If the fiscal memory is full, the device refuses it and remains blocked. */
export function makeAutomaticZ(context: Context): void {
  const dueAt = automaticZAt(context)
  if (dueAt !== undefined && context.device.now() >= dueAt) context.device.reportZ({ onPaper: false })
}
