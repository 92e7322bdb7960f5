import type { z } from 'zod'
import { operatorFields, textObject, textWarnings } from './bodies.ts'
import { step } from './shared.ts'

const OPERATOR_NAMES = { code: 'OperatorCode', password: 'OperatorPassword' } as const

export const nonFiscalEndpoints = [
  step<z.output<typeof operatorFields> | undefined>({
    path: '/open-non-fiscal-receipt',
    section: '4.2',
    summary: 'Open a non-fiscal receipt',
    notes: '[[!Operator: needs|need]] no body. [[Operator]]: OperatorCode and OperatorPassword are required.',
    body: operatorFields,
    example: { OperatorCode: 1, OperatorPassword: '0000' },
    bodyOptional: true,
    check: (body, { nonFiscalNeedsOperator }) => {
      if (!nonFiscalNeedsOperator) return []
      return (['code', 'password'] as const)
        .filter((name) => body?.[name] === undefined)
        .map((name) => OPERATOR_NAMES[name])
        .map((name) => ({ path: name, message: `${name} is required to open a non-fiscal receipt on this family.` }))
    },
    step: ({ code, password } = {}) => ({
      does: 'openNonFiscal',
      ...(code !== undefined && password !== undefined && { operator: { code, password } }),
    }),
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
