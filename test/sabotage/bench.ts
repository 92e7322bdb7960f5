/**
 * Runs the published frames of a family through a copy of its protocol, once as it is and once for every mutation of
 * a table. A program of its own (one process for all copies): `node test/sabotage/bench.ts a` prints one JSON object.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

/** What a protocol makes of a frame; `again` are the bytes it writes from what it read. */
export type Seen =
  | { readonly wrong: string }
  | {
      readonly seq: number
      readonly code: number
      readonly command: string
      readonly values: unknown
      readonly flags?: readonly string[]
      readonly result?: number
      readonly again: Uint8Array
    }

/** The protocol in a folder, ready to read the two directions. */
export type Judge = (root: string) => Promise<{
  request(bytes: Uint8Array): Seen
  answer(bytes: Uint8Array): Seen
}>

/** A published frame and what stands in it. `again` is given where the canonical form of the same values differs. */
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

export interface Mutation {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Verdict {
  readonly mutation: string
  /** Names of the published frames that notice, with what they notice first; or why the mutation does not apply. */
  readonly caughtBy: readonly string[]
  readonly misapplied?: string
}

const project = fileURLToPath(new URL('../..', import.meta.url))
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.split(' '), (two) => Number.parseInt(two, 16))
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')

/** As it would stand in a file: sets of flags as sorted lists. */
export const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one: unknown) => (one instanceof Set ? [...one].sort() : one)))

/** What is wrong with this half of a frame, or undefined. */
function complaint(expected: PublishedHalf, see: (bytes: Uint8Array) => Seen): string | undefined {
  let seen: Seen
  try {
    seen = see(bytesOf(expected.bytes))
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
  if ('wrong' in seen) return seen.wrong
  const { bytes, again, ...facts } = expected
  const { again: written, ...found } = seen
  if (!isDeepStrictEqual(plain(found), plain(facts))) {
    return `reads ${JSON.stringify(found)}`
  }
  if (hexOf(written) !== (again ?? bytes)) return `writes ${hexOf(written)}`
  return undefined
}

async function caught(root: string, judge: Judge, frames: readonly Published[]): Promise<string[]> {
  let ready: Awaited<ReturnType<Judge>>
  try {
    ready = await judge(root)
  } catch (error) {
    return [`the protocol does not load: ${error instanceof Error ? error.message : String(error)}`]
  }
  const found: string[] = []
  for (const { name, request, answer } of frames) {
    const asked = request && complaint(request, ready.request)
    const told = answer && complaint(answer, ready.answer)
    if (asked) found.push(`${name}, request: ${asked}`)
    if (told) found.push(`${name}, answer: ${told}`)
  }
  return found
}

function copyOf(folders: readonly string[], place: string): void {
  for (const folder of folders) {
    mkdirSync(join(place, folder), { recursive: true })
    cpSync(join(project, folder), join(place, folder), { recursive: true })
  }
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  symlinkSync(join(project, 'node_modules'), join(place, 'node_modules'))
}

/** The text to be changed stands there exactly once, or the mutation is no longer about anything. */
function mutate(place: string, { file, from, to }: Mutation): string | undefined {
  const path = join(place, file)
  const source = readFileSync(path, 'utf8')
  const times = source.split(from).length - 1
  if (times !== 1) return `${JSON.stringify(from)} stands ${times} times in ${file}`
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  return undefined
}

export async function tryAll(
  family: string,
  judge: Judge,
  frames: readonly Published[],
  mutations: readonly Mutation[],
): Promise<{ untouched: readonly string[]; verdicts: readonly Verdict[] }> {
  const folders = ['drivers/model', 'drivers/wire', `drivers/family-${family}/protocol`]
  const base = mkdtempSync(join(tmpdir(), 'fiscal-rig-sabotage-'))
  try {
    copyOf(folders, join(base, 'untouched'))
    const untouched = await caught(join(base, 'untouched'), judge, frames)
    const verdicts: Verdict[] = []
    for (const [index, mutation] of mutations.entries()) {
      const place = join(base, String(index))
      copyOf(folders, place)
      const misapplied = mutate(place, mutation)
      const caughtBy = misapplied ? [] : await caught(place, judge, frames)
      verdicts.push({ mutation: mutation.name, caughtBy, ...(misapplied ? { misapplied } : {}) })
    }
    return { untouched, verdicts }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
