import { serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Depth } from '../../drivers/wire/questionnaire.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { type Outcome, recordPassport, type Task } from '../../scenarios/passport/passport.ts'
import { START } from '../support/rig.ts'
import { type Invention, inventedBinding } from './firmware.ts'

export const PROFILES: readonly (readonly [Family, string])[] = [...emulatedFamilies].flatMap(
  ([family, { profiles }]) => profiles.map((profile) => [family, profile] as const),
)

export interface PassportOptions extends Omit<EmulatorOptions, 'clock'> {
  readonly depth?: Depth
  readonly z?: boolean
  readonly before?: (emulator: Emulator) => void
  readonly ask?: Partial<Task>
}

export async function passportOf({
  depth = 'read',
  z = false,
  before,
  ask,
  ...options
}: PassportOptions): Promise<Outcome> {
  const clock = new SimulatedClock(START)
  const emulator = createEmulator({ store: new PlainStore(), ...options, clock })
  before?.(emulator)
  try {
    return await simulate(
      clock,
      recordPassport({
        family: options.family,
        ...(options.profile !== undefined && { profile: options.profile }),
        opener: serialPort(emulator.path, 115_200, clock, emulator.binding),
        clock,
        consent: { depth, z },
        rig: '0.0.0',
        ...ask,
      }),
    )
  } finally {
    await emulator.close()
  }
}

export const passportOfInvented = async (...how: Parameters<typeof outcomeOfInvented>): Promise<Passport> =>
  (await outcomeOfInvented(...how)).passport

export async function outcomeOfInvented(
  family: string,
  profile: string,
  depth: Depth,
  invention: Invention,
  ask: Partial<Task> = {},
): Promise<Outcome> {
  const clock = new SimulatedClock(START)
  const emulator = createEmulator({ family, profile, clock, data: 'memory' })
  const q = questionnaireFor(emulatedFamilies.get(family) as never, profile)
  const binding = inventedBinding(emulator.binding, q.framesToDevice, q.framesFromDevice, invention)
  const opener = serialPort(emulator.path, 115_200, clock, binding)
  const outcome = await simulate(
    clock,
    recordPassport({ family, profile, opener, clock, consent: { depth, z: false }, rig: '0', ...ask }),
  )
  await emulator.close()
  return outcome
}

export function essence({ device, switches, notSeen, facts, overrides, differences, same }: Passport) {
  const summaries = differences.map(({ probe, meaning }) => ({ probe, meaning }))
  return { device, switches, notSeen, facts, overrides, differences: summaries, same }
}
