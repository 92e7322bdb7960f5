/**
 * `serve --record`: records the requests that have passed the checks of the service, and observes its emulated device.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { capabilitiesOf } from '../drivers/index.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { rulesStep, stateSteps, stepsOfEntered } from '../emulator/panel/session-recorder.ts'
import { documentView } from '../emulator/panel/views.ts'
import { createRecorder, type Recorder, type WatchedDevice } from '../scenarios/runner/request-recorder.ts'
import type { Settings } from '../server/config.ts'
import { serviceCalls } from '../server/service-calls.ts'
import { type PasswordReplacement, passwordsIn, replacePasswords } from './recorded-passwords.ts'
import { configOf } from './replay-config.ts'

const SCHEMA = join(import.meta.dirname, '..', 'scenarios', 'scenario.schema.json')

interface RecordToOptions {
  /** Returns a time in ms, of which only differences count. */
  readonly now?: () => number
  readonly withPasswords?: boolean
}

export function recordTo(
  file: string,
  settings: Settings,
  emulator: Emulator | undefined,
  { now, withPasswords = false }: RecordToOptions = {},
): Recorder {
  const passwords = withPasswords ? undefined : replacementFor(settings, emulator)
  return createRecorder({
    file,
    family: settings.family,
    profile: settings.profile,
    config: configOf(passwords ? withoutPasswords(settings) : settings),
    device: emulator && watchedDevice(emulator, passwords),
    ...(passwords && { body: passwords.body }),
    schema: existsSync(SCHEMA) ? SCHEMA : undefined,
    ...(now && { now }),
  })
}

function replacementFor(
  { family, operators, references }: Settings,
  emulator: Emulator | undefined,
): PasswordReplacement {
  const current = emulator ? passwordsIn(emulator.device.snapshot()) : new Map<number, string>()
  for (const [code, { password }] of Object.entries(operators)) current.set(Number(code), password)
  // The device of a replay reads this password from the same reference, and a request cannot contain a reference.
  for (const code of Object.keys(operators))
    if (references.has(`operators.${code}.password`)) current.delete(Number(code))
  const factory = emulator?.profile.factoryPassword ?? capabilitiesOf({ family, device: '' }).defaultPassword
  return replacePasswords({ current, factory })
}

/** Removes passwords. If the configuration only refers to a password, the reference remains in the recording. */
function withoutPasswords(settings: Settings): Settings {
  const { references, operators } = settings
  const { password, ...defaults } = settings.defaults
  const isPointer = ([code]: readonly [string, unknown]): boolean => references.has(`operators.${code}.password`)
  return {
    ...settings,
    defaults: { ...defaults, ...(references.has('defaults.password') && omitUndefined({ password })) },
    operators: Object.fromEntries(Object.entries(operators).filter(isPointer)),
  }
}

function watchedDevice(emulator: Emulator, passwords: PasswordReplacement | undefined): WatchedDevice {
  const { device, loop, faults } = emulator
  return {
    snapshot: () => passwords?.snapshot(device.snapshot()) ?? device.snapshot(),
    isNew: () => device.counters.lastDocument === 0,
    clock: () => device.localTime(),
    atRest: () => loop.atRest,
    stateSteps: () => stateSteps({ power: emulator.power, cable: emulator.cable, rules: faults.list() }),
    rulesStep: () => rulesStep(faults.list()),
    documents: (after) => device.documents(after).map(documentView),
    onEntered(listener) {
      emulator.subscribe((event) => {
        const steps = stepsOfEntered(emulator, event, serviceCalls)
        if (steps !== undefined) listener(steps)
      })
    },
  }
}
