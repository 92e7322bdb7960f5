/** The parts of `npm run test:deep`. `npm test` runs a rotating selection of each part, or none of it. */
import { PROGRAMS_OF_PARTS } from '../debian-programs.mjs'

export interface Part {
  readonly name: string
  readonly what: string
  /** Prefixes of paths below `test/`, as Vitest filters them. */
  readonly files: readonly string[]
  /** Total time in s of the files in `npm run test:deep`, which runs two files in parallel. */
  readonly tookS: number
  /**
   * `npm test` runs the first test of each file, and one in N of the others. Absent: the tests select themselves
   * (test/support/slice.ts).
   */
  readonly of?: number
  /** True if even the first test of a file is too slow to run each time. */
  readonly isSlow?: boolean
}

/** The part with all files of no other part, which `npm test` runs completely. */
export const ALWAYS = 'always'

export const PARTS: readonly Part[] = [
  { name: ALWAYS, what: 'the test files of no other part; `npm test` runs them completely', files: [], tookS: 154 },
  {
    name: 'fault-table',
    what: 'every kind of request x every fault x every injection point, on every family',
    files: ['test/fault-table/'],
    tookS: 3839,
  },
  {
    name: 'findings',
    what: 'all injection points of the violations that were found before',
    files: ['test/simulation/recovery-failures.test.ts'],
    tookS: 78,
  },
  {
    name: 'every',
    what: 'some thousand injection points of `check --every` on every family, and as many of `check --every --pairs`; a quarter of both on each further edition',
    files: ['test/simulation/every.test.ts'],
    tookS: 355,
  },
  {
    name: 'worlds',
    what: 'every step in all combinations of up to three events: combinations with the same evidence but different outcomes get an undecided verdict, and all others the verdict that states their outcome',
    files: ['test/operations/'],
    tookS: 800,
  },
  {
    name: 'random',
    what: '4,000 random runs on each family, several clients at once, sequences of calls with the results that a model predicts, 32 days of the shop year, 100,000 sequences of order events',
    files: [
      'test/simulation/check',
      'test/model-wire.test.ts',
      'test/simulation/model-calls.test.ts',
      'test/passport/round-trip.test.ts',
      'test/campaign/year.test.ts',
      'test/orders/order-lives.test.ts',
      'test/family-d/',
      'test/security/frame-search-cost.test.ts',
      'test/security/other-protocols.test.ts',
      'test/security/control-characters.test.ts',
    ],
    tookS: 485,
  },
  {
    name: 'ways',
    what: 'the tests that otherwise run embedded, for every family over TCP and on a pty',
    files: ['test/contract/printer.test.ts'],
    tookS: 11,
  },
  {
    name: 'memory',
    what: 'a power cut at each write of the fiscal memory and at each line of paper',
    files: ['test/fiscal/store.test.ts'],
    tookS: 7,
  },
  {
    name: 'seal',
    what: 'each change of a sealed fiscal memory is reported; 1,000 random days agree with an independent program',
    files: ['test/fiscal/verified-export.test.ts', 'test/fiscal/seal.test.ts'],
    tookS: 120,
  },
  {
    name: 'defects',
    what: 'defects seeded into a copy of the sources are found and shrunk by `fiscal-rig check`',
    files: ['test/campaign/defects.test.ts'],
    tookS: 36,
    of: 24,
    isSlow: true,
  },
  {
    name: 'mistakes',
    what: 'mistakes put into device, driver and service are found by the runs with faults',
    files: ['test/simulation/check.test.ts', 'test/fault-table/deliberate-errors.test.ts'],
    tookS: 24,
    of: 14,
    isSlow: true,
  },
  {
    name: 'sabotage',
    what: 'each constant of the protocols, changed in a copy, makes a check against a published frame fail',
    files: ['test/sabotage/'],
    tookS: 13,
  },
  {
    name: 'rows',
    what: 'legacy lines, orders, refusals and outputs of tills, row by row: `npm test` has a third of them',
    files: [
      'test/api/device.test.ts',
      'test/bench/compare-commits.test.ts',
      'test/exam/command-till.test.ts',
      'test/exam/report.test.ts',
      'test/faults/real-port.test.ts',
      'test/fleet/restart.test.ts',
      'test/fleet/printing.test.ts',
      'test/fleet/passport.test.ts',
      'test/frames/declared-changes.test.ts',
      'test/legacy/http.test.ts',
      'test/legacy/several-documents.test.ts',
      'test/line-tools/recording.test.ts',
      'test/orders/net-prices.test.ts',
      'test/refusals/',
      'test/server/duplicated-texts.test.ts',
    ],
    tookS: 70,
    of: 3,
  },
  {
    name: 'programs',
    what: 'the command line in real processes: kills, signals, full disks, ptys, recordings of a line',
    files: [
      'test/orders/http.test.ts',
      'test/cli/serial-number.test.ts',
      'test/cli/check.test.ts',
      'test/cli/cli.test.ts',
      'test/cli/key-store.test.ts',
      'test/cli/kill.test.ts',
      'test/cli/npm-tasks.test.ts',
      'test/cli/service-manager.test.ts',
      'test/cli/signals.test.ts',
      'test/line-tools/doctor.test.ts',
      'test/line-tools/lines.test.ts',
      'test/line-tools/pasted-lines.test.ts',
      'test/orders/cli.test.ts',
      'test/panel/document-export.test.ts',
      'test/panel/session-recorder.test.ts',
      'test/scenarios/watch.test.ts',
      'test/library/printer.test.ts',
    ],
    tookS: 288,
    of: 40,
  },
  {
    name: 'fleets',
    what: 'fleets of many printers, each fleet started as a process',
    files: ['test/cli/fleet.test.ts'],
    tookS: 20,
    of: 16,
    isSlow: true,
  },
  {
    name: 'exam',
    what: 'tills that are examined, each in its own process',
    files: ['test/exam/cli.test.ts', 'test/exam/service.test.ts', 'test/exam/defects.test.ts'],
    tookS: 109,
    of: 40,
  },
  {
    name: 'passports',
    what: 'passports of devices that differ from the emulated one, and failures while a passport is recorded',
    files: ['test/passport/'],
    tookS: 56,
    of: 32,
    isSlow: true,
  },
  {
    name: 'scenarios',
    what: 'the whole collection of scenarios on each kind of target',
    files: [
      'test/scenarios/bare-pty.test.ts',
      'test/scenarios/runner.test.ts',
      'test/scenarios/collection.test.ts',
      'test/scenarios/step-log.test.ts',
    ],
    tookS: 141,
    of: 32,
  },
  {
    name: 'browser',
    what: 'page and documentation in Chromium, in every size, colour scheme and state',
    files: [
      'test/page/page.test.ts',
      'test/page/pictures.test.ts',
      'test/docs/browser.test.ts',
      'test/security/browser.test.ts',
      'test/security/cross-origin.test.ts',
    ],
    tookS: 190,
    of: 32,
  },
  {
    name: 'page',
    what: 'what a person does in the control panel, step by step in Chromium',
    files: [
      'test/page/compose.test.ts',
      'test/page/double-click.test.ts',
      'test/page/fault-tools.test.ts',
      'test/page/fleet-overview.test.ts',
      'test/page/page-frame.test.ts',
      'test/page/held-lists.test.ts',
      'test/page/links.test.ts',
      'test/page/refusals.test.ts',
      'test/page/printer.test.ts',
      'test/page/open-receipt.test.ts',
      'test/page/requests.test.ts',
      'test/page/restart.test.ts',
      'test/page/service.test.ts',
      'test/page/steady-use.test.ts',
      'test/page/document-tools.test.ts',
      'test/page/trace.test.ts',
      'test/docs/page-controls.test.ts',
      'test/exam/watch.test.ts',
      'test/passport/report.test.ts',
    ],
    tookS: 190,
    of: 32,
    isSlow: true,
  },
  {
    name: 'cables',
    what: 'cables and other programs as processes: RFC 2217, a port that another program uses, systemd',
    files: ['test/line-tools/attached.test.ts', 'test/line/rfc2217.test.ts', 'test/cli/service-manager.test.ts'],
    tookS: 40,
    of: 24,
    isSlow: true,
  },
  {
    name: 'worker',
    what: 'the suites of frames and of REST in the worker of the site, in Chromium: `npm test` has a twentieth of them',
    files: ['test/site/suites.test.ts'],
    tookS: 60,
  },
  {
    name: 'site',
    what: 'the site in Chromium: device and service in a worker, links, a printer on Web Serial',
    files: ['test/site/'],
    tookS: 560,
    of: 60,
    isSlow: true,
  },
  {
    name: 'examples',
    what: 'every command and every answer that the documentation shows',
    files: ['test/docs/examples.test.ts'],
    tookS: 122,
    of: 60,
    isSlow: true,
  },
  {
    name: 'campaigns',
    what: 'campaigns on many cores and machines, seeded defects, the shop year (`check --shop-year`)',
    files: [
      'test/campaign/run-on-cores.test.ts',
      'test/campaign/queue.test.ts',
      'test/campaign/year.deep.ts',
      'test/security/queue.test.ts',
    ],
    tookS: 121,
    of: 64,
    isSlow: true,
  },
  {
    name: 'hostile',
    what: 'hostile patterns, sizes, files and callers',
    files: [
      'test/security/malicious-device.test.ts',
      'test/security/endless-scenarios.test.ts',
      'test/security/invalid-files.test.ts',
      'test/security/foreign-target.test.ts',
      'test/security/fuzz.test.ts',
      'test/security/line-tools.test.ts',
      'test/security/listening.test.ts',
      'test/security/markup.test.ts',
      'test/security/foreign-paths.test.ts',
      'test/security/patterns.test.ts',
      'test/security/file-permissions.test.ts',
      'test/security/secrets.test.ts',
      'test/security/supply-chain.test.ts',
      'test/security/large-requests.test.ts',
    ],
    tookS: 240,
    of: 40,
    isSlow: true,
  },
  {
    name: 'package',
    what: 'the published package on the oldest supported Node, in Jest, and with `--data memory`',
    files: ['test/package/'],
    tookS: 110,
    of: 24,
  },
  {
    name: 'container',
    what: 'the steps of the container image in a chroot, the action for workflows step by step',
    files: ['test/container/'],
    tookS: 120,
    of: 20,
    isSlow: true,
  },
  {
    name: 'recipes',
    what: 'the recipes for other languages, and till programs that others wrote',
    files: ['test/clients/'],
    tookS: 40,
  },
]

/** Returns the part with the longest matching prefix. `file` is relative to the root of the project. */
export function partOf(file: string): Part | undefined {
  const closeness = (part: Part) =>
    Math.max(0, ...part.files.filter((beginning) => file.startsWith(beginning)).map(({ length }) => length))
  const [closest] = PARTS.toSorted((one, other) => closeness(other) - closeness(one))
  return closest !== undefined && closeness(closest) > 0 ? closest : undefined
}

export const packagesOf = ({ name }: Part): string =>
  (PROGRAMS_OF_PARTS[name] ?? []).map((one) => one.package).join(' ')

export const partsTable = (): string =>
  [
    '| part | what it is | time on one core | additional Debian packages |',
    '| --- | --- | --- | --- |',
    ...PARTS.map((part) => `| \`${part.name}\` | ${part.what} | ${part.tookS} s | ${packagesOf(part)} |`),
  ].join('\n')
