import type { z } from 'zod'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { DeviceReader } from '../device-sums.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { ManualCheck, Problem } from '../step-results.ts'

export interface CheckKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  judge(expected: z.output<Schema>, panel: Client, run: ScenarioRun): Promise<readonly Problem[]>
  /**
   * Judges a device without a control API by its answers. Expectations that the device cannot report become manual
   * checks.
   */
  ask(expected: z.output<Schema>, reader: DeviceReader, run: ScenarioRun): Promise<CheckResult>
}

export interface CheckResult {
  readonly problems?: readonly Problem[]
  readonly manualChecks?: readonly ManualCheck[]
}

export const checkKind = <Schema extends z.ZodType>(kind: CheckKind<Schema>): CheckKind<Schema> => kind
