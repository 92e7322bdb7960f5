/** Endpoints of a single command, and forms of `Data` that several answers share (decisions 2). */
import { type ExactNumber, exactNumber } from '../../drivers/model/json.ts'
import { formatShort, type Money, type Percent } from '../../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { Data } from '../answer-data.ts'
import { type Declaration, type Endpoint, endpoint } from '../endpoint.ts'
import type { JsonSchema } from '../fields.ts'
import { dataOf } from '../operations/operation.ts'
import { run } from '../operations/run.ts'

type CommonMember = 'method' | 'data' | 'reaches' | 'prints' | 'run'

interface StepCommand<B, P> extends Omit<Declaration<B, P>, CommonMember> {
  readonly data?: JsonSchema
  readonly step: (body: B, params: P) => Step
}

interface DisplayCommand<B> extends Omit<Declaration<B, undefined>, CommonMember> {
  readonly act: (printer: FiscalPrinter, body: B) => Promise<DeviceAnswer>
}

export const DEVICE_ANSWER = {
  type: 'string',
  description: "The device's own answer, fields joined as its wire does; empty when it answers with no data.",
  examples: [''],
}

export const RECEIPT_NUMBER = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: "The device's running document number of the receipt just closed.",
  examples: ['17'],
}

export const AMOUNT = { type: ['number', 'null'], description: 'At most 2 decimals.' }

export const amount = (value: Money | Percent | null): ExactNumber | null =>
  value === null ? null : exactNumber(formatShort(value, 2))

export const view = <T>(members: Readonly<Record<string, readonly [schema: JsonSchema, of: (value: T) => Data]>>) => ({
  schemas: Object.fromEntries(Object.entries(members).map(([name, [schema]]) => [name, schema])),
  of: (value: T): Data => Object.fromEntries(Object.entries(members).map(([name, [, of]]) => [name, of(value)])),
})

/** Creates an endpoint of a single command. The answer is that of the device, unless `data` declares another. */
export const step = <B = undefined, P = undefined>({
  step: stepOf,
  data = DEVICE_ANSWER,
  ...declaration
}: StepCommand<B, P>): Endpoint =>
  endpoint<B, P>({
    method: 'post',
    reaches: 'device',
    prints: true,
    ...declaration,
    data,
    run: async (work) => {
      const operation = { steps: [stepOf(work.body, work.params)] }
      return dataOf(operation, await run(operation, work))
    },
  })

export const display = <B = undefined>({ act, ...declaration }: DisplayCommand<B>): Endpoint =>
  endpoint<B>({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: false,
    ...declaration,
    run: async ({ printer, body }) => (await act(printer, body)).text,
  })
