import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { bytesOf, textOf } from '../support/bytes.ts'
import type { Family } from './families.ts'
import type { Judge, Load, Reading } from './judge.ts'
import type { Mutation } from './mutations.ts'

export interface PublishedHalf {
  readonly bytes: string
  readonly seq: number
  readonly code: number
  readonly command: string
  readonly values: unknown
  readonly flags?: readonly string[]
  readonly result?: number
  readonly again?: string
}
export interface Published {
  readonly name: string
  readonly request?: PublishedHalf
  readonly answer?: PublishedHalf
}

export interface Verdict {
  readonly mutation: string
  /** An entry has the name of a published frame that detects the mutation, and the first problem of that frame. */
  readonly caughtBy: readonly string[]
  readonly misapplied?: string
}

export interface Trials {
  readonly untouched: readonly string[]
  readonly verdicts: readonly Verdict[]
}

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Sets become sorted lists, so that they can be compared. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one: unknown) => (one instanceof Set ? [...one].sort() : one)))

function complaint(expected: PublishedHalf, read: (bytes: Uint8Array) => Reading): string | undefined {
  let reading: Reading
  try {
    reading = read(bytesOf(expected.bytes))
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
  if ('wrong' in reading) return reading.wrong
  const { bytes, again, ...facts } = expected
  const { again: written, ...contents } = reading
  if (!isDeepStrictEqual(plain(contents), plain(facts))) return `reads ${JSON.stringify(contents)}`
  if (textOf(written) !== (again ?? bytes)) return `writes ${textOf(written)}`
  return undefined
}

async function caught(root: string, family: Family, frames: readonly Published[]): Promise<string[]> {
  const load: Load = async (path) => await import(pathToFileURL(`${root}/drivers/${path}`).href)
  let judge: Judge
  try {
    judge = await family.judge(load)
  } catch (error) {
    return [`the protocol does not load: ${error instanceof Error ? error.message : String(error)}`]
  }
  const complaints: string[] = []
  for (const { name, request, answer } of frames) {
    const ofRequest = request && complaint(request, judge.request)
    const ofAnswer = answer && complaint(answer, judge.answer)
    if (ofRequest) complaints.push(`${name}, request: ${ofRequest}`)
    if (ofAnswer) complaints.push(`${name}, answer: ${ofAnswer}`)
  }
  return complaints
}

function copyOf(folders: readonly string[], place: string): void {
  for (const folder of folders) {
    mkdirSync(join(place, folder), { recursive: true })
    cpSync(join(project, folder), join(place, folder), { recursive: true })
  }
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  symlinkSync(join(project, 'node_modules'), join(place, 'node_modules'))
}

/** Returns a problem if the text of the mutation does not occur exactly once. */
function mutate(place: string, { file, from, to }: Mutation): string | undefined {
  const path = join(place, file)
  const source = readFileSync(path, 'utf8')
  const times = source.split(from).length - 1
  if (times !== 1) return `${JSON.stringify(from)} occurs ${times} times in ${file}`
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  return undefined
}

export async function tryAll(family: Family): Promise<Trials> {
  const { letter } = family
  const frames = family.frames()
  const folders = ['drivers/model', 'drivers/wire', `drivers/family-${letter}/protocol`]
  const base = mkdtempSync(join(tmpdir(), 'fiscal-rig-sabotage-'))
  try {
    copyOf(folders, join(base, 'untouched'))
    const untouched = await caught(join(base, 'untouched'), family, frames)
    const verdicts: Verdict[] = []
    for (const [index, mutation] of family.mutations.entries()) {
      const place = join(base, String(index))
      copyOf(folders, place)
      const misapplied = mutate(place, mutation)
      const caughtBy = misapplied ? [] : await caught(place, family, frames)
      verdicts.push({ mutation: mutation.name, caughtBy, ...(misapplied ? { misapplied } : {}) })
    }
    return { untouched, verdicts }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
