/** Cases by chance: each is plain data, so that what fails shrinks to few requests and few faults. */

import fc from 'fast-check'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Effect } from '../../emulator/faults/effects.ts'
import type { Rule } from '../../emulator/faults/plan.ts'
import type { Point } from '../../emulator/faults/points.ts'
import { type CheckedFamilies, OURS } from './families.ts'
import type { Hand } from './hands.ts'
import type { Case, Paying, RequestStep, Step } from './steps.ts'

const paying = fc.constantFrom<Paying>('nothing said', 'card', 'card and cash')
const receipt = fc
  .record({ rows: fc.integer({ min: 1, max: 3 }), paying, key: fc.boolean() })
  .map((one): RequestStep => ({ do: 'receipt', ...one }))
const slip = fc.boolean().map((key): RequestStep => ({ do: 'slip', key }))
const SINGLES: readonly RequestStep[] = [
  { do: 'open' },
  { do: 'sale' },
  { do: 'sale' },
  { do: 'payCard' },
  { do: 'payRest' },
  { do: 'payRest' },
  { do: 'close' },
  { do: 'close' },
  { do: 'cancel' },
]
const single = fc.constantFrom(...SINGLES)
const report = fc.constantFrom<RequestStep>({ do: 'z' }, { do: 'x' }, { do: 'copy' }, { do: 'status' })
const again = fc.constant<RequestStep>({ do: 'again' })

export const requestStep: fc.Arbitrary<RequestStep> = fc.oneof(
  { weight: 6, arbitrary: receipt },
  { weight: 5, arbitrary: single },
  { weight: 4, arbitrary: again },
  { weight: 2, arbitrary: slip },
  { weight: 2, arbitrary: report },
)

/** Commands with the same name in every family. */
const COMMANDS = ['openFiscal', 'saleByPlu', 'fiscalText', 'payment', 'closeFiscal', 'cancelFiscal', 'transactionStatus', 'lastDocument', 'reportZ', 'closeNonFiscal'] // biome-ignore format: a list

const simple = (...effects: Effect[]): fc.Arbitrary<Effect> => fc.constantFrom(...effects)
const onLine: fc.Arbitrary<Pick<Rule, 'do' | 'after' | 'byte'>> = fc.oneof(
  { weight: 3, arbitrary: simple('drop', 'duplicate', 'unplug', 'powerCut').map((what) => ({ do: what })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(simple('drop', 'unplug', 'powerCut'), fc.integer({ min: 0, max: 30 }))
      .map(([what, after]) => ({ do: what, after })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(simple('drop', 'duplicate'), fc.integer({ min: 0, max: 30 }))
      .map(([what, byte]) => ({ do: what, byte })),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 250 }).map((flip) => ({ do: { flip } })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }).map((split) => ({ do: { split } })) },
  { weight: 1, arbitrary: fc.constantFrom(10, 450, 700, 4000, 16_000).map((delayMs) => ({ do: { delayMs } })) },
  { weight: 1, arbitrary: fc.constantFrom(100, 5000, 20_000).map((busyMs) => ({ do: { busyMs } })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\0', 'AT\r', '\x15', '\x16', '\x01', '\x06\x02').map((noise) => ({ do: { noise } })),
  },
)

const when = (names: readonly string[]) => ({
  on: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 }),
  // A request is some ten frames: most rules strike soon, some only in the middle of what comes later.
  skip: fc.option(
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 6 }) },
      { weight: 1, arbitrary: fc.integer({ min: 7, max: 40 }) },
    ),
    { nil: undefined },
  ),
  times: fc.constantFrom(1, 1, 1, 2, 3, 6),
})
const compact = (rule: { [K in keyof Rule]: Rule[K] | undefined }): Rule =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as unknown as Rule

type At = (points: readonly Point[], effects: fc.Arbitrary<Pick<Rule, 'do'>>) => fc.Arbitrary<Rule>
const atFor =
  (names: readonly string[]): At =>
  (points, effects) =>
    fc
      .tuple(fc.constantFrom(...points), fc.record(when(names)), effects)
      .map(([point, rest, effect]) => compact({ at: point, ...rest, ...effect }))
const doing = (...effects: Effect[]): fc.Arbitrary<Pick<Rule, 'do'>> => simple(...effects).map((what) => ({ do: what }))

/** A device refuses what it is told to do, not what it is asked. */
const refusal = fc
  .tuple(fc.constantFrom('openFiscal', 'saleByPlu', 'fiscalText', 'payment'), fc.integer({ min: 0, max: 3 }))
  .map(([on, skip]): Rule => ({ at: 'command.before', on, skip, times: 1, do: 'refuse' }))

