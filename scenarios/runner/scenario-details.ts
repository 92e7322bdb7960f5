import { escapeControl } from '../../drivers/model/escape-control.ts'
import { faultLine } from '../../emulator/faults/effects.ts'
import type { DocumentView, FrameView } from '../../emulator/panel/contract.ts'
import { faultsOfRun, type InjectedFault } from './injected-faults.ts'
import type { ScenarioRun } from './scenario-run.ts'

export interface Detail {
  readonly wire: readonly FrameView[]
  /** All faults that the device has injected, or those that it still retains. */
  readonly faults?: readonly InjectedFault[]
  readonly pictures: Readonly<Record<number, string>>
  readonly open?: string
}

const PICTURES_MAX = 24

export async function detailOf({ rig, log }: ScenarioRun, paper: readonly DocumentView[]): Promise<Detail | undefined> {
  const { panel } = rig
  if (!panel) return undefined
  const wire = await panel('GET /emulator/frames', { query: { after: log.beginning.frame } })
  const pictures: Record<number, string> = {}
  for (const { id } of paper.slice(-PICTURES_MAX))
    pictures[id] = await panel('GET /emulator/documents/{id}.svg', { params: { id } })
  const open = await panel('GET /emulator/receipt')
  const faults = await faultsOfRun(rig)
  return { wire, faults, pictures, ...(open && { open: open.svg }) }
}

const FIELDS_SHOWN = 160

function frameLine({ direction, command, fields, status, hex }: FrameView): string {
  const arrow = direction === 'toDevice' ? '>' : '<'
  const data = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : command === 'unknown' ? ` ${hex}` : ''
  const flags = status.length > 0 ? ` [${status.join(' ')}]` : ''
  return `${arrow} ${command}${escapeControl(data.slice(0, FIELDS_SHOWN))}${flags}`
}

/** Formats frames as lines, each fault after the frame that it concerns, and faults of earlier frames first. */
export function wireLines(frames: readonly FrameView[], faults: readonly InjectedFault[]): string[] {
  if (frames.length === 0) return faults.map(faultLine)
  const first = frames[0]?.id ?? 0
  const byFrame = Map.groupBy(faults, ({ frame }) => frame)
  return [
    ...faults.filter(({ frame }) => frame < first - 1).map((fault) => `${faultLine(fault)} (earlier)`),
    ...(byFrame.get(first - 1) ?? []).map(faultLine),
    ...frames.flatMap((frame) => [frameLine(frame), ...(byFrame.get(frame.id) ?? []).map(faultLine)]),
  ]
}
