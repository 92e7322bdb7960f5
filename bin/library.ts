/**
 * The entry `fiscal-rig` of the package: emulated fiscal printers, and the REST service over them, for tests of other
 * projects. Importing opens nothing; the service, drawing and schemas are loaded on first use.
 */
import type { Service, ServiceOptions } from './library/types.ts'

export { startPrinter } from './library/printer.ts'
export type * from './library/types.ts'

/**
 * Starts the REST service over a printer, on free ports of the loopback interface unless the options name others. The
 * service is closed with the printer at the latest. Rejects with a readable message for impossible options and for a
 * port in use.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { serve } = await import('./library/service.ts')
  return serve(options)
}
