/** Closes open receipts before and after a scenario on a device that keeps its state, and describes what remains. */

import { formatValue } from './match.ts'
import type { ScenarioRun } from './scenario-run.ts'
import { postTo } from './steps/requests.ts'

export interface PersistentDevice {
  begin(): Promise<void>
  leave(): Promise<string | undefined>
}

export function persistentDevice(run: ScenarioRun): PersistentDevice {
  let lastBefore: number | null = null
  return {
    async begin() {
      const { isOpen, kind } = await statusOf(run)
      if (isOpen) await endReceipt(run, kind)
      lastBefore = await lastOf(run)
    },
    async leave() {
      const { isOpen, kind } = await statusOf(run)
      const ended = isOpen ? [await endReceipt(run, kind)] : []
      const last = await lastOf(run)
      const parts =
        last !== null && lastBefore !== null && last > lastBefore
          ? [
              ...ended,
              last === lastBefore + 1
                ? `document ${last} was printed`
                : `documents ${lastBefore + 1} to ${last} were printed`,
            ]
          : ended
      return parts.length === 0 ? undefined : parts.join('; ')
    },
  }
}

async function lastOf({ rig: { panel, reader } }: ScenarioRun): Promise<number | null> {
  if (panel) return (await panel('GET /emulator/documents')).at(-1)?.number ?? 0
  return (await reader?.numbers())?.lastDocument ?? null
}

async function statusOf(run: ScenarioRun) {
  const answer = await postTo(run, '/status-of-the-fiscal-transaction')
  if (answer['StatusCode'] !== 200) throw new Error(`the device does not report its state: ${formatValue(answer)}`)
  const { IsOpen, Kind, Remaining } = answer['Data'] as Readonly<Record<string, unknown>>
  return { isOpen: IsOpen === true, kind: String(Kind), remaining: Remaining }
}

async function endReceipt(run: ScenarioRun, kind: string): Promise<string> {
  const ways =
    kind === 'NonFiscal' ? ['/cancel-non-fiscal-receipt', '/close-non-fiscal-receipt'] : ['/cancel-fiscal-receipt']
  for (const way of ways) {
    if ((await postTo(run, way))['StatusCode'] === 200)
      return `an open receipt was ${way.startsWith('/cancel') ? 'cancelled' : 'closed'} by ${way.slice(1)}`
  }
  const { remaining } = await statusOf(run)
  if (typeof remaining === 'number' && remaining > 0)
    await postTo(run, '/payment', { PaymentMode: 0, Amount: remaining })
  const closed = await postTo(run, '/close-fiscal-receipt')
  if (closed['StatusCode'] === 200)
    return `an open receipt was paid in cash and closed as number ${formatValue(closed['Data'])}`
  throw new Error(
    `the device has an open receipt that cannot be closed or cancelled: ${formatValue(closed)}. Close it in the program that opened it, or on the device`,
  )
}
