/**
 * Compares this checkout with another commit: `npm run bench -- --against COMMIT`. Measures both in turn in one run and
 * prints a Markdown table. The repository is not changed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { EXIT_FAILED, EXIT_USAGE, Exit } from '../../bin/exit.ts'
import { exitStatusHelp } from '../../bin/exit-texts.ts'
import { familiesOption, parseWholeNumber } from '../../bin/options.ts'
import { type Comparison, comparisonTable, measurePairs } from './measure-pairs.ts'
import { Bench, type Values } from './measured-commit.ts'
import { commitNamed, copyCommit, type Side, thisCheckout } from './other-commit.ts'

/** The status of a shell after Ctrl+C. */
const EXIT_INTERRUPTED = 130

type Row = Omit<Comparison, 'pairs'>

const ms = { unit: 'ms', better: 'lower' } as const
const count = { unit: '', better: 'lower' } as const
const perSecond = (what: string) => ({ unit: `${what}/s`, better: 'higher' }) as const

const MEASUREMENTS = {
  embedded: {
    receiptMs: { name: 'receipt of 5 lines in cash, embedded', ...ms },
    receiptsPerSecond: { name: 'receipts of 5 lines, embedded, 8 clients', ...perSecond('receipts') },
    commandsPerSecond: { name: 'REST commands, embedded, 8 clients', ...perSecond('commands') },
    resident: { name: 'resident memory of the service after 700 receipts', unit: 'MiB', better: 'lower' },
  },
  pty: { ptyMs: { name: 'receipt of 5 lines in cash, over a pty', ...ms } },
  tcp: { tcpMs: { name: 'receipt of 5 lines in cash, over TCP', ...ms } },
  counts: {
    exchanges: { name: 'exchanges on the line in a receipt', ...count },
    commits: { name: "transactions of the service's log in a receipt", ...count },
    commitsWithKey: { name: "transactions of the service's log in a receipt with a key", ...count },
    syncs: { name: 'syncs to disk of the service in a receipt', ...count },
    syncsWithKey: { name: 'syncs to disk of the service in a receipt with a key', ...count },
  },
} as const satisfies Record<string, Record<string, Row>>

type Measurement = keyof typeof MEASUREMENTS
const NAMES = Object.keys(MEASUREMENTS) as Measurement[]

interface Options {
  readonly against: string
  readonly family: readonly string[]
  readonly pairs: number
  readonly only?: readonly Measurement[]
}

const say = (line: string) => void process.stderr.write(`${line}\n`)

const cleanUps: (() => void | Promise<void>)[] = []
const benches = new Set<Bench>()
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted.abort()
    for (const bench of benches) void bench.close()
  })

async function compare({ against, family: families, pairs, only = NAMES }: Options): Promise<void> {
  const commit = await commitNamed(against)
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-bench-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  say(`copying ${commit} to ${folder}`)
  const copy = join(folder, 'commit')
  mkdirSync(copy)
  const sides = [await copyCommit(commit, copy, interrupted.signal), await thisCheckout()] as const
  const hasStrace = spawnSync('strace', ['-f', '-o', join(folder, 'probe.txt'), 'true']).status === 0
  const comparisons: Comparison[] = []
  for (const family of families) {
    const bench = new Bench(folder, family, hasStrace)
    benches.add(bench)
    cleanUps.push(() => bench.close())
    for (const side of sides) await bench.fillCompileCache(side)
    for (const name of NAMES.filter((known) => only.includes(known))) {
      // Counts do not vary, so one pair is enough.
      const results = await measurePairs(name === 'counts' ? 1 : pairs, sides, (side: Side, pair) => {
        interrupted.signal.throwIfAborted()
        say(`family ${family}, ${name}, pair ${pair}: ${side.name}`)
        return bench[name](side)
      })
      comparisons.push(...rowsOf(MEASUREMENTS[name], family, results))
    }
  }
  const [before, after] = sides
  const machine = `${cpus().length} cores of ${cpus()[0]?.model}, Node ${process.versions.node}`
  const notes = [
    `${machine}. Each commit runs its own service and its own emulator, with data on disk; ratio: ${after.name} to ${before.name}, the median of the pairs' ratios.`,
    ...(hasStrace || !only.includes('counts') ? [] : ['Syncs to disk were not counted: strace is not available.']),
  ]
  process.stdout.write(`${comparisonTable(comparisons, before.name, after.name)}\n\n${notes.join('\n')}\n`)
}

function rowsOf(
  rows: Readonly<Record<string, Row>>,
  family: string,
  results: readonly { readonly before: Values; readonly after: Values }[],
): Comparison[] {
  return Object.entries(rows).flatMap(([member, row]) => {
    const pairs = results.flatMap(({ before, after }) => {
      const pair = { before: before[member], after: after[member] }
      return pair.before === undefined || pair.after === undefined ? [] : [{ before: pair.before, after: pair.after }]
    })
    return pairs.length === 0 ? [] : [{ ...row, name: `${family}: ${row.name}`, pairs }]
  })
}

/** Resolves to exit status 2, and prints one line, if an option or the commit is wrong. */
async function main(): Promise<number> {
  const program = new Command('npm run bench --')
    .description('compare this checkout with another commit: both are measured in turn')
    .addOption(new Option('--against <COMMIT>', 'commit of this repository').makeOptionMandatory())
    .addOption(familiesOption('families to measure').default(['A'], 'A'))
    .addOption(new Option('--pairs <N>', 'measurements of each commit').argParser(parseWholeNumber(1, 1000)).default(5))
    .addOption(new Option('--only <NAME...>', 'measurements to make (default: all)').choices(NAMES))
    .addHelpText('after', exitStatusHelp())
    .allowExcessArguments(false)
    .exitOverride()
  try {
    program.parse()
    await compare(program.opts<Options>())
    return 0
  } catch (error) {
    if (interrupted.signal.aborted) return EXIT_INTERRUPTED
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
    say(error instanceof Error ? error.message : String(error))
    return error instanceof Exit ? error.status : EXIT_FAILED
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }
}

process.exit(await main())
