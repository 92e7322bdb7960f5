/** Shapes of `Data` that several endpoints answer with (decisions 2). */

import { type ExactNumber, exactNumber } from '../../drivers/model/json.ts'
import { formatShort, type Money, type Percent } from '../../drivers/model/money.ts'
import type { DeviceAnswer } from '../../drivers/model/printer.ts'

export const textOf = ({ text }: DeviceAnswer): string => text

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
