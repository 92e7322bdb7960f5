import type { Clock } from '../../drivers/model/clock.ts'
import type { FleetRow } from '../panel/contract.ts'
import type { FleetNotice } from '../panel/fleet.ts'
import { BUNDLE_MS } from './printer-group.ts'
import type { PrinterPlan } from './printer-plan.ts'

export interface FleetUpdates {
  readonly isWatched: boolean
  rows(rows: readonly FleetRow[]): void
  notify(text: string): void
  listen(listener: (notice: FleetNotice) => void): () => void
  close(): void
}

/** `onWatched` is called when the first viewer connects and when the last one disconnects. */
export function createFleetUpdates(clock: Clock, onWatched: (on: boolean) => void): FleetUpdates {
  const watchers = new Set<(notice: FleetNotice) => void>()
  let changed = new Map<string, FleetRow>()
  let cancel: (() => void) | undefined
  const hearAll = (notice: FleetNotice) => {
    for (const listener of watchers) listener(notice)
  }
  return {
    get isWatched() {
      return watchers.size > 0
    },
    rows(rows) {
      if (watchers.size === 0) return
      for (const row of rows) changed.set(row.name, row)
      cancel ??= clock.after(BUNDLE_MS, () => {
        cancel = undefined
        hearAll(['rows', [...changed.values()]])
        changed = new Map()
      })
    },
    notify: (text) => hearAll(['told', { text }]),
    listen(listener) {
      watchers.add(listener)
      if (watchers.size === 1) onWatched(true)
      return () => {
        watchers.delete(listener)
        if (watchers.size === 0) onWatched(false)
      }
    },
    close: () => cancel?.(),
  }
}

export const stoppedPrinterRow = (plan: PrinterPlan, why?: string): FleetRow => ({
  name: plan.name,
  family: plan.family,
  profile: plan.profile ?? '',
  serialNumber: plan.identity?.serialNumber ?? '',
  line: null,
  state: why === undefined ? 'starting' : 'failed',
  ...(why !== undefined && { why }),
  lastDocument: null,
  total: '0.00',
  lastLine: '',
  strip: '',
})
