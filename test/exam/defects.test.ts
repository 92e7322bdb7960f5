/**
 * Tills with one defect each. In the case that finds a defect, its till gets the stated verdict, and no other till
 * does.
 */
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../scenarios/exam/judge.ts'
import { examine, notPassed, TWO_PAYMENTS } from './examine.ts'
import { type Defect, plainTill } from './plain-till.ts'

interface Finding {
  readonly id: string
  readonly verdict: Verdict
  readonly also?: readonly Defect[]
}

const FINDINGS: Readonly<Record<Defect, Finding>> = {
  'uses a new number for a retry': { id: 'answerLost@sale#1', verdict: 'wrong' },
  'prints again without asking': { id: 'killed@payment#2', verdict: 'duplicated' },
  'claims before the answer': { id: 'offBefore', verdict: 'lost' },
  'never gives up': { id: 'unpluggedBefore', verdict: 'hung' },
  'leaves a receipt open': { id: 'openNonFiscalBefore', verdict: 'stuck' },
  'sells into a foreign receipt': { id: 'openFiscalBefore', verdict: 'wrong' },
  'reports a failure for ever': { id: 'killed@closeFiscal#1', verdict: 'misreported' },
  // The till detects the damage and retransmits.
  'accepts a damaged answer': {
    id: 'answerDamaged@sale#1',
    verdict: 'wrong',
    also: ['uses a new number for a retry'],
  },
  'takes busy for silence': { id: 'busy@sale#1', verdict: 'wrong' },
  'does not check the remaining amount': { id: 'killed@payment#1', verdict: 'stuck' },
  // A till that does not wait for responses misses the refusal, too.
  'takes a refusal for an answer': { id: 'refused@sale#1', verdict: 'wrong', also: ['claims before the answer'] },
}
const DEFECTS = Object.keys(FINDINGS) as readonly Defect[]

/** The fault with this seed damages a bit of the response's error code. */
const DEVICE = { family: 'A', seed: 43 }
const options = { jobs: TWO_PAYMENTS, depth: 'full' } as const

describe('the exam of a till', () => {
  it('lets a careful till pass every case, and triggers each fault', async () => {
    const end = await examine(plainTill(), DEVICE, options)
    expect(notPassed(end)).toEqual([])
    expect(end.cases.length).toBeGreaterThan(140)
  })

  it.each(DEFECTS)('detects a till that %s', async (defect) => {
    const only = DEFECTS.map((one) => FINDINGS[one].id)
    const end = await examine(plainTill(defect), DEVICE, { ...options, only })
    const verdictIn = (id: string) => end.cases.find((one) => one.id === id)?.verdict
    expect(verdictIn(FINDINGS[defect].id)).toBe(FINDINGS[defect].verdict)
    const same = DEFECTS.filter((one) => {
      const { id, verdict, also = [] } = FINDINGS[one]
      return one !== defect && verdictIn(id) === verdict && !also.includes(defect)
    })
    expect(same).toEqual([])
  })
})
