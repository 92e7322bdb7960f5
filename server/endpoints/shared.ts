/** Endpoints of one command, and shapes of `Data` that several answer with (decisions 2). */
import { type ExactNumber, exactNumber } from '../../drivers/model/json.ts'
import { formatShort, type Money, type Percent } from '../../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter } from '../../drivers/model/printer.ts'
import { closeNonFiscalReceipt, closingDocument } from '../closing.ts'
import { type Data, type Declaration, type Endpoint, endpoint } from '../endpoint.ts'
import type { JsonSchema } from '../fields.ts'
import type { DocumentKind, Step } from '../recovery/progress.ts'
import { carryOut } from '../recovery/steps.ts'

type Common = 'method' | 'data' | 'reaches' | 'prints' | 'run'

interface Command<B, P> extends Omit<Declaration<B, P>, Common> {
  readonly act: (printer: FiscalPrinter, body: B, params: P) => Promise<DeviceAnswer>
}

interface StepCommand<B, P> extends Command<B, P> {
  /** What it changes in the state of the device. */
  readonly does: (body: B) => Step
  /** Takes one of two equal rows back; absent: that cannot be. */
  readonly takeBack?: (body: B) => ((printer: FiscalPrinter) => Promise<DeviceAnswer>) | undefined
}

const textOf = ({ text }: DeviceAnswer): string => text

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

/** An amount as a JSON number with at most 2 decimals, exactly; null stays null. */
export const amount = (value: Money | Percent | null): ExactNumber | null =>
  value === null ? null : exactNumber(formatShort(value, 2))

/** An answer of several members, each with its schema and what it is made of. */
export const view = <T>(members: Readonly<Record<string, readonly [schema: JsonSchema, of: (value: T) => Data]>>) => ({
  schemas: Object.fromEntries(Object.entries(members).map(([name, [schema]]) => [name, schema])),
  of: (value: T): Data => Object.fromEntries(Object.entries(members).map(([name, [, of]]) => [name, of(value)])),
})

/** One command inside a receipt. The answer is the device's own. */
export const step = <B = undefined, P = undefined>({
  act,
  does,
  takeBack,
  ...declaration
}: StepCommand<B, P>): Endpoint =>
  endpoint<B, P>({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    ...declaration,
    run: ({ printer, progress, body, params }) =>
      carryOut(
        { step: does(body), act: () => act(printer, body, params), takeBack: takeBack?.(body) },
        { printer, progress },
      ),
  })

/** One command for the display. */
export const display = <B = undefined>({ act, ...declaration }: Command<B, undefined>): Endpoint =>
  endpoint<B>({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: false,
    ...declaration,
    run: async ({ printer, body, params }) => textOf(await act(printer, body, params)),
  })

interface ClosingCommand extends Omit<Declaration<undefined, undefined>, Common> {
  readonly kind: DocumentKind | 'nonFiscal'
  readonly act: (printer: FiscalPrinter) => Promise<DeviceAnswer>
}

/** One command that ends in a document of its own, or ends a non-fiscal receipt. The answer is the device's own. */
export const closing = ({ act, kind, ...declaration }: ClosingCommand): Endpoint =>
  endpoint({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    ...declaration,
    run: (work) => (kind === 'nonFiscal' ? closeNonFiscalReceipt(work, act) : closingDocument(work, kind, act, textOf)),
  })
