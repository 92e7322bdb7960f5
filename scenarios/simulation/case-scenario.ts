/**
 * `check --save FILE.yaml`: writes a shrunk case as a scenario. Under faults, no receipt may be printed twice, and the
 * totals must balance. When the faults have ended, the next receipt and the Z report must succeed. An earlier Z report
 * closes a day that may be longer than 24 hours.
 */

import { OWN_FAMILIES } from './checked-families.ts'
import { markOf } from './journal.ts'
import { ALL_IN_ORDER, MANUAL_ACTIONS, type ManualActionStep } from './manual-actions.ts'
import { passwordOf, sentRequest } from './sent-requests.ts'
import { type Case, describeStep, type RequestStep, type Step } from './steps.ts'

const SETTLED_AFTER = '3m'
const ANSWERED_CHECK = '{ StatusCode: { oneOf: [200, 400, 424, 503] } }'
const LEGACY_ANSWERED = '{ ReceiptStatus: { oneOf: ["true", "false"] } }'

const NOT_PLAYED = '    # not played here: a scenario has no such actor'

export function caseScenario(one: Case, why: string): string {
  const { steps, marks } = stepLines(one)
  const times = marks
    .map(({ mark, most }) => `${JSON.stringify(mark)}: { oneOf: ${JSON.stringify(upTo(most))} }`)
    .join(', ')
  return [
    '# yaml-language-server: $schema=scenarios/scenario.schema.json',
    `name: ${JSON.stringify(`found by check: ${why.split('\n')[0]}`)}`,
    `families: [${one.family}]`,
    'tags: [found]',
    ...(one.slow ? ['given: { mechanism: slow, powerReturns: 2s }'] : ['given: { powerReturns: 2s }']),
    'steps:',
    ...steps,
    '  # Everything is restored: open receipts are completed or cancelled, and the day continues.',
    '  - clearFaults: true',
    ...ALL_IN_ORDER.map((action) => `  - ${MANUAL_ACTIONS[action].step}`),
    `  - wait: ${SETTLED_AFTER}`,
    '  - post /cancel-fiscal-receipt:',
    `    expect: ${ANSWERED_CHECK}`,
    '  - post /payment: { PaymentMode: 0, Amount: 5000.00 }',
    `    expect: ${ANSWERED_CHECK}`,
    '  - post /close-fiscal-receipt:',
    `    expect: ${ANSWERED_CHECK}`,
    '  - post /report-z:',
    `    expect: ${ANSWERED_CHECK}`,
    '  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }',
    '  - post /report-z:',
    'check:',
    `  paper: { of: fiscal${times === '' ? '' : `, times: { ${times} }`} }`,
    '  books: balanced',
    '  faults: any',
    '',
  ].join('\n')
}

const upTo = (most: number): readonly number[] => Array.from({ length: most + 1 }, (_, count) => count)

/** `marks` are the texts that name requests, each with the number of its lines on a receipt that was printed once. */
function stepLines(one: Case): { steps: string[]; marks: { mark: string; most: number }[] } {
  const password = passwordOf(one.family, OWN_FAMILIES, one.profile)
  const marks: { mark: string; most: number }[] = []
  let requests = 0
  let keyed: string[] | undefined
  const request = (step: RequestStep): string[] => {
    if (step.do === 'again') return keyed ?? []
    if (step.do === 'order' || step.do === 'reuse') return [`    # not played here: ${describeStep(step)}`]
    const number = ++requests
    const { path, body, total, marks: most = 1 } = sentRequest(step, number, password)
    if (total !== undefined) marks.push({ mark: markOf(number), most })
    const hasKey = 'key' in step && step.key
    const lines = [
      `  - post ${path}:${body === undefined ? '' : ` ${JSON.stringify(body)}`}`,
      ...(hasKey ? [`    key: request-${number}`] : []),
      `    expect: ${Array.isArray(body) ? LEGACY_ANSWERED : ANSWERED_CHECK}`,
    ]
    if (hasKey) keyed = lines
    return lines
  }
  const linesOf = (step: Step): string[] => {
    switch (step.do) {
      case 'fault':
        return [`  - fault: ${JSON.stringify(step.rule)}`]
      case 'hand': {
        const { step: move } = MANUAL_ACTIONS[step.what] as ManualActionStep
        return step.write === undefined && move !== undefined ? [`  - ${move}`] : [NOT_PLAYED]
      }
      case 'wait':
        return [`  - wait: ${step.ms}ms`]
      case 'crash':
        return [...request(step.during), '  - restart: service']
      case 'restart':
        return step.losesPower ? [NOT_PLAYED] : ['  - restart: service']
      case 'calls':
      case 'cut':
      case 'otherProgram':
      case 'replaceDevice':
      case 'meanwhile':
      case 'journal':
      case 'wall clock':
        return [NOT_PLAYED]
      default:
        return request(step)
    }
  }
  return { steps: one.steps.flatMap((step) => [`  # ${describeStep(step)}`, ...linesOf(step)]), marks }
}
