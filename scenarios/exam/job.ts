import { z } from 'zod'
import { decimal, money as formatMoney } from '../oracle/decimal.ts'

const amount = z.string().regex(/^\d{1,7}\.\d\d$/, { error: 'expected an amount such as "2.40"' })
const quantity = z.string().regex(/^\d{1,6}\.\d{3}$/, { error: 'expected a quantity such as "2.000"' })

const jobSchema = z
  .strictObject({
    id: z.string().regex(/^[\w-]{1,32}$/, { error: 'expected a name of letters, digits, _ and -' }),
    /** Ignored: the exam decides whether a job is a retry. A user may copy a job as a till received it. */
    again: z.boolean().optional(),
    items: z
      .array(
        z.strictObject({
          plu: z.int().min(1),
          name: z.string().min(1).max(36),
          taxCode: z.int().min(1).max(8),
          price: amount,
          quantity,
        }),
      )
      .min(1),
    payments: z.array(z.strictObject({ mode: z.int().min(0), amount })).min(1),
    total: amount,
  })
  .transform(({ again: _, ...job }) => job)

const jobsSchema = z.strictObject({ jobs: z.array(jobSchema).min(2) })

export type Job = z.output<typeof jobSchema>

/** A job as a till receives it. `again`: the exam requested the same sale before. */
export type TillJob = { readonly id: string; readonly again: boolean } & Omit<Job, 'id'>

export const tillJob = ({ id, ...rest }: Job, again: boolean): TillJob => ({ id, again, ...rest })

/** The sale under a fault and the sale after it. Their totals differ. */
export interface Jobs {
  readonly first: Job
  readonly second: Job
}

export const USUAL_JOBS: Jobs = {
  first: {
    id: 'first',
    items: [
      { plu: 1, name: 'Bread', taxCode: 1, price: '1.20', quantity: '2.000' },
      { plu: 2, name: 'Cheese', taxCode: 1, price: '8.50', quantity: '0.400' },
    ],
    payments: [{ mode: 0, amount: '5.80' }],
    total: '5.80',
  },
  second: {
    id: 'second',
    items: [{ plu: 3, name: 'Coffee', taxCode: 1, price: '3.15', quantity: '1.000' }],
    payments: [{ mode: 0, amount: '3.15' }],
    total: '3.15',
  },
}

export const hundredthsOf = (text: string): number => Number(decimal(text, 2) ?? 0n)
export const thousandths = (text: string): number => Number(decimal(text, 3) ?? 0n)

export const money = (hundredths: number): string => formatMoney(BigInt(hundredths))

/** Throws RangeError with all mistakes, one per line. */
export function readJobs(value: unknown): Jobs {
  const result = jobsSchema.safeParse(value)
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
    throw new RangeError(lines.join('\n'))
  }
  const { jobs } = result.data
  const wrong = jobs.flatMap((job, index) => mistakes(job).map((what) => `jobs.${index}: ${what}`))
  wrong.push(...conflictingArticles(jobs))
  const [first] = jobs as [Job]
  const second = jobs.find(({ id, total }) => id !== first.id && total !== first.total)
  if (!second) wrong.push('jobs: expected at least two of different ids whose totals differ')
  if (wrong.length > 0 || !second) throw new RangeError(wrong.join('\n'))
  return { first, second }
}

function mistakes({ items, payments, total }: Job): string[] {
  const sum = items.reduce((so, { price, quantity }) => so + rowAmount(hundredthsOf(price), thousandths(quantity)), 0)
  const paid = payments.reduce((so, { amount }) => so + hundredthsOf(amount), 0)
  const numbers = new Set(items.map(({ plu }) => plu))
  return [
    ...(sum === hundredthsOf(total) ? [] : [`the items add up to ${money(sum)}, but total is ${total}`]),
    ...(paid >= hundredthsOf(total) ? [] : [`the payments add up to ${money(paid)}, less than the total ${total}`]),
    ...(numbers.size === items.length ? [] : ['an article may appear in one row only']),
  ]
}

function conflictingArticles(jobs: readonly Job[]): string[] {
  const items = jobs.flatMap((job) => job.items)
  const article = ({ name, taxCode, price }: Job['items'][number]) => `"${name}" (tax code ${taxCode}, ${price})`
  const numbers = [...new Set(items.map(({ plu }) => plu))]
  return numbers.flatMap((number) => {
    const forms = [...new Set(items.filter(({ plu }) => plu === number).map(article))]
    if (forms.length === 1) return []
    const count = forms.length === 2 ? 'two' : String(forms.length)
    return [
      `jobs: PLU ${number} is used for ${count} articles: ${forms.join(' and ')}. Give each article its own PLU number.`,
    ]
  })
}

/** Returns the amount of a row, rounded half up as in every family (sheet A 7, sheet B 6.5, sheet C 5.3a). */
const rowAmount = (price: number, quantity: number): number => Math.floor((price * quantity + 500) / 1000)
