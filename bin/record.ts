/** `serve --record`: the recorder behind the checks of the service, with eyes on its emulated device. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../emulator/emulator.ts'
import { documentView } from '../emulator/panel/views.ts'
import { createRecorder, type Recorder, type Watched } from '../scenarios/runner/record.ts'
import type { Settings } from '../server/config.ts'
import { configOf } from './played-config.ts'

const SCHEMA = join(import.meta.dirname, '..', 'scenarios', 'scenario.schema.json')

/** Throws a sentence when the file cannot be begun. `now`: milliseconds from any moment on. */
export function recordTo(
  file: string,
  settings: Settings,
  emulator: Emulator | undefined,
  now?: () => number,
): Recorder {
  return createRecorder({
    file,
    family: settings.family,
    profile: settings.profile,
    config: configOf(settings),
    device: emulator && watched(emulator),
    schema: existsSync(SCHEMA) ? SCHEMA : undefined,
    ...(now && { now }),
  })
}

function watched({ device, loop }: Emulator): Watched {
  const { lastDocument } = device.counters
  return {
    snapshot: () => device.snapshot(),
    isNew: lastDocument === 0,
    clock: device.localTime(),
    atRest: () => loop.atRest,
    documents: (after) => device.documents(after).map(documentView),
  }
}
