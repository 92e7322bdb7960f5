import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../scenarios/runner/csv-table.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { numberForm, numberIn } from '../../scenarios/runner/number-form.ts'
import { failures, play, scenarioFile } from './play.ts'

const PLAIN = { decimal: '.', group: '' }

function files(text: string, beside: Readonly<Record<string, string>>): string {
  const file = scenarioFile(text)
  for (const [name, other] of Object.entries(beside)) {
    mkdirSync(dirname(join(dirname(file), name)), { recursive: true })
    writeFileSync(join(dirname(file), name), other)
  }
  return file
}

describe('a table in a CSV file', () => {
  const rowsOf = (text: string, locale?: string) => {
    const { rows, mistakes } = readTable('t.csv', text, numberForm(locale) ?? PLAIN)
    return mistakes.length > 0 ? mistakes.map(({ line, what }) => `${line}: ${what}`) : rows
  }

  it.each([
    [
      'numbers, words and nothing',
      'a,b,c\n1,two,\n-0.50,true,"3"\n',
      [
        { a: 1, b: 'two', c: null },
        { a: -0.5, b: true, c: '3' },
      ],
    ],
    [
      'text that only looks like a number',
      'a\n0012\n1.\n12345678901234567\n1e3\n',
      [{ a: '0012' }, { a: '1.' }, { a: '12345678901234567' }, { a: '1e3' }],
    ],
    ['the separators of spreadsheets', '\ufeffa;b\r\n1;"x;y"\r\n', [{ a: 1, b: 'x;y' }]],
    ['tabs, and a quote in quotes', 'a\tb\n1\t"say ""hello"""\n', [{ a: 1, b: 'say "hello"' }]],
    [
      'families in one cell',
      'a,families\n1,A C\n2,\n',
      [
        { a: 1, families: ['A', 'C'] },
        { a: 2, families: undefined },
      ],
    ],
    [
      'column names with letters of other languages, which are refused',
      'назва,b\n1,2\n',
      ['1: column 1: expected a name of letters, digits and _, not "назва"'],
    ],
    ['a row with too many cells, which is refused', 'a\n1,2\n', ['2: expected 1 cell (a), found 2']],
    ['no line, which is refused', '', ['1: expected a line with the names of the columns, and a row']],
  ])('may contain %s', (_what, text, wanted) => expect(rowsOf(text)).toEqual(wanted))

  it.each([
    ['bg-BG', '1 234,5', 1234.5],
    ['ro-RO', '1.234,50', 1234.5],
    ['ro-RO', '1,5', 1.5],
    ['ro-RO', '12.34.56', '12.34.56'],
    ['en-GB', '1,234.5', 1234.5],
    ['bg-BG', 'хляб', 'хляб'],
    ['bg-BG', '1.5', { what: '1.5 is not a number in the locale bg-BG; nearest: 1,5, or "1.5", in quotes' }],
  ])('is read in the locale %s: %s as %j', (locale, text, wanted) => {
    expect(numberIn(text, numberForm(locale) ?? PLAIN)).toEqual(wanted)
  })

  it('is played once for each row', async () => {
    const file = files(
      `
name: quantities
families: [A, C]
locale: bg-BG
examples: tables/quantities.csv
steps:
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 8, Quantity: $quantity } }] }
check: { day: { total: $total }, paper: { has: $words } }
`,
      { 'tables/quantities.csv': 'quantity;total;words;families\n1;12,90;Book;\n0,5;6,45;"6.45";A\n' },
    )
    const summary = await play([file])
    expect(failures(summary)).toEqual([])
    expect(summary.results.map(({ play }) => play.name)).toEqual([
      'quantities [A, 1]',
      'quantities [C, 1]',
      'quantities [A, 0.5]',
    ])
  })

  it('stays inside the folder of its scenario', () => {
    const file = files('name: x\nexamples: ../t.csv\nsteps: [{ wait: 1s }]\n', {})
    expect(() => loadScenarios([file])).toThrow(
      /:2:\d+: \.\.\/t\.csv is outside: expected a file inside .*; --allow-outside allows other folders$/,
    )
    expect(() => loadScenarios([file], { allowOutside: true })).toThrow(
      /expected a readable file, not \.\.\/t\.csv: it does not exist$/,
    )
  })
})

