/** Parameters by name (sheet 6.13, command 255). */
import type { EditionName } from '../../../drivers/family-a/protocol/edition.ts'
import type { ErrorKey } from '../../../drivers/family-a/protocol/errors.ts'
import { formatMoney, formatPercent, parseDecimal } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import { type Context, done, type Handlers, refused } from '../context.ts'
import type { Edition } from '../edition.ts'
import { withoutStyle } from './programming.ts'

interface Parameter {
  readonly count: number | ((edition: Edition) => number)
  read(context: Context, index: number): string
  /** Returns the refusal of an invalid value. Absent: the parameter is read-only. */
  readonly write?: (context: Context, index: number, value: string) => ErrorKey | undefined
}

const WRONG: ErrorKey = 'valueField3'
const keyOf = (name: string, index: number, count: number): string => (count > 1 ? `${name}.${index}` : name)

/** Returns a parameter that is stored but has no effect on the emulated device. */
const setting = (name: string, factory: string, pattern: RegExp, count = 1): Parameter => ({
  count,
  read: ({ device }, index) => device.registers.parameter(keyOf(name, index, count)) ?? factory,
  write({ device }, index, value) {
    if (!pattern.test(value)) return WRONG
    device.registers.setParameter(keyOf(name, index, count), value)
    return undefined
  },
})

/** Returns a parameter that is stored in the device's registers. `set` returns false for an invalid value. */
const registerMember = (
  count: Parameter['count'],
  read: Parameter['read'],
  set: (context: Context, index: number, value: string) => boolean,
): Parameter => ({
  count,
  read,
  write: (context, index, value) => (set(context, index, value) ? undefined : WRONG),
})

const readOnly = (read: (context: Context, index: number) => string | number, count = 1): Parameter => ({
  count,
  read: (context, index) => String(read(context, index)),
})

const SWITCH = /^[01]$/
const NUMBER = /^\d{1,9}$/
const text = (max: number): RegExp => new RegExp(`^[^\\x00-\\x1f]{0,${max}}$`)

/** Only texts of the edition ro contain style marks, which are not stored (sheet 9.1). */
const lineOf = ({ edition }: Context, value: string): string => (edition.name === 'ro' ? withoutStyle(value) : value)

const printedLines = (part: 'header' | 'footer', write: 'setHeader' | 'setFooter') =>
  registerMember(
    10,
    ({ device }, index) => device.registers[part][index] ?? '',
    (context, index, value) => {
      const { profile, registers } = context.device
      const line = lineOf(context, value)
      const fits = line.length <= profile.lineWidth
      if (fits) registers[write](index, line)
      return fits
    },
  )

const operators = (member: 'name' | 'password', pattern: RegExp) =>
  registerMember(
    30,
    ({ device }, index) => device.registers.operator(index + 1)?.[member] ?? '',
    ({ device }, index, value) => {
      const operator = device.registers.operator(index + 1)
      if (!operator || !pattern.test(value)) return false
      device.registers.setOperator({ ...operator, [member]: value })
      return true
    },
  )

const payment = ({ device }: Context, mode: number) => device.registers.payments.find((one) => one.mode === mode)

const modesOf = ({ paymentModes }: Edition): number => paymentModes.length

const paymentName = registerMember(
  modesOf,
  (context, index) => payment(context, index)?.name ?? '',
  ({ device }, index, name) => {
    if (name.length > 16) return false
    device.registers.setPayment(index, { name })
    return true
  },
)

const paymentForbidden = registerMember(
  modesOf,
  (context, index) => (payment(context, index)?.enabled === false ? '1' : '0'),
  ({ device }, index, value) => {
    if (!SWITCH.test(value)) return false
    device.registers.setPayment(index, { enabled: value === '0' })
    return true
  },
)

type Department = ReturnType<Context['device']['registers']['department']>

const department = (
  read: (of: Department) => string,
  change: (value: string, edition: Edition) => Partial<Department> | undefined,
) =>
  registerMember(
    99,
    ({ device }, index) => read(device.registers.department(index + 1)),
    ({ device, edition }, index, value) => {
      const changed = change(value, edition)
      if (changed) device.registers.setDepartment({ ...device.registers.department(index + 1), ...changed })
      return changed !== undefined
    },
  )

const priceOf = (value: string) => {
  const price = parseDecimal(value, 2)
  return typeof price === 'number' && price >= 0 && price <= 999_999_999 ? { price } : undefined
}

const day = (context: Context) => context.device.day
const range = (context: Context) => context.device.registers.invoiceRange
const local = (at: string | undefined): string =>
  at === undefined ? '' : `${at.slice(8, 10)}-${at.slice(5, 7)}-${at.slice(2, 4)} ${at.slice(11, 19)}`

