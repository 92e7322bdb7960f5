/** Arbitraries of requests. Few orders, tokens and keys exist, so that requests collide. */
import fc from 'fast-check'
import {
  AMOUNTS,
  EXTRAS,
  type Extra,
  type LegacyCall,
  type LineStyle,
  type PaymentKind,
  type RequestStep,
  type SingleStep,
  type SubtotalAdjustment,
  WORDINGS,
  type Wording,
} from './steps.ts'

const paying = fc.constantFrom<PaymentKind>('nothing said', 'card', 'card and cash', 'two cards and cash')
/** Omits `with` if there are no extras, so that a shrunk step has no empty list. */
const having = (extras: readonly Extra[]) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.subarray([...extras], { maxLength: 3 }) },
    )
    .map((some): { readonly with?: readonly Extra[] } => (some.length > 0 ? { with: some } : {}))
const seldom = <K extends string, V>(key: K, value: fc.Arbitrary<V>): fc.Arbitrary<{ readonly [P in K]?: V }> =>
  fc
    .option(value, { nil: undefined, freq: 2 })
    .map((one) => (one === undefined ? {} : { [key]: one }) as { readonly [P in K]?: V })
const wording = seldom('wording', fc.constantFrom<Wording>(...WORDINGS))
const style = seldom('style', fc.constantFrom<LineStyle>(2, 3, 4))
const percent = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -99, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
)
const adjusted = fc.oneof(
  { weight: 3, arbitrary: percent.map((one): SubtotalAdjustment => ({ percent: one })) },
  { weight: 1, arbitrary: fc.constantFrom(...AMOUNTS).map((amount): SubtotalAdjustment => ({ amount })) },
)
const free = fc.constantFrom('all taken off' as const, 'all taken back' as const)
const receipt = fc
  .tuple(
    fc.record({ rows: fc.integer({ min: 1, max: 3 }), paying, key: fc.boolean() }),
    having(EXTRAS),
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: adjusted.map((by) => ({ by })) },
      { weight: 1, arbitrary: free.map((one) => ({ free: one })) },
    ),
    wording,
    style,
  )
  .map(([one, ...more]): RequestStep => Object.assign({ do: 'receipt' as const, ...one }, ...more))
const slip = fc
  .tuple(fc.boolean(), having(['separating line', 'same text again', 'barcode']), wording, style)
  .map(([key, ...more]): RequestStep => Object.assign({ do: 'slip' as const, key }, ...more))
/** Calls of a receipt that is filled step by step. Frequent ones are repeated, so that receipts are completed. */
const SINGLES: readonly SingleStep[] = [
  { do: 'open' },
  { do: 'discount' },
  { do: 'sale' },
  { do: 'sale' },
  { do: 'payCard' },
  { do: 'payRest' },
  { do: 'payRest' },
  { do: 'close' },
  { do: 'close' },
  { do: 'cancel' },
  { do: 'text' },
]
const SLIP_SINGLES: readonly SingleStep[] = [
  { do: 'openSlip' },
  { do: 'slipText' },
  { do: 'slipText' },
  { do: 'closeSlip' },
  { do: 'cancelSlip' },
]
const by = fc.oneof(
  { weight: 3, arbitrary: percent.filter((one) => Math.abs(one) < 99).map((one) => ({ percent: one })) },
  { weight: 1, arbitrary: fc.constantFrom('discount' as const, 'surcharge' as const).map((amount) => ({ amount })) },
)
const varied = (step: SingleStep): fc.Arbitrary<SingleStep> => {
  if (step.do === 'discount') return seldom('by', by).map((more) => ({ ...step, ...more }))
  const isText = step.do === 'text' || step.do === 'slipText'
  return isText ? wording.map((more) => ({ ...step, ...more })) : fc.constant(step)
}
const keyed = <S extends RequestStep>(step: fc.Arbitrary<S>): fc.Arbitrary<RequestStep> =>
  fc.tuple(step, fc.boolean()).map(([one, key]) => (key ? { ...one, key } : one))
const single = keyed(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SINGLES).chain(varied) },
    { weight: 1, arbitrary: fc.constantFrom(...SLIP_SINGLES).chain(varied) },
  ),
)
const report = keyed(
  fc.constantFrom<RequestStep & { readonly key?: boolean }>({ do: 'z' }, { do: 'x' }, { do: 'copy' }, { do: 'status' }),
)
export const againRequest = fc.constant<RequestStep>({ do: 'again' })

const call: fc.Arbitrary<RequestStep> = fc.oneof(
  { weight: 6, arbitrary: receipt },
  { weight: 5, arbitrary: single },
  { weight: 4, arbitrary: againRequest },
  { weight: 2, arbitrary: slip },
  { weight: 2, arbitrary: report },
)

export const TOKENS = 3
const token = fc.integer({ min: 1, max: TOKENS })
const order: fc.Arbitrary<RequestStep> = fc
  .record({
    order: fc.integer({ min: 1, max: 2 }),
    token,
    key: fc.constantFrom(undefined, undefined, 1),
    again: fc.nat(7),
  })
  .map(
    ({ key, again, ...one }): RequestStep => ({
      do: 'order',
      ...one,
      ...(key !== undefined && { key }),
      ...(again === 7 && { again: true }),
    }),
  )
const lines: fc.Arbitrary<RequestStep> = fc
  .tuple(
    fc.array(fc.constantFrom<LegacyCall>('cash', 'cash', 'x', 'x', 'z', 'copy', 'cancel'), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.boolean(),
  )
  .map(([calls, key]): RequestStep => ({ do: 'lines', calls, key }))

const legacyReceipt: fc.Arbitrary<RequestStep> = fc
  .tuple(fc.boolean(), fc.constantFrom({}, { inTwo: true as const }, { cancelled: true as const }))
  .map(([key, more]) => ({ do: 'legacy receipt', key, ...more }))

const cancelledSlip: fc.Arbitrary<RequestStep> = fc.boolean().map((key) => ({ do: 'cancelled slip', key }))
export const requestWithVoids = fc.constantFrom<RequestStep>(
  { do: 'legacy receipt', key: true, cancelled: true },
  { do: 'cancelled slip', key: true },
)

export const requestStep: fc.Arbitrary<RequestStep> = fc.oneof(
  { weight: 20, arbitrary: call },
  { weight: 4, arbitrary: order },
  { weight: 3, arbitrary: lines },
  { weight: 2, arbitrary: legacyReceipt },
  { weight: 1, arbitrary: cancelledSlip },
  { weight: 1, arbitrary: fc.constant<RequestStep>({ do: 'reuse' }) },
)
