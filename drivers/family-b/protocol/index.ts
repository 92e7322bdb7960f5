/** The catalogue of family B: every command of sheet 10, once, for both sides. */
import { catalogue, type RequestOf } from '../../wire/command.ts'
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

export const commands = catalogue([
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
])

export type Commands = (typeof commands)['byName']
export type CommandName = keyof Commands

/** Commands that do several things have a name for each of them, the one that other families use (decisions 8). */
export const RUN_NAMES: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  openFiscal: ['openFiscal', 'openReversal'],
  dailyReport: ['reportZ', 'reportX'],
  dailyReportWithArticles: ['reportZ', 'reportX'],
  memoryReportByNumber: ['memoryReport'],
  memoryReportShortByNumber: ['memoryReport'],
  memoryReportByDate: ['memoryReport'],
  memoryReportShortByDate: ['memoryReport'],
  article: ['programArticle', 'readArticle', 'deleteArticle'],
}

type Requests = { [Name in CommandName]: RequestOf<Commands[Name]> }

/** What this request does, by the name that fault rules and the frame log use. */
export function runName<Name extends CommandName>(name: Name, values: Requests[Name]): string {
  switch (name as CommandName) {
    case 'openFiscal': {
      const { document } = values as Requests['openFiscal']
      return document?.kind === 'refund' || document?.kind === 'creditNote' ? 'openReversal' : 'openFiscal'
    }
    case 'dailyReport':
    case 'dailyReportWithArticles': {
      const item = (values as Requests['dailyReport']).item ?? 0
      return isZ(item) ? 'reportZ' : isX(item) ? 'reportX' : name
    }
    case 'memoryReportByNumber':
    case 'memoryReportShortByNumber':
    case 'memoryReportByDate':
    case 'memoryReportShortByDate':
      return 'memoryReport'
    case 'article': {
      const request = values as Requests['article']
      return request.do === 'program' ? 'programArticle' : request.do === 'delete' ? 'deleteArticle' : 'readArticle'
    }
    default:
      return name
  }
}

export const isZ = (item: number): boolean => item === 0 || item === 1 || item === 6
export const isX = (item: number): boolean => item === 2 || item === 3
