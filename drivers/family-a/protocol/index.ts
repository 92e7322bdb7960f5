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
export const familyA = catalogue([
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
])

/** What profile ro has under a number that is another command in bg (sheet 9). */
const onlyRo = catalogue([programming.headerLine])

export const commandOf = (code: number, profile: 'bg' | 'ro') =>
  (profile === 'ro' ? onlyRo.byCode.get(code) : undefined) ?? familyA.byCode.get(code)

/** The commands of both profiles by name. */
export const commands = { ...familyA.byName, ...onlyRo.byName }

export type Commands = typeof commands
export type CommandName = keyof Commands
/** Worked out once for all names: asking for them name by name costs the compiler minutes. */
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }

/**
 * Commands that carry several meanings go by the name of the meaning (decisions 8), so that a fault rule on `reportZ`
 * does not hit an X report, and one on `readArticle` does not hit programming.
 */
export function nameOf(name: CommandName, values: Readonly<Record<string, unknown>>): string {
  const option = values['option']
  switch (name) {
    case 'report':
      return option === 'X' ? 'reportX' : option === 'Z' ? 'reportZ' : 'report'
    case 'articles':
      return option === 'P' || option === 'A' || option === 'D' ? 'programArticle' : 'readArticle'
    case 'journalRead':
      return option === '0' && values['type'] === 2 ? 'archivedZ' : 'journalRead'
    default:
      return name
  }
}

/** The names that `nameOf` gives besides those of the catalogue, with their codes. */
export const FURTHER_NAMES = [
  { name: 'reportX', code: 69, source: '6.6' },
  { name: 'reportZ', code: 69, source: '6.6' },
  { name: 'programArticle', code: 107, source: '6.11' },
  { name: 'readArticle', code: 107, source: '6.11' },
  { name: 'archivedZ', code: 125, source: '6.12' },
  { name: 'headerLine', code: 43, source: '6.3' },
] as const
