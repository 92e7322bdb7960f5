import type { z } from 'zod'
import type { Rule as DeviceRule } from '../../emulator/faults/rule.ts'
import type { FrameView } from '../../emulator/panel/contract.ts'
import type { journalLine, snapshot } from '../../emulator/panel/view-schemas.ts'
import type { CommandName } from './command-names.ts'

export type { DayView, DocumentView, FrameView, HitView, PaperState, ZView } from '../../emulator/panel/contract.ts'
export type FrameDirection = FrameView['direction']
export type JournalLineView = z.output<typeof journalLine>
export type Snapshot = z.output<typeof snapshot>
/** A fault rule. `on` names a command of the printer's family; without it, the rule applies to every command. */
export type Rule = Omit<DeviceRule, 'on'> & { readonly on?: CommandName }
