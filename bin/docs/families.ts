import { readFileSync } from 'node:fs'
import { type Capabilities, capabilitiesOf, FAMILIES } from '../../drivers/index.ts'
import { formatMoney, formatPercent } from '../../drivers/model/money.ts'
import { TAX_CODES } from '../../drivers/model/receipt.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import { BARCODE_NAMES } from '../../server/endpoints/bodies.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { blocks, code, table } from './table.ts'

interface Column {
  readonly family: string
  readonly profile: string
  readonly can: Capabilities
  readonly device: DeviceProfile
}

const columns: readonly Column[] = FAMILIES.flatMap((family) => {
  const emulated = emulatedFamilies.get(family)
  return (emulated?.profiles ?? []).map((profile) => ({
    family,
    profile,
    can: capabilitiesOf({ family, device: '', options: { profile } }),
    device: (emulated as NonNullable<typeof emulated>).profile(profile),
  }))
})

const sideBySide = (title: string, rows: readonly (readonly [string, (column: Column) => string])[]): string =>
  table(
    [title, ...columns.map(({ family, profile }) => `${family} ${code(profile)}`)],
    rows.map(([name, cell]) => [name, ...columns.map(cell)]),
  )

const yesOrNo = (is: unknown): string => (is ? 'yes' : 'no')
const list = (modes: readonly { readonly mode: number; readonly name: string }[]): string =>
  modes.map(({ mode, name }) => `${mode} ${name}`).join(', ')

const percentRange = ({ surcharge, discount }: { surcharge: number; discount: number }): string =>
  surcharge === discount ? formatPercent(discount) : `-${formatPercent(discount)}, +${formatPercent(surcharge)}`

const SUBTOTAL_AMOUNT = { always: 'yes', oneTaxGroup: 'within one tax group', never: 'no' } as const

function refusedBy(can: Capabilities): string[][] {
  return endpoints.flatMap(({ path, refuses }) => {
    const why = refuses?.(can)
    return why === undefined ? [] : [[code(path), why]]
  })
}

function refusals(): string {
  const first = FAMILIES.map((family) => columns.find((one) => one.family === family) as Column)
  const parts = first.map(({ family, can }) => {
    const rows = refusedBy(can)
    const also = [
      can.refusesZeroRows ? 'A row of zero value is refused by the device.' : undefined,
      can.invoice ? undefined : 'The flag `Invoice` is ignored.',
      can.textFormatting === 'none' ? 'Of a text only the message is printed: its format is ignored.' : undefined,
      can.nonFiscalNeedsOperator ? 'A non-fiscal receipt is not opened without operator and password.' : undefined,
    ].filter((one) => one !== undefined)
    return blocks(
      `### Family ${family}`,
      table(['request', 'refused with 400'], rows),
      can.barcodes.length === 0 ? `Every barcode: \`${can.barcodeRefusal(1)}\`` : undefined,
      also.map((one) => `- ${one}`).join('\n'),
    )
  })
  return blocks(...parts)
}

function barcodes(): string {
  const rows = Object.entries(BARCODE_NAMES).map(
    ([type, name]) =>
      [
        `${type} ${name}`,
        ({ can }: Column) => can.barcodes.find((one) => one.type === Number(type))?.data ?? '-',
      ] as const,
  )
  return sideBySide('type', rows)
}

const VALUES_MAX = 10

const formatValues = (values: readonly string[]): string =>
  values.length > VALUES_MAX
    ? `${values.slice(0, 3).map(code).join(', ')}, ... ${code(values.at(-1) ?? '')}: ${values.length} values`
    : values.map(code).join(', ')

const switches = (): string =>
  table(
    ['family', 'switch', 'values, the usual one first'],
    FAMILIES.flatMap((family) =>
      Object.entries(emulatedFamilies.get(family)?.switches ?? {}).map(([name, values]) => [
        family,
        code(name),
        formatValues(values),
      ]),
    ),
  )

interface StateDescription {
  readonly wire: readonly string[]
  readonly receipt: string
  readonly display: string
  readonly paper: readonly string[]
}

/** test/registers/states.test.ts compares this table with the devices and the service. */
function describeStates(family: string): string {
  const file = new URL('../../fixtures/states.json', import.meta.url)
  const states = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, StateDescription>>
  return table(
    ['state', 'status on the wire', 'a receipt by the service', 'a text for the display', 'paper'],
    Object.entries(states[family] ?? {}).map(([state, { wire, receipt, display, paper }]) => [
      state,
      wire.map(code).join(', ') || '-',
      receipt,
      display,
      paper.join(', ') || '-',
    ]),
  )
}

