/** The steps of a receipt with those that the device refused, for a scenario that expects the refusals. */
import type { Step } from '../../../drivers/model/steps.ts'
import type { FiscalDevice, PaperDocument } from '../../fiscal/api.ts'
import { factoryArticles } from '../../fiscal/factory-state.ts'
import type { RefusedStep } from '../../fiscal/refused-requests.ts'
import type { Refusal } from '../../fiscal/types/outcome.ts'
import { refusalText } from '../refusal-texts.ts'
import { documentSteps, fiscalStep, hasStep, NoServiceCall } from './document-steps.ts'

interface Attempt {
  readonly step: Step
  readonly isRefused: boolean
}

interface Attempts {
  readonly steps: readonly Attempt[]
  readonly remarks: readonly string[]
}

/** Returns `undefined` if nothing was refused on the document. Throws NoServiceCall. */
export function receiptAttempts(
  device: FiscalDevice,
  document: Pick<PaperDocument, 'id' | 'kind'>,
): Attempts | undefined {
  const refused = device.refusedSteps(document.id)
  const printed = device.printedSteps(document.id) ?? []
  if (refused.length === 0 || printed[0]?.asked?.ask !== 'fiscal') return undefined
  const { steps, remarks } = documentSteps(device, document)
  const placed = refused.map((one) => ({ after: one.after, ...attemptOrRemark(device, one) }))
  const between = Array.from({ length: printed.length + 1 }, (_nothing, index) => {
    const asked = printed[index]?.asked
    const own = index > 0 && asked && hasStep(asked) ? [accepted(fiscalStep(device, asked))] : []
    return [...placed.flatMap(({ after, attempt }) => (after === index && attempt ? [attempt] : [])), ...own]
  })
  return {
    steps: [...steps.slice(0, 1).map(accepted), ...between.flat(), ...steps.slice(-1).map(accepted)],
    remarks: [...remarks, ...placed.flatMap(({ remark }) => remark ?? [])],
  }
}

const accepted = (step: Step): Attempt => ({ step, isRefused: false })

/** Refusals that depend on the receipt only, so that a new device refuses the same request. */
const REPEATED: readonly Refusal[] = [
  ...(['noSale', 'notFullyPaid', 'alreadyPaid', 'paymentStarted', 'paymentNotStarted', 'zeroRow'] as const),
  ...(['rowTooLarge', 'negativeRow', 'negativeGroup', 'receiptTooLarge', 'tooManySales', 'tooManyPayments'] as const),
  ...(['nothingToVoid', 'voidAfterSubtotalAdjustment', 'secondSubtotalAdjustment', 'adjustmentAboveTotal'] as const),
  ...(['mixedGroups', 'articleUnknown', 'departmentUnknown', 'paymentModeUnknown', 'paymentTooLarge'] as const),
  ...(['paymentZero', 'totalZero'] as const),
]

function attemptOrRemark(
  device: FiscalDevice,
  { asked, refusal }: RefusedStep,
): { readonly attempt?: Attempt; readonly remark?: string } {
  const omitted = (why: string) => ({ remark: `Omitted: a refused ${NAMES[asked.ask]}; ${why}.` })
  const isFactoryArticle =
    asked.ask === 'article' && factoryArticles(device.profile).some(({ plu }) => plu === asked.sale.plu)
  if (!REPEATED.includes(refusal) || (refusal === 'articleUnknown' && isFactoryArticle))
    return omitted(`a new device may not refuse it (${refusalText(refusal)})`)
  try {
    return { attempt: { step: refusedStep(device, asked), isRefused: true } }
  } catch (problem) {
    if (problem instanceof NoServiceCall) return omitted(problem.message)
    throw problem
  }
}

const NAMES = { sale: 'sale', article: 'sale', subtotal: 'subtotal', payment: 'payment', close: 'close' } as const

function refusedStep(device: FiscalDevice, asked: RefusedStep['asked']): Step {
  switch (asked.ask) {
    case 'sale': {
      if (device.profile.articlesOnly)
        throw new NoServiceCall('the service sells programmed articles only on this family')
      const { department = 0, unit, plu: _plu, ...sale } = asked.sale
      return { does: 'sell', sale: { ...sale, department, unit: unit || ' ' } }
    }
    case 'article': {
      const { plu, price, ...sale } = asked.sale
      const programmed = device.articles.get(plu)?.price
      // Family A sends the programmed price with a void.
      if (price !== undefined && price !== programmed)
        throw new NoServiceCall(`the service sells article ${plu} at its programmed price only`)
      return { does: 'sell', sale: { plu, ...sale } }
    }
    case 'subtotal':
      return { does: 'subtotal', subtotal: { ...asked.subtotal, print: true } }
    case 'payment': {
      const { mode, amount } = asked.payment
      if (amount === undefined) throw new NoServiceCall('its amount is not stored')
      return { does: 'pay', payment: { mode, amount } }
    }
    case 'close':
      return { does: 'close' }
  }
}
