/**
 * The provenance of each command's bytes in the protocols, from the catalogues of the emulated devices and
 * `fixtures/provenance.json` (`npm run docs`).
 */
import type { Family } from '../../drivers/model/families.ts'
import type { Change } from '../../drivers/wire/command.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'

interface LedgerEntry {
  readonly provenance: 'published' | 'captured' | 'cross' | 'derived'
  readonly source: string
}
interface Directions {
  readonly request: LedgerEntry
  readonly response: LedgerEntry
}
export type Ledger = Readonly<Record<string, Readonly<Record<string, Directions>>>>

const WORDS: Readonly<Record<LedgerEntry['provenance'], string>> = {
  published: 'published bytes',
  captured: 'captured from a device',
  cross: 'another public implementation',
  derived: 'derived from the published rules',
}

/** A frame of another project. `differs` is the reason for its difference from the frame of this project. */
export interface CollectedFrame {
  readonly id: string
  readonly ask: { readonly command?: string; readonly code: number; readonly values?: object; readonly data?: string }
  readonly differs?: string
}
type CollectedFrames = Readonly<Record<string, readonly CollectedFrame[]>>

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`

async function familyTable(family: Family, { notModelled }: EmulatedFamily, ledger: Ledger): Promise<string[]> {
  const knownEntries = ledger[family] ?? {}
  const emulator = createEmulator({ family, data: 'memory' })
  const commands = new Map(emulator.wire.commands.map((one) => [one.name, one]))
  await emulator.close()
  const entries = Object.entries(knownEntries)
  const counted = entries.flatMap(([, { request, response }]) => [request, response])
  const counts = (Object.keys(WORDS) as LedgerEntry['provenance'][])
    .map((one) => [one, counted.filter(({ provenance }) => provenance === one).length] as const)
    .map(([one, count]) => `${count} ${WORDS[one]}`)
  const lines = entries.map(([name, { request, response }]) => {
    const command = commands.get(name)
    const code = command ? `${command.code} (${command.code.toString(16).toUpperCase()}h)` : ''
    return row(name, code, command?.source ?? '', request.provenance, response.provenance)
  })
  const missing = notModelled.map(([what, why]) => `- ${what}: ${why}.`)
  return [
    `## Family ${family}`,
    '',
    `${entries.length} commands, two directions each: ${counts.join(', ')}.`,
    '',
    row('command', 'code', 'sheet', 'request', 'answer'),
    row('---', '---', '---', '---', '---'),
    ...lines,
    '',
    mostNeeded(entries, (name) => commands.get(name)?.changes),
    '',
    'Not modelled:',
    '',
    ...missing,
    '',
  ]
}

/** Importance of a command by its effect: commands that move money first, then queries, then visible effects. */
const WEIGHTS: Readonly<Record<Change, number>> = { nothing: 2, paper: 1, day: 4, memory: 3 }
const DOUBT_WEIGHTS: Readonly<Record<LedgerEntry['provenance'], number>> = {
  published: 0,
  captured: 0,
  cross: 1,
  derived: 2,
}
const RANKED_MAX = 10

/** Returns the commands for which bytes of a real device would be most valuable: important ones with little proof. */
function mostNeeded(
  entries: readonly (readonly [string, Directions])[],
  changesOf: (name: string) => Change | undefined,
): string {
  const ranked = entries
    .map(([name, { request, response }]) => {
      const doubt = DOUBT_WEIGHTS[request.provenance] + DOUBT_WEIGHTS[response.provenance]
      return { name, need: WEIGHTS[changesOf(name) ?? 'nothing'] * doubt }
    })
    .toSorted((one, other) => other.need - one.need || one.name.localeCompare(other.name))
  const names = ranked.slice(0, RANKED_MAX).map(({ name }) => `\`${name}\``)
  return `Most in need of the passport of a real printer (weight of the command times what is not proven): ${names.join(', ')}.`
}

function differenceLines(collected: CollectedFrames): string[] {
  const frames = Object.entries(collected)
  const rows = frames.flatMap(([family, some]) =>
    some.flatMap(({ id, ask, differs }) =>
      differs === undefined ? [] : [row(family, `\`${id}\``, ask.command ?? String(ask.code), differs)],
    ),
  )
  const all = frames.flatMap(([, some]) => some)
  // A collected request that has `data` in addition to `values` encodes the same values differently from the driver.
  const spelled = all.filter(({ ask }) => ask.values !== undefined && ask.data !== undefined).length
  return [
    '## Frames that other projects printed',
    '',
    `${all.length} frames of manuals, tests and logs of other projects (\`fixtures/frames/collected-*.json\`, each with its source) run`,
    `through the same checks as our own. ${all.length - rows.length - spelled} are byte for byte ours. ${spelled} requests spell the same values otherwise`,
    '(padded numbers, more zeros), and the emulated device reads them alike.',
    'A frame that only one project has, not tested with a device (C-BV), makes no direction better than `derived`.',
    'The others, one by one:',
    '',
    row('family', 'frame', 'command', 'why it differs'),
    row('---', '---', '---', '---'),
    ...rows,
    '',
  ]
}

export async function fidelityText(
  ledger: Ledger,
  passports: readonly Passport[],
  collected: CollectedFrames,
): Promise<string> {
  const tables: string[] = []
  for (const [name, family] of emulatedFamilies) tables.push(...(await familyTable(name, family, ledger)))
  return [
    '# How the wire is known',
    '',
    'Generated by `npm run docs` from the catalogues and `fixtures/provenance.json`, which names the source of each entry.',
    '',
    ...passportLines(passports),
    '',
    ...tables,
    ...differenceLines(collected),
  ].join('\n')
}

function passportLines(passports: readonly Passport[]): readonly string[] {
  const howTo = '[fixtures/passports](passports/README.md) says how to send one'
  if (passports.length === 0) return [`Passports of real printers: none yet; ${howTo}.`]
  const rows = passports.map(({ device, depth, same, differences }) =>
    row(
      device.family,
      device.profile,
      device.model ?? '',
      device.firmware ?? '',
      depth,
      String(same),
      String(differences.length),
    ),
  )
  return [
    `Passports of real printers: ${passports.length}; ${howTo}.`,
    '',
    row('family', 'profile', 'model', 'firmware', 'depth', 'answered alike', 'otherwise'),
    row('---', '---', '---', '---', '---', '---', '---'),
    ...rows,
  ]
}
