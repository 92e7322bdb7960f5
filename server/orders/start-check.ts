import type { Endpoint } from '../endpoint.ts'
import type { ServiceLog } from '../log.ts'
import { REQUEST_MAX_MS } from '../printer-queue.ts'
import type { Service } from '../service.ts'
import type { Mapping } from './mapping.ts'
import { mappingDifferences, programmedRates, type TaxRates } from './vat-check.ts'

/**
 * Compares the configured tax codes with the device once, at the start (platform orders 5.8.5), and logs the
 * differences. If the device cannot be reached, the comparison takes place with the first order.
 */
export async function checkTaxCodes(
  service: Service,
  mapping: Mapping,
  log: ServiceLog,
  note: (rates: TaxRates) => void,
): Promise<void> {
  if (mapping.taxCodes.size === 0 || mapping.vatCheck === 'off') return
  let rates: TaxRates | undefined
  const endpoint: Endpoint = {
    method: 'get',
    path: '/tax-rates',
    section: '4.3',
    summary: 'Tax rates at the start',
    data: {},
    reaches: 'device',
    prepare: () => ({
      ok: true,
      run: async ({ printer }) => {
        rates = await programmedRates(printer)
        return null
      },
    }),
  }
  const deadline = { until: service.clock.now() + REQUEST_MAX_MS }
  await service.handle(endpoint, { params: {}, body: undefined }, undefined, deadline)
  if (!rates) return
  note(rates)
  for (const difference of mappingDifferences(mapping, rates)) log.warn?.(difference)
}