const INTRODUCTION = `A family is a wire protocol with its own rules; a profile is a device that speaks it. The service behaves the same on all of
them as far as the devices allow. If a family does not support a request, the service refuses it before anything is printed. How
each byte of a wire is known is listed in [How the wire is known](./fidelity.md).`

export function familiesText(): string {
  return blocks(
    INTRODUCTION,
    '## What they can do',
    sideBySide('', [
      ['free sale', ({ can }) => yesOrNo(can.freeSale === true)],
      ['invoice', ({ can }) => yesOrNo(can.invoice)],
      [
        'text formatting',
        ({ can }) => (can.textFormatting === 'full' ? 'bold, italic, underline, height, alignment' : 'no'),
      ],
      ['barcodes', ({ can }) => (can.barcodes.length === 0 ? 'none' : can.barcodes.map(({ type }) => type).join(', '))],
      ['operator for a non-fiscal receipt', ({ can }) => (can.nonFiscalNeedsOperator ? 'required' : 'no')],
      ['number of the point of sale', ({ can }) => yesOrNo(can.pointOfSale)],
      ['sale of an article at a price other than the programmed one', ({ can }) => yesOrNo(can.articlePrice)],
      ['sale of zero value', ({ can }) => yesOrNo(!can.refusesZeroRows)],
      ['display', ({ device }) => `${device.displayLines} x ${device.displayWidth}`],
    ]),
    '## Limits',
    sideBySide('', [
      ['characters of a line', ({ can }) => String(can.lineWidth)],
      ['percentage on a row', ({ can }) => percentRange(can.limits.rowPercent)],
      ['percentage on the subtotal', ({ can }) => percentRange(can.limits.subtotalPercent)],
      ['amount on the subtotal', ({ can }) => SUBTOTAL_AMOUNT[can.limits.subtotalAmount ?? 'always']],
      ['adjusted subtotals of a receipt', ({ can }) => String(can.limits.adjustedSubtotals ?? 'any number')],
      ['payments of a receipt', ({ can }) => String(can.limits.payments)],
      ['rows of a receipt', ({ device }) => String(device.maxSales)],
      ['digits of a quantity', ({ can }) => String(can.limits.quantityDigits ?? 9)],
      ['digits of a payment', ({ can }) => String(can.limits.paymentDigits ?? 9)],
      ['largest row', ({ device }) => formatMoney(device.rules.rowMaximum)],
      ['largest receipt', ({ device }) => formatMoney(device.rules.receiptMaximum)],
      ['operators', ({ device }) => String(device.operators)],
      [
        'password',
        ({
          can: {
            passwordLength: { min, max, digits },
          },
        }) => `${min === max ? max : `${min} to ${max}`} ${digits ? 'digits' : 'characters'}`,
      ],
      ['password of operator 1, from the factory', ({ can }) => code(can.defaultPassword(1))],
      ['articles', ({ device }) => String(device.articles.capacity)],
      ['characters of a name', ({ device }) => String(device.articles.nameLength)],
      ['Z reports in the fiscal memory', ({ device }) => String(device.fiscalMemoryCapacity)],
    ]),
    '## Tax groups',
    sideBySide('', [
      [
        'groups',
        ({ can, device }) =>
          `${Math.min(can.limits.taxGroups ?? TAX_CODES.length, device.taxGroups)}: A to ${'ABCDEFGH'[device.taxGroups - 1]}`,
      ],
    ]),
    '## Payment modes',
    'The numbers of `PaymentMode`; 0 is cash on every family.',
    sideBySide('', [['modes', ({ can }) => list(can.paymentModes)]]),
    '## Barcodes',
    barcodes(),
    '## What is refused, or has no meaning',
    refusals(),
    '[Refusals](./refusals.md) lists all messages for refusals of a device.',
    '## Firmware',
    '`emulate --switch NAME=VALUE` imitates particular firmware, and so does `switches` in [the library](./library.md).',
    switches(),
    '## States of a register',
    'You can set each state with a call of the control API (`POST /emulator/paper`, `cover`, `display`, `clock`, `fiscalised`, `faults`). The differences are:',
    ...FAMILIES.flatMap((family) => [`### States of family ${family}`, describeStates(family)]),
    '## Not modelled',
    'Parts of the protocol specifications that neither the emulated devices nor the drivers support.',
    ...FAMILIES.flatMap((family) => [
      `### Family ${family}`,
      (emulatedFamilies.get(family)?.notModelled ?? []).map(([what, why]) => `- ${what}: ${why}.`).join('\n'),
    ]),
    '## Emulated devices',
    sideBySide('', [
      ['model', ({ device }) => device.model],
      ['firmware', ({ device }) => device.firmware],
      ['serial number', ({ device }) => code(device.serialNumber)],
      ['fiscal memory', ({ device }) => code(device.fiscalMemoryNumber)],
    ]),
  )
}
