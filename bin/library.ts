/**
 * The entry `fiscal-rig` of the package: emulated fiscal printers, and the REST service over them, in other people's
 * tests. Importing opens nothing; the service, drawing and schemas are loaded when they are first needed.
 */
import type { Service, ServiceOptions } from './library/types.ts'

export { startPrinter } from './library/printer.ts'
export type * from './library/types.ts'

/**
 * Starts the REST service over a printer, on free ports of the loopback interface unless told otherwise. It ends with
 * the printer at the latest. Rejects with a sentence for options that cannot be and for a port that is taken.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { serve } = await import('./library/service.ts')
  return serve(options)
}
