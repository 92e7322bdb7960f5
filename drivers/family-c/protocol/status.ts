import { type StatusBit, statusCodec } from '../../wire/status.ts'
import type { Edition } from './edition.ts'

const bit = <const Name extends string>(byte: number, index: number, name: Name): StatusBit<Name> => ({
  byte,
  bit: index,
  name,
})

const STATUS_BITS = [
  bit(0, 0, 'memoryReadOnly'),
  bit(0, 1, 'powerCut'),
  bit(0, 2, 'overheated'),
  bit(0, 3, 'clockNotSet'),
  bit(0, 4, 'clockWrong'),
  bit(0, 5, 'ramReset'),
  bit(0, 6, 'clockFailure'),
  bit(1, 0, 'noPaper'),
  bit(1, 1, 'registerOverflow'),
  bit(1, 2, 'customerReportNotZeroed'),
  bit(1, 3, 'dailyReportNotZeroed'),
  bit(1, 4, 'articleReportNotZeroed'),
  bit(1, 5, 'operatorReportNotZeroed'),
  bit(1, 6, 'duplicatePrinted'),
  bit(2, 0, 'nonFiscalOpen'),
  bit(2, 1, 'fiscalOpen'),
  bit(2, 2, 'detailed'),
  bit(2, 3, 'vatPrinted'),
  bit(2, 4, 'invoiceOpen'),
  bit(2, 5, 'journalNearFull'),
  bit(2, 6, 'journalFull'),
  bit(3, 0, 'noMemory'),
  bit(3, 1, 'memoryError'),
  bit(3, 2, 'memoryFull'),
  bit(3, 3, 'memoryNearFull'),
  bit(3, 4, 'fractions'),
  bit(3, 5, 'fiscalised'),
  bit(3, 6, 'numbersSet'),
  bit(4, 0, 'automaticCut'),
  bit(4, 1, 'displayManual'),
  bit(4, 2, 'speed9600'),
  bit(4, 4, 'drawerAutomatic'),
  bit(4, 5, 'logoPrinted'),
  bit(4, 6, 'dayBlocked'),
  bit(5, 0, 'wrongSim'),
  bit(5, 1, 'noOperatorThreeDays'),
  bit(5, 2, 'noTask'),
  bit(5, 5, 'wrongSdCard'),
  bit(5, 6, 'deregistered'),
  bit(6, 0, 'noSim'),
  bit(6, 1, 'noModem'),
  bit(6, 2, 'noOperator'),
  bit(6, 3, 'noDataService'),
  bit(6, 4, 'paperNearEnd'),
  bit(6, 5, 'unsentData'),
] as const // biome-ignore format: a table

export type StatusName = (typeof STATUS_BITS)[number]['name']

/** The status has seven bytes. Older firmware sends five or six; the bits of missing bytes read as 0. */
export const status = statusCodec(7, STATUS_BITS)

/** Returns the flag that the device sets when 24 hours have passed since the first receipt of the day. */
export const dayBlockBit = (edition: Edition): StatusName =>
  edition.name === 'cr' ? 'customerReportNotZeroed' : 'dayBlocked'

/** Names of the bits of command 66h. Bit 7 of its bytes is set, as in all status bytes. */
export const printerStatus = statusCodec(4, [
  bit(0, 2, 'drawerOpen'),
  bit(0, 3, 'notReady'),
  bit(0, 5, 'coverOpen'),
  bit(0, 6, 'feeding'),
  bit(1, 3, 'cutterError'),
  bit(1, 5, 'fatalError'),
  bit(1, 6, 'overheat'),
  bit(2, 1, 'paperNearEnd'),
  bit(2, 3, 'paperEnd'),
  bit(3, 0, 'bufferNotEmpty'),
])
