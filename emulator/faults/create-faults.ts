import type { FiscalDevice } from '../fiscal/api.ts'
import type { Wire } from '../wire.ts'
import { type FaultRules, RuleInjector } from './injector.ts'
import type { DeviceControls, FaultReport, Injector } from './points.ts'
import { seededRandom } from './seeded-random.ts'

interface Faults {
  readonly rules: FaultRules
  readonly injector: Injector
  connect(device: FiscalDevice, wire: Wire): void
}

interface FaultOptions {
  readonly seed?: number | undefined
  readonly faults?: ((controls: DeviceControls, random: () => number) => Injector) | undefined
}

/**
 * Creates the faults of a device. The books need the injector, and the injector's controls need the books: `connect`
 * adds the books afterwards.
 */
export function createFaults({ seed = 0, faults }: FaultOptions, report: (fault: FaultReport) => void): Faults {
  let connected: { readonly device: FiscalDevice; readonly wire: Wire } | undefined
  const controls: DeviceControls = {
    setPaper: (state) => connected?.device.mechanism.setPaper(state),
    setCover: (open) => connected?.device.mechanism.setCover(open),
    refusal() {
      const meeting = connected?.wire.meet({ kind: 'damaged', bytes: new Uint8Array(0) })
      return meeting?.kind === 'reply' ? meeting.bytes : undefined
    },
    busy: () => connected?.wire.timing.busy,
    report,
  }
  const random = seededRandom(seed)
  let names: ReadonlySet<string> | undefined
  const rules = new RuleInjector(controls, random, () => {
    names ??= new Set(connected?.wire.commands.map(({ name }) => name))
    return names
  })
  return {
    rules,
    injector: faults?.(controls, random) ?? rules,
    connect(device: FiscalDevice, wire: Wire) {
      connected = { device, wire }
      names = undefined
    },
  }
}
