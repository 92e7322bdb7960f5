import { SimulatedClock } from '../../drivers/model/clock.ts'
import { START, startService } from '../support/rig.ts'
import type { RefusalRig, Subject } from './provocations.ts'

export async function startRefusals({ family, profile }: Subject): Promise<RefusalRig & { close(): Promise<void> }> {
  const clock = new SimulatedClock(START)
  const rig = await startService({ family, profile, clock }, { clock })
  const { device } = rig.emulator
  return {
    family,
    password: device.registers.operator(1)?.password ?? '',
    post: (path, body) => rig.post(path, body),
    get: (path) => rig.get(path),
    advance: (hours) => clock.advance(hours * 3_600_000),
    fillMemory: () => void rig.emulator.faults.add({ at: 'memory.write', do: 'memoryFull' }),
    switchOff: (taxCode) =>
      void device.registers.setTaxRates(
        device.registers.taxRates.with(taxCode - 1, null) as unknown as typeof device.registers.taxRates,
      ),
    sellOut() {
      const made = device.articles.program({
        ...{
          plu: 50,
          name: 'Vase',
          taxCode: 1 as const,
          department: 0,
          group: 1,
          price: 100,
          priceType: 'fixed' as const,
        },
        ...{ stock: 1_000, barcodes: [], unit: 0 },
      })
      if (!made.ok) throw new Error(made.refusal)
    },
    close: () => rig.close(),
  }
}
