/** Status, identification and clock (sheet 6.7 to 6.9). */
import { ERRORS } from '../../../drivers/family-a/protocol/errors.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import { done, from, type Handlers, refused } from '../context.ts'
import { statusBytes } from '../status.ts'
import { lastOf } from './receipt.ts'
import { documentOf } from './sale.ts'

const REVERSALS = { operatorError: 2, refund: 3, taxBaseReduction: 4 } as const
function openKind({ receipt }: FiscalDevice): number {
  if (receipt === null) return 0
  if (receipt.kind === 'nonFiscal') return 5
  return receipt.fiscal.kind === 'sale' ? 1 : REVERSALS[receipt.fiscal.reason ?? 'operatorError']
}

function qrOf(device: FiscalDevice): string {
  const { lastFiscal } = device
  if (!lastFiscal) return ''
  const at = device.localTime(lastFiscal.closedAt)
  const document = String(lastFiscal.document).padStart(7, '0')
  return `${device.numbers.fiscalMemoryNumber}*${document}*${at.slice(0, 10)}*${at.slice(11, 19)}*${formatMoney(lastFiscal.total)}`
}

const FIRMWARE_DATE = '01JAN25'
const FIRMWARE_TIME = '1000'
const FIRMWARE_CHECKSUM = 'A1B2'

export const queries = {
  status(context, { option }) {
    const { device } = context
    switch (option) {
      case undefined:
        return done({ form: 'bytes', status: statusBytes(device, context.edition) })
      case 'receipt': {
        const last = device.lastFiscal
        return done({
          form: 'receipt',
          printing: device.mechanism.blocked,
          state: openKind(device),
          document: device.counters.lastDocument,
          ...(last
            ? { qrAmount: last.total, qrDocument: last.document, qrAt: device.localTime(last.closedAt).slice(0, 19) }
            : {}),
        })
      }
      case 'qr':
        return done({ form: 'qr', qr: qrOf(device) })
    }
  },

  transactionStatus(context) {
    const { receipt, lastFiscal, counters } = context.device
    const open = openKind(context.device)
    if (receipt?.kind === 'fiscal') {
      const { items, total, paid } = receipt.fiscal
      return done({ open, ...documentOf(context), items, amount: total, paid })
    }
    const last = lastOf(context.device)
    if (receipt) return done({ open, ...last, document: receipt.document, items: 0, amount: 0, paid: 0 })
    // The document number is that of the last document of any kind. Clients treat a report, a copy or a cash movement
    // as not printed while this number is unchanged.
    const { items = 0, total = 0, paid = 0 } = lastFiscal ?? {}
    return done({ open, ...last, document: counters.lastDocument, items, amount: total, paid })
  },

  currentReceipt({ device, edition }) {
    const fiscal = device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined
    return done({
      groups: Array.from({ length: edition.taxGroups }, (_, index) => fiscal?.groups[index] ?? 0),
      invoice: fiscal?.invoice ?? false,
      nextInvoice: device.registers.invoiceRange?.next ?? 0,
      reversal: fiscal?.kind === 'reversal',
    })
  },

  errorText(_, { code }) {
    const error = ERRORS.find((entry) => entry.code === code)
    return error ? done({ code, text: error.meaning }) : refused('notFound')
  },

  deviceInfo: ({ device, edition }, { form, checksum }) =>
    done({
      form,
      model: device.profile.model,
      firmware: device.profile.firmware,
      date: FIRMWARE_DATE,
      time: FIRMWARE_TIME,
      checksum: checksum ? FIRMWARE_CHECKSUM : 'FFFF',
      switches: '00000000',
      serialNumber: device.numbers.serialNumber,
      // The edition ro does not report this number here (sheet 9.1).
      ...(edition.name === 'bg' && { fiscalMemoryNumber: device.numbers.fiscalMemoryNumber }),
    }),

  deviceDetails({ device }, { option }) {
    const { registers, counters } = device
    switch (option) {
      case 'identity':
        return done({
          form: 'identity',
          serialNumber: device.numbers.serialNumber,
          fiscalMemoryNumber: device.numbers.fiscalMemoryNumber,
          header1: registers.header[0] ?? '',
          header2: registers.header[1] ?? '',
          taxNumber: registers.taxNumber,
          header3: registers.header[2] ?? '',
          header4: registers.header[3] ?? '',
        })
      case 'power':
        return done({ form: 'power', mainMillivolts: 8_200, memoryMillivolts: 3_050, signalPercent: 80, network: true })
      case 'lastDocuments':
        return done({
          form: 'lastDocuments',
          receiptOfDay: device.day.receipts,
          ...(counters.lastReceiptAt === null
            ? {}
            : { receiptAt: device.localTime(counters.lastReceiptAt).slice(0, 19) }),
          closure: counters.lastZ,
          ...(counters.lastZAt === null ? {} : { closureAt: device.localTime(counters.lastZAt).slice(0, 19) }),
        })
      case 'verifyJournal':
        return done({ form: 'none' })
      case 'battery':
        return done({ form: 'battery', millivolts: 8_200, chargePercent: 100 })
    }
  },

  taxNumber: ({ device }) => done({ taxNumber: device.registers.taxNumber.slice(0, 13) }),

  modemInfo({ device }, { kind = 'print' }) {
    switch (kind) {
      case 'print':
      case 'printServer':
      case 'printModem':
      case 'printRadio':
      case 'printRadio2':
      case 'printLan':
      case 'printSecurity':
      case 'printCard': {
        const lines = [
          { text: 'DIAGNOSTIC', alignment: 'center', bold: true },
          { text: `${device.profile.model} ${device.profile.firmware}` },
          { text: `SN ${device.numbers.serialNumber}` },
          { text: `FM ${device.numbers.fiscalMemoryNumber}` },
          { text: `CLOSURES ${device.counters.lastZ}, LEFT ${device.memory.remaining}` },
          { text: `DOCUMENTS ${device.counters.lastDocument}` },
        ] as const
        return from(device.printReport('service', lines), () => ({ form: 'none' }) as const)
      }
      case 'server': {
        const at = device.localTime().slice(0, 19)
        return done({
          form: 'server',
          lastContact: at,
          nextContact: at,
          lastClosureSent: device.counters.lastZ,
          closureInError: 0,
          closureErrors: 0,
          closureError: 0,
          saleInError: 0,
          saleErrors: 0,
          saleStatus: 0,
          lastDocumentSent: device.counters.lastDocument,
          lastDocumentSentAt: at,
          lastError: 0,
          minutesLeft: 1_440,
        })
      }
      case 'modem':
      case 'lan':
      case 'card':
      case 'radio':
      case 'modemWithoutLink':
      case 'sendAll':
        return done({ form: 'none' })
    }
  },

  setClock({ device }, { at }) {
    return from(device.setClock(at))
  },
  readClock: ({ device }) => done({ at: device.localTime().slice(0, 19) }),
} satisfies Partial<Handlers>
