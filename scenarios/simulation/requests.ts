/** Requests by chance. Orders, tokens and keys are few, so that they meet. */
import fc from 'fast-check'
import { EXTRAS, type Extra, type LegacyCall, type Paying, type RequestStep, type SingleStep } from './steps.ts'

const paying = fc.constantFrom<Paying>('nothing said', 'card', 'card and cash', 'two cards and cash')
/** Left out where there are none, so that a step that shrinks has none. */
const having = (extras: readonly Extra[]) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.subarray([...extras], { maxLength: 3 }) },
    )
    .map((some): { readonly with?: readonly Extra[] } => (some.length > 0 ? { with: some } : {}))
const receipt = fc
  .tuple(fc.record({ rows: fc.integer({ min: 1, max: 3 }), paying, key: fc.boolean() }), having(EXTRAS))
  .map(([one, extras]): RequestStep => ({ do: 'receipt', ...one, ...extras }))
const slip = fc
  .tuple(fc.boolean(), having(['separating line', 'same text again', 'barcode']))
  .map(([key, extras]): RequestStep => ({ do: 'slip', key, ...extras }))
/** Calls of a receipt that is filled step by step; the usual ones several times, so that it comes to its end. */
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
/** The same of a receipt that is not fiscal. */
const SLIP_SINGLES: readonly SingleStep[] = [
  { do: 'openSlip' },
  { do: 'slipText' },
  { do: 'slipText' },
  { do: 'closeSlip' },
  { do: 'cancelSlip' },
]
/** Left out without a key, so that a step that shrinks has none. */
const keyed = <S extends RequestStep>(step: fc.Arbitrary<S>): fc.Arbitrary<RequestStep> =>
  fc.tuple(step, fc.boolean()).map(([one, key]) => (key ? { ...one, key } : one))
const single = keyed(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SINGLES) },
    { weight: 1, arbitrary: fc.constantFrom(...SLIP_SINGLES) },
  ),
)
const report = keyed(
  fc.constantFrom<RequestStep & { readonly key?: boolean }>({ do: 'z' }, { do: 'x' }, { do: 'copy' }, { do: 'status' }),
)
export const again = fc.constant<RequestStep>({ do: 'again' })

const call: fc.Arbitrary<RequestStep> = fc.oneof(
  { weight: 6, arbitrary: receipt },
  { weight: 5, arbitrary: single },
  { weight: 4, arbitrary: again },
  { weight: 2, arbitrary: slip },
  { weight: 2, arbitrary: report },
)

/** So many tills ask for orders. */
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

export const requestStep: fc.Arbitrary<RequestStep> = fc.oneof(
  { weight: 20, arbitrary: call },
  { weight: 4, arbitrary: order },
  { weight: 3, arbitrary: lines },
  { weight: 2, arbitrary: legacyReceipt },
  { weight: 1, arbitrary: fc.constant<RequestStep>({ do: 'reuse' }) },
)
