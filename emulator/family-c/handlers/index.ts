import type { CommandName } from '../../../drivers/family-c/protocol/index.ts'
import type { Handlers } from '../context.ts'
import { actionHandlers } from './actions.ts'
import { programmingHandlers } from './programming.ts'
import { readingHandlers } from './reading.ts'
import { receiptHandlers } from './receipts.ts'
import { reportHandlers } from './reports.ts'

/** Every command of the catalogue; one without a handler does not compile. */
export const handlers: Handlers<CommandName> = {
  ...readingHandlers,
  ...actionHandlers,
  ...receiptHandlers,
  ...reportHandlers,
  ...programmingHandlers,
}
