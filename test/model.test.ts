/**
 * The whole way from REST to the books, against a model that shares no code with them: random sequences of the
 * service's calls, in every state and with bad values in between. After each call the state agrees; at the end paper,
 * journal, day totals, Z archive and the conversation on the wire do.
 * RIG_SEED and RIG_PATH repeat the sequence that a failure names.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commands } from './model/commands.ts'
import { agreeAtTheEnd } from './model/ending.ts'
import { Model } from './model/model.ts'
import { suiteRuns, suiteSeed } from './model/seed.ts'
import { setUpStand } from './model/stand.ts'
import { TRAITS } from './model/traits.ts'
import { isDeep } from './support/slice.ts'

const RUNS = suiteRuns(12, 600)
const PATH = process.env['RIG_PATH']

describe.each(TRAITS)('sequences of calls on family $family', (traits) => {
  it(`agree with the model, ${RUNS} of them`, { timeout: 180_000 + RUNS * 5_000 }, async () => {
    const sequences = fc.commands(commands(), { maxCommands: 14, size: 'max' })
    const reached = { receipts: 0, cancelled: 0, voids: 0, adjusted: 0, nonFiscal: 0 }
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const stand = await setUpStand(traits.family)
      try {
        const model = new Model(traits)
        await fc.asyncModelRun(() => ({ model, real: stand }), sequence)
        await agreeAtTheEnd(model, stand)
        for (const { sums } of model.zs) {
          reached.receipts += sums.receipts
          reached.cancelled += sums.cancelled.count
          reached.voids += sums.voids.count
          reached.adjusted += sums.discounts.count + sums.surcharges.count
        }
        reached.nonFiscal += model.documents.filter((kind) => kind === 'nonFiscal').length
      } catch (error) {
        throw new Error([error instanceof Error ? error.message : String(error), ...stand.troubles].join('\n'))
      } finally {
        await stand.close()
      }
    })
    const result = await fc.check(property, {
      numRuns: RUNS,
      seed: suiteSeed(),
      ...(PATH === undefined ? {} : { path: PATH }),
    })
    expect(result.failed ? report(result) : '').toBe('')
    // The sequences do get somewhere: otherwise all this would agree on nothing.
    if (PATH === undefined && isDeep) expect(Math.min(...Object.values(reached))).toBeGreaterThan(RUNS / 40)
  })
})

/** The run is repeated from its first step: shrinking finds the same case again, and needs no path of its own. */
function report<T extends unknown[]>(result: fc.RunDetails<T>): string {
  const run = result.counterexamplePath?.split(':')[0]
  const again = `RIG_SEED=${result.seed} RIG_PATH=${run} npx vitest run test/model.test.ts`
  const why = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  return `${why}\n${String(result.counterexample?.[0] ?? '').replaceAll(',/', ',\n/')}\nrepeat with: ${again}`
}
