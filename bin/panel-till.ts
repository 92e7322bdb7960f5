import type { Emulator } from '../emulator/emulator.ts'
import type { Till } from '../emulator/panel/till.ts'
import type { Settings } from '../server/config.ts'

/**
 * Returns a till for the control panel of a device without a service. The code is loaded at the first receipt, because
 * few users print receipts in the panel.
 */
export function pageTill(emulator: Emulator, settings: Settings): Till {
  const { family, profile } = emulator
  const own = { ...settings, family, profile: profile.profile }
  let till: Till | undefined
  return async (path, body) => {
    till ??= (await import('./till-over-service.ts')).tillAt(emulator, own)
    return till(path, body)
  }
}
