/**
 * A command changes only the parts of a device that its declaration permits. Every request of the fixtures is sent in
 * every phase of a receipt, and the snapshots before and after are compared.
 */
import { describe, expect, it } from 'vitest'
import { catalogueOf } from '../../drivers/family-a/protocol/index.ts'
import { type AnyCommand, type Change, factsOf } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import { familyA } from '../../emulator/family-a/index.ts'
import { familyB } from '../../emulator/family-b/index.ts'
import { familyC } from '../../emulator/family-c/index.ts'
import type { DeviceSnapshot, FiscalDevice } from '../../emulator/fiscal/api.ts'
import { RECEIPT_PHASES, type ReceiptPhase, receiptPhase } from '../../emulator/fiscal/receipt-phase.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { startWire } from '../support/rig.ts'
import { askData } from './codec.ts'
import { framesA, framesRo } from './family-a.ts'
import { framesB } from './family-b.ts'
import { framesC } from './family-c.ts'
import type { FamilyFrames, FrameFixture } from './frame-fixtures.suite.ts'

/**
 * Parts of a snapshot that a command may change: with `prints` these, with `day` also those of `DAY`, and with `memory`
 * all.
 */
const PAPER = ['journal', 'journal_documents', 'paper', 'courses', 'open_document', 'counters', 'mechanism', 'display']
const DAY = [...PAPER, 'articles', 'day', 'last', 'totals', 'registers']

const allowed = (changes: Change, part: string): boolean =>
  changes === 'memory' || (changes !== 'nothing' && (changes === 'day' ? DAY : PAPER).includes(part))

function partsOf({ tables }: DeviceSnapshot): Map<string, string> {
  const { state = [], ...others } = tables
  const rows = Object.fromEntries(state.map(({ name, body }) => [name, JSON.parse(String(body))])) as Rows
  const { documents, firstDocument, ...day } = rows.day
  const { lastNonFiscal, ...parameters } = rows.registers.parameters
  const counters = [rows.counters, documents, firstDocument, lastNonFiscal]
  const parts = { ...others, ...rows, day, registers: { ...rows.registers, parameters }, counters }
  return new Map(Object.entries(parts).map(([part, content]) => [part, JSON.stringify(content)]))
}

interface Rows {
  readonly day: { readonly documents: number; readonly firstDocument: number | null }
  readonly registers: { readonly parameters: Readonly<Record<string, string>> }
  readonly counters: object
}

const BREAD = { name: 'Bread', taxCode: 1, price: 250, quantity: 1_000, void: false } as const
const sale = (device: FiscalDevice) => {
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell(BREAD)
  device.sell({ ...BREAD, name: 'Milk', taxCode: 2 })
}

const WAYS: Readonly<Record<ReceiptPhase, (device: FiscalDevice) => void>> = {
  idle: () => undefined,
  nonFiscal: (device) => void device.openNonFiscal(),
  selling: sale,
  paying(device) {
    sale(device)
    device.pay({ mode: 0, amount: 100 })
  },
  paid(device) {
    sale(device)
    device.pay({ mode: 0 })
  },
}

const FURTHER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  A: { subtotal: '0\t0\t', cashInOut: '0\t0.00\t', invoiceRange: '', memoryTest: '', clients: 'I\t' },
  B: {
    ...{ subtotal: '00', dailyReport: '5', cashInOut: '', printOptions: 'I0' },
    ...{ texts: 'R40', parameters: 'R1', paymentNames: 'R1', department: 'R1' },
  },
  ro: {
    ...{ lastClosure: '', daySums: '2\t', closuresLeft: '', dayCounters: '3\t', status: '', currentReceipt: '' },
    ...{ errorText: '-111016\t', deviceInfo: '\t', deviceDetails: '1\t', taxNumber: '', readClock: '' },
    ...{ memoryReport: '3\t', memoryReportByDate: '3\t', articles: 'I\t', journalRead: '21\t' },
    departmentTotals: '1\t',
  },
  C: {
    ...{ readInvoiceRange: '', receiptPayments: 'P' },
    ...{ registration: '', subtotal: '0;0', readArticle: '00001', memoryReport: '0001;0002;2' },
    ...{ memoryReportBrief: '0001;0002;2', memoryReportByDate: '010126;311226;2' },
    ...{ memoryReportByDateBrief: '010126;311226;2' },
  },
}

