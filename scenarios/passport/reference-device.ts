/**
 * The reference device: an emulated device that is brought into the state of the real one and receives the same bytes.
 */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { factsFor, frameOf } from '../../drivers/wire/passport-probes.ts'
import type { DiscoveredDevice, Questionnaire, Request } from '../../drivers/wire/questionnaire.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { EmulatedFamilies } from '../../emulator/families.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { programDeviceFacts, settingsFrom } from '../../emulator/passport/configure-device.ts'
import { withOverrides } from '../../emulator/passport/overrides.ts'
import type { Override } from '../../emulator/passport/passport.ts'
import { OPERATOR } from '../../emulator/passport/passport-device.ts'
import type { Wire } from '../../emulator/wire.ts'
import type { Conversation, Exchange } from './conversation.ts'

export interface ReferenceSetup {
  readonly family: Family
  readonly families?: EmulatedFamilies
  readonly profile: string
  readonly switches: Readonly<Record<string, string>>
  readonly overrides?: readonly Override[]
  readonly discovered: DiscoveredDevice
  readonly password?: string
}

export interface Echo {
  readonly bytes: Uint8Array
  readonly frames: readonly Uint8Array[]
}

export interface ReplayResult {
  readonly echoes: readonly (readonly Echo[])[]
  readonly printed: readonly number[]
}

const PAST_MS = 600_000
/** Maximum number of created closures: more than a conversation queries. */
const CLOSURES_MAX = 30

/**
 * Thrown if the reference device has executed a command that the real device has refused. From then on their states
 * differ.
 */
class StateDiverged extends Error {}

export function replayer(q: Questionnaire, conversation: Conversation): (setup: ReferenceSetup) => ReplayResult {
  const refused = conversation.exchanges.map(({ requests, responses }) =>
    requests.map((frame, at) => refusedChange(q, frame, responses[at]?.frames ?? [])),
  )
  return (setup) => {
    try {
      return replayed(setup, q, conversation, refused, false)
    } catch (problem) {
      if (!(problem instanceof StateDiverged)) throw problem
      return replayed(setup, q, conversation, refused, true)
    }
  }
}

/** Requests, by exchange and frame, that would change something and were not executed. */
type RefusedChanges = readonly (readonly (Request | undefined)[])[]

/** `canReturn` restores the state after a command that the real device has not executed, which takes time. */
function replayed(
  setup: ReferenceSetup,
  q: Questionnaire,
  conversation: Conversation,
  refused: RefusedChanges,
  canReturn: boolean,
): ReplayResult {
  const { discovered } = setup
  const lineWidth = q.lineWidth?.(discovered.facts)
  const clock = new SimulatedClock(startOf(discovered, conversation) - PAST_MS)
  const emulator = createEmulator({
    family: setup.family,
    ...(setup.families && { families: setup.families }),
    profile: setup.profile,
    clock,
    store: new PlainStore(),
    options: setup.switches,
    ...(lineWidth !== undefined && { identity: { lineWidth } }),
    settings: {
      ...settingsFrom(discovered.facts),
      ...(setup.password !== undefined && { operators: { [OPERATOR]: { password: setup.password } } }),
    },
    frameHistorySize: 1,
  })
  try {
    programDeviceFacts(emulator, q, discovered.facts)
    createHistory(emulator, discovered, conversation)
    if (conversation.printBlockers.includes('paperOut')) emulator.setPaper('out')
    else if (isPaperLow(q, conversation)) emulator.setPaper('low')
    if (conversation.printBlockers.includes('coverOpen')) emulator.setCover(true)
    clock.advance(PAST_MS)
    const wire = withOverrides(emulator.wire, q, setup.overrides ?? [], emulator.device)
    const start = clock.now()
    const echoes: (readonly Echo[])[] = []
    const printed: number[] = []
    for (const [at, exchange] of conversation.exchanges.entries()) {
      clock.advance(Math.max(0, start + exchange.atMs - clock.now()))
      // Only the first attempt is compared, because the answers of an emulated device do not vary.
      if (exchange.attempt > 0) {
        echoes.push([])
        printed.push(0)
        continue
      }
      const before = emulator.device.mechanism.linesPrinted
      echoes.push(answerAll(emulator.device, wire, q, exchange, refused[at] ?? [], canReturn))
      printed.push(emulator.device.mechanism.linesPrinted - before)
    }
    return { echoes, printed }
  } finally {
    void emulator.close()
  }
}

/**
 * Returns the clock of the device at the start of the conversation, or a fixed time if the device did not report its
 * clock.
 */
function startOf({ clock }: DiscoveredDevice, { exchanges }: Conversation): number {
  const question = exchanges.find(({ probe, responses }) => probe?.command === 'readClock' && responses.length > 0)
  const at = clock === undefined ? Number.NaN : Date.parse(`${clock}Z`)
  return Number.isNaN(at) ? Date.UTC(2026, 0, 1, 12) : at - (question?.atMs ?? 0)
}

