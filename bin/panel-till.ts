/** The till for the page of an emulated device without a service. */
import type { Emulator } from '../emulator/emulator.ts'
import type { Till } from '../emulator/panel/till.ts'
import type { Settings } from '../server/config.ts'

/** Returns a till, loaded for the first receipt from the page, because only few users print one. */
export function pageTill(emulator: Emulator, settings: Settings): Till {
  const { family, profile } = emulator
  const own = { ...settings, family, profile: profile.profile }
  let till: Till | undefined
  return async (path, body) => {
    till ??= (await import('./till.ts')).tillAt(emulator, own)
    return till(path, body)
  }
}
