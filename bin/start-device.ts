import { isHostTrouble, isLoopbackAddress, LOOPBACK, portTrouble } from '../drivers/host/server-access.ts'
import { messageOf } from '../drivers/model/errors.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { type RunningPrinter, StartError, type StartFailure, startPrinter } from '../emulator/fleet/printer.ts'
import type { PrinterPlan } from '../emulator/fleet/printer-plan.ts'
import type { ControlOptions } from '../emulator/panel/controls.ts'
import type { FleetView } from '../emulator/panel/fleet.ts'
import type { PanelAccess } from '../emulator/panel/panel.ts'
import type { Settings } from '../server/config.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, type StartedParts, unusableFileText } from './exit.ts'
import { type FaultPlanFile, planProblems } from './fault-plan-file.ts'

/** Throws Exit if the device does not start. `rules` names the source of its fault rules in the message. */
export async function startDevice(
  plan: PrinterPlan,
  started: StartedParts,
  log: (line: string) => void,
  rules?: FaultPlanFile,
): Promise<RunningPrinter> {
  try {
    const printer = await startPrinter(plan, log)
    started.add(() => printer.close())
    return printer
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const { failure } = error
    const isUsage = failure.kind === 'rules' || failure.kind === 'plan'
    throw new Exit(isUsage ? EXIT_USAGE : EXIT_ENVIRONMENT, describeStartFailure(failure, rules))
  }
}

export function describeStartFailure(failure: StartFailure, rules: FaultPlanFile | undefined): string {
  switch (failure.kind) {
    case 'rules':
      return planProblems(rules ?? { file: '', place: '', rules: [] }, failure.problems)
    case 'store':
      return unusableFileText(failure.path, failure.trouble)
    case 'plan':
    case 'other':
      return failure.message
  }
}

interface OpeningOptions {
  readonly isChosen: boolean
}

export interface OpenPanel {
  readonly url: string
  readonly note?: string
}

type PanelSettings = Pick<Settings, 'listen' | 'apiKey'>

/** A control panel that other machines can reach requires the API key of the configuration. */
const accessOf = ({ listen: { panelHost, hosts }, apiKey }: PanelSettings): PanelAccess => ({
  host: panelHost,
  names: hosts,
  apiKey: isLoopbackAddress(panelHost) ? undefined : apiKey,
})

export async function startPanel(
  emulator: Emulator,
  settings: PanelSettings,
  started: StartedParts,
  options: OpeningOptions & Pick<ControlOptions, 'carriedOut' | 'till' | 'requests' | 'service'>,
): Promise<OpenPanel> {
  const { listenPanel } = await import('../emulator/panel/panel.ts')
  const { serviceCalls } = await import('../server/service-calls.ts')
  const { isChosen, ...others } = options
  const controls = { serviceCalls, ...others }
  return openPanel((at, access) => listenPanel(emulator, at, controls, access), settings, started, { isChosen })
}

export async function startFleetPanel(
  fleet: FleetView,
  settings: PanelSettings,
  started: StartedParts,
  options: OpeningOptions,
): Promise<OpenPanel> {
  const { createFleetPanel, listenOn } = await import('../emulator/panel/panel.ts')
  return openPanel((at, access) => listenOn(createFleetPanel(fleet, access), at, access), settings, started, options)
}

/**
 * Opens the control panel. If the port is in use and no option chose it, opens a free port; the start line then
 * contains the port and the reason.
 */
async function openPanel(
  listenAt: (port: number, access: PanelAccess) => Promise<{ readonly url: string; close(): Promise<void> }>,
  settings: PanelSettings,
  started: StartedParts,
  { isChosen }: OpeningOptions,
): Promise<OpenPanel> {
  await (await import('./commands/build-panel-page.ts')).ensurePageIfPossible()
  const access = accessOf(settings)
  const { panelPort: port } = settings.listen
  const listen = async (at: number): Promise<string> => {
    const panel = await listenAt(at, access)
    started.add(() => panel.close())
    return panel.url
  }
  try {
    return { url: await listen(port) }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const isTaken = error.code === 'EADDRINUSE'
    if (!isTaken || isChosen) throw new Exit(EXIT_ENVIRONMENT, panelPortTrouble(port, error, access.host))
    return {
      url: await listen(0),
      note: `port ${port} is already in use, so the panel uses a free one: choose one with --panel-port`,
    }
  }
}

export function panelPortTrouble(port: number, error: unknown, host: string = LOOPBACK): string {
  const { code } = error as NodeJS.ErrnoException
  const why = portTrouble(code) ?? messageOf(error)
  const what = isHostTrouble(code)
    ? 'Choose another address with --panel-host'
    : 'Choose another with --panel-port (0: any free one)'
  return `Port ${port} of the panel on ${host} cannot be opened: ${why}. ${what}.`
}
