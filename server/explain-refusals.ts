/**
 * Adds an explanation to refusals, in their situation (decisions 3). The situation is the last evidence of the device
 * and the commands executed since. No additional query is sent.
 */
import { DeviceError } from '../drivers/model/errors.ts'
import type { Evidence, FiscalPrinter } from '../drivers/model/printer.ts'
import { type DeviceOperation, explain, type RefusalContext } from '../drivers/model/refusals.ts'
import { restNameOf } from './endpoints/bodies.ts'

type ReceiptContext = Pick<RefusalContext, 'phase' | 'number' | 'items' | 'remaining'>
type Details = Pick<RefusalContext, 'plu' | 'taxCode' | 'operator' | 'amount' | 'adjusted'>

interface Call {
  readonly operation: DeviceOperation
  readonly details?: (argument: never) => Details
  readonly after?: (context: ReceiptContext) => ReceiptContext
}

const UNKNOWN: ReceiptContext = { phase: null, number: null, items: null, remaining: null }
const IDLE: ReceiptContext = { phase: 'idle', number: null, items: null, remaining: null }

interface Row {
  readonly plu?: number
  readonly taxCode?: number
  readonly adjustment?: object | undefined
}
interface Opening {
  readonly operator?: { readonly code: number }
  readonly code?: number
}

const sale = {
  details: ({ plu, taxCode, adjustment }: Row) => ({ plu, taxCode, adjusted: adjustment !== undefined }),
  after: (context: ReceiptContext): ReceiptContext => ({
    ...context,
    items: context.items === null ? null : context.items + 1,
    remaining: null,
  }),
}
const closing = { after: () => IDLE }

const CALLS: Readonly<Partial<Record<keyof FiscalPrinter, Call>>> = {
  openFiscal: {
    operation: 'openFiscal',
    details: ({ operator }: Opening) => ({ operator: operator?.code }),
    after: () => ({ phase: 'selling', number: null, items: 0, remaining: 0 }),
  },
  openNonFiscal: {
    operation: 'openNonFiscal',
    details: (operator: Opening | undefined) => ({ operator: operator?.code }),
    after: () => ({ ...IDLE, phase: 'nonFiscal' }),
  },
  sell: { operation: 'sell', ...sale },
  sellArticle: { operation: 'sellArticle', ...sale },
  subtotal: {
    operation: 'subtotal',
    details: ({ adjustment }: Row) => ({ adjusted: adjustment !== undefined }),
    after: (context) => ({ ...context, remaining: null }),
  },
  pay: {
    operation: 'pay',
    details: ({ amount }: { readonly amount?: number }) => ({ amount }),
    // The receipt may still need more payments.
    after: (context) => ({ ...context, phase: null, remaining: null }),
  },
  printFiscalText: { operation: 'fiscalText' },
  printNonFiscalText: { operation: 'nonFiscalText' },
  printBarcode: { operation: 'element' },
  printSeparatingLine: { operation: 'element' },
  closeFiscal: { operation: 'closeFiscal', ...closing },
  cancelFiscal: { operation: 'cancelFiscal', ...closing },
  closeNonFiscal: { operation: 'endNonFiscal', ...closing },
  cancelNonFiscal: { operation: 'endNonFiscal', ...closing },
  copyLastReceipt: { operation: 'copy' },
  reportX: { operation: 'report' },
  reportZ: { operation: 'report' },
  moveCash: { operation: 'cash' },
  displayLine: { operation: 'display' },
  clearDisplay: { operation: 'display' },
}

function knownFrom({ open, lastDocument }: Evidence): ReceiptContext {
  if (!open) return IDLE
  const { kind, number, items, total, paid, remaining } = open
  const receipt = { number: number ?? lastDocument, items }
  if (kind === 'NonFiscal') return { ...receipt, phase: 'nonFiscal', remaining: null }
  const unpaid = total === null || paid === null ? remaining : Math.max(0, total - paid)
  if (paid === null) return { ...receipt, phase: null, remaining: unpaid }
  return { ...receipt, remaining: unpaid, phase: paid === 0 ? 'selling' : unpaid === 0 ? 'paid' : 'paying' }
}

function inRestNames(error: unknown): unknown {
  if (!(error instanceof DeviceError) || error.problem.kind !== 'badValue') return error
  const { problem, retransmitted, at } = error
  return new DeviceError({ ...problem, field: restNameOf(problem.field) }, retransmitted, at)
}

export function explainRefusals(printer: FiscalPrinter): FiscalPrinter {
  let context = UNKNOWN

  async function carriedOut<T>({ operation, details, after }: Call, argument: unknown, answer: Promise<T>): Promise<T> {
    const before = context
    try {
      const result = await answer
      context = after?.(before) ?? before
      return result
    } catch (error) {
      if (!(error instanceof DeviceError) || error.problem.kind !== 'refused') {
        context = UNKNOWN
        throw inRestNames(error)
      }
      const situation = { operation, ...before, ...details?.(argument as never) }
      const here = explain(printer.capabilities.refusals ?? [], error.problem.key, situation)
      throw here ? new DeviceError({ ...error.problem, here }, error.retransmitted) : error
    }
  }

  return new Proxy(printer, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name === 'evidence') {
        return async (...options: unknown[]) => {
          const evidence = (await member.apply(target, options)) as Evidence
          context = knownFrom(evidence)
          return evidence
        }
      }
      const call = CALLS[name as keyof FiscalPrinter]
      if (!call) return member.bind(target)
      return (...values: unknown[]) => carriedOut(call, values[0], member.apply(target, values))
    },
  })
}
