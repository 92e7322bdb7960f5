import { dayBlockBit, type StatusName } from '../../drivers/family-c/protocol/status.ts'
import type { Context } from './context.ts'
import { overflowed } from './register-overflow.ts'
import { articlesOpen, dailyOpen, operatorsOpen } from './unzeroed-reports.ts'

/** Returns the status bits that describe the device (sheet 3). */
export function statusOf(context: Context, powerCut = context.session.powerCut): Set<StatusName> {
  const { device, session } = context
  const flags = new Set<StatusName>()
  const set = (name: StatusName, on: boolean): void => {
    if (on) flags.add(name)
  }
  const { mechanism, receipt, memory, journal, profile, refusals } = device
  const full = memory.remaining === 0
  set('memoryReadOnly', full)
  set('powerCut', powerCut)
  set('clockNotSet', !device.clockSet)
  set('ramReset', !device.clockSet && device.counters.ramResets > 0)
  // A real device also sets this bit while the cover is open (frame `c-20-cap`).
  set('noPaper', mechanism.paper === 'out' || mechanism.coverOpen)
  set('paperNearEnd', mechanism.paper === 'low')
  const fiscal = receipt?.kind === 'fiscal' ? receipt.fiscal : undefined
  set('registerOverflow', overflowed(context))
  set('dailyReportNotZeroed', dailyOpen(device) || (fiscal?.items ?? 0) > 0)
  set('articleReportNotZeroed', articlesOpen(device))
  set('operatorReportNotZeroed', operatorsOpen(device))
  set('duplicatePrinted', duplicateBit(context))
  set('nonFiscalOpen', receipt?.kind === 'nonFiscal')
  set('fiscalOpen', fiscal !== undefined)
  set('detailed', fiscal?.extra?.detailed === '1')
  set('vatPrinted', fiscal?.extra?.vat === '1')
  set('invoiceOpen', context.edition.name !== 'c4' && fiscal?.invoice === true)
  set('journalNearFull', journal.remaining <= profile.journalWarning)
  set('journalFull', refusals.journal() !== undefined)
  set('memoryFull', full)
  set('memoryNearFull', memory.remaining <= profile.fiscalMemoryWarning)
  set('fractions', true)
  set('fiscalised', device.fiscalised)
  set('numbersSet', device.fiscalised)
  set(dayBlockBit(context.edition), refusals.day() !== undefined)
  const { parameters } = session.persistentCells
  set('automaticCut', parameters.cutter)
  set('displayManual', parameters.display)
  set('speed9600', session.baud === 9_600)
  set('drawerAutomatic', parameters.drawer)
  set('logoPrinted', parameters.logo)
  return flags
}

/**
 * Returns the state of the only copy of the last issued receipt (sheet 4.12). A receipt that is cancelled later does
 * not change it.
 */
export function duplicateOf({ device: { counters, lastFiscal }, session }: Context): 'none' | 'open' | 'taken' {
  if (!lastFiscal || counters.lastReceipt === 0) return 'none'
  return session.persistentCells.duplicateOf === counters.lastReceipt ? 'taken' : 'open'
}

/** Bit 1.6: c6 sets it after the duplicate was printed, the other editions while it can still be printed (sheet 3). */
const duplicateBit = (context: Context): boolean =>
  duplicateOf(context) === (context.edition.name === 'c6' ? 'taken' : 'open')