/** Some answers repeat the low-paper flag in their data, which is compared. */
function isPaperLow(q: Questionnaire, { exchanges }: Conversation): boolean {
  const first = exchanges.find(({ responses }) => (responses[0]?.frames.length ?? 0) > 0)
  const request = first && q.readRequest(first.requests[0] as Uint8Array)
  return (request && q.readAnswer(first.responses[0]?.frames ?? [], request)?.flags.includes(q.lowPaper)) ?? false
}

function createHistory(
  { device }: Emulator,
  { history, facts }: DiscoveredDevice,
  { initialReceipt }: Conversation,
): void {
  const group = TAX_CODES.find((code) => (facts.taxRates?.[taxLetter(code)] ?? null) !== null) ?? 1
  const documents = history.documents - (initialReceipt.receipt === 'none' ? 0 : 1)
  const receipt = () => {
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    const sold = history.hasSold && device.sellArticle({ plu: 1, quantity: 1_000, void: false }).ok
    if (!sold) device.sell({ name: 'PASSPORT', taxCode: group, price: 1, quantity: 1_000, void: false })
  }
  const closed = () => {
    receipt()
    device.pay({ mode: 0 })
    device.closeFiscal()
  }
  for (let done = 0; done < Math.min(history.closures, CLOSURES_MAX); done++) {
    if (done === 0 && history.hasReceipt) closed()
    device.reportZ()
  }
  if (history.isDayOpen || (history.hasReceipt && history.closures === 0)) closed()
  else if (documents > 0 && history.closures === 0) {
    device.openNonFiscal()
    device.closeNonFiscal()
  }
  if (initialReceipt.receipt === 'nonFiscal') device.openNonFiscal()
  if (initialReceipt.receipt === 'fiscal') receipt()
}

export function readEcho(wire: Wire, q: Questionnaire, bytes: Uint8Array): Echo {
  const deframer = new Deframer(wire.shape)
  const answerBytes: Uint8Array[] = []
  for (const event of deframer.push(bytes)) {
    const meeting = wire.meet(event)
    if (meeting.kind === 'reply') answerBytes.push(meeting.bytes)
    if (meeting.kind === 'run') {
      const { frames, stream } = meeting.run()
      answerBytes.push(...(stream?.lines ?? []), ...frames)
    }
  }
  const rest = deframer.expire()
  const late = rest && wire.expired(rest)
  if (late) answerBytes.push(late)
  const all = Buffer.concat(answerBytes)
  const plain = all[0] === q.busyByte ? all.filter((byte) => byte !== q.busyByte) : all
  const frames = new Deframer(q.framesFromDevice)
    .push(plain)
    .flatMap((event) => (event.kind === 'frame' ? [event.bytes] : []))
  return { bytes: plain, frames }
}

function answerAll(
  device: FiscalDevice,
  wire: Wire,
  q: Questionnaire,
  exchange: Exchange,
  refused: RefusedChanges[number],
  canReturn: boolean,
): readonly Echo[] {
  if (exchange.reads) return readToItsEnd(wire, q, exchange)
  return exchange.requests.map((frame, at) => {
    const request = refused[at]
    const before = request && canReturn ? device.snapshot() : undefined
    const echo = readEcho(wire, q, ownFrame(q, exchange, frame, device))
    if (request && isDone(q, request, echo.frames)) {
      if (!before) throw new StateDiverged()
      device.restore(before)
    }
    return echo
  })
}

function refusedChange(q: Questionnaire, frame: Uint8Array, answerBytes: readonly Uint8Array[]): Request | undefined {
  const request = q.readRequest(frame)
  const command = request && q.catalogue.find(request.code, request.data)
  const changes = command && request ? factsFor(command, request.data, q.page)?.changes : undefined
  const mayStray = request !== undefined && changes !== undefined && changes !== 'nothing'
  return mayStray && !isDone(q, request, answerBytes) ? request : undefined
}

function ownFrame(q: Questionnaire, { probe }: Exchange, frame: Uint8Array, { counters }: FiscalDevice): Uint8Array {
  const number = probe?.closure && q.readRequest(frame)?.number
  return (number !== undefined && probe?.write(q, number, counters.lastZ)[0]) || frame
}

const isDone = (q: Questionnaire, request: Request, frames: readonly Uint8Array[]): boolean => {
  const response = q.readAnswer(frames, request)
  return response !== undefined && response.refusal === undefined
}

/** Reads until the reference device has no more lines. Its documents have other lines than those of the real device. */
function readToItsEnd(wire: Wire, q: Questionnaire, { reads, requests }: Exchange): readonly Echo[] {
  const echoes: Echo[] = []
  let number = q.numbers.first
  for (let ask = reads?.first; ask && echoes.length < 2_000; ask = reads?.again) {
    number = number >= q.numbers.last ? q.numbers.first : number + 1
    // The recorded first number differs from the number of the preceding command.
    const frame = echoes.length === 0 ? (requests[0] as Uint8Array) : frameOf(q, ask, number)
    const echo = readEcho(wire, q, frame)
    echoes.push(echo)
    const request = q.readRequest(frame)
    const response = request && q.readAnswer(echo.frames, request)
    if (!response || response.refusal !== undefined) break
  }
  // The next command may have the number of the last one.
  wire.restart()
  return echoes
}
