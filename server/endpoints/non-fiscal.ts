import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Operator } from '../../drivers/model/receipt.ts'
import { object } from '../field-objects.ts'
import { optional } from '../fields.ts'
import { operatorCode, operatorPassword, textObject, textWarnings } from './bodies.ts'
import { step } from './shared.ts'

interface OperatorFields {
  readonly OperatorCode?: number | undefined
  readonly OperatorPassword?: string | undefined
}

const operatorFrom = ({ OperatorCode: code, OperatorPassword: password }: OperatorFields = {}): Operator | undefined =>
  code === undefined || password === undefined ? undefined : { code, password }

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
    step: (body) => ({ does: 'openNonFiscal', ...omitUndefined({ operator: operatorFrom(body) }) }),
  }),
  step({
    path: '/print-non-fiscal-text',
    section: '4.2',
    summary: 'Print one line on the open non-fiscal receipt',
    notes: '[[Formatting: uses|use]] every formatting option; [[!formatting: prints|print]] the Message only.',
    body: textObject,
    example: { Message: 'Opening hours: 8 to 20' },
    warnings: (line, capabilities) => textWarnings(line, capabilities),
    step: (line) => ({ does: 'print', element: { is: 'text', line }, on: 'nonFiscal' }),
  }),
  step({
    path: '/close-non-fiscal-receipt',
    section: '4.2',
    summary: 'Close the open non-fiscal receipt',
    step: () => ({ does: 'closeNonFiscal' }),
  }),
  step({
    path: '/cancel-non-fiscal-receipt',
    section: '4.2',
    summary: 'Void the open non-fiscal receipt',
    notes: 'No family has a cancel for it: one line says that the document is void, then it is closed.',
    step: () => ({ does: 'cancelNonFiscal' }),
  }),
]
