/** Endpoints of one command, and shapes of `Data` that several answer with (decisions 2). */
import { type ExactNumber, exactNumber } from '../../drivers/model/json.ts'
import { formatShort, type Money, type Percent } from '../../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter } from '../../drivers/model/printer.ts'
import { closingDocument } from '../closing.ts'
import { type Declaration, type Endpoint, endpoint } from '../endpoint.ts'
import type { ReadBack } from '../recovery/progress.ts'

type Common = 'method' | 'data' | 'reaches' | 'run' | 'tellsProgress'

interface Step<B, P> extends Omit<Declaration<B, P>, Common> {
  readonly act: (printer: FiscalPrinter, body: B, params: P) => Promise<DeviceAnswer>
}

const textOf = ({ text }: DeviceAnswer): string => text

export const DEVICE_ANSWER = {
  type: 'string',
  description: "The device's own answer, fields joined as its wire does; empty when it answers with no data.",
}

export const RECEIPT_NUMBER = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: "The device's running document number of the receipt just closed.",
}

export const AMOUNT = { type: ['number', 'null'], multipleOf: 0.01 }

/** An amount as a JSON number with at most 2 decimals, exactly; null stays null. */
export const amount = (value: Money | Percent | null): ExactNumber | null =>
  value === null ? null : exactNumber(formatShort(value, 2))

/** One command inside a receipt, or for the display. The answer is the device's own. */
export const step = <B = undefined, P = undefined>({ act, ...declaration }: Step<B, P>): Endpoint =>
  endpoint<B, P>({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    ...declaration,
    run: async ({ printer, body, params }) => textOf(await act(printer, body, params)),
  })

interface ClosingCommand extends Omit<Declaration<undefined, undefined>, Common> {
  readonly act: (printer: FiscalPrinter) => Promise<DeviceAnswer>
  readonly readBack?: ReadBack
}

/** One command that ends in a document of its own. The answer is the device's own. */
export const closing = ({ act, readBack, ...declaration }: ClosingCommand): Endpoint =>
  endpoint({
    method: 'post',
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    tellsProgress: true,
    ...declaration,
    run: (work) => closingDocument(work, act, textOf, readBack),
  })