export const PRINT = {
  PrintColumns: readOnly(({ device }) => device.profile.lineWidth),
  PrnQuality: setting('PrnQuality', '2', /^[0-4]$/),
  BarCodeHeight: setting('BarCodeHeight', '2', /^([1-9]|10)$/),
  BarcodeName: setting('BarcodeName', '1', SWITCH),
  AutoPaperCutting: setting('AutoPaperCutting', '1', SWITCH),
  PaperCuttingType: setting('PaperCuttingType', '0', SWITCH),
  LogoPrint: setting('LogoPrint', '0', SWITCH),
  VatPrintEnable: setting('VatPrintEnable', '1', SWITCH),
  EmptyLineAfterTotal: setting('EmptyLineAfterTotal', '0', SWITCH),
  DblHeigh_totalinreg: setting('DblHeigh_totalinreg', '1', SWITCH),
  Bold_payments: setting('Bold_payments', '0', SWITCH),
  DublReceipts: setting('DublReceipts', '0', SWITCH),
  FooterEmptyLines: setting('FooterEmptyLines', '0', /^\d$/),
  EnableNearPaperEnd: setting('EnableNearPaperEnd', '1', SWITCH),
  TimeOutBeforePrintFlush: setting('TimeOutBeforePrintFlush', '0', NUMBER),
} satisfies Readonly<Record<string, Parameter>>

const TEXTS: Readonly<Record<string, Parameter>> = {
  Header: printedLines('header', 'setHeader'),
  Footer: printedLines('footer', 'setFooter'),
  Unit_name: setting('Unit_name', '', text(6), 20),
  OperName: operators('name', /^.{0,32}$/s),
  PayName: paymentName,
  Payment_forbidden: paymentForbidden,
  Dept_name: department(
    ({ name }) => name,
    (name) => (name.length <= 72 ? { name } : undefined),
  ),
  Dept_price: department(({ price }) => formatMoney(price), priceOf),
  Dept_vat: department(
    ({ taxCode }) => String(taxCode),
    (value, { taxGroups }) =>
      /^[1-8]$/.test(value) && Number(value) <= taxGroups ? { taxCode: Number(value) as TaxCode } : undefined,
  ),
  Dept_unit: department(
    ({ unit }) => String(unit),
    (value) => (/^(1?\d)$/.test(value) ? { unit: Number(value) } : undefined),
  ),
  ItemGroups_name: setting('ItemGroups_name', '', text(72), 99),
}

const DEVICE: Readonly<Record<string, Parameter>> = {
  FpComBaudRate: setting('FpComBaudRate', '9', /^\d$/),
  MainInterfaceType: setting('MainInterfaceType', '0', /^[0-4]$/),
  EcrLogNumber: setting('EcrLogNumber', '1', NUMBER),
  EcrSafeOpening: setting('EcrSafeOpening', '0', SWITCH),
  EcrConnectedDeptReport: setting('EcrConnectedDeptReport', '0', SWITCH),
  EcrConnectedPluSalesReport: setting('EcrConnectedPluSalesReport', '0', SWITCH),
  EcrConnectedGroupsReport: setting('EcrConnectedGroupsReport', '0', SWITCH),
  EcrConnectedOperReport: setting('EcrConnectedOperReport', '0', SWITCH),
  EcrConnectedCashReport: setting('EcrConnectedCashReport', '0', SWITCH),
  EcrPluDailyClearing: setting('EcrPluDailyClearing', '0', SWITCH),
  EcrMandatorySubtotal: setting('EcrMandatorySubtotal', '0', SWITCH),
  EcrExtendedReceipt: setting('EcrExtendedReceipt', '1', SWITCH),
  AutoPowerOff: setting('AutoPowerOff', '1', NUMBER),
  LANport_fpCommands: setting('LANport_fpCommands', '4999', /^\d{1,5}$/),
}

const READ_ONLY: Readonly<Record<string, Parameter>> = {
  IDnumber: readOnly(({ device }) => device.numbers.serialNumber),
  FMnumber: readOnly(({ device }) => device.numbers.fiscalMemoryNumber),
  TAXnumber: readOnly(({ device }) => device.registers.taxNumber),
  Fiscalized: readOnly(({ device }) => (device.fiscalised ? 1 : 0)),
  DFR_needed: readOnly((context) => (day(context).receipts > 0 ? 1 : 0)),
  DecimalPoint: readOnly(() => 2),
  nZreport: readOnly(({ device }) => device.counters.lastZ),
  nReset: readOnly(({ device }) => device.counters.ramResets),
  nVatChanges: readOnly(({ device }) => device.counters.taxRateChanges),
  valVat: {
    count: ({ taxGroups }) => taxGroups,
    read({ device, edition }, index) {
      const rate = device.registers.taxRates[index] ?? null
      return rate === null ? edition.disabledRate : formatPercent(rate)
    },
  },
  nBon: readOnly(({ device }) => device.counters.lastDocument),
  nFBon: readOnly(({ device }) => device.counters.fiscalReceipts),
  nFBonDailyCount: readOnly((context) => day(context).receipts),
  nLastFiscalDoc: readOnly(({ device }) => device.counters.lastReceipt),
  nInvoice: readOnly((context) => range(context)?.next ?? 0),
  InvoiceRangeBeg: readOnly((context) => range(context)?.start ?? 0),
  InvoiceRangeEnd: readOnly((context) => range(context)?.end ?? 0),
  CurrClerk: readOnly(({ device }) => (device.receipt?.kind === 'fiscal' ? device.receipt.fiscal.operator : 0)),
  UNP: readOnly(({ session }) => session.persistentCells.UNP),
  EJNumber: readOnly(() => 1),
  FmWriteDateTime: readOnly(({ device }) => local(device.memory.lastRecordAt)),
  LastValiddate: readOnly(({ device }) => local(device.memory.lastRecordAt)),
}

