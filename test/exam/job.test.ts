import { describe, expect, it } from 'vitest'
import { readJobs, tillJob, USUAL_JOBS } from '../../scenarios/exam/job.ts'

const { first, second } = USUAL_JOBS
const [bread] = first.items

describe('jobs of a file', () => {
  it('may be written as a till receives them', () => {
    const jobs = readJobs({ jobs: [tillJob(first, true), tillJob(second, false)] })
    expect(jobs).toEqual(USUAL_JOBS)
    expect(tillJob(jobs.first, false)).toEqual({ ...first, again: false })
  })

  it('are by default the first usual job, and the same job with another total', () => {
    expect(readJobs({ jobs: [first, { ...first, id: 'like-first' }, second] })).toEqual(USUAL_JOBS)
    expect(() => readJobs({ jobs: [first, { ...first, id: 'like-first' }] })).toThrow('whose totals differ')
  })

  it('must not sell two articles under one number', () => {
    const other = { ...second, items: second.items.map((item) => ({ ...item, plu: 1 })) }
    expect(() => readJobs({ jobs: [first, other] })).toThrow(
      'PLU 1 is used for two articles: "Bread" (tax code 1, 1.20) and "Coffee" (tax code 1, 3.15). Give each article its own PLU number.',
    )
    const sums = { payments: [{ mode: 0, amount: '1.20' }], total: '1.20' }
    const more = { id: 'more', items: [{ ...bread, quantity: '1.000' }], ...sums }
    expect(readJobs({ jobs: [first, more] }).second).toEqual(more)
  })
})
