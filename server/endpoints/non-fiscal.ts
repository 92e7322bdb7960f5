/** Specification 4.2: the non-fiscal receipt, step by step. */
import type { Operator } from '../../drivers/model/receipt.ts'
import { closeNonFiscalReceipt } from '../closing.ts'
import { endpoint, type OnDevice } from '../endpoint.ts'
import { optional } from '../fields.ts'
import { object } from '../objects.ts'
import { outcomeOf, problemIn, said, withEffect } from '../outcome.ts'
import { operatorCode, operatorPassword, textObject } from './bodies.ts'
import { closing, DEVICE_ANSWER, step } from './shared.ts'

interface OperatorFields {
  readonly OperatorCode?: number | undefined
  readonly OperatorPassword?: string | undefined
}

const operatorFrom = ({ OperatorCode: code, OperatorPassword: password }: OperatorFields = {}): Operator | undefined =>
  code === undefined || password === undefined ? undefined : { code, password }

const PERHAPS_VOID = said('The line that says that the receipt is void may stand on it already.')

/** The line is printed before the close: where the device has failed, whoever finds the receipt open still has to know. */
async function cancel(on: OnDevice): Promise<string> {
  try {
    return await closeNonFiscalReceipt(on, (printer) => printer.cancelNonFiscal())
  } catch (error) {
    const outcome = outcomeOf(error)
    const wasOpen = on.progress.record.undertaking === 'closeNonFiscal'
    if (!wasOpen || problemIn(outcome) === undefined) throw error
    throw withEffect(error, outcome.effect, { reasons: [...outcome.reasons, PERHAPS_VOID] })
  }
}

export const nonFiscalEndpoints = [
  step<OperatorFields | undefined>({
    path: '/open-non-fiscal-receipt',
    section: '4.2',
    summary: 'Open a non-fiscal receipt',
    notes: '[[!Operator: needs|need]] no body. [[Operator]]: OperatorCode and OperatorPassword are required.',
    body: object({ OperatorCode: optional(operatorCode), OperatorPassword: optional(operatorPassword) }),
    example: { OperatorCode: 1, OperatorPassword: '0000' },
    bodyOptional: true,
    check: (body, { nonFiscalNeedsOperator }) => {
      if (!nonFiscalNeedsOperator) return []
      return (['OperatorCode', 'OperatorPassword'] as const)
        .filter((name) => body?.[name] === undefined)
        .map((name) => ({ path: name, message: `${name} is required to open a non-fiscal receipt on this family.` }))
    },
    does: () => ({ does: 'openNonFiscal' }),
    act: (printer, body) =>
      printer.openNonFiscal(printer.capabilities.nonFiscalNeedsOperator ? operatorFrom(body) : undefined),
  }),
  step({
    path: '/print-non-fiscal-text',
    section: '4.2',
    summary: 'Print one line on the open non-fiscal receipt',
    notes: '[[Formatting: uses|use]] every formatting option; [[!formatting: prints|print]] the Message only.',
    body: textObject,
    example: { Message: 'Opening hours: 8 to 20' },
    does: () => ({ does: 'print' }),
    act: (printer, body) => printer.printNonFiscalText(body),
  }),
  closing({
    path: '/close-non-fiscal-receipt',
    section: '4.2',
    summary: 'Close the open non-fiscal receipt',
    kind: 'nonFiscal',
    act: (printer) => printer.closeNonFiscal(),
  }),
  endpoint({
    method: 'post',
    path: '/cancel-non-fiscal-receipt',
    section: '4.2',
    summary: 'Void the open non-fiscal receipt',
    notes: 'No family has a cancel for it: one line says that the document is void, then it is closed.',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    run: cancel,
  }),
]
