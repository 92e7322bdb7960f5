/** Every file in wrong/ contains one kind of mistake. The message names the location and the correction. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { distance } from '../../drivers/host/edit-distance.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { ScenarioMistakes } from '../../scenarios/runner/mistake.ts'
import { nearest } from '../../scenarios/runner/nearest.ts'
import { withWords } from '../support/verdict-rows.ts'

const FOLDER = 'test/scenarios/wrong'

function mistakesIn(file: string): string[] {
  try {
    loadScenarios([`${FOLDER}/${file}`])
    return []
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.message.split('\n').map((line) => line.replace(`${FOLDER}/${file}:`, ''))
  }
}

const KINDS: readonly (readonly [file: string, ...lines: string[]])[] = [
  ['bad-config.yaml', '2:35: expected 0 to 99.99, with at most 2 decimals'],
  ['bad-duration.yaml', '3:11: expected a duration such as 500ms, 10s, 2m, 24h or PT24H'],
  ['empty-file.yaml', '1:1: the file contains nothing; expected a scenario: name and steps'],
  [
    'impossible-fault.yaml',
    '3:34: drop cannot happen at paper.line; possible there: paperOut, coverOpen, powerCut (family A)',
  ],
  [
    'indent-check.yaml',
    '3:20: All mapping items must start at the same column',
    '8:5: unknown key of a step "post /report-y"; nearest: post /report-z',
  ],
  [
    'unknown-step.yaml',
    '3:5: unknown key of a step "hand"; there are get, post, put, delete, patch, legacy, paper, cover, power, cable, display, clock, articles, reset, fault, clearFaults, platformFault, platformOrder, wire, restart, wait, repeat, together, check, include, use, ...',
  ],
  [
    'no-colon.yaml',
    '3:5: expected a colon after it: "post /report-x:"',
    '4:5: unknown key of a step "post /report-y"; nearest: post /report-z',
    '5:5: expected a step: an object with get /get-secure-api-address, get /get-local-api-address, post /open-non-fiscal-receipt, post /print-non-fiscal-text, post /close-non-fiscal-receipt, post /cancel-non-fiscal-receipt, ...',
  ],
  ['indent-key.yaml', '3:20: Sequence item without - indicator'],
  [
    'one-round.yaml',
    '4:18: expected link.toDevice, link.toHost, command.before, command.after, memory.write or paper.line; nearest: link.toHost',
    '4:52: expected drop, duplicate, refuse, {flip: BIT}, {delayMs: N}, powerCut ...; nearest: drop',
    '5:5: unknown name "nmber"; there are family, password, operator, opening, lineWidth, bookGroup, z1, z2, z3',
    '6:5: unknown key of a step "post /report-y"; nearest: post /report-z',
    '8:32: unknown field "PluNumbr"; nearest: PluNumber',
    '9:46: unknown name "totl"; there are family, password, operator, opening, lineWidth, bookGroup, z1, z2, z3, number',
    '10:5: unknown key of a step "expct"; nearest: expect',
    '14:29: expected a duration such as 500ms, 10s, 2m, 24h or PT24H',
    '16:5: PluNumber is a field of post /register-plu-sale: indent it deeper than its verb',
    '17:5: post /report-x has no body; write modifiers of a step, such as expect, in the column of its verb',
    '19:10: unknown key of check "book"; nearest: books',
    '19:40: unknown name "nothing"; there are family, password, operator, opening, lineWidth, bookGroup, z1, z2, z3, number',
  ],
  ['open-bracket.yaml', '4:3: Flow map in block collection must be sufficiently indented and end with a }'],
  [
    'including-itself.yaml',
    'test/scenarios/wrong/circle-steps.yaml:2:5: circle-steps.yaml includes itself, directly or through another file; remove this include',
  ],
  ['misplaced.yaml', '4:5: expect belongs to a request; paper is not one'],
  [
    'missing-golden.yaml',
    '5:17: golden file fixtures/paper/scenarios/{a}/no-such-paper.txt does not exist; run with --update to create it, then review it',
  ],
  ['missing-include.yaml', '3:14: expected a readable file, not no-such-steps.yaml: it does not exist'],
  ['missing-name.yaml', '1:1: expected a sentence that names the scenario'],
  ['missing-snapshot.yaml', '2:20: expected a readable file, not no-such-snapshot.json'],
  ['no-request-together.yaml', '6:11: together can contain only requests; paper is not one'],
  ['no-steps.yaml', '2:8: expected at least one step'],
  ['no-verb.yaml', '3:5: the step has no action; nearest: - post /print-fiscal-receipt: {...}'],
  ['no-yaml.txt', '4:1: Flow map in block collection must be sufficiently indented and end with a }'],
  ['octal.yaml', '3:69: 0000 would be read as the number 0; nearest: "0000", in quotes'],
  ['same-name.yaml', '5:1: the name "the same" is already used in line 1; give each scenario its own name'],
  [
    'other-method.yaml',
    '3:5: unknown key of a step "get /report-z"; nearest: post /report-z',
    '4:5: unknown key of a step "delete /report-z"; nearest: post /report-z',
  ],
  [
    'two-verbs.yaml',
    '3:5: a step has one action, and this one has 2: post /report-x, post /report-z; begin each with its own "- "',
  ],
  ['uneven-rows.yaml', '4:5: the row has no total, which other rows have'],
  [
    'unknown-check.yaml',
    '4:10: unknown key of check "recipts"; nearest: receipts',
    '4:31: unknown key of a check of the paper "hass"; nearest: has',
    '8:24: expected a text or a list of texts; nearest: "-0.45", in quotes',
  ],
  [
    'unknown-command.yaml',
    '4:35: "closeFiscl" is no command of this family; did you mean closeNonFiscal, closeFiscal, closuresLeft? (family A)',
  ],
  [
    'unknown-endpoint.yaml',
    '3:5: unknown key of a step "post /print-fiscal-reciept"; nearest: post /print-fiscal-receipt',
  ],
  ['unknown-field.yaml', '3:72: unknown field "PluNumbr"; nearest: PluNumber'],
  [
    'unknown-key.yaml',
    '2:1: unknown key of a scenario "famlies"; nearest: families',
    '5:5: unknown key of a step "expct"; nearest: expect',
  ],
  ['unknown-name.yaml', '5:10: unknown name "nmber"; nearest: number'],
  ['unknown-profile.yaml', '2:15: unknown profile of family C "c5"; nearest: c4'],
  [
    'shared.yaml',
    '6:1: unknown name "operatr"; nearest: operator',
    expect.stringMatching(/^7:9: unknown key of a step "hand"; there are get, post, /),
    '8:23: around uses itself, directly or through other shared steps; remove this use',
    '9:1: "closeFiscl" is no command of this family; did you mean closeNonFiscal, closeFiscal, closuresLeft? (family A)',
    '14:5: unknown shared steps "openin"; nearest: opening',
    '15:5: expected operator in with: opening requires it',
    '17:26: unknown argument of opening "til"; nearest: till',
    '19:13: bare has no arguments',
    '21:46: unknown name "till"; there are family, password, operator, opening, lineWidth, bookGroup, z1, z2, z3',
  ],
  [
    'shared-missing.yaml',
    `${FOLDER}/beside/shared-other.yaml:1:20: expected a list of steps`,
    `${FOLDER}/beside/shared-other.yaml:1:22: unknown key of shared steps "step"; nearest: steps`,
    '2:10: expected a readable file, not no-such-file.yaml: it does not exist',
    '4:5: there are no shared steps: define nothing under shared',
  ],
  [
    'no-shared.yaml',
    '2:11: there are no shared steps: define opening under shared',
    '2:25: expect belongs to a request; use is not one',
  ],
  [
    'table.yaml',
    `${FOLDER}/beside/empty.csv:1:1: expected a line with the names of the columns, and a row`,
    `${FOLDER}/beside/columns.csv:1:1: column 2: expected a name of letters, digits and _, not "the price"`,
    `${FOLDER}/beside/columns.csv:1:1: there is more than one column plu`,
    `${FOLDER}/beside/quote.csv:2:1: quote Not Closed: the parsing is finished with an opening quote at line 2`,
    `${FOLDER}/beside/table.csv:3:1: expected 3 cells (plu, quantity, total), found 2`,
    `${FOLDER}/beside/point.csv:3:1: price: 1.50 is not a number in the locale ro-RO; nearest: 1,50, or "1.50", in quotes`,
    '4:99: unknown name "quantty"; nearest: quantity',
    '7:11: expected a readable file, not beside/no-such-table.csv: it does not exist',
    '24:9: expected a locale such as bg-BG',
    '28:11: unknown family "D"; nearest: A',
    '28:11: password is a name that has a value in every family; use families, or another name',
  ],
  ['wrong-type.yaml', '3:22: expected a number of times'],
  ['wrong-word.yaml', '3:12: expected ok, low, out; nearest: out'],
  [
    'many.yaml',
    '3:5: unknown key of a step "post /report-y"; nearest: post /report-z',
    '4:12: expected open, closed',
    '5:23: expected a duration such as 500ms, 10s, 2m, 24h or PT24H',
    '6:10: unknown key of check "book"; nearest: books',
  ],
]

describe('a scenario file with a mistake', () => {
  it.each(KINDS)('%s is explained', (file, ...lines) => {
    expect(mistakesIn(file)).toEqual(lines)
  })

  it('is listed in the table of mistakes', () => {
    const steps = ['circle-steps.yaml', 'beside']
    const withMistakes = readdirSync(FOLDER).filter((file) => !steps.includes(file))
    expect(withMistakes.sort()).toEqual(KINDS.map(([file]) => file).sort())
  })

  it('is reported together with all others, each line beginning with its location', () => {
    const files = ['many.yaml', 'wrong-word.yaml'].map((file) => `${FOLDER}/${file}`)
    expect(() => loadScenarios(files)).toThrow(/^(test\/scenarios\/wrong\/\S+\.yaml:\d+:\d+: .+\n?){5}$/)
  })
})

describe('the suggestion of the nearest word', () => {
  it.each(
    withWords(
      ([, , wanted]) => wanted ?? 'missing',
      [
        ['expct', ['expect', 'keep'], 'expect'],
        ['recipt', ['receipts', 'display'], 'receipts'],
        ['Plu', ['PluNumber', 'Void'], 'PluNumber'],
        ['xyz', ['expect', 'keep'], undefined],
      ],
    ),
  )('is %s for %s', (_result, word, known, wanted) => expect(nearest(word, known)).toBe(wanted))

  it('counts letters that were changed, added, dropped and swapped', () => {
    expect([distance('kitten', 'sitting'), distance('ab', 'ba'), distance('', 'abc')]).toEqual([3, 1, 3])
  })
})
