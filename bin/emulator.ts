/** An emulated device with its panel, as `serve` and `emulate` start it. */
import type { Emulator } from '../emulator/emulator.ts'
import { type RunningPrinter, StartError, type StartFailure, startPrinter } from '../emulator/fleet/printer.ts'
import type { PrinterPlan } from '../emulator/fleet/printer-plan.ts'
import type { ControlOptions } from '../emulator/panel/controls.ts'
import type { Floor } from '../emulator/panel/floor.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, type Started, unusable } from './exit.ts'
import { type PlanFile, planProblems } from './plan-file.ts'

/** Ends the command when it cannot be. `rules`: where its fault rules stand. */
export async function startDevice(
  plan: PrinterPlan,
  started: Started,
  log: (line: string) => void,
  rules?: PlanFile,
): Promise<RunningPrinter> {
  try {
    const printer = await startPrinter(plan, log)
    started.add(() => printer.close())
    return printer
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const { failure } = error
    const isUsage = failure.kind === 'rules' || failure.kind === 'plan'
    throw new Exit(isUsage ? EXIT_USAGE : EXIT_ENVIRONMENT, failureWords(failure, rules))
  }
}

/** What did not start, and what to do about it. */
export function failureWords(failure: StartFailure, rules: PlanFile | undefined): string {
  switch (failure.kind) {
    case 'rules':
      return planProblems(rules ?? { file: '', place: '', rules: [] }, failure.problems)
    case 'store':
      return unusable(failure.path, failure.trouble)
    case 'plan':
    case 'other':
      return failure.message
  }
}

interface OpeningOptions {
  readonly isChosen: boolean
  readonly log?: (line: string) => void
}

/** Opens the control interface of one device; gives its address. */
export async function startPanel(
  emulator: Emulator,
  port: number,
  started: Started,
  options: OpeningOptions & Pick<ControlOptions, 'carriedOut' | 'till' | 'requests' | 'service'>,
): Promise<string> {
  const { listenPanel } = await import('../emulator/panel/panel.ts')
  return openPanel(
    (at) =>
      listenPanel(emulator, at, {
        carriedOut: options.carriedOut,
        till: options.till,
        requests: options.requests,
        service: options.service,
      }),
    port,
    started,
    options,
  )
}

/** Opens the control interface of many; gives its address. */
export async function startFloorPanel(
  floor: Floor,
  port: number,
  started: Started,
  options: OpeningOptions,
): Promise<string> {
  const { createFloorPanel, listenOn } = await import('../emulator/panel/panel.ts')
  return openPanel((at) => listenOn(createFloorPanel(floor), at), port, started, options)
}

/**
 * A port that no option chose and that is taken, by another device's panel for example, is replaced by a free one: the
 * start line tells which.
 */
async function openPanel(
  listenAt: (port: number) => Promise<{ readonly url: string; close(): Promise<void> }>,
  port: number,
  started: Started,
  { isChosen, log }: OpeningOptions,
): Promise<string> {
  const { ensurePage } = await import('./commands/page.ts')
  // Without a page the control interface still works; the panel says what is missing.
  await ensurePage().catch(() => undefined)
  const listen = async (at: number): Promise<string> => {
    const panel = await listenAt(at)
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
