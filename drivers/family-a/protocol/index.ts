import { catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import * as articles from './commands/articles.ts'
import * as display from './commands/display.ts'
import * as journal from './commands/journal.ts'
import * as programming from './commands/programming.ts'
import * as queries from './commands/queries.ts'
import * as receipt from './commands/receipt.ts'
import * as reports from './commands/reports.ts'
import * as text from './commands/text.ts'

/** Every command of family A, sheet 6.1 to 6.13. */
export const commands = [
  display.displayClear,
  display.displayLower,
  display.displayUpper,
  display.showClock,
  display.feed,
  display.cut,
  display.pcMode,
  display.beep,
  display.drawer,
  text.openNonFiscal,
  text.nonFiscalText,
  text.closeNonFiscal,
  text.fiscalText,
  text.barcode,
  text.separatingLine,
  text.rotatedText,
  receipt.openFiscal,
  receipt.openReversal,
  receipt.sale,
  receipt.saleByPlu,
  receipt.subtotal,
  receipt.payment,
  receipt.invoiceData,
  receipt.closeFiscal,
  receipt.cancelFiscal,
  receipt.duplicate,
  reports.cashInOut,
  reports.report,
  reports.lastClosure,
  reports.daySums,
  reports.closuresLeft,
  reports.lastFiscalRecord,
  reports.memoryReportByDate,
  reports.memoryReport,
  reports.operatorsReport,
  reports.articlesReport,
  reports.dayCounters,
  reports.operatorTotals,
  reports.groupTotals,
  reports.departmentTotals,
  queries.status,
  queries.transactionStatus,
  queries.currentReceipt,
  queries.errorText,
  queries.deviceInfo,
  queries.deviceDetails,
  queries.taxNumber,
  queries.modemInfo,
  queries.setClock,
  queries.readClock,
  articles.articles,
  journal.journalSearch,
  journal.journalRead,
  programming.taxRates,
  programming.setTaxRates,
  programming.invoiceRange,
  programming.setSerial,
  programming.fiscalise,
  programming.setTaxNumber,
  programming.operatorPassword,
  programming.softwarePassword,
  programming.memoryTest,
  programming.readMemory,
  programming.logo,
  programming.stampPicture,
  programming.stamp,
  programming.modemTest,
  programming.clients,
  programming.service,
  programming.cardTerminal,
  programming.parameter,
  programming.headerLine,
] as const

/** The editions on the market (sheet 8 and 9); some numbers are another command in each. */
export const EDITIONS = ['bg', 'ro'] as const
export type EditionName = (typeof EDITIONS)[number]

const catalogues = {
  bg: catalogue(commands, 'bg'),
  ro: catalogue(commands, 'ro'),
} as const

export const catalogueOf = (edition: EditionName) => catalogues[edition]

export type Commands = (typeof catalogues)['bg']['byName']
export type CommandName = keyof Commands
/** Worked out once for all names: asking for them name by name costs the compiler minutes. */
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }
