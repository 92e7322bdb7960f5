/** What the page of an emulated device prints with that has no service beside it. */
import type { Emulator } from '../emulator/emulator.ts'
import type { Till } from '../emulator/panel/till.ts'
import type { Settings } from '../server/config.ts'

/** A till for the first receipt that is put together: few who emulate do, so it is loaded only then. */
export function pageTill(emulator: Emulator, settings: Settings): Till {
  const { family, profile } = emulator
  const own = { ...settings, family, profile: profile.profile }
  let till: Till | undefined
  return async (path, body) => {
    till ??= (await import('./till.ts')).tillAt(emulator, own)
    return till(path, body)
  }
}
