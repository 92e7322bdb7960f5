/** Arbitraries of cases. A case is plain data, so that fast-check can shrink it. */

import fc from 'fast-check'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Effect } from '../../emulator/faults/effects.ts'
import type { Point } from '../../emulator/faults/points.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { traitsOf } from '../model/family-traits.ts'
import { type CheckedFamilies, OWN_FAMILIES } from './checked-families.ts'
import { LOG_FAILURES } from './log-failure.ts'
import type { ManualAction } from './manual-actions.ts'
import { OTHER_PROGRAM_ACTIONS } from './other-program.ts'
import { againRequest, requestStep, requestWithVoids, TOKENS } from './requests.ts'
import type { Case, RequestStep, Step } from './steps.ts'
import { unsupportedFeatures, withoutFeatures } from './unsupported-features.ts'

/** Commands with the same name in every family. */
const COMMANDS = ['openFiscal', 'saleByPlu', 'fiscalText', 'subtotal', 'payment', 'closeFiscal', 'cancelFiscal', 'transactionStatus', 'lastDocument', 'reportZ', 'nonFiscalText', 'separatingLine', 'closeNonFiscal'] // biome-ignore format: a list

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
  {
    weight: 1,
    arbitrary: fc.constantFrom(10, 150, 450, 600, 700, 4000, 16_000).map((delayMs) => ({ do: { delayMs } })),
  },
  { weight: 1, arbitrary: fc.constantFrom(100, 5000, 20_000).map((busyMs) => ({ do: { busyMs } })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\0', 'AT\r', '\x16', '\x01', '\x06\x02').map((noise) => ({ do: { noise } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('\x0e', '\x15'), fc.integer({ min: 1, max: 3 }))
      .map(([byte, times]) => ({ do: { noise: byte.repeat(times) } })),
  },
)

const when = (names: readonly string[]) => ({
  on: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 }),
  // A request has about ten frames: most rules trigger soon, and some only in the middle of later requests.
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

/** Only commands that change something are refused, because the refusal of a query would have no effect. */
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
 * Duplicates a byte in place of a whole command. A device that executes every received frame (sheet C 2.4) executes a
 * duplicated sale twice, and no driver can prevent that.
 */
const withoutDoubledCommands = (rule: Rule): Rule =>
  rule.at === 'link.toDevice' && rule.do === 'duplicate' && rule.byte === undefined ? { ...rule, byte: 0 } : rule

const BLINK_MS = 300

/** Returns true if the driver retransmits a command after silence, and the device recognizes the retransmission. */
const repeats = (family: Family, { drivers }: CheckedFamilies): boolean =>
  drivers.get(family)?.linkRules.afterSilence === 'repeat'

/**
 * Shortens power failures to `BLINK_MS`. The device has then forgotten its last command and executes its retransmission
 * again (sheet A 2.6, sheet B 5).
 */
const withBlinks = ([one, noise]: readonly [Case, string]): Case => ({
  ...one,
  powerBackMs: BLINK_MS,
  ...(noise !== '' && { powerOnNoise: noise }),
})
const powerOnNoise = fc.constantFrom('', '', '\u0015', '\u000e', '\u0000')

const DUPLICATED_COMMAND =
  'a whole command duplicated on its way to the device: this family executes every frame that it receives'

export const omittedFaults = (family: Family, families: CheckedFamilies = OWN_FAMILIES): readonly string[] =>
  repeats(family, families) ? [] : [DUPLICATED_COMMAND]

function namesOf(family: Family, { devices }: CheckedFamilies): readonly string[] {
  const emulator = createEmulator({ family, families: devices })
  const commandNames = new Set(emulator.wire.commands.map(({ name }) => name))
  emulator.close().catch(() => undefined)
  return COMMANDS.filter((name) => commandNames.has(name))
}

const MANUAL_ACTIONS: readonly ManualAction[] = ['paper out', 'paper in', 'paper in', 'cover open', 'cover closed', 'power off', 'power on', 'power on', 'cable out', 'cable in', 'cable in'] // biome-ignore format: a list

const HOUR_MS = 3_600_000
const actor: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...OTHER_PROGRAM_ACTIONS).map((deed): Step => ({ do: 'otherProgram', deed })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(false, false, true),
        fc.oneof(
          fc.constantFrom({}, { behindAdapter: true as const }),
          fc.integer({ min: 1, max: 30 }).map((write) => ({ write })),
        ),
      )
      .map(([back, more]): Step => ({ do: 'replaceDevice', ...(back && { back }), ...more })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...LOG_FAILURES), fc.integer({ min: 0, max: 4 }), fc.constantFrom(1, 1, 2, 8))
      .map(([trouble, skip, times]): Step => ({ do: 'journal', trouble, skip, times })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(26 * HOUR_MS, HOUR_MS, -HOUR_MS, -26 * HOUR_MS), fc.integer({ min: 0, max: 12 }))
      .map(([byMs, write]): Step => ({ do: 'wall clock', byMs, write })),
  },
)

