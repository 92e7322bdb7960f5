/**
 * The calls of a receipt with those that the device refused, for a scenario. A refused call is a step that expects its
 * refusal.
 */
import type { FiscalDevice, PaperDocument } from '../../fiscal/api.ts'
import { factoryArticles } from '../../fiscal/factory-state.ts'
import type { RefusedStep } from '../../fiscal/refused-requests.ts'
import type { Refusal } from '../../fiscal/types/outcome.ts'
import type { PrintedStep } from '../../fiscal/types/print-request.ts'
import { refusalText } from '../refusal-texts.ts'
import {
  endingCall,
  fiscalStep,
  freeSaleBody,
  hasCall,
  NoServiceCall,
  openingCall,
  paymentBody,
  quantityAndChange,
  remarkOn,
  type ServiceCall,
  serviceCalls,
  subtotalBody,
} from './service-calls.ts'

export interface StoryCall extends ServiceCall {
  readonly isRefused?: true
}

interface Story {
  readonly calls: readonly StoryCall[]
  readonly remarks: readonly string[]
}

/** Throws NoServiceCall. */
export function storyCalls(device: FiscalDevice, document: Pick<PaperDocument, 'id' | 'kind'>): Story {
  const refused = device.refusedSteps(document.id)
  const steps = device.printedSteps(document.id) ?? []
  const [opening] = steps.flatMap(({ asked }) => asked ?? [])
  if (refused.length === 0 || opening?.ask !== 'fiscal') return serviceCalls(device, document)
  const story = callsWithRefused(device, steps, refused)
  return {
    calls: [...openingCall(device, opening), ...story.calls, endingCall(document.kind === 'cancelled')],
    remarks: [...steps.flatMap(({ asked }) => (asked ? remarkOn(asked) : [])), ...story.remarks],
  }
}

/** Returns the calls after the opening, each refused one at its place. */
function callsWithRefused(device: FiscalDevice, steps: readonly PrintedStep[], refused: readonly RefusedStep[]): Story {
  const placed = refused.map((step) => ({ after: step.after, ...refusedCall(device, step) }))
  const calls = Array.from({ length: steps.length + 1 }, (_nothing, index) => {
    const asked = steps[index]?.asked
    const own = index > 0 && asked && hasCall(asked) && asked.ask !== 'fiscal' ? [fiscalStep(device, asked)] : []
    return [...placed.flatMap(({ after, call }) => (after === index && call ? [call] : [])), ...own]
  })
  return { calls: calls.flat(), remarks: placed.flatMap(({ remark }) => remark ?? []) }
}

/** Refusals that depend on the receipt only, so that a new device refuses the same request. */
const REPEATED: readonly Refusal[] = [
  ...(['noSale', 'notFullyPaid', 'alreadyPaid', 'paymentStarted', 'paymentNotStarted', 'zeroRow'] as const),
  ...(['rowTooLarge', 'negativeRow', 'negativeGroup', 'receiptTooLarge', 'tooManySales', 'tooManyPayments'] as const),
  ...(['nothingToVoid', 'voidAfterSubtotalAdjustment', 'secondSubtotalAdjustment', 'adjustmentAboveTotal'] as const),
  ...(['mixedGroups', 'articleUnknown', 'departmentUnknown', 'paymentModeUnknown', 'paymentTooLarge'] as const),
  ...(['paymentZero', 'totalZero'] as const),
]

interface RefusedCall {
  readonly call?: StoryCall
  readonly remark?: string
}

function refusedCall(device: FiscalDevice, { asked, refusal }: RefusedStep): RefusedCall {
  const omitted = (why: string) => ({ remark: `Omitted: a refused ${REFUSED_NAMES[asked.ask]}; ${why}.` })
  const isFactoryArticle =
    asked.ask === 'article' && factoryArticles(device.profile).some(({ plu }) => plu === asked.sale.plu)
  if (!REPEATED.includes(refusal) || (refusal === 'articleUnknown' && isFactoryArticle))
    return omitted(`a new device may not refuse it (${refusalText(refusal)})`)
  try {
    return { call: { ...callOfRefused(device, asked), isRefused: true } }
  } catch (problem) {
    if (problem instanceof NoServiceCall) return omitted(problem.message)
    throw problem
  }
}

const REFUSED_NAMES = {
  sale: 'sale',
  article: 'sale',
  subtotal: 'subtotal',
  payment: 'payment',
  close: 'close',
} as const

function callOfRefused(device: FiscalDevice, asked: RefusedStep['asked']): ServiceCall {
  switch (asked.ask) {
    case 'sale': {
      const { department = 0, unit = '' } = asked.sale
      return { path: '/register-free-sale', body: freeSaleBody(device, { ...asked.sale, department, unit }) }
    }
    case 'article': {
      const { plu, price } = asked.sale
      const programmed = device.articles.get(plu)?.price
      // Family A sends the programmed price with a void.
      if (price !== undefined && price !== programmed)
        throw new NoServiceCall(`the service sells article ${plu} at its programmed price only`)
      return { path: '/register-plu-sale', body: { PluNumber: plu, ...quantityAndChange(asked.sale) } }
    }
    case 'subtotal':
      return { path: '/subtotal', body: subtotalBody(asked.subtotal) }
    case 'payment':
      if (asked.payment.amount === undefined) throw new NoServiceCall('its amount is not stored')
      return { path: '/payment', body: paymentBody({ mode: asked.payment.mode, amount: asked.payment.amount }) }
    case 'close':
      return { path: '/close-fiscal-receipt' }
  }
}
