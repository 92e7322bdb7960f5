import { LOOPBACK } from '../../drivers/host/server-access.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { PrinterPlan } from '../../emulator/fleet/printer-plan.ts'
import { measuredTimes, type RealisticTimes } from '../../emulator/line/durations.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import type { Settings } from '../../server/config.ts'
import { openWarning } from '../beyond-loopback.ts'
import { EXIT_USAGE, Exit } from '../exit.ts'
import type { FaultPlanFile } from '../fault-plan-file.ts'

export interface EmulateOptions {
  readonly family?: Family
  readonly profile?: string
  readonly passport?: string
  readonly link?: string
  readonly tcp?: number
  readonly host?: string
  readonly panelPort?: number
  readonly panelHost?: string
  /** Allows TCP lines beyond loopback, and the control panel without a key. */
  readonly open?: boolean
  readonly name?: readonly string[]
  readonly data?: string
  readonly baud?: number
  readonly realistic?: boolean
  readonly lineMs?: number
  readonly zMs?: number
  readonly config?: string
  readonly deviceName?: string
  readonly serial?: string
  readonly notFiscalised?: boolean
  readonly switch?: Readonly<Record<string, string>>
  readonly faults?: string
  readonly listCommands?: boolean
  readonly json?: boolean
  readonly count?: number
  readonly fleet?: string
  readonly workers?: number
  readonly strict?: boolean
}

/**
 * Returns a warning for the start line. Throws Exit if other machines can reach a line or the control panel without
 * permission.
 */
export function openPortsWarning({ tcp, fleet, host = LOOPBACK }: EmulateOptions, { listen, apiKey }: Settings) {
  const hasLines = tcp !== undefined || fleet !== undefined
  if (!hasLines && host !== LOOPBACK) throw new Exit(EXIT_USAGE, '--host applies only to a TCP port: add --tcp PORT')
  return openWarning(
    [
      ...(hasLines ? [{ host, option: '--host', does: 'print on this device', hasKey: false } as const] : []),
      { host: listen.panelHost, option: '--panel-host', does: 'operate this device' },
    ],
    { apiKey, open: listen.open },
  )
}

export const deviceBehaviour = (options: EmulateOptions, rules: FaultPlanFile | undefined, passport?: Passport) =>
  omitUndefined({
    baud: options.baud,
    times: timesOf(options, passport),
    switches: options.switch,
    rules: rules?.rules as PrinterPlan['rules'],
  })

/** `--line-ms` and `--z-ms` imply `--realistic`. A passport has its own times. */
function timesOf(
  { realistic, lineMs, zMs }: EmulateOptions,
  passport: Passport | undefined,
): RealisticTimes | undefined {
  if (!realistic && lineMs === undefined && zMs === undefined) return undefined
  const measured = measuredTimes(passport?.line)
  return { ...measured, ...omitUndefined({ lineMs, reportZMs: zMs }) }
}
