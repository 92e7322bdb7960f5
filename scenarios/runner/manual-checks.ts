/** Checks that only a person can make. Reports list them after the scenario. */
import type { DeviceReader, PrintedKind } from './device-sums.ts'
import { formatValue } from './match.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { ManualCheck } from './step-results.ts'

export const manualCheckTitle = ({ at, of }: ManualCheck): string =>
  `check manually: ${at === 'sums' ? 'sums of an X report' : at}${of === undefined ? '' : ` of ${of}`}`

export function addManualChecks({ log: { manualChecks } }: ScenarioRun, added: readonly ManualCheck[]): void {
  for (const manualCheck of added)
    if (!manualChecks.some((one) => formatValue(one) === formatValue(manualCheck))) manualChecks.push(manualCheck)
}

export async function printedSince(
  reader: DeviceReader,
  { log: { beginning } }: ScenarioRun,
): Promise<readonly PrintedKind[] | null> {
  const { lastDocument } = await reader.numbers()
  if (lastDocument === null || beginning.number === null) return null
  return reader.documents(beginning.number + 1, lastDocument)
}

const NAMES: Readonly<Record<string, string>> = {
  fiscal: 'receipt',
  cancelled: 'cancelled receipt',
  nonFiscal: 'non-fiscal receipt',
  x: 'X report',
  z: 'Z report',
  copy: 'copy',
}

/** Returns a text such as `receipt 12, X report 13`, or `undefined` if no documents are known. */
export function documentNames(documents: readonly PrintedKind[] | null): string | undefined {
  if (!documents || documents.length === 0) return undefined
  const each = documents.map(({ number, kind }) => `${NAMES[kind ?? ''] ?? 'document'} ${number}`)
  return each.length <= NAMED_MAX ? each.join(', ') : `${each[0]} to ${each.at(-1)}`
}

const NAMED_MAX = 6
