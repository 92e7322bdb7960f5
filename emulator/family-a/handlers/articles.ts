/** Articles (sheet 6.11). */
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import type { Article } from '../../fiscal/types/registers.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import type { Direction } from '../session.ts'

const recordOf = (article: Article) =>
  ({
    form: 'record',
    item: article.plu,
    taxCode: article.taxCode,
    department: article.department,
    group: article.group,
    priceType: article.priceType,
    price: article.price,
    turnover: article.turnover,
    sold: article.sold,
    stock: article.stock ?? 0,
    barcodes: Array.from({ length: 4 }, (_, index) => article.barcodes[index] ?? ''),
    name: article.name,
    unit: article.unit,
  }) as const

type Answer = ReturnType<Handlers['articles']>

/**
 * Finds the first article at or after (`up`) or before (`down`) a number. `goOn` continues from there in the same
 * direction.
 */
function find(context: Context, start: number, direction: Direction, sold: boolean): Answer {
  const { device, session } = context
  const article = sold ? device.articles.next(start, direction, 'sold') : device.articles.next(start, direction)
  const cursor = article && { at: article.plu, direction }
  if (sold) session.soldCursor = cursor
  else session.articleCursor = cursor
  return article ? done(recordOf(article)) : refused('notFound')
}

function goOn(context: Context, sold: boolean): Answer {
  const cursor = sold ? context.session.soldCursor : context.session.articleCursor
  if (!cursor) return refused('notFound')
  return find(context, cursor.at + (cursor.direction === 'up' ? 1 : -1), cursor.direction, sold)
}

function free(context: Context, start: number, direction: Direction): Answer {
  const item = context.device.articles.nextFree(start, direction)
  return item === undefined ? refused('notFound') : done({ form: 'number', item })
}

const none = () => ({ form: 'none' }) as const

function inRange(context: Context, plu: number): Reply<never> | undefined {
  return plu > context.device.profile.articles.maxNumber ? refused('valueField2') : undefined
}

export const articles = {
  articles(context, ask) {
    const { device } = context
    const top = device.profile.articles.maxNumber
    switch (ask.option) {
      case 'I': {
        const { capacity, nameLength } = device.profile.articles
        return done({ form: 'capacity', capacity, programmed: device.articles.count, nameLength })
      }
      case 'P': {
        const wrong = inRange(context, ask.item)
        if (wrong) return wrong
        const before = device.articles.get(ask.item)
        const stock = (ask.addQuantity ? (before?.stock ?? 0) : 0) + ask.quantity
        const programmed = device.articles.program({
          plu: ask.item,
          name: ask.name,
          taxCode: ask.taxCode as TaxCode,
          department: ask.department,
          group: ask.group,
          priceType: ask.priceType,
          price: ask.price,
          stock,
          barcodes: ask.barcodes.filter((code) => code !== ''),
          unit: ask.unit ?? 0,
        })
        return from(programmed, none)
      }
      case 'A':
        return inRange(context, ask.item) ?? from(device.articles.addStock(ask.item, ask.quantity), none)
      case 'D': {
        const [first, last] = ask.first === 'all' ? [1, top] : [ask.first, ask.last ?? ask.first]
        return from(device.articles.remove(first, last), none)
      }
      case 'R': {
        const article = device.articles.get(ask.item)
        return inRange(context, ask.item) ?? (article ? done(recordOf(article)) : refused('pluNotFound'))
      }
      case 'F':
        return find(context, ask.item ?? 1, 'up', false)
      case 'L':
        return find(context, ask.item ?? top, 'down', false)
      case 'N':
        return goOn(context, false)
      case 'f':
        return find(context, ask.item ?? 1, 'up', true)
      case 'l':
        return find(context, ask.item ?? top, 'down', true)
      case 'n':
        return goOn(context, true)
      case 'X':
        return free(context, ask.item ?? 1, 'up')
      case 'x':
        return free(context, ask.item ?? top, 'down')
    }
  },
} satisfies Partial<Handlers>
