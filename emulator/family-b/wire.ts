/** The wire protocol of family B: sheet 5 (link rules) and 8 (errors, order of checks). */
import {
  DATA_MAX,
  LINE_START,
  LINE_TAKEN,
  NAK,
  type RequestFrame,
  requestShape,
  SYN,
  writeAnswer,
  writeLine,
} from '../../drivers/family-b/protocol/frame.ts'
import { catalogueOf, commands } from '../../drivers/family-b/protocol/index.ts'
import { writeStatus } from '../../drivers/family-b/protocol/status.ts'
import type { CodePage } from '../../drivers/wire/charset.ts'
import { factsOf } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import { composeWire, type Question, questionOf } from '../composed-wire.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { makeDueZ, untilAutomaticZ } from '../fiscal/automatic-z.ts'
import type { SwitchOptions, Wire } from '../wire.ts'
import { orderOfChecks } from './checks.ts'
import type { Context, ReplyExtras } from './context.ts'
import { describeWith } from './describe.ts'
import { editionOf } from './edition.ts'
import { handlers } from './handlers/index.ts'
import type { Reason } from './refusals.ts'
import { newSession, stateAfterPowerOn } from './session.ts'
import { statusOf } from './status.ts'
import { switchesOf } from './switches.ts'

const GAP_MS = 500
/** Time until the first SYN, in ms. The first reaction is due within 60 ms (sheet 5), but timers fire late. */
const FIRST_SYN_MS = 40

/** Control bytes that texts must not contain. 10h is allowed, because display commands escape control bytes with it. */
const STRAY = /[\x00-\x08\x0b-\x0f\x11-\x1f]/

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<RequestFrame> {
  const switches = switchesOf(options)
  const edition = editionOf(device.profile)
  const session = newSession(device)
  const context: Context = { device, edition, switches, session }
  const page = strictTexts(edition.page)
  const catalogue = catalogueOf(edition.name)

  const read = (frame: RequestFrame): Question<RequestFrame> => {
    const { data } = frame
    const declaredCommand = catalogue.find(frame.command, data)
    // Source M3: some firmware lacks the optional commands.
    const command = declaredCommand?.optional && switches.freeSale === 'false' ? undefined : declaredCommand
    return questionOf(frame, command, (request) => {
      if (data.length > DATA_MAX || (STRAY.test(data) && command?.name !== 'displayRaw')) {
        throw new FieldError('data', 'syntax', 'is too long, or holds a control byte')
      }
      const values = request.read(data, page)
      // Some arguments are accepted only by the other edition (sheet 2, 10.5 and 10.7).
      if (command && factsOf(command, values).editions?.includes(edition.name) === false) {
        throw new FieldError('data', 'syntax', `is a form that ${edition.name} does not have`)
      }
      return values
    })
  }

  return composeWire<RequestFrame, Context, Reason, ReplyExtras>(context, {
    shape: requestShape,
    timing: {
      busy: { byte: SYN, everyMs: Number(switches.synMs), firstMs: FIRST_SYN_MS },
      gapMs: GAP_MS,
      idle: () => untilAutomaticZ(device, switches.automaticZ),
    },
    due: () => makeDueZ(device, switches.automaticZ),
    catalogue: commands,
    read,
    orderOfChecks: orderOfChecks(context),
    handlers,
    write({ frame, command: declaredCommand }, reply, waitsForPaper) {
      const { seq, command } = frame
      const data = reply.ok && declaredCommand ? declaredCommand.response.write(reply.values ?? {}, edition.page) : ''
      const failure = reply.ok ? reply.error && ({ channel: 'error', error: reply.error } as const) : reply.reason
      // A command without a declaration is always answered with "invalid command", never with "not allowed now".
      const reason = declaredCommand ? failure : ({ channel: 'invalid' } as const)
      const status = writeStatus(statusOf(device, switches, reason || undefined, waitsForPaper))
      return [writeAnswer({ seq, command, data, status })]
    },
    notNow: { channel: 'state', error: 20 },
    // While a command runs, all packets are dropped. The answer to the command also answers its retransmissions (sheet
    // 5.4).
    beside: ({ kind }, isBusy) => (kind === 'damaged' && !isBusy ? Uint8Array.of(NAK) : undefined),
    isRepeat: ({ frame }, before) => frame.seq === before.frame.seq && frame.command === before.frame.command,
    // A line that was waiting before the command belongs to an earlier command.
    waitsForPaper: ({ lines, wasBlocked, isDone }) =>
      isDone && (lines > 0 || (device.mechanism.blocked && !wasBlocked)),
    stream: ({ stream }) =>
      stream && { lines: stream.map(writeLine), acknowledges: (byte) => byte === LINE_TAKEN || byte === LINE_START },
    expired: () => (switches.partialFrame === 'nak' ? Uint8Array.of(NAK) : undefined),
    restart: () => void Object.assign(session, stateAfterPowerOn()),
    describe: describeWith(read, edition),
  })
}

/**
 * Returns the code page for texts, in which TAB and LF are separators (sheet 4): a text that contains one of them has
 * too many fields.
 */
const strictTexts = (page: CodePage): CodePage => ({
  ...page,
  decode(raw) {
    if (/[\t\n]/.test(raw)) throw new FieldError('text', 'syntax', 'holds a separator')
    return page.decode(raw)
  },
})
