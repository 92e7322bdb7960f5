/** Unknown names, each of which must be a compile error. */
import { type Printer, startPrinter } from 'fiscal-rig'
import { matchers } from 'fiscal-rig/matchers'

export async function refused(printer: Printer): Promise<void> {
  await startPrinter({ family: 'A', profile: 'ro' })
  // @ts-expect-error there is no such family
  await startPrinter({ family: 'D' })
  // @ts-expect-error the profile belongs to family C
  await startPrinter({ family: 'B', profile: 'c4' })
  // @ts-expect-error there is no such option
  await startPrinter({ family: 'C', profil: 'c4' })

  printer.fault({ at: 'link.toHost', on: 'closeFiscal', do: 'drop' })
  // @ts-expect-error there is no such command
  printer.fault({ at: 'link.toHost', on: 'closeFiscl', do: 'drop' })
  // @ts-expect-error there is no such point
  printer.fault({ at: 'link.toHots', on: 'closeFiscal', do: 'drop' })
  // @ts-expect-error there is no such effect
  printer.fault({ at: 'link.toHost', on: 'closeFiscal', do: 'dropp' })

  printer.setPaper('out')
  // @ts-expect-error there is no such state of the paper
  printer.setPaper('gone')
  // @ts-expect-error there is no such event
  printer.on('documents', () => undefined)
  // @ts-expect-error there is no such kind of picture
  void printer.paper(1, 'gif')

  matchers.toHavePrinted(printer, { total: '1.20', rows: [{ taxCode: 1 }] })
  // @ts-expect-error there is no such matcher
  matchers.toHavePrintd(printer, { total: '1.20' })
  // @ts-expect-error there is no such member of a row
  matchers.toHavePrinted(printer, { total: '1.20', rows: [{ tax: 1 }] })
  // @ts-expect-error there is no such tax group
  matchers.toHavePrinted(printer, { total: '1.20', rows: [{ taxCode: 9 }] })
}