describe('shared steps', () => {
  const SALE = `
shared:
  opening:
    steps: [{ post /open-fiscal-receipt: $opening }]
  sale:
    takes: [plu]
    defaults: { quantity: 1, times: $plu }
    steps:
      - repeat:
          times: $times
          steps: [{ post /register-plu-sale: { PluNumber: $plu, Quantity: $quantity } }]
      - post /status-of-the-fiscal-transaction:
        keep: status
  two: { takes: [plu], steps: [{ use: sale, with: { plu: $plu } }, { use: sale, with: { plu: 1 } }] }
`
  const RECEIPT = `
name: a receipt of shared steps
families: [A]
let: { quantity: 7 }
steps:
  - use: opening
  - use: sale
    with: { plu: 2 }
  - use: two
    with: { plu: 1 }
  - post /payment: { PaymentMode: 0, Amount: $status.Remaining }
    note: a value that is kept inside is known afterwards
  - post /close-fiscal-receipt:
  - post /display-line-one: { Text: "it is $quantity" }
check: { day: { total: 5.40 }, display: [it is 7] }
`

  it('of the same file have arguments with defaults, and contain other shared steps', async () => {
    const summary = await play([scenarioFile(`${SALE}---${RECEIPT}`)])
    expect(failures(summary)).toEqual([])
    expect(summary.results[0]?.story.map(({ depth, title }) => `${depth} ${title.slice(0, 34)}`).slice(0, 6)).toEqual([
      '0 use opening',
      '1 post /open-fiscal-receipt {"Operat',
      '0 use sale {"plu":2}',
      '1 repeat {"times":2}',
      '2 post /register-plu-sale {"PluNumbe',
      '2 post /register-plu-sale {"PluNumbe',
    ])
  })

  it.each([
    ['another file', 'shared: common/sale.yaml'],
    ['several', 'shared: [common/sale.yaml, more.yaml]'],
  ])('may be in %s', async (_where, line) => {
    const more = 'shared: { nothing: { steps: [{ wait: 1ms }] } }\n'
    const file = files(RECEIPT.replace('let:', `${line}\nlet:`), { 'common/sale.yaml': SALE, 'more.yaml': more })
    expect(failures(await play([file]))).toEqual([])
    expect(loadScenarios([join(dirname(file), 'common', 'sale.yaml')])).toEqual([])
  })

  it('may be defined in the scenario itself', async () => {
    const own = `shared: { hello: { takes: [name], steps: [{ post /display-line-one: { Text: "hello $name" } }] } }`
    const file = scenarioFile(
      `name: x\nfamilies: [B]\n${own}\nsteps: [{ use: hello, with: { name: you } }]\ncheck: { display: [hello you] }\n`,
    )
    expect(failures(await play([file]))).toEqual([])
  })

  it('report the location of a failure, and which step used them', async () => {
    const file = files(
      `${SALE.replace('steps: [{ post /open', 'steps: [{ post /report-y: }, { post /open')}---${RECEIPT}`,
      {},
    )
    expect(() => loadScenarios([file])).toThrow(
      /^\S+:4:15: unknown key of a step "post \/report-y"; nearest: post \/report-z$/,
    )
    const wrong = scenarioFile(`${SALE}---${RECEIPT.replace('plu: 2', 'plu: 99')}`)
    const [result] = (await play([wrong])).results
    expect(result?.failure?.line).toBe(11)
    expect(
      result?.story.filter(({ status }) => status === 'failed').map(({ line, title }) => `${line} ${title}`),
    ).toEqual([
      '21 use sale {"plu":99}',
      '9 repeat {"times":99}',
      '11 post /register-plu-sale {"PluNumber":99,"Quantity":1}',
    ])
  })

  it('accept arguments of any name', () => {
    const own = 'shared: { x: { takes: [constructor, toString], steps: [{ wait: 1s }] } }'
    const file = scenarioFile(`name: x\n${own}\nsteps: [{ use: x, with: { toString: 1 } }]\n`)
    expect(() => loadScenarios([file])).toThrow(/: expected constructor in with: x requires it$/)
  })

  it('must be defined only once, and must not use each other in a circle', () => {
    const twice = files(`shared: other.yaml\n${RECEIPT}`.replace(/---/, ''), {})
    expect(() => loadScenarios([twice])).toThrow('expected a readable file, not other.yaml')
    const again = scenarioFile(`${SALE}---\nshared: { sale: { steps: [{ wait: 1s }] } }\n${RECEIPT}`)
    expect(() => loadScenarios([again])).toThrow(/there are shared steps sale already, in \S+:5; rename one of them$/m)
    const bomb = Array.from({ length: 20 }, (_, n) => `  s${n}: { steps: [{ use: s${n + 1} }, { use: s${n + 1} }] }`)
    const large = scenarioFile(
      `shared:\n${bomb.join('\n')}\n  s20: { steps: [{ wait: 1s }] }\n---\nname: x\nsteps: [{ use: s0 }]\n`,
    )
    expect(() => loadScenarios([large])).toThrow(
      'the scenario includes more than 1000 files and shared steps: include fewer',
    )
  })
})

