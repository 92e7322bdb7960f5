import type { Handlers } from '../context.ts'
import { articles } from './articles.ts'
import { clients } from './clients.ts'
import { display } from './display.ts'
import { journal } from './journal.ts'
import { parameters } from './parameters.ts'
import { programming } from './programming.ts'
import { queries } from './queries.ts'
import { receipt } from './receipt.ts'
import { reports } from './reports.ts'
import { sale } from './sale.ts'
import { text } from './text.ts'

export const handlers: Handlers = {
  ...articles,
  ...clients,
  ...display,
  ...journal,
  ...parameters,
  ...programming,
  ...queries,
  ...receipt,
  ...reports,
  ...sale,
  ...text,
}
