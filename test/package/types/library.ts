/** A member of type any would accept the unknown names below. */
import { type Printer, type Receipt, type Rule, startPrinter, startService } from 'fiscal-rig'
import { type ExpectedReceipt, matchers } from 'fiscal-rig/matchers'

const rule: Rule = { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' }

export async function use(printer: Printer): Promise<Receipt | undefined> {
  const service = await startService({ printer, https: true })
  const url: string = service.url
  const picture: Uint8Array = await printer.paper(1, 'png')
  const off: () => void = printer.on('document', (document) => {
    const id: number = document.id
    void id
  })
  const hits: number = printer.fault(rule).hits
  const port = new printer.SerialPort({ path: printer.path, baudRate: 9600 })
  port.on('data', (bytes: Buffer) => bytes.length)
  // @ts-expect-error a path is text
  void new printer.SerialPort({ path: 1, baudRate: 9600 })
  const expected: ExpectedReceipt = { total: 1.2, rows: [{ name: 'Bread' }] }
  const pass: boolean = matchers.toHavePrinted(printer, expected).pass
  printer.restore((await startPrinter({ family: 'A' })).snapshot())
  // @ts-expect-error
  void [url, picture, off, hits, pass, printer.day.nothing, printer.frames()[0]?.nothing]
  // @ts-expect-error
  void printer.journal()[0]?.nothing
  // @ts-expect-error
  void printer.zReports()[0]?.nothing
  // @ts-expect-error
  void printer.documents()[0]?.nothing
  return printer.receipts()[0]
}
