/**
 * The rule of indistinguishable worlds. If worlds with the same evidence have different truths, the verdict must be
 * undecided. Otherwise it must state the truth. `npm test` plays a rotating part of the worlds of one step, and
 * requires only that no verdict is false. `npm run test:deep` plays all worlds and compares the figures.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isDeep, rotating } from '../support/slice.ts'
import { figuresOf, unnoticedFigures } from './evidence-figures.ts'
import { FALSE_VERDICTS, UNSHARP } from './rule-exceptions.ts'
import { STEPS, type TriedDevice } from './steps.ts'
import type { PlayedWorld } from './worlds.ts'
import { isFalse, isUnsharp, type StepTable, tableOf, unnoticedOf } from './worlds-table.ts'

/** `npm test` plays one of `PART` worlds of a step. */
const PART = 40
/** A number of worlds that no step reaches. */
const PLANS_MAX = 4000

const falseIn = ({ step, worlds }: StepTable): readonly string[] =>
  worlds
    .filter((world) => isFalse(world) && !FALSE_VERDICTS.some(({ is }) => is(world, step)))
    .map(
      ({ name, truth, verdict, seen }) => `${step.name}: ${name}: ${verdict}, and in truth ${truth}; evidence ${seen}`,
    )

const unsharpIn = ({ step, groups }: StepTable): readonly string[] =>
  groups
    .filter((group) => isUnsharp(group) && !UNSHARP.some(({ is }) => is(group, step)))
    .map(({ seen, truths }) => {
      const [[truth, worlds]] = [...truths] as [[string, readonly PlayedWorld[]]]
      return `${step.name}: undecided, and in truth ${truth}: ${worlds[0]?.name}; evidence ${seen}`
    })

function aPart(device: TriedDevice, name: string): void {
  const [place = 0] = rotating(STEPS.length, { of: STEPS.length, salt: `worlds ${name}` })
  const step = STEPS[place] as (typeof STEPS)[number]
  const played = new Set(rotating(PLANS_MAX, { of: PART, salt: `worlds ${name} ${step.name}` }))
  it(`the table of worlds gives no false verdict: ${step.name}`, { timeout: 60_000 }, async () => {
    const table = await tableOf(device, step, { isTried: (place) => played.has(place) })
    expect(table ? falseIn(table) : []).toEqual([])
  })
}

function all(device: TriedDevice, name: string): void {
  const tables: StepTable[] = []
  it.each(STEPS.map((step) => [step.name, step] as const))('%s', { timeout: 900_000 }, async (_name, step) => {
    const table = await tableOf(device, step)
    if (!table) return
    tables.push(table)
    expect(falseIn(table)).toEqual([])
    expect(unsharpIn(table)).toEqual([])
  })

  it('the table of worlds has the stored figures', async () => {
    await expect(figuresOf(tables)).toMatchFileSnapshot(join(import.meta.dirname, 'figures', `${name}.txt`))
  })
}

/**
 * These verdicts are unsound and therefore counted. The hold shows that a line was silent for two requests, but not for
 * one.
 */
function unnoticed(device: TriedDevice, name: string): void {
  it('the table of worlds shows how often other programs use the line unnoticed', { timeout: 900_000 }, async () => {
    const worlds: PlayedWorld[] = []
    for (const step of STEPS) worlds.push(...(await unnoticedOf(device, step)))
    await expect(unnoticedFigures(worlds)).toMatchFileSnapshot(join(import.meta.dirname, 'figures', `${name}-hold.txt`))
  })
}

export function worldsSuite(device: TriedDevice): void {
  const name = device.profile ?? device.family
  describe(`the worlds of ${name}`, () => {
    if (isDeep) {
      all(device, name)
      unnoticed(device, name)
    } else aPart(device, name)
  })
}
