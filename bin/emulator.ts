/** An emulated device with its panel, as `serve` and `emulate` start it. */
import { systemClock } from '../drivers/model/clock.ts'
import type { Family } from '../drivers/model/families.ts'
import { present } from '../drivers/model/present.ts'
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  factorySettings,
  storePath,
} from '../emulator/emulator.ts'
import { PlanError } from '../emulator/faults/plan.ts'
import type { Rule } from '../emulator/faults/rule.ts'
import { type RealisticTimes, realisticDuration } from '../emulator/line/durations.ts'
import type { CallListener } from '../emulator/panel/panel.ts'
import type { Settings } from '../server/config.ts'
import type { DataFolder } from '../server/data-folder.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, openStore, type Started } from './exit.ts'
import { type PlanFile, planProblems } from './plan-file.ts'

interface StartOptions {
  readonly family: Family
  readonly settings: Settings
  readonly data: DataFolder
  readonly deviceName: string | undefined
  /** Fault rules of a file. */
  readonly plan?: PlanFile | undefined
  /** True speed of the lines. */
  readonly baud?: number | undefined
  /** Time that printing takes; instant without. */
  readonly times?: RealisticTimes | undefined
  /** Departures that imitate particular firmware. */
  readonly switches?: Readonly<Record<string, string>> | undefined
  readonly log: (line: string) => void
}

export function startEmulator(options: StartOptions, started: Started): Emulator {
  const { family, settings, data, deviceName, log, plan } = options
  try {
    const own: EmulatorOptions = {
      family,
      clock: systemClock,
      data: data.path ?? 'memory',
      settings: factorySettings(settings),
      ...present({ profile: settings.profile, deviceName, baud: options.baud, options: options.switches }),
      ...(options.times && { durationMs: realisticDuration(options.times) }),
      ...(plan && { plan: plan.rules as readonly Rule[] }),
      log,
    }
    const emulator = openStore(storePath(own), () => createEmulator(own))
    started.add(() => emulator.close())
    return emulator
  } catch (error) {
    if (error instanceof PlanError && plan) throw new Exit(EXIT_USAGE, planProblems(plan, error))
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

/**
 * Opens the control interface; gives its address. A port that no option chose and that is taken, by another device's
 * panel for example, is replaced by a free one: the start line tells which.
 */
export async function startPanel(
  emulator: Emulator,
  port: number,
  started: Started,
  options: {
    readonly isChosen: boolean
    readonly log?: (line: string) => void
    readonly carriedOut?: CallListener
  },
): Promise<string> {
  const { isChosen, log, carriedOut } = options
  const [{ listenPanel }, { ensurePage }] = await Promise.all([
    import('../emulator/panel/panel.ts'),
    import('./commands/page.ts'),
  ])
  // Without a page the control interface still works; the panel says what is missing.
  await ensurePage().catch(() => undefined)
  const listen = async (at: number): Promise<string> => {
    const panel = await listenPanel(emulator, at, carriedOut)
    started.add(() => panel.close())
    return panel.url
  }
  try {
    return await listen(port)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const isTaken = error.code === 'EADDRINUSE'
    if (!isTaken || isChosen) {
      throw new Exit(
        EXIT_ENVIRONMENT,
        `Port ${port} of the panel cannot be opened: ${isTaken ? 'it is in use by another program' : error.message}. Choose another with --panel-port (0: any free one).`,
      )
    }
    log?.(`port ${port} is taken: the panel listens on a free one`)
    return listen(0)
  }
}
