import { type StatusFlag, status, withSums } from '../../drivers/family-a/protocol/status.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import type { Edition } from './edition.ts'

/** Returns the flags that describe the device (sheet 3), without those that describe the answered command. */
function flagsOf(device: FiscalDevice, edition: Edition): Set<StatusFlag> {
  const flags = new Set<StatusFlag>(['memoryFormatted'])
  const { mechanism, memory, journal, profile, registers, receipt, counters } = device
  const set = (flag: StatusFlag, when: boolean) => {
    if (when) flags.add(flag)
  }
  set('coverOpen', mechanism.coverOpen)
  set('noPaper', mechanism.paper === 'out')
  set('paperLow', mechanism.paper === 'low')
  set('clockNotSet', !device.clockSet)
  set('dayTooLong', edition.name === 'ro' && device.refusals.day() !== undefined)
  set('nonFiscalReceiptOpen', receipt?.kind === 'nonFiscal')
  set('fiscalReceiptOpen', receipt?.kind === 'fiscal')
  set('journalFull', device.refusals.journal() !== undefined)
  set('journalNearlyFull', journal.remaining < profile.journalWarning)
  set('memoryFull', memory.remaining === 0)
  set('memoryNearlyFull', memory.remaining < profile.fiscalMemoryWarning)
  set('serialNumberSet', profile.serialNumber !== '')
  set('taxNumberSet', registers.taxNumber !== '')
  // The flag remains set even if every group is disabled later.
  set('vatSet', counters.taxRateChanges > 0 || registers.taxRates.some((rate) => rate !== null))
  set('fiscalised', device.fiscalised)
  return flags
}

export const statusBytes = (
  device: FiscalDevice,
  edition: Edition,
  extraFlags: readonly StatusFlag[] = [],
): ByteText => {
  const flags = flagsOf(device, edition)
  for (const flag of extraFlags) flags.add(flag)
  return status.write(withSums(flags))
}
