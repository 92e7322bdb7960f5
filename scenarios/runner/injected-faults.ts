/** Faults that the emulated device has injected, each with the frame that it concerns. */
import { isOnItsWay } from '../../emulator/faults/effects.ts'
import type { FaultReport } from '../../emulator/faults/points.ts'
import type { Client } from '../../emulator/panel/contract.ts'

export interface InjectedFault extends FaultReport {
  /** Id of the frame that the fault has changed or that was executed; of the frame before it if none arrived. */
  readonly frame: number
}

/** `frames`: number of frames at that time, which is the id of the last one. */
export function injectedFault({ point, what, on, rule }: FaultReport, frames: number): InjectedFault {
  // Faults of a request are reported before its frame arrives.
  const frame = isOnItsWay({ point, what }) ? frames + 1 : frames
  return { point, what, ...(on !== undefined && { on }), ...(rule !== undefined && { rule }), frame }
}

/** Resolves to the faults of the device. A device outside this process reports those that its timeline retains. */
export async function faultsOfRun({
  faults,
  panel,
}: {
  readonly faults?: () => readonly InjectedFault[]
  readonly panel: Client | undefined
}): Promise<readonly InjectedFault[]> {
  if (faults) return [...faults()]
  const injected: InjectedFault[] = []
  let frames = 0
  for (const entry of (await panel?.('GET /emulator/timeline')) ?? []) {
    if (entry.is === 'frame') frames = entry.frame ?? frames
    if (entry.is === 'fault') injected.push({ ...injectedFault(entry, frames), frame: entry.frame ?? frames })
  }
  return injected
}

/** Returns the faults that were injected during a step. */
export const faultsOfStep = (
  { injected }: { readonly injected?: readonly [before: number, after: number] },
  detail: { readonly faults?: readonly InjectedFault[] } | undefined,
): readonly InjectedFault[] => (injected ? (detail?.faults ?? []).slice(...injected) : [])

/** Returns whether a line of frames is that of a fault (`faultLine`). */
export const isFaultLine = (line: string): boolean => line.startsWith('! ')