interface Request {
  readonly command: AnyCommand
  readonly data: string
}

function requestsOf(
  { family, frames, ledger, commands, page, layoutOf }: FamilyFrames,
  profile: string,
): readonly Request[] {
  const byName = new Map(commands.map((command) => [command.name, command]))
  const asked = (name: string | undefined, data: (command: AnyCommand) => string | undefined): readonly Request[] => {
    const command = byName.get(name ?? '')
    const content = command && data(command)
    return command && content !== undefined ? [{ command, data: content }] : []
  }
  const ours = frames.filter((frame) => ((frame as { profile?: string }).profile ?? profile) === profile)
  return [
    ...ours
      .filter(({ ask }) => ask.bytes !== '')
      .flatMap((frame) => asked(frame.ask.command, (command) => askData(frame, command, page))),
    ...Object.entries(ledger).flatMap(([name, { request }]) =>
      asked(name, () => (request.data === undefined ? undefined : layoutOf('request', request.data))),
    ),
    ...Object.entries({ ...FURTHER[family], ...FURTHER[profile] }).flatMap(([name, data]) => asked(name, () => data)),
  ]
}

const FAMILIES: readonly (readonly [string, FamilyFrames, EmulatedFamily])[] = [
  ['bg', { ...framesA, commands: catalogueOf('bg').all }, familyA],
  ['ro', framesRo, familyA],
  ['b8', framesB, familyB],
  ['c4', framesC, familyC],
]

describe.each(FAMILIES)('the commands of %s', (profile, family, emulated) => {
  const requests = requestsOf(family, profile)

  function changesOf({ command, data }: Request): Change | undefined {
    try {
      return factsOf(command, command.request.read(data, family.page)).changes
    } catch (problem) {
      if (problem instanceof FieldError) return undefined
      throw problem
    }
  }

  it('have a fixture for every command that changes nothing', () => {
    const questions = family.commands.filter(
      ({ changes, variants = [] }) =>
        changes === 'nothing' ||
        variants.some((one) => one.changes === 'nothing' && (one.editions?.includes(profile) ?? true)),
    )
    const queried = new Set(requests.filter((one) => changesOf(one) === 'nothing').map(({ command }) => command.name))
    expect(questions.map(({ name }) => name).filter((name) => !queried.has(name))).toEqual([])
  })

  it.each(RECEIPT_PHASES)('change exactly what they declare, in this phase of a receipt: %s', (phase) => {
    const { device, wire, hear } = startWire(emulated, { profile })
    sale(device)
    device.pay({ mode: 0 })
    device.closeFiscal()
    device.reportZ()
    WAYS[phase](device)
    expect(receiptPhase(device)).toBe(phase)
    const start = device.snapshot()
    const before = partsOf(start)
    const wrong: string[] = []
    requests.forEach((one, at) => {
      const changes = changesOf(one)
      if (changes === undefined) return
      const { command, data } = one
      const seq = (0x20 + (at % 64)).toString(16)
      const frame = { profile, seq, ask: { command: command.name, code: command.code, data } }
      hear(family.codec.writeAsk(frame as unknown as FrameFixture))
      const after = partsOf(device.snapshot())
      const changed = [...after].filter(([part, rows]) => before.get(part) !== rows).map(([part]) => part)
      const beyond = changed.filter((part) => !allowed(changes, part))
      if (beyond.length > 0)
        wrong.push(`${command.name} ${JSON.stringify(data)} changes ${beyond}, not only ${changes}`)
      if (changed.length === 0) return
      device.restore(start)
      wire.restart()
    })
    expect(wrong).toEqual([])
  })
})
