/** The wire protocol of family C (sheet 2 and 5). */
import { STREAM_END } from '../../drivers/family-c/protocol/commands/reports.ts'
import { ILLEGAL_STATE, type Nibbles, OK } from '../../drivers/family-c/protocol/errors.ts'
import {
  ACK,
  type CommandFrame,
  type HostFrame,
  hostShape,
  LOGO_NUMBER,
  strictHostShape,
  writeAck,
  writeFrame,
} from '../../drivers/family-c/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-c/protocol/index.ts'
import { type ByteText, codePage, fromBytes } from '../../drivers/wire/charset.ts'
import { composeWire, type Question, questionOf } from '../composed-wire.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { makeDueZ, untilAutomaticZ } from '../fiscal/automatic-z.ts'
import type { Done } from '../handler.ts'
import type { SwitchOptions, Wire } from '../wire.ts'
import { orderOfChecks } from './checks.ts'
import type { Context, ReplyExtras } from './context.ts'
import { describeWith } from './describe.ts'
import { editionOf } from './edition.ts'
import { handlers } from './handlers/index.ts'
import { idleOf, makeAutomaticZ } from './idle-actions.ts'
import { answerWithoutFrame } from './pings.ts'
import { newSession } from './session.ts'
import { switchesOf } from './switches.ts'

/** Time without a byte, in ms, after which a partial frame is dropped (sheet 2.6). */
const GAP_MS = 500
/** Readers of a stream stop at the byte 40h wherever it occurs (sheet 4.15). */
const STREAM_STOP = STREAM_END.charCodeAt(0)

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<HostFrame> {
  const switches = switchesOf(options)
  const edition = editionOf(device.profile)
  const session = newSession(device)
  const context: Context = { device, edition, switches, session }
  const page = codePage(edition.codePage)
  const catalogue = catalogueOf(edition.name)

  function rememberPowerCut(): void {
    if (device.receipt?.kind !== 'fiscal') return
    session.powerCut = true
    session.powerCutReported = false
  }

  function read(frame: HostFrame): Question<CommandFrame> | undefined {
    const command = commandIn(frame)
    if (!command) return undefined
    const { code, data } = command
    const question = questionOf(command, catalogue.find(code, data), (request) => request.read(data, page))
    // Fiscal and non-fiscal text have the same command. The open receipt decides which one is meant.
    const isNonFiscal = question.command?.name === 'fiscalText' && device.receipt?.kind === 'nonFiscal'
    return isNonFiscal ? { ...question, facts: { ...question.facts, runsAs: 'nonFiscalText' } } : question
  }

  const acknowledge = (number: number, nibbles: Nibbles): Uint8Array => {
    const ack = writeAck(number, nibbles.device, nibbles.command)
    return switches.errorDigits === 'letters' ? withLetters(ack) : ack
  }

  /**
   * Returns a message for each line, and the end. No byte before the end may be 40h, neither in a text nor as length or
   * number.
   */
  function stream(
    frame: CommandFrame,
    { lines, raw = false, end = STREAM_END }: NonNullable<ReplyExtras['stream']>,
  ): Uint8Array[] {
    const number = frame.number === STREAM_STOP ? STREAM_STOP + 1 : frame.number
    const width = device.profile.lineWidth
    const message = (line: string): Uint8Array => {
      const bytes = safe(page.encode(line))
      const padded = raw ? bytes : bytes.slice(0, width).padEnd(width, ' ')
      // 29 bytes of data would make LEN 40h.
      return writeFrame(number, frame.code, padded.length === 29 ? `${padded} ` : padded.slice(0, 220))
    }
    return [writeAck(frame.number, 0, 0), ...lines.map(message), writeFrame(number, frame.code, end)]
  }

  function message(
    { frame, command }: Question<CommandFrame>,
    { values, valuesAtEnd }: Done<unknown> & ReplyExtras,
  ): Uint8Array {
    const data = command?.response.write(valuesAtEnd ? valuesAtEnd() : values, page) ?? ''
    return writeFrame(
      frame.number,
      frame.code,
      command?.name === 'status' ? data.slice(0, Number(switches.statusBytes)) : data,
    )
  }

  // A receipt that is open when the emulator starts was interrupted together with the emulator that printed it.
  rememberPowerCut()
  return composeWire<HostFrame, Context, Nibbles, ReplyExtras, CommandFrame>(context, {
    shape: switches.checkSymbols === 'strict' ? strictHostShape : hostShape,
    timing: { gapMs: GAP_MS, idle: () => idleOf(context) ?? untilAutomaticZ(device, switches.automaticZ) },
    catalogue: catalogue.all,
    read: (frame) => (session.silent ? undefined : read(frame)),
    orderOfChecks: orderOfChecks(context),
    handlers,
    write(question, reply) {
      const { number } = question.frame
      if (!reply.ok) return [acknowledge(number, reply.reason)]
      if (reply.stream) return stream(question.frame, reply.stream)
      return [reply.values === undefined ? acknowledge(number, OK) : message(question, reply)]
    },
    notNow: ILLEGAL_STATE,
    due() {
      makeAutomaticZ(context)
      makeDueZ(device, switches.automaticZ)
    },
    beside: (event, isBusy) => answerWithoutFrame(context, event, isBusy),
    waitsForPaper: () => device.mechanism.blocked,
    expired: () => undefined,
    baud: () => session.baud,
    setUpBaud(baud) {
      session.setUpBaud = baud
      session.baud = baud
    },
    restart() {
      session.silent = false
      session.baud = session.setUpBaud
      rememberPowerCut()
    },
    describe: describeWith(read, edition),
  })
}

/** A frame that contains a bitmap is a command too, although its layout differs. */
function commandIn(frame: HostFrame): CommandFrame | undefined {
  switch (frame.kind) {
    case 'command':
      return frame
    case 'logo':
      return { kind: 'command', number: LOGO_NUMBER, code: frame.code, data: fromBytes(frame.bitmap) }
    case 'gs':
    case 'mode':
      return undefined
  }
}

/** Control bytes and 40h would end or split the data that a client reads (sheet 2.2 and 4.15). */
const safe = (bytes: ByteText): ByteText => bytes.replace(/[\x00-\x1f]/g, ' ').replaceAll('@', '#')

/** Older firmware sends codes 10 to 15 as `A` to `F` (sheet 2.3), which changes the checksum. */
function withLetters(ack: Uint8Array): Uint8Array {
  const letter = (byte: number): number => (byte > 0x39 ? byte + 7 : byte)
  const [, number = 0, device = 0, command = 0] = ack
  const [one, two] = [letter(device), letter(command)]
  const sum = number ^ one ^ two
  return Uint8Array.of(ACK, number, one, two, 0x30 + (sum >> 4), 0x30 + (sum & 15), 0x0a)
}
