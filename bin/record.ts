/** `serve --record`: the recorder behind the checks of the service, with eyes on its emulated device. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatPercent } from '../drivers/model/money.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { documentView } from '../emulator/panel/views.ts'
import { createRecorder, type Recorder, type Watched } from '../scenarios/runner/record.ts'
import type { Settings } from '../server/config.ts'

const SCHEMA = join(import.meta.dirname, '..', 'scenarios', 'scenario.schema.json')

/** Throws a sentence when the file cannot be begun. */
export function recordTo(file: string, settings: Settings, emulator: Emulator | undefined): Recorder {
  return createRecorder({
    file,
    family: settings.family,
    profile: settings.profile,
    config: configOf(settings),
    device: emulator && watched(emulator),
    schema: existsSync(SCHEMA) ? SCHEMA : undefined,
  })
}

function watched({ device }: Emulator): Watched {
  const { lastDocument } = device.counters
  return {
    snapshot: () => device.snapshot(),
    isNew: lastDocument === 0,
    clock: device.localTime(),
    documents: (after) => device.documents(after).map(documentView),
  }
}

/** What playing depends on, in the form of the configuration file: a secret that it points to is pointed to again. */
function configOf({ payments, taxRates, operators, defaults, legacy, references }: Settings): Record<string, unknown> {
  const { operator, pointOfSale, password, customer } = defaults
  const isPlain = operator === 1 && pointOfSale === 1 && password === undefined && customer === undefined
  const rates = Object.entries(taxRates ?? {}).map(([letter, rate]) => [letter, Number(formatPercent(rate))])
  const secret = (at: string, text: string) => references.get(at) ?? text
  const passwords = Object.entries(operators).map(([code, one]) => [
    code,
    { password: secret(`operators.${code}.password`, one.password) },
  ])
  return {
    ...(payments && { payments }),
    ...(rates.length > 0 && { taxRates: Object.fromEntries(rates) }),
    ...(passwords.length > 0 && { operators: Object.fromEntries(passwords) }),
    ...(isPlain
      ? {}
      : {
          defaults: { ...defaults, ...(password !== undefined && { password: secret('defaults.password', password) }) },
        }),
    ...(legacy.plu.length > 0 && { legacy }),
  }
}
