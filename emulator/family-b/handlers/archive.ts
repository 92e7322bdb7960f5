/** Z records by number and by date (sheet 10.7). */
import type { ArchiveAnswer } from '../../../drivers/family-b/protocol/commands/reports.ts'
import type { ZRecord } from '../../fiscal/types/day.ts'
import { type Context, done, error, type Handlers, type Reply } from '../context.ts'
import { closureList, type Part } from '../day-lists.ts'

const PARTS: readonly Part[] = ['gross', 'net', 'tax']
const RATES = 3
const RANGES = 4

function answer({ edition }: Context, records: readonly ZRecord[], option: number): Reply<ArchiveAnswer> {
  const [first] = records
  if (!first) return done({ result: 'absent' })
  if (option === RATES) {
    const rates = Array.from({ length: edition.groups }, (_, group) => first.taxes[group]?.rate ?? null)
    return done({ result: 'rates', rates })
  }
  const part = PARTS[option >= RANGES ? option - RANGES : option] ?? 'gross'
  return done({ result: 'sums', ...closureList(edition, option >= RANGES ? records : [first], part) })
}

export const archive = {
  archivedZ(context, { number, option, to }) {
    if (option >= RANGES && to === undefined) return error(120)
    const last = option >= RANGES ? (to ?? number) : number
    return last < number ? error(21) : answer(context, context.device.memory.zs(number, last), option)
  },
  archivedZByDate(context, { date, option, to }) {
    if (option >= RANGES && to === undefined) return error(120)
    const last = option >= RANGES ? (to ?? date) : date
    return last < date ? error(10) : answer(context, context.device.memory.zsByDate(date, last), option)
  },
} satisfies Partial<Handlers>
