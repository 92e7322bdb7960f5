import { z } from 'zod'
import { configFile } from '../../server/config-schema.ts'
import { anything, articleList, duration, expected, members, oneOf, paperState, wholeNumber, words } from './fields.ts'
import { MECHANISMS, type Mechanism } from './mechanism.ts'

export const given = members('given', {
  articles: articleList.optional().describe('Articles programmed besides those of the factory.'),
  clock: words('a date and time such as "2026-07-14T12:30:00"')
    .optional()
    .describe("The device's clock when the first step begins; on an emulated device that of the service, too."),
  paper: paperState.optional().describe('How much paper there is.'),
  receipts: z
    .union(
      [wholeNumber(0, 10_000), z.array(anything)],
      expected('a number of receipts, or a list of bodies for /print-fiscal-receipt'),
    )
    .optional()
    .describe('Fiscal receipts printed before the first step.'),
  snapshot: z
    .union(
      [z.string().min(1), z.record(z.string(), anything)],
      expected('a file with a snapshot, or a snapshot itself'),
    )
    .optional()
    .describe('A saved state of the device, to begin from.'),
  config: configFile
    .pick({ payments: true, taxRates: true, operators: true, defaults: true, legacy: true })
    .optional()
    .describe("Members of the service's configuration."),
  platform: members('the platform', {
    orders: words('a file with orders').describe('JSON file of the orders that the mock platform serves.'),
    mapping: anything.optional().describe('The member `platform.mapping` of the configuration.'),
  })
    .optional()
    .describe('The mock platform.'),
  mechanism: oneOf(Object.keys(MECHANISMS) as [Mechanism, ...Mechanism[]])
    .optional()
    .describe('realistic: printing takes as long as on a real device; slow: as long as on the slowest one.'),
  powerReturns: duration.optional().describe('Time until the power returns by itself after a power cut by a fault.'),
})
export type Given = z.input<typeof given>
