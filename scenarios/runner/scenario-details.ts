import { escapeControl } from '../../drivers/model/escape-control.ts'
import type { DocumentView, FrameView } from '../../emulator/panel/contract.ts'
import type { ScenarioRun } from './scenario-run.ts'

export interface Detail {
  readonly wire: readonly FrameView[]
  readonly pictures: Readonly<Record<number, string>>
  readonly open?: string
}

const PICTURES_MAX = 24

export async function detailOf(
  { rig: { panel }, log }: ScenarioRun,
  paper: readonly DocumentView[],
): Promise<Detail | undefined> {
  if (!panel) return undefined
  const wire = await panel('GET /emulator/frames', { query: { after: log.beginning.frame } })
  const pictures: Record<number, string> = {}
  for (const { id } of paper.slice(-PICTURES_MAX))
    pictures[id] = await panel('GET /emulator/documents/{id}.svg', { params: { id } })
  const open = await panel('GET /emulator/receipt')
  return { wire, pictures, ...(open && { open: open.svg }) }
}

const FIELDS_SHOWN = 160

export function frameLine({ direction, command, fields, status, hex }: FrameView): string {
  const arrow = direction === 'toDevice' ? '>' : '<'
  const data = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : command === 'unknown' ? ` ${hex}` : ''
  const flags = status.length > 0 ? ` [${status.join(' ')}]` : ''
  return `${arrow} ${command}${escapeControl(data.slice(0, FIELDS_SHOWN))}${flags}`
}
