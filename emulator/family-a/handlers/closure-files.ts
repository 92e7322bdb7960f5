import { attributes, xml } from '../../../drivers/host/markup.ts'
import { formatMoney, formatPercent } from '../../../drivers/model/money.ts'
import { codePage } from '../../../drivers/wire/charset.ts'
import type { JournalDocument, ZRecord } from '../../fiscal/types/day.ts'
import type { CountedAmount } from '../../fiscal/types/registers.ts'
import type { Context } from '../context.ts'
import type { Edition } from '../edition.ts'

const WIRE_PIECE = 128

const counted = ({ count, amount }: CountedAmount): string[] => [String(count), formatMoney(amount)]

/**
 * Returns a structured Z report as one line of fields that each end with TAB. The order is the emulator's own, because
 * no layout is published (sheet 6.12).
 */
function structuredZ(z: ZRecord, { taxGroups, disabledRate, currencyMode }: Edition): string {
  const at = `${z.at.slice(8, 10)}-${z.at.slice(5, 7)}-${z.at.slice(0, 4)} ${z.at.slice(11, 19)}`
  const groups = Array.from({ length: taxGroups }, (_, index) => z.taxes[index])
  const modes = Array.from({ length: currencyMode }, (_, mode) => mode)
  const fields = [
    String(z.number),
    at,
    String(z.document),
    ...groups.map((group) => (group?.rate === null || group === undefined ? disabledRate : formatPercent(group.rate))),
    ...groups.map((group) => formatMoney(group?.turnover ?? 0)),
    ...groups.map((group) => formatMoney(group?.reversal ?? 0)),
    String(z.receiptsCount - z.reversalReceiptsCount),
    String(z.reversalReceiptsCount),
    ...counted(z.cancelled),
    ...counted(z.voids),
    ...counted(z.discounts),
    ...counted(z.surcharges),
    ...modes.map((mode) => formatMoney(z.payments[mode] ?? 0)),
    formatMoney(z.cashIn),
    formatMoney(z.cashOut),
    formatMoney(z.drawerCash),
    z.firstReceipt === null ? '' : String(z.firstReceipt),
    z.lastReceipt === null ? '' : String(z.lastReceipt),
    ...groups.map((group) => formatMoney(group?.tax ?? 0)),
    formatMoney(z.total),
    formatMoney(z.payments[currencyMode] ?? 0),
  ]
  return fields.map((field) => `${field}\t`).join('')
}

/**
 * Returns a document in Base64 pieces. A Z report is structured; any other document is returned as its printed text.
 */
export function structured(context: Context, document: JournalDocument): string[] {
  const z = document.kind === 'z' ? context.device.memory.z(document.kindNumber) : undefined
  const text = z
    ? structuredZ(z, context.edition)
    : context.device.journal
        .linesOf(document.document)
        .map((line) => `${line}\t`)
        .join('')
  return piecesOf(codePage('cp1251').encode(text), 'latin1')
}

export const piecesOf = (text: string, encoding: BufferEncoding = 'utf8'): string[] =>
  Buffer.from(text, encoding)
    .toString('base64')
    .match(new RegExp(`.{1,${WIRE_PIECE}}`, 'g')) ?? []

/** The name is the emulator's own: the authority's file layouts are not published with the wire protocol. */
export const fileName = ({ number }: ZRecord): string => `Z${String(number).padStart(4, '0')}.xml`

export function fileOf({ device, edition }: Context, z: ZRecord): string {
  const groups = z.taxes.slice(0, edition.taxGroups).map(({ taxCode, rate, turnover, tax }) => {
    const rated = attributes({ rate: rate === null ? undefined : formatPercent(rate) })
    return xml`<group letter="${String.fromCharCode(64 + taxCode)}"${rated} turnover="${formatMoney(turnover)}" tax="${formatMoney(tax)}"/>`
  })
  const { serialNumber } = device.profile
  const at = z.at.slice(0, 19)
  return String(
    xml`<closure number="${z.number}" at="${at}" device="${serialNumber}" receipts="${z.receiptsCount}" total="${formatMoney(z.total)}">${groups}</closure>`,
  )
}
