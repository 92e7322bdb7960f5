import { Counter, Registry } from 'prom-client'
import type { PrinterFigures } from './fleet.ts'

type Figure = Exclude<keyof PrinterFigures, 'name' | 'family'>

/** Milliseconds per second: Prometheus expects seconds. */
const SECONDS = 1000

const METRICS: Readonly<Record<Figure, { readonly name: string; readonly help: string; readonly in?: number }>> = {
  commands: { name: 'fiscal_rig_commands_total', help: 'Executed commands.' },
  refusals: { name: 'fiscal_rig_refusals_total', help: 'Commands that the printer refused.' },
  receipts: { name: 'fiscal_rig_receipts_total', help: 'Fiscal receipts and invoices closed.' },
  faults: { name: 'fiscal_rig_faults_total', help: 'Injected faults.' },
  busyMs: { name: 'fiscal_rig_busy_seconds_total', help: 'Time spent on commands.', in: SECONDS },
}

interface Exposition {
  readonly type: string
  readonly text: string
}

export async function exposition(printers: readonly PrinterFigures[]): Promise<Exposition> {
  const registry = new Registry()
  for (const [figure, { name, help, in: unit = 1 }] of Object.entries(METRICS)) {
    const counter = new Counter({ name, help, labelNames: ['printer', 'family'], registers: [registry] })
    for (const one of printers) counter.inc({ printer: one.name, family: one.family }, one[figure as Figure] / unit)
  }
  return { type: registry.contentType, text: await registry.metrics() }
}