const MONEY: Readonly<Record<string, Parameter>> = {
  CurrNameLocal: setting('CurrNameLocal', '', text(3)),
  CurrNameForeign: setting('CurrNameForeign', 'EUR', text(3)),
  ExchangeRate: setting('ExchangeRate', '1.00000', /^\d{1,5}(\.\d{1,5})?$/),
}

const numbers = (names: readonly string[]) => names.map((name) => [name, setting(name, '0', NUMBER)] as const)
const texts = (names: readonly string[]) => names.map((name) => [name, setting(name, '', text(64))] as const)
const fixed = (names: readonly string[], value: string) => names.map((name) => [name, readOnly(() => value)] as const)

/** Additional parameters of the edition ro (sheet 9.2). Most are only stored. */
const RO: ReadonlyMap<string, Parameter> = new Map<string, Parameter>([
  // Passwords are readable in the edition ro, and its clients require that.
  ['OperPasw', operators('password', /^\d{1,8}$/)],
  ['EcrMode', readOnly(({ session }) => session.persistentCells.mode)],
  ['Block24h', readOnly(({ device }) => (device.refusals.day() === undefined ? 0 : 1))],
  ['nRBonDailyCount', readOnly((context) => day(context).reversalReceipts)],
  ['UserIsVatRegistered', setting('UserIsVatRegistered', '1', SWITCH)],
  ['nHeaderChanges', readOnly(({ device }) => device.memory.eventsOf('header').length)],
  ['ItemsCount', readOnly(({ device }) => device.articles.count)],
  ['PayNamePgmbl', setting('PayNamePgmbl', 'ALTE METODE', text(16))],
  ['EcrMidnightWarning', setting('EcrMidnightWarning', '0', NUMBER)],
  ...numbers([
    ...['EcrAskForPassword', 'EcrAskForVoidPassword', 'EcrLogReport', 'EcrNumberBarcode', 'EcrOnlyAdminOpenShift'],
    ...['BarcodePrint', 'ForeignPrint', 'IntUseReceipts', 'FlushAtEndOnly', 'Line_spacing', 'NetInterfaceToUse'],
    ...['BkLight_AutoOff', 'KeyNDB_value', 'KeyNDB_percentage', 'KeyNDB_forbidden', 'KeyOTS_value'],
    ...['KeyOTS_percentage', 'KeyOTS_forbidden', 'DsblKeyZreport', 'DsblKeyXreport', 'DsblKeyDiagnostics'],
    ...['DsblKeyFmReports', 'DsblKeyOperatorsReports', 'DsblKeyJournal', 'DsblKeyDateTime', 'DsblKeyCloseReceipt'],
    ...['DsblKeyCancelReceipt', 'PYxx_Pgm', 'DPxx_PluCode', 'DHCPenable', 'BthEnable', 'BthDiscoverability'],
    ...['BthPairing', 'BackFeedSteps', 'AirPortLocated', 'ProfileType'],
  ]),
  ...texts([
    ...['EcrScaleBarMask', 'PluDiscountName', 'StlDiscountName', 'ServMessage', 'ServiceDate', 'APN', 'APN_User'],
    ...['APN_Pass', 'SimPin', 'SimTelNumber', 'LAN_IP', 'LAN_NetMask', 'LAN_Gateway', 'LAN_PriDNS', 'LAN_SecDNS'],
    ...['BthPinCode', 'Profile_startDate', 'Profile_endDate'],
  ]),
  ...fixed(['nIDnumberChanges', 'nFMnumberChanges', 'nTAXnumberChanges'], '1'),
  ...fixed(['IMEI', 'SimICCID', 'SimIMSI', 'LanMAC', 'BthVersion', 'BthAddress'], ''),
])

const TABLE: ReadonlyMap<string, Parameter> = new Map(
  [PRINT, TEXTS, DEVICE, READ_ONLY, MONEY].flatMap((group) => Object.entries<Parameter>(group)),
)
export const parameterNames = (edition: EditionName): readonly string[] => [
  ...TABLE.keys(),
  ...(edition === 'ro' ? RO.keys() : []),
]

export const parameters = {
  parameter(context, { name, index = 0, value }) {
    const parameter = TABLE.get(name) ?? (context.edition.name === 'ro' ? RO.get(name) : undefined)
    if (!parameter) return refused('valueField1')
    const { count } = parameter
    if (index >= (typeof count === 'number' ? count : count(context.edition))) return refused('valueField2')
    if (value === undefined) return done({ form: 'value', value: parameter.read(context, index) })
    if (!parameter.write) return refused('forbidden')
    const reason = parameter.write(context, index, value)
    return reason === undefined ? done({ form: 'written' }) : refused(reason)
  },
} satisfies Partial<Handlers>
