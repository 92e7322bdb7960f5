import { ERRORS } from '../../../drivers/family-a/protocol/errors.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import { fail, from, type Handlers, ok, plain } from '../context.ts'
import { statusBytes } from '../status.ts'

/** Status, identification and clock: sheet 6.7 to 6.9. */
type Names =
  | 'status'
  | 'transactionStatus'
  | 'currentReceipt'
  | 'errorText'
  | 'deviceInfo'
  | 'deviceDetails'
  | 'taxNumber'
  | 'modemInfo'
  | 'setClock'
  | 'readClock'

const REVERSALS = { operatorError: 2, refund: 3, taxBaseReduction: 4 } as const
/** 0 closed, 1 sale, 2 to 4 reversal by its reason, 5 non-fiscal. */
function openKind({ receipt }: FiscalDevice): number {
  if (receipt === null) return 0
  if (receipt.kind === 'nonFiscal') return 5
  return receipt.fiscal.kind === 'sale' ? 1 : REVERSALS[receipt.fiscal.reason ?? 'operatorError']
}

/** Fiscal memory number, document, date, time and sum of the last receipt, as the authority's QR has them. */
function qrOf(device: FiscalDevice): string {
  const { profile, lastFiscal } = device
  if (!lastFiscal) return ''
  const at = device.localTime(lastFiscal.closedAt)
  const document = String(lastFiscal.document).padStart(7, '0')
  return `${profile.fiscalMemoryNumber}*${document}*${at.slice(0, 10)}*${at.slice(11, 19)}*${formatMoney(lastFiscal.total)}`
}

const EMPTY_GROUPS = [0, 0, 0, 0, 0, 0, 0, 0]
const FIRMWARE_DATE = '01JAN25'
const FIRMWARE_TIME = '1000'
const FIRMWARE_CHECKSUM = 'A1B2'

export const queries: Handlers<Names> = {
  status(context, { option }) {
    const { device } = context
    switch (option) {
      case undefined:
        return ok({ form: 'bytes', status: statusBytes(device) })
      case 'receipt': {
        const last = device.lastFiscal
        return ok({
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
        return ok({ form: 'qr', qr: qrOf(device) })
    }
  },

  transactionStatus({ device }) {
    const { receipt, lastFiscal } = device
    const open = openKind(device)
    if (receipt?.kind === 'fiscal') {
      const { document, items, total, paid } = receipt.fiscal
      return ok({ open, document, items, amount: total, paid })
    }
    if (receipt) return ok({ open, document: receipt.document, items: 0, amount: 0, paid: 0 })
    // The number is that of the last document of any kind: one client takes a report, a copy or a movement of cash
    // for not printed while it stays the same.
    const document = device.counters.lastDocument
    if (!lastFiscal) return ok({ open, document, items: 0, amount: 0, paid: 0 })
    return ok({ open, document, items: lastFiscal.items, amount: lastFiscal.total, paid: lastFiscal.paid })
  },

  currentReceipt({ device }) {
    const fiscal = device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined
    return ok({
      groups: fiscal?.groups ?? EMPTY_GROUPS,
      invoice: fiscal?.invoice ?? false,
      nextInvoice: device.registers.invoiceRange?.next ?? 0,
      reversal: fiscal?.kind === 'reversal',
    })
  },

  errorText(_, { code }) {
    const found = ERRORS.find((entry) => entry.code === code)
    return found ? ok({ code, text: found.meaning }) : fail('notFound')
  },

  deviceInfo: ({ profile }, { form, checksum }) =>
    ok({
      form,
      model: profile.model,
      firmware: profile.firmware,
      date: FIRMWARE_DATE,
      time: FIRMWARE_TIME,
      checksum: checksum ? FIRMWARE_CHECKSUM : 'FFFF',
      switches: '00000000',
      serialNumber: profile.serialNumber,
      fiscalMemoryNumber: profile.fiscalMemoryNumber,
    }),

  deviceDetails({ device, profile }, { option }) {
    const { registers, counters } = device
    switch (option) {
      case 'identity':
        return ok({
          form: 'identity',
          serialNumber: profile.serialNumber,
          fiscalMemoryNumber: profile.fiscalMemoryNumber,
          header1: registers.header[0] ?? '',
          header2: registers.header[1] ?? '',
          taxNumber: registers.taxNumber,
          header3: registers.header[2] ?? '',
          header4: registers.header[3] ?? '',
        })
      case 'power':
        return ok({ form: 'power', mainMillivolts: 8_200, memoryMillivolts: 3_050, signalPercent: 80, network: true })
      case 'lastDocuments':
        return ok({
          form: 'lastDocuments',
          receiptOfDay: device.day.receipts,
          ...(counters.lastReceiptAt === null
            ? {}
            : { receiptAt: device.localTime(counters.lastReceiptAt).slice(0, 19) }),
          closure: counters.lastZ,
          ...(counters.lastZAt === null ? {} : { closureAt: device.localTime(counters.lastZAt).slice(0, 19) }),
        })
      case 'verifyJournal':
        return ok({ form: 'none' })
      case 'battery':
        return ok({ form: 'battery', millivolts: 8_200, chargePercent: 100 })
    }
  },

  taxNumber: ({ device }) => ok({ taxNumber: device.registers.taxNumber.slice(0, 13) }),

  modemInfo({ device, profile }, { kind = 'print' }) {
    switch (kind) {
      case 'print':
      case 'printServer': {
        const lines = [
          { text: 'DIAGNOSTIC', alignment: 'center', bold: true },
          { text: `${profile.model} ${profile.firmware}` },
          { text: `SN ${profile.serialNumber}` },
          { text: `FM ${profile.fiscalMemoryNumber}` },
          { text: `CLOSURES ${device.counters.lastZ}, LEFT ${device.memory.left}` },
          { text: `DOCUMENTS ${device.counters.lastDocument}` },
        ] as const
        return from(device.printReport('service', lines), () => ({ form: 'none' }) as const)
      }
      case 'server': {
        const at = device.localTime().slice(0, 19)
        return ok({
          form: 'server',
          lastContact: at,
          nextContact: at,
          lastClosureSent: device.counters.lastZ,
          closureErrors: 0,
          networkErrors: 0,
          serverErrors: 0,
          registrationErrors: 0,
          lastDocumentSent: device.counters.lastDocument,
          lastDocumentSentAt: at,
          unsentDocuments: 0,
          lastError: 0,
          lastErrorText: '',
          minutesLeft: 1_440,
        })
      }
      case 'modem':
      case 'lan':
      case 'card':
      case 'radio':
      case 'modemWithoutLink':
      case 'sendAll':
        return ok({ form: 'none' })
    }
  },

  setClock({ device }, { at }) {
    return from(device.setClock(at), plain)
  },
  readClock: ({ device }) => ok({ at: device.localTime().slice(0, 19) }),
}
