/** Options of `fiscal-rig emulate`, for one device and for many. */
import { FAMILIES } from '../../drivers/families.ts'
import { LOOPBACK } from '../../drivers/host/server-access.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { PrinterPlan } from '../../emulator/fleet/printer-plan.ts'
import { measuredTimes, type RealisticTimes } from '../../emulator/line/durations.ts'
import type { Passport } from '../../emulator/passport/form.ts'
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
  /** Address of the TCP ports. */
  readonly host?: string
  readonly panelPort?: number
  readonly panelHost?: string
  /** Allows lines beyond loopback, and the panel without a key. */
  readonly open?: boolean
  /** Names in the Host header of calls to the panel. */
  readonly name?: readonly string[]
  readonly data?: string
  readonly baud?: number
  readonly realistic?: boolean
  readonly lineMs?: number
  readonly zMs?: number
  readonly config?: string
  readonly deviceName?: string
  /** Serial number of a new device. */
  readonly serial?: string
  /** True: a new device was never fiscalised. */
  readonly notFiscalised?: boolean
  readonly switch?: Readonly<Record<string, string>>
  readonly faults?: string
  readonly listCommands?: boolean
  readonly json?: boolean
  /** Number of equal devices. */
  readonly count?: number
  /** File that lists the devices. */
  readonly fleet?: string
  readonly workers?: number
  readonly strict?: boolean
}

/** Returns the family. Throws Exit with commander's message for required options. */
export function requiredFamily({ family }: EmulateOptions): Family {
  if (family !== undefined) return family
  throw new Exit(EXIT_USAGE, `error: required option '--family <${FAMILIES.join('|')}>' not specified`)
}

/** Returns a warning for the start line. Throws Exit if lines or panel are open without permission. */
export function openDoors({ tcp, fleet, host = LOOPBACK }: EmulateOptions, { listen, apiKey }: Settings) {
  const hasLines = tcp !== undefined || fleet !== undefined
  if (!hasLines && host !== LOOPBACK) throw new Exit(EXIT_USAGE, '--host: no TCP port is open: add --tcp PORT')
  return openWarning(
    [
      ...(hasLines ? [{ host, option: '--host', does: 'print on this device', hasKey: false } as const] : []),
      { host: listen.panelHost, option: '--panel-host', does: 'operate this device' },
    ],
    { apiKey, open: listen.open },
  )
}

/** Returns the options about the behaviour of devices, one or many. */
export const deviceBehaviour = (options: EmulateOptions, rules: FaultPlanFile | undefined, passport?: Passport) =>
  omitUndefined({
    baud: options.baud,
    times: timesOf(options, passport),
    switches: options.switch,
    rules: rules?.rules as PrinterPlan['rules'],
  })

/** Returns the times of `--realistic`. `--line-ms` and `--z-ms` imply it with these times; a passport has its own. */
function timesOf(
  { realistic, lineMs, zMs }: EmulateOptions,
  passport: Passport | undefined,
): RealisticTimes | undefined {
  if (!realistic && lineMs === undefined && zMs === undefined) return undefined
  const measured = measuredTimes(passport?.line)
  return { ...measured, ...omitUndefined({ lineMs, reportZMs: zMs }) }
}