const ruleFor = (at: At): fc.Arbitrary<Rule> =>
  fc.oneof(
    { weight: 4, arbitrary: at(['link.toHost', 'link.toDevice'], onLine) },
    { weight: 2, arbitrary: at(['command.before'], doing('drop', { busyMs: 3000 }, 'paperOut', 'coverOpen', 'memoryFull', 'powerCut', 'unplug')) }, // biome-ignore format: a list
    { weight: 1, arbitrary: refusal },
    { weight: 1, arbitrary: at(['link.toDevice'], doing('refuse')) },
    { weight: 2, arbitrary: at(['command.after'], doing('drop', 'powerCut', 'unplug', { busyMs: 3000 }, 'paperOut')) },
    { weight: 1, arbitrary: at(['memory.write'], doing('powerCut', 'memoryFull', 'paperOut')) },
    { weight: 1, arbitrary: at(['paper.line'], doing('powerCut', 'paperOut', 'coverOpen')) },
  )

/**
 * For a device that carries out every frame, one that comes twice as well (sheet C 2.4): two equal sales sell twice
 * there, and must. A line that doubles whole commands is no fault that a driver could survive; it doubles a byte instead.
 */
const withoutDoubledCommands = (rule: Rule): Rule =>
  rule.at === 'link.toDevice' && rule.do === 'duplicate' && rule.byte === undefined ? { ...rule, byte: 0 } : rule

const isSingle = (step: Step): boolean => {
  const request = step.do === 'crash' ? step.during : step
  return SINGLES.some((one) => one.do === request.do)
}

/** Shorter than a driver waits before it writes a command again. */
const BLINK_MS = 300

/** After silence its driver writes a command again, and the device answers the repeat from its memory. */
const repeats = (family: Family, { drivers }: CheckedFamilies): boolean =>
  drivers.get(family)?.linkRules.afterSilence === 'repeat'

/**
 * A device that loses its power and is back before the driver repeats has forgotten what it did last, and does it again
 * (sheet A 2.6, sheet B 5). A receipt in one request is checked for that; a single command has nothing to compare with.
 */
const withBlinks = (one: Case, keepsSingles: boolean): Case => ({
  ...one,
  powerBackMs: BLINK_MS,
  steps: keepsSingles ? one.steps : one.steps.filter((step) => !isSingle(step)),
})

const BLINKS = 'a power cut of less than half a second during a single command outside of a complete receipt'
const DOUBLED = 'a whole command doubled on its way to the device: this family carries out every frame that comes'

/** Trouble that is left out of the runs of a family, and why. */
export const leftOut = (family: Family, families: CheckedFamilies = OURS): readonly string[] => [
  repeats(family, families) ? BLINKS : DOUBLED,
]

/** Those of the common commands that the family has: A tells no last document. */
function namesOf(family: Family, { devices }: CheckedFamilies): readonly string[] {
  const emulator = createEmulator({ family, families: devices })
  const known = new Set(emulator.wire.commands.map(({ name }) => name))
  emulator.close().catch(() => undefined)
  return COMMANDS.filter((name) => known.has(name))
}

const HANDS: readonly Hand[] = ['paper out', 'paper in', 'paper in', 'cover open', 'cover closed', 'power off', 'power on', 'power on', 'cable out', 'cable in', 'cable in'] // biome-ignore format: a list

const stepFor = (rule: fc.Arbitrary<Rule>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 8, arbitrary: requestStep },
    { weight: 8, arbitrary: rule.map((one): Step => ({ do: 'fault', rule: one })) },
    { weight: 1, arbitrary: fc.constantFrom(...HANDS).map((what): Step => ({ do: 'hand', what })) },
    { weight: 1, arbitrary: fc.constantFrom(1000, 60_000, 86_400_000).map((ms): Step => ({ do: 'wait', ms })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(requestStep, fc.integer({ min: 1, max: 40 }))
        .map(([during, write]): Step => ({ do: 'crash', during, write })),
    },
  )

/** `length`: of the list of steps, faults and hands among them. */
export function caseOf(family: Family, length: number, families: CheckedFamilies = OURS): fc.Arbitrary<Case> {
  const any = ruleFor(atFor(namesOf(family, families)))
  const isRepeated = repeats(family, families)
  const rule = isRepeated ? any : any.map(withoutDoubledCommands)
  const usual = fc.record({
    family: fc.constant(family),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    slow: fc.constantFrom(false, false, false, true),
    steps: fc.array(stepFor(rule), { minLength: 1, maxLength: length, size: 'max' }),
  })
  return fc.oneof(
    { weight: 5, arbitrary: usual },
    { weight: 1, arbitrary: usual.map((one) => withBlinks(one, !isRepeated)) },
  )
}
