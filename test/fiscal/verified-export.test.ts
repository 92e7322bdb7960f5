/**
 * Random days: a sound device is never reported as changed, whatever texts it has printed, and an independent program
 * (verify_memory.py) agrees with `memory verify` on its export, before and after a change.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import { auditMemory } from '../../emulator/fiscal/audit.ts'
import type { MemoryFile } from '../../emulator/fiscal/audit-file.ts'
import { memoryExport } from '../../emulator/fiscal/memory-export.ts'
import { has, needing } from '../support/required-program.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'
import { fileOf } from './busy-device.ts'
import { DEVICES } from './devices.ts'
import { randomDevice } from './random-days.ts'
import { changesOf } from './tampering.ts'

const PROGRAM = join(import.meta.dirname, 'verify_memory.py')
const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

function verified(files: readonly MemoryFile[]): string[][] {
  const paths = files.map((file, nth) => {
    const path = join(folder, `${nth}.jsonl`)
    writeFileSync(
      path,
      memoryExport(file)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    )
    return path
  })
  const output = execFileSync('python3', [PROGRAM, ...paths], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
}

/** Number of days per device. The deep suite checks about 1,000 days in total. */
const DAYS = 8
const devices = Array.from({ length: rotatingRuns(7, 126) }, (_nothing, nth) => {
  const which = DEVICES[nth % DEVICES.length] as (typeof DEVICES)[number]
  return { ...which, seed: rotatingSeed() * 1_000 + nth }
})
const withPython = needing('python3', has('python3'))

describe('the export of random days', () => {
  it.each(devices)(
    'is sound for the program of the guide: $profile of family $family, seed $seed',
    ({ seed, ...which }) => {
      const device = randomDevice(which, seed, DAYS)
      expect(auditMemory(fileOf(device), device.profile)).toEqual([])
    },
  )

  withPython("a stranger's program finds nothing either", async () => {
    const files = devices.map(({ seed, ...which }) => fileOf(randomDevice(which, seed, DAYS)))
    expect(verified(files)).toEqual(files.map(() => []))
  })

  withPython("a stranger's program and memory verify name the same record when an export was touched", async () => {
    const touched = devices.flatMap(({ seed, ...which }) => {
      const device = randomDevice(which, seed, DAYS)
      return touchedFiles(fileOf(device), seed).map((one) => ({ ...one, profile: device.profile }))
    })
    const problems = verified(touched.map(({ file }) => file))
    const wrong = touched.flatMap(({ file, profile, name, what }, nth) => {
      const ours = auditMemory(file, profile).filter((problem) => new RegExp(`(memory |^)${name}\\b`).test(problem))
      const theirs =
        problems[nth]?.filter((problem) => problem === name || /^the end of|^cannot be read/.test(problem)) ?? []
      return ours.length > 0 && theirs.length > 0
        ? []
        : [`${what} (${profile.profile}): ours ${auditMemory(file, profile)}, theirs ${problems[nth]}`]
    })
    expect(wrong).toEqual([])
    expect(touched.length).toBe(devices.length * TOUCHES)
  })

  it('can be read by a program of at most 60 lines', () => {
    expect(readFileSync(PROGRAM, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  })
})

const TOUCHES = 4

/**
 * Returns copies of the file with one changed record, one missing record, two swapped records, and one changed
 * document.
 */
function touchedFiles(file: MemoryFile, seed: number) {
  const throwDice = seededRandom(seed)
  const draw = <T>(all: readonly T[]): T => all[Math.floor(throwDice() * all.length)] as T
  const { records, documents } = file
  const record = draw(records)
  const other = draw(records.filter((one) => one !== record))
  const change = draw([...changesOf(record.event as object)])
  const changed = { ...record, body: JSON.stringify(change.value), event: change.value as never }
  const document = draw(documents)
  const edit = draw([
    { z: document.z + 1 },
    { kind: document.kind === 'x' ? ('copy' as const) : ('x' as const) },
    { at: '2026-01-01T00:00:00' },
    { receipt: '{}' },
  ])
  const named = (name: string, what: string, touched: Partial<MemoryFile>) => ({
    name,
    what,
    file: { ...file, ...touched },
  })
  const swap = (one: (typeof records)[number]) =>
    one === record ? { ...other, id: record.id } : one === other ? { ...record, id: other.id } : one
  return [
    named(`record ${record.id}`, `record ${record.id}: ${change.path}`, {
      records: records.map((one) => (one === record ? changed : one)),
    }),
    named(`record ${record.id}`, `without record ${record.id}`, { records: records.filter((one) => one !== record) }),
    named(`record ${record.id}`, `records ${record.id} and ${other.id} swapped`, { records: records.map(swap) }),
    named(`document ${document.document}`, `document ${document.document}: ${JSON.stringify(edit)}`, {
      documents: documents.map((one) => (one === document ? { ...document, ...edit } : one)),
    }),
  ]
}