const silence = fc
  .tuple(fc.constantFrom<Point>('link.toHost', 'link.toDevice'), fc.integer({ min: 0, max: 16 }))
  .map(([at, skip]): Step => ({ do: 'fault', rule: { at, skip, times: 200, do: 'drop' } }))

/** Restarts the service. Usually the service dies again while it reconciles pending requests. */
const restart = fc.tuple(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 4 }), fc.boolean()).map(
  ([write, losesPower]): Step => ({
    do: 'restart',
    ...(write !== undefined && { write }),
    ...(losesPower && { losesPower }),
  }),
)

const wait = fc.constantFrom(1000, 60_000, 86_400_000, 90_000_000).map((ms): Step => ({ do: 'wait', ms }))

/** Paper that ends before or in the last lines of a receipt, or a full fiscal memory. */
const limit: fc.Arbitrary<Step> = fc
  .oneof(
    fc
      .tuple(
        fc.constantFrom('payment', 'closeFiscal', 'closeNonFiscal'),
        fc.constantFrom<Effect>('paperOut', 'coverOpen', 'memoryFull'),
      )
      .map(([on, what]): Rule => ({ at: 'command.before', on, times: 1, do: what })),
    fc
      .tuple(fc.integer({ min: 4, max: 30 }), fc.constantFrom<Effect>('paperOut', 'powerCut'))
      .map(([skip, what]): Rule => ({ at: 'paper.line', skip, times: 1, do: what })),
    fc
      .tuple(fc.constantFrom<Effect>('memoryFull', 'paperOut'), fc.constantFrom(1, 3, 8))
      .map(([what, times]): Rule => ({ at: 'memory.write', times, do: what })),
  )
  .map((rule): Step => ({ do: 'fault', rule }))

/** Omits the step now and then, so that shrinking can remove a step that the failure does not need. */
const mostly = (step: fc.Arbitrary<Step>): fc.Arbitrary<readonly Step[]> =>
  fc.option(step, { nil: undefined, freq: 15 }).map((one) => (one ? [one] : []))

const overnight: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    mostly(fc.constant<Step>({ do: 'receipt', rows: 1, paying: 'card', key: false })),
    mostly(fc.constant<Step>({ do: 'open' })),
    mostly(fc.constantFrom<Step>({ do: 'sale' }, { do: 'sale', key: true })),
    mostly(fc.constantFrom<Step>({ do: 'payCard' }, { do: 'text' })),
    mostly(fc.constant<Step>({ do: 'wait', ms: 86_400_000 })),
    mostly(fc.constant<Step>({ do: 'payRest' })),
    mostly(fc.constantFrom<Step>({ do: 'close' }, { do: 'close', key: true })),
  )
  .map((parts) => parts.flat())

const crash = (writes: number): fc.Arbitrary<Step> =>
  fc
    .tuple(requestStep, fc.integer({ min: 1, max: writes }))
    .map(([during, write]): Step => ({ do: 'crash', during, write }))

/**
 * Returns the request as another sender would send it: an order with the token of another till, and a keyed request as
 * its retry.
 */
function sameAs(request: RequestStep): RequestStep {
  if (request.do === 'order') return { ...request, token: (request.token % TOKENS) + 1 }
  return 'key' in request && request.key === true ? { do: 'again' } : request
}

const meanwhile: fc.Arbitrary<readonly Step[]> = fc
  .tuple(requestStep, fc.option(requestStep, { nil: undefined, freq: 3 }), fc.integer({ min: 1, max: 30 }))
  .map(([request, other, write]): readonly Step[] => [
    { do: 'meanwhile', request: other ?? sameAs(request), write },
    request,
  ])

const interrupted: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(
          mostly(silence),
          mostly(requestStep),
          mostly(fc.constant<Step>({ do: 'hand', what: 'the trouble ends' })),
        )
        .map((parts) => parts.flat()),
      crash(20).map((step) => [step]),
    ),
    fc.array(
      fc.oneof({ weight: 4, arbitrary: actor }, { weight: 2, arbitrary: restart }, { weight: 1, arbitrary: wait }),
      { maxLength: 3 },
    ),
    mostly(fc.oneof({ weight: 3, arbitrary: againRequest }, { weight: 1, arbitrary: requestStep })),
  )
  .map((parts) => parts.flat())