describe('the step in the text of a failure', () => {
  const textOfFailure = async (text: string) => {
    const [result] = (await play([scenarioFile(text)])).results
    return result?.failure?.step
  }

  it('has its lines from their beginning', async () => {
    const text = `name: x\nfamilies: [A]\nsteps:\n  - post /report-x:\n  - &a { post /report-x: , expect: {\n      status: 201 } }\n`
    expect(await textOfFailure(text)).toBe('  - &a { post /report-x: , expect: {\n      status: 201 } }')
  })

  it('appears alone if other steps precede it in the same line', async () => {
    const wrong = { 'post /report-x': {}, expect: { status: 201 } }
    const scenario = { name: 'x', families: ['A'], steps: [{ 'post /report-x': {} }, wrong] }
    expect(await textOfFailure(JSON.stringify(scenario))).toBe(JSON.stringify(wrong))
    const lines = JSON.stringify(scenario, undefined, 2)
    expect(await textOfFailure(lines)).toBe(lines.split('\n').slice(-8, -2).join('\n'))
  })
})

describe('the scenario’s own clock and locale', () => {
  it('start for the device and the service at the same time', async () => {
    const file = scenarioFile(`
name: new year
families: [A]
given: { clock: "2026-12-31T23:59:30" }
steps:
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
    key: night
  - wait: 1m
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
check: { paper: { has: ["2026-12-31 23:59", "2027-01-01 00:00"] } }
`)
    const summary = await play([file], { everything: true })
    expect(failures(summary)).toEqual([])
    const times = summary.results[0]?.detail?.wire.map(({ at }) => at) ?? []
    expect(times[0]?.slice(0, 16)).toBe('2026-12-31T23:59')
    expect(times.at(-1)?.slice(0, 16)).toBe('2027-01-01T00:00')
  })

  it('are sent with every request, unless a step has another locale', async () => {
    const file = scenarioFile(
      'name: x\nfamilies: [A]\nlocale: ro-RO\nsteps:\n  - post /report-x:\n  - post /report-x:\n    headers: { Accept-Language: de }\n',
    )
    const { emulatedTarget } = await import('../../scenarios/runner/target/emulated.ts')
    const target = emulatedTarget('emulator', ['A'])
    const said: (string | undefined)[] = []
    const listening = {
      ...target,
      open: async (setup: Parameters<typeof target.open>[0]) => {
        const rig = await target.open(setup)
        return {
          ...rig,
          call: (call: Parameters<typeof rig.call>[0]) => {
            said.push(call.headers?.['Accept-Language'])
            return rig.call(call)
          },
        }
      },
    }
    expect(failures(await play([file], { target: listening, families: ['A'] }))).toEqual([])
    expect(said).toEqual(['ro-RO', 'de'])
  })
})
