import { DeviceError } from '../model/errors.ts'
import type { ClosedReceipt, DeviceAnswer, FiscalPrinter } from '../model/printer.ts'

/** A driver whose answers do not tell yet what the link repeated. */
export type SilentPrinter = {
  [K in keyof FiscalPrinter]-?: FiscalPrinter[K] extends ((...given: infer Given) => Promise<infer Answer>) | undefined
    ? (...given: Given) => Promise<Silent<Answer>>
    : FiscalPrinter[K]
}

type Silent<Answer> = Answer extends DeviceAnswer
  ? string
  : Answer extends ClosedReceipt
    ? Omit<ClosedReceipt, 'repeated'>
    : Answer

/** The same printer, which tells with every answer and failure whether the link has written a command again for it. */
export function tellRepeats(link: { readonly writtenAgain: number }, driver: SilentPrinter): FiscalPrinter {
  async function told<T>(run: () => Promise<T>): Promise<{ readonly answer: T; readonly repeated: boolean }> {
    const before = link.writtenAgain
    try {
      return { answer: await run(), repeated: link.writtenAgain !== before }
    } catch (problem) {
      if (!(problem instanceof DeviceError) || link.writtenAgain === before) throw problem
      throw new DeviceError(problem.problem, true)
    }
  }
  async function text(run: () => Promise<string>): Promise<DeviceAnswer> {
    const { answer, repeated } = await told(run)
    return { text: answer, repeated }
  }
  async function closed(run: () => Promise<Omit<ClosedReceipt, 'repeated'>>): Promise<ClosedReceipt> {
    const { answer, repeated } = await told(run)
    return { ...answer, repeated }
  }
  return {
    family: driver.family,
    get capabilities() {
      return driver.capabilities
    },
    connect: () => driver.connect(),
    disconnect: () => driver.disconnect(),
    openNonFiscal: (operator) => text(() => driver.openNonFiscal(operator)),
    printNonFiscalText: (line) => text(() => driver.printNonFiscalText(line)),
    closeNonFiscal: () => text(() => driver.closeNonFiscal()),
    cancelNonFiscal: () => text(() => driver.cancelNonFiscal()),
    openFiscal: (opening) => text(() => driver.openFiscal(opening)),
    printFiscalText: (line) => text(() => driver.printFiscalText(line)),
    sell: (sale) => text(() => driver.sell(sale)),
    sellArticle: (sale) => text(() => driver.sellArticle(sale)),
    subtotal: (request) => text(() => driver.subtotal(request)),
    pay: (payment) => text(() => driver.pay(payment)),
    closeFiscal: () => closed(() => driver.closeFiscal()),
    cancelFiscal: () => text(() => driver.cancelFiscal()),
    transactionStatus: () => driver.transactionStatus(),
    lastDocument: () => driver.lastDocument(),
    copyLastReceipt: () => closed(() => driver.copyLastReceipt()),
    reportX: () => text(() => driver.reportX()),
    reportZ: () => text(() => driver.reportZ()),
    archivedZ: (number) => driver.archivedZ(number),
    printBarcode: (barcode) => text(() => driver.printBarcode(barcode)),
    printSeparatingLine: (style) => text(() => driver.printSeparatingLine(style)),
    displayLine: (line, shown) => text(() => driver.displayLine(line, shown)),
    clearDisplay: () => text(() => driver.clearDisplay()),
    lastReportZ: () => driver.lastReportZ(),
    lastReceipt: () => driver.lastReceipt(),
    moveCash: (amount, operator) => text(() => driver.moveCash(amount, operator)),
    openDrawer: () => text(() => driver.openDrawer()),
    taxRates: () => driver.taxRates(),
    article: (plu) => driver.article(plu),
  }
}
