import type { Handlers } from '../context.ts'
import { display } from './display.ts'
import { programming } from './programming.ts'
import { queries } from './queries.ts'
import { receipt } from './receipt.ts'
import { registers } from './registers.ts'
import { reports } from './reports.ts'
import { sale } from './sale.ts'
import { text } from './text.ts'

export const handlers: Handlers = {
  ...display,
  ...programming,
  ...queries,
  ...receipt,
  ...registers,
  ...reports,
  ...sale,
  ...text,
}
