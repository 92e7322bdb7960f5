import {
  FISCAL_MEMORY_ERRORS,
  GENERAL_ERRORS,
  type Status,
  type StatusName,
} from '../../drivers/family-b/protocol/status.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { troubleBit } from './document-blockers.ts'
import type { Reason } from './refusals.ts'
import type { Switches } from './switches.ts'

function deviceFlags(device: FiscalDevice, switches: Switches): Set<StatusName> {
  const flags = new Set<StatusName>()
  const set = (name: StatusName, on: boolean) => {
    if (on) flags.add(name)
  }
  const { receipt, mechanism, memory, journal, profile } = device
  set('noDisplay', !device.display.attached)
  set('clockNotSet', !device.clockSet)
  set('ramCleared', !device.clockSet && device.counters.ramResets > 0)
  set('paperOut', mechanism.paper === 'out')
  set('paperLow', mechanism.paper === 'low')
  // The wire protocol has no bit for the cover. An open cover stops the mechanism.
  set('mechanismError', mechanism.coverOpen)
  set('printingAllowed', receipt === null && switches.pcMode === 'on' && mechanism.paper !== 'out')
  set('nonFiscalReceiptOpen', receipt?.kind === 'nonFiscal')
  set('fiscalReceiptOpen', receipt?.kind === 'fiscal')
  set('journalMissing', journal.remaining <= 0)
  set('journalNearlyFull', journal.remaining > 0 && journal.remaining < profile.journalWarning)
  set('fiscalMemoryFull', memory.remaining <= 0)
  set('fiscalMemoryNearlyFull', memory.remaining > 0 && memory.remaining < profile.fiscalMemoryWarning)
  set('numbersProgrammed', device.numbers.serialNumber !== '')
  set('taxRatesSet', true)
  set('fiscalised', device.fiscalised)
  const trouble = troubleBit(switches.trouble)
  if (trouble) flags.add(trouble)
  return flags
}

const CHANNEL_FLAGS: Readonly<Record<Reason['channel'], StatusName | undefined>> = {
  invalid: 'invalidCommand',
  syntax: 'syntaxError',
  state: 'notAllowedNow',
  error: undefined,
  mechanism: undefined,
}

/**
 * `waits`: the answer is sent only after the whole document was printed, so that it cannot report missing paper or an
 * open cover (sheet 13).
 */
export function statusOf(device: FiscalDevice, switches: Switches, reason?: Reason, waits = false): Status {
  const flags = deviceFlags(device, switches)
  if (waits) {
    flags.delete('paperOut')
    flags.delete('mechanismError')
    if (device.receipt === null && switches.pcMode === 'on') flags.add('printingAllowed')
  }
  const channel = reason && CHANNEL_FLAGS[reason.channel]
  if (channel) flags.add(channel)
  if (reason?.channel === 'error' && reason.flag) flags.add(reason.flag)
  const error = reason && 'error' in reason ? (reason.error ?? 0) : 0
  if (error === 1) flags.add('overflow')
  if (error !== 0 || GENERAL_ERRORS.some((name) => flags.has(name))) flags.add('generalError')
  if (FISCAL_MEMORY_ERRORS.some((name) => flags.has(name))) flags.add('fiscalMemoryError')
  return { flags, error }
}
