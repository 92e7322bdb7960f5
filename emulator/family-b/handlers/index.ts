import type { Handlers } from '../context.ts'
import { archive } from './archive.ts'
import { articles } from './articles.ts'
import { display } from './display.ts'
import { programming } from './programming.ts'
import { queries } from './queries.ts'
import { receipt } from './receipt.ts'
import { reports } from './reports.ts'
import { sale } from './sale.ts'
import { text } from './text.ts'

export const handlers: Handlers = {
  ...display,
  ...text,
  ...sale,
  ...receipt,
  ...queries,
  ...reports,
  ...archive,
  ...programming,
  ...articles,
}