/** Legacy lines that void their own document. After trouble, the caller sends them again with their key. */
const takenBack: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.oneof(
      silence,
      fc
        .tuple(fc.integer({ min: 6, max: 24 }), fc.constantFrom(1, 2))
        .map(([skip, times]): Step => ({ do: 'fault', rule: { at: 'command.after', skip, times, do: 'powerCut' } })),
    ),
    requestWithVoids,
  )
  .map(([trouble, request]): readonly Step[] => [
    trouble,
    request,
    { do: 'hand', what: 'the trouble ends' },
    { do: 'again' },
  ])

const faltering = (names: readonly string[]): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      mostly(
        fc
          .tuple(
            fc.oneof(
              fc.record({ skip: fc.integer({ min: 0, max: 24 }) }),
              fc.record({ on: fc.constantFrom(...names), skip: fc.integer({ min: 0, max: 1 }) }),
            ),
            fc.constantFrom(1, 1, 2, 3, 6),
          )
          .map(
            ([where, times]): Step => ({ do: 'fault', rule: { at: 'command.after', ...where, times, do: 'powerCut' } }),
          ),
      ),
      mostly(
        fc.oneof(
          silence,
          fc
            .tuple(
              fc.constantFrom<Rule['at']>('command.before', 'command.after'),
              fc.integer({ min: 1, max: 30 }),
              fc.constantFrom<Effect>('powerCut', 'refuse', 'paperOut'),
            )
            .map(
              ([at, skip, what]): Step => ({
                do: 'fault',
                rule: { at, skip, times: 3, do: at === 'command.after' ? 'powerCut' : what },
              }),
            ),
        ),
      ),
      mostly(fc.oneof({ weight: 3, arbitrary: requestStep }, { weight: 1, arbitrary: crash(24) })),
      mostly(fc.constant<Step>({ do: 'hand', what: 'the trouble ends' })),
      mostly(fc.oneof({ weight: 3, arbitrary: againRequest }, { weight: 1, arbitrary: requestStep })),
    )
    .map((parts) => parts.flat())

const stepFor = (rule: fc.Arbitrary<Rule>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 8, arbitrary: requestStep },
    { weight: 8, arbitrary: rule.map((one): Step => ({ do: 'fault', rule: one })) },
    { weight: 3, arbitrary: actor },
    { weight: 1, arbitrary: fc.constantFrom(...MANUAL_ACTIONS).map((what): Step => ({ do: 'hand', what })) },
    { weight: 1, arbitrary: wait },
    { weight: 1, arbitrary: limit },
    { weight: 1, arbitrary: restart },
    { weight: 2, arbitrary: crash(40) },
  )

const stepsOf = (rule: fc.Arbitrary<Rule>, names: readonly string[], length: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 36, arbitrary: stepFor(rule).map((step) => [step]) },
        { weight: 2, arbitrary: meanwhile },
        { weight: 3, arbitrary: interrupted },
        { weight: 3, arbitrary: faltering(names) },
        { weight: 1, arbitrary: overnight },
        { weight: 1, arbitrary: takenBack },
      ),
      { minLength: 1, maxLength: length, size: 'max' },
    )
    .map((parts) => parts.flat())

export const callsOf = (family: Family): fc.Arbitrary<Case> =>
  fc
    .array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 14, size: 'max' })
    .map((draws) => ({ family, seed: 1, slow: false, steps: [{ do: 'calls', draws }] }))

/** Returns the cases of a family. `length` is the maximum number of steps, including faults and manual actions. */
export function caseOf(
  family: Family,
  length: number,
  families: CheckedFamilies = OWN_FAMILIES,
  profile?: string,
): fc.Arbitrary<Case> {
  const names = namesOf(family, families)
  const unsupported = unsupportedFeatures(family, families, profile)
  const any = ruleFor(atFor(names))
  const rule = repeats(family, families) ? any : any.map(withoutDoubledCommands)
  const usual = fc.record({
    family: fc.constant(family),
    ...(profile !== undefined && { profile: fc.constant(profile) }),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    slow: fc.constantFrom(false, false, false, true),
    steps: stepsOf(rule, names, length).map((steps) => steps.map((step) => withoutFeatures(unsupported, step))),
  })
  const isOfModel = profile === undefined && traitsOf(family) !== undefined
  return fc.oneof(
    { weight: 24, arbitrary: usual },
    { weight: 12, arbitrary: fc.tuple(usual, powerOnNoise).map(withBlinks) },
    ...(isOfModel ? [{ weight: 1, arbitrary: callsOf(family) }] : []),
  )
}
