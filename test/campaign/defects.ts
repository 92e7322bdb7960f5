/**
 * Seeded defects. Each replaces one text in the sources of the driver, link, service or totals, and campaign runs must
 * find it.
 */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Family } from '../../drivers/model/families.ts'

export interface Defect {
  readonly what: string
  readonly family: Family
  readonly file: string
  readonly from: string
  readonly to: string
}

export const DEFECTS: readonly Defect[] = [
  {
    what: 'driver: a command that the device has executed is retransmitted',
    family: 'C',
    file: 'drivers/link/ask-confirmed.ts',
    from: 'if (done) return {',
    to: 'if (done && attempt > 9) return {',
  },
  {
    what: 'link: a retransmission is not reported',
    family: 'A',
    file: 'drivers/link/link.ts',
    from: 'exchange.retransmitted ||= exchange.options.fiscal === true',
    to: 'exchange.retransmitted ||= exchange.options.fiscal === false',
  },
  {
    what: 'service: a receipt that breaks in the middle is left as it is',
    family: 'A',
    file: 'server/operations/run.ts',
    from: 'const rescued = await rescue(error, on, repeats.any)',
    to: 'throw error\n    const rescued = await rescue(error, on, repeats.any)',
  },
  {
    what: 'service: the stored answer of a key is not returned again',
    family: 'A',
    file: 'server/operations/log/answers.ts',
    from: "return reply ? { state: 'answered', fingerprint, reply } :",
    to: 'return reply ? undefined :',
  },
  {
    what: 'books: the change of a cash payment stays in the day',
    family: 'B',
    file: 'emulator/fiscal/day.ts',
    from: 'if (payment.change !== 0) net = addMode',
    to: 'if (payment.change < 0) net = addMode',
  },
]

const root = join(import.meta.dirname, '..', '..')
const SOURCES = ['bin', 'drivers', 'emulator', 'server', 'scenarios', 'package.json']

/**
 * Copies the sources and replaces one text in the copy. Returns the program in the copy. The caller removes the folder.
 */
export function copyWith({ file, from, to }: Pick<Defect, 'file' | 'from' | 'to'>): {
  folder: string
  program: string
} {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-defect-'))
  for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const text = readFileSync(join(folder, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly one place "${from}"`)
  writeFileSync(join(folder, file), text.replace(from, to))
  return { folder, program: join(folder, 'bin', 'fiscal-rig.ts') }
}
