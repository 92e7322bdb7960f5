/** The catalogue of family B: every command of sheet 10, once, for both sides. */
import { catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import * as articles from './commands/articles.ts'
import * as display from './commands/display.ts'
import { openFiscal } from './commands/opening.ts'
import * as queries from './commands/queries.ts'
import * as receipt from './commands/receipt.ts'
import * as reports from './commands/reports.ts'
import * as sale from './commands/sale.ts'
import * as settings from './commands/settings.ts'
import * as stream from './commands/stream.ts'
import * as textReceipt from './commands/text-receipt.ts'

export const commands = [
  display.displayClear,
  display.displayUpper,
  display.displayLower,
  display.displayText,
  display.displayClock,
  display.displayRaw,
  display.displayConversion,
  display.displaySetUp,
  textReceipt.openNonFiscal,
  textReceipt.nonFiscalText,
  textReceipt.closeNonFiscal,
  openFiscal,
  sale.saleByPlu,
  sale.sale,
  sale.saleOnDisplay,
  sale.saleByDepartment,
  receipt.subtotal,
  receipt.payment,
  textReceipt.fiscalText,
  receipt.invoiceData,
  receipt.closeFiscal,
  receipt.cancelFiscal,
  textReceipt.barcode,
  textReceipt.qrCode,
  queries.readClock,
  queries.lastFiscalRecord,
  queries.daySums,
  queries.freeRecords,
  queries.status,
  queries.transactionStatus,
  queries.deviceInfo,
  queries.taxRates,
  queries.taxRatesByDate,
  queries.taxNumber,
  queries.receiptSums,
  queries.dayPayments,
  queries.operatorInfo,
  queries.lastDocument,
  queries.lastDocumentQr,
  queries.firstUnsent,
  queries.shopFlags,
  queries.documentInfo,
  queries.constants,
  queries.errorText,
  reports.dailyReport,
  reports.dailyReportWithArticles,
  reports.archivedZ,
  reports.archivedZByDate,
  reports.memoryReportByNumber,
  reports.memoryReportShortByNumber,
  reports.memoryReportByDate,
  reports.memoryReportShortByDate,
  reports.memoryPassword,
  reports.operatorsReport,
  reports.clearOperators,
  reports.articlesReport,
  reports.departmentsReport,
  reports.parametersReport,
  reports.diagnosticsReport,
  settings.setClock,
  settings.cashInOut,
  settings.setTaxRates,
  settings.setPassword,
  settings.setOperatorName,
  settings.drawer,
  settings.feed,
  settings.cut,
  settings.duplicate,
  settings.printOptions,
  settings.texts,
  settings.parameters,
  settings.paymentNames,
  articles.article,
  articles.department,
  stream.reportAsText,
  stream.journalRead,
] as const

/** The two editions of sheet 2. */
export const EDITIONS = ['b8', 'b5'] as const
export type EditionName = (typeof EDITIONS)[number]

const catalogues = {
  b8: catalogue(commands, 'b8'),
  b5: catalogue(commands, 'b5'),
} as const

export const catalogueOf = (edition: EditionName) => catalogues[edition]

export type Commands = (typeof catalogues)['b8']['byName']
export type CommandName = keyof Commands
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }
