/**
 * `check --save FILE.yaml`: the reduced case as a scenario. Safety first: whatever is answered, no receipt stands twice
 * on paper and the books balance; then everything is put right, and the next receipt and the Z report must succeed.
 */
import { markOf } from '../scenarios/simulation/journal.ts'
import { type Case, type Hand, inWords, type RequestStep, type Step, sentBy } from '../scenarios/simulation/steps.ts'

const HANDS: Readonly<Record<Hand, string>> = {
  'paper out': 'paper: out',
  'paper in': 'paper: ok',
  'cover open': 'cover: open',
  'cover closed': 'cover: closed',
  'power off': 'power: off',
  'power on': 'power: on',
  'cable out': 'cable: out',
  'cable in': 'cable: in',
}

const PUT_RIGHT = ['clearFaults: true', 'power: on', 'cable: in', 'cover: closed', 'paper: ok']
/** As long as an open outcome may take to settle. */
const SETTLED_AFTER = '3m'
/** What a request may be answered while things break. */
const ANSWERED = '{ StatusCode: { oneOf: [200, 400, 424, 503] } }'

export function caseScenario(one: Case, why: string): string {
  const { steps, marks } = stepLines(one)
  const times = marks.map((mark) => `${JSON.stringify(mark)}: { oneOf: [0, 1] }`).join(', ')
  return [
    '# yaml-language-server: $schema=scenarios/scenario.schema.json',
    `name: ${JSON.stringify(`found by check: ${why.split('\n')[0]}`)}`,
    `families: [${one.family}]`,
    'tags: [found]',
    ...(one.slow ? ['given: { mechanism: realistic, powerReturns: 2s }'] : ['given: { powerReturns: 2s }']),
    'steps:',
    ...steps,
    '  # Everything is put right: what is open is settled, and the day goes on.',
    ...PUT_RIGHT.map((line) => `  - ${line}`),
    `  - wait: ${SETTLED_AFTER}`,
    '  - post /cancel-fiscal-receipt:',
    `    expect: ${ANSWERED}`,
    '  - post /payment: { PaymentMode: 0, Amount: 5000.00 }',
    `    expect: ${ANSWERED}`,
    '  - post /close-fiscal-receipt:',
    `    expect: ${ANSWERED}`,
    '  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }',
    '  - post /report-z:',
    'check:',
    `  paper: { of: fiscal${times === '' ? '' : `, times: { ${times} }`} }`,
    '  books: balanced',
    '  faults: any',
    '',
  ].join('\n')
}

function stepLines(one: Case): { steps: string[]; marks: string[] } {
  const marks: string[] = []
  let requests = 0
  let keyed: string[] | undefined
  const request = (step: RequestStep): string[] => {
    if (step.do === 'again') return keyed ?? []
    const number = ++requests
    const { path, body, total } = sentBy(step, number, one.family)
    if (total !== undefined) marks.push(markOf(number))
    const hasKey = 'key' in step && step.key
    const lines = [
      `  - post ${path}:${body === undefined ? '' : ` ${JSON.stringify(body)}`}`,
      ...(hasKey ? [`    key: request-${number}`] : []),
      `    expect: ${ANSWERED}`,
    ]
    if (hasKey) keyed = lines
    return lines
  }
  const linesOf = (step: Step): string[] => {
    switch (step.do) {
      case 'fault':
        return [`  - fault: ${JSON.stringify(step.rule)}`]
      case 'hand':
        return [`  - ${HANDS[step.what]}`]
      case 'wait':
        return [`  - wait: ${step.ms}ms`]
      case 'crash':
        return [...request(step.during), '  - restart: service']
      default:
        return request(step)
    }
  }
  return { steps: one.steps.flatMap((step) => [`  # ${inWords(step)}`, ...linesOf(step)]), marks }
}
