import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { CheckedFamilies } from './checked-families.ts'
import type { Extra, RequestStep, Step } from './steps.ts'

/** A feature that a device may not support. The service refuses such a request before it prints anything. */
type UnsupportedFeature = Extra | 'amount on the subtotal' | 'all taken off' | 'all taken back'

export function unsupportedFeatures(
  family: Family,
  { drivers, devices }: CheckedFamilies,
  profile: string | undefined,
): Set<UnsupportedFeature> {
  const options = profile === undefined ? {} : { options: { profile } }
  const { freeSale, barcodes, limits } = capabilitiesOf({ family, device: '', ...options }, drivers)
  const emulator = createEmulator({ family, families: devices, ...(profile !== undefined && { profile }) })
  const { zeroTotal } = emulator.profile.rules
  emulator.close().catch(() => undefined)
  const unsupported = new Set<UnsupportedFeature>()
  if (freeSale !== true) unsupported.add('free sale')
  if (barcodes.length === 0) unsupported.add('barcode')
  if (limits.subtotalAmount === 'never') unsupported.add('amount on the subtotal')
  if (!zeroTotal || limits.subtotalPercent.discount < PERCENT_WHOLE) unsupported.add('all taken off')
  if (!zeroTotal) unsupported.add('all taken back')
  return unsupported
}

const PERCENT_WHOLE = 10_000

export function withoutFeatures(unsupported: ReadonlySet<UnsupportedFeature>, step: Step): Step {
  switch (step.do) {
    case 'crash':
      return { ...step, during: withoutFeatures(unsupported, step.during) as RequestStep }
    case 'meanwhile':
      return { ...step, request: withoutFeatures(unsupported, step.request) as RequestStep }
    case 'discount': {
      const { by, ...plain } = step
      return by !== undefined && 'amount' in by && unsupported.has('amount on the subtotal') ? plain : step
    }
    case 'slip': {
      const { with: extras, ...plain } = step
      return { ...plain, ...supportedExtras(unsupported, extras) }
    }
    case 'receipt': {
      const { with: extras, by, free, ...plain } = step
      const hasBy = by !== undefined && !('amount' in by && unsupported.has('amount on the subtotal'))
      const isFree = free !== undefined && !unsupported.has(free)
      return { ...plain, ...supportedExtras(unsupported, extras), ...(hasBy && { by }), ...(isFree && { free }) }
    }
    default:
      return step
  }
}

function supportedExtras(
  unsupported: ReadonlySet<UnsupportedFeature>,
  extras: readonly Extra[] = [],
): { readonly with?: readonly Extra[] } {
  const some = extras.filter((one) => !unsupported.has(one))
  return some.length > 0 ? { with: some } : {}
}
