import { describe, expect, it } from 'vitest'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { failureLines } from '../../scenarios/runner/report/report.ts'
import { CHECKS } from '../../scenarios/runner/schema.ts'
import { play, wrongWith } from './play.ts'

const FILE = 'test/scenarios/failing/failing.yaml'

const WRONG: Readonly<Record<string, readonly string[]>> = {
  StatusCode: ['StatusCode: expected 400, it is 200', 'HTTP status: expected 400, it is 200'],
  'no expectation': [
    'StatusCode: expected 200, it is 400',
    'HTTP status: expected 200, it is 400',
    'the service says: No receipt is open (device: -111016): call open-fiscal-receipt first.',
  ],
  'HTTP status': ['HTTP status: expected 400, it is 200'],
  Data: ['Data: expected "17", it is "1"'],
  'an amount that is a hundredth off': ['Data.Total: expected 1.21, it is 1.20'],
  Message: [
    'Message: expected a text that matches /^Price/, it is "Amount must be a number with at most 2 decimals from 0.01 to 9999999.99; it is -1."',
  ],
  header: [
    'header.allow: expected "GET", it is "POST, OPTIONS"',
    'the service says: Method GET is not allowed here; use POST.',
  ],
  'a list of another length': [
    'Errors: expected 1 element, found 4',
    'the service says: OperatorCode is required: a whole number from 1 to 30.',
  ],
  'legacy answer': [
    'ReceiptStatus: expected "true", it is "false"',
    'the service says: FORMAT_UNKNOWN: line 1: neither a caret nor a comma: the format cannot be determined',
  ],
  'no answer': [expect.stringMatching(/^expected no answer, it is 200 /)],
  'statuses of requests at once': ['statuses.200: expected 2, it is 3', 'statuses.503: expected 1, it is absent'],
  'golden paper': ['paper: it differs from fixtures/paper/scenarios/a/basic/plu-sale.txt'],
  'a line of paper': [
    'paper: "Bread" is not there',
    'paper: "Milk" must not be there: "Milk 1 l                            1.50 A"',
    'paper: expected "TOTAL" in 2 lines, it is in 1',
  ],
  journal: ['journal: "Z REPORT" is not there; the nearest line: "DAILY FINANCIAL REPORT X 0001"'],
  receipts: ['receipts: fiscal receipts printed: expected 2, it is 1'],
  documents: ['documents: z: expected 1, it is 0'],
  counters: ['counters: lastZ: expected 2, it is 1'],
  'totals of the day': ['day: total: expected 1.51, it is 1.50', 'day: payments.1: expected 1.50, it is 0.00'],
  'Z report': ['z: total: expected 1.00, it is 0.00'],
  display: ['display: line 1: expected "goodbye", it is "hello"'],
  frames: ['frames: expected 2 frames of reportX, there were 1', 'frames: there was no frame {"command":"reportZ"}'],
  'open receipt': [
    'receipt: the open receipt: expected null, it is {"kind":"fiscal","number":1,"items":0,"total":"0.00","paid":"0.00"}',
  ],
  'state of the device': ['device: cover: expected false, it is true'],
  books: ['books: day: tax groups and total: 1.20 is not 1.00', 'books: day: payments and total: 1.20 is not 1.00'],
  'a fault that is never triggered': ['the fault was never triggered: {"at":"link.toHost","on":"reportZ","do":"drop"}'],
  'wait until': ['the condition was not met within 2s', 'device: paper: expected "out", it is "ok"'],
  'bytes on a line of the runner': ['expected the bytes 06, received '],
  'a receipt before that is refused': [
    expect.stringMatching(/^given: a receipt of given was not printed before the first step: .*-111004/),
  ],
  'a value that the answer lacks': ['the answer has no Data.Nothing to keep as missing'],
}

describe('a scenario that must fail', async () => {
  const { results, failed } = await play([FILE])
  const byName = new Map(results.map((result) => [result.play.loaded.scenario.name, result]))

  it.each(Object.entries(WRONG))('reports the difference: %s', (name, wrong) => {
    const result = byName.get(name)
    expect(result && wrongWith(result)).toEqual(wrong)
  })

  it('exists for every check of the format, and never passes', () => {
    const used = loadScenarios([FILE]).flatMap(({ scenario }) => Object.keys(scenario.check ?? {}))
    // `faults` is checked at the end of each scenario without being named. The scenarios `wait until` and
    // `a missing rule` test it.
    expect(new Set([...used, 'faults'])).toEqual(new Set(CHECKS))
    expect([failed, [...byName.keys()].sort()]).toEqual([results.length, Object.keys(WRONG).sort()])
  })

  it('is reported with step, request, answer, difference, frames, device and how to reproduce it', () => {
    const paper = byName.get('golden paper')
    const lines = paper ? failureLines(paper) : []
    expect(lines).toEqual(
      expect.arrayContaining([
        'at test/scenarios/failing/failing.yaml:72',
        '  - Bread                               1.20 A',
        '  + Milk 1 l                            1.50 A',
        '  POST /api/print-fiscal-receipt {"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":2}}]}',
        '  200 {"StatusCode":200,"Data":"1"}',
        expect.stringMatching(/^ {2}> closeFiscal/),
        expect.stringMatching(/^ {2}on, paper ok, cover closed, cable in/),
        "  npx fiscal-rig run test/scenarios/failing/failing.yaml --only 'golden paper [A]' --target emulator --seed 0",
      ]),
    )
    const status = byName.get('StatusCode')
    expect(status && failureLines(status, true).slice(1, 9)).toEqual([
      'wrong',
      '  StatusCode: expected 400, it is 200',
      '  HTTP status: expected 400, it is 200',
      'steps',
      '  FAILED    4  post /report-x -> 200',
      'step',
      '    - post /report-x:',
      '      expect: { StatusCode: 400 }',
    ])
    expect(status && failureLines(status, true).at(-1)).toMatch(/^on the wire: \d+ frames, which --wire shows$/)
  })
})
