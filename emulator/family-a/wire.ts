/** The wire protocol of family A: sheet 2.4 to 2.7 (retransmissions, refusals) and 4.1 (order of checks). */
import { answersWithoutCode, writeCoded } from '../../drivers/family-a/protocol/answer.ts'
import { withQuantity } from '../../drivers/family-a/protocol/commands/articles.ts'
import { codeOf, type ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import {
  encodeDeviceFrame,
  type HostFrame,
  hostShape,
  isClassicFrame,
  MAX_ANSWER_DATA,
  NAK,
  SYN,
} from '../../drivers/family-a/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-a/protocol/index.ts'
import type { StatusFlag } from '../../drivers/family-a/protocol/status.ts'
import { type ByteText, codePage } from '../../drivers/wire/charset.ts'
import { composeWire, type Question, questionOf } from '../composed-wire.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { makeDueZ, untilAutomaticZ } from '../fiscal/automatic-z.ts'
import type { SwitchOptions, Wire } from '../wire.ts'
import { orderOfChecks } from './checks.ts'
import type { Context, Reply } from './context.ts'
import { describeWith } from './describe.ts'
import { editionOf } from './edition.ts'
import { handlers } from './handlers/index.ts'
import { newSession, stateAfterPowerOn } from './session.ts'
import { statusBytes } from './status.ts'
import { switchesOf } from './switches.ts'

const GAP_MS = 500
const BUSY_MS = 60
/** Time until the first busy byte, in ms. The byte is due within 60 ms (sheet 2.5), but timers fire late. */
const FIRST_BUSY_MS = 40

/** Status flags that are set together with an error code (sheet 4.1). */
const FLAGS_OF: Partial<Record<ErrorKey, StatusFlag>> = {
  invalidCommand: 'unknownCommand',
  invalidSyntax: 'syntaxError',
  notPermitted: 'notPermitted',
  overflow: 'overflow',
}
const flagOf = (key: ErrorKey): StatusFlag | undefined =>
  FLAGS_OF[key] ?? (key.startsWith('syntaxField') ? 'syntaxError' : undefined)

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<HostFrame> {
  const switches = switchesOf(options)
  const edition = editionOf(device.profile)
  const session = newSession(device)
  const context: Context = { device, edition, switches, session }
  const page = codePage(switches.codePage)
  const catalogue = catalogueOf(edition.name)

  const read = (frame: HostFrame): Question<HostFrame> => {
    const command = catalogue.find(frame.code, frame.data)
    // Some devices accept an empty quantity when an article is programmed (sheet 6.11).
    const data =
      command?.name === 'articles' && switches.emptyStock === 'zero' ? withQuantity(frame.data, edition) : frame.data
    return questionOf(frame, command, (request) => request.read(data, page))
  }

  function dataFor({ frame, command }: Question<HostFrame>, reply: Reply<unknown>): ByteText {
    if (!reply.ok) {
      // Sheet 4.1: an unknown command is answered with an empty field and status bits.
      return command || switches.unknownCommand === 'code' ? writeCoded(codeOf(reply.reason)) : ''
    }
    const rest = command?.response.write(reply.values ?? {}, page).slice(0, MAX_ANSWER_DATA - 2)
    return answersWithoutCode(frame.code, frame.data) ? (rest ?? '') : writeCoded(0, rest)
  }

  return composeWire<HostFrame, Context, ErrorKey, unknown>(context, {
    shape: hostShape,
    timing: {
      busy: { byte: SYN, everyMs: BUSY_MS, firstMs: FIRST_BUSY_MS },
      gapMs: GAP_MS,
      idle: () => untilAutomaticZ(device, switches.automaticZ),
    },
    due: () => makeDueZ(device, switches.automaticZ),
    catalogue: catalogue.all,
    read,
    orderOfChecks: orderOfChecks(context),
    handlers,
    write(question, reply) {
      const flag = reply.ok ? undefined : flagOf(reply.reason)
      const status = statusBytes(device, edition, flag === undefined ? [] : [flag])
      const { seq, code } = question.frame
      return [encodeDeviceFrame({ seq, code, data: dataFor(question, reply), status })]
    },
    notNow: 'notPermitted',
    // Frames that arrive while a command runs are dropped (sheet 2.6), so that a host that retransmits receives one
    // answer.
    beside: (event, isBusy) =>
      isBusy || event.kind !== 'damaged'
        ? undefined
        : Uint8Array.of(...(isClassicFrame(event.bytes) ? [SYN] : []), NAK),
    isRepeat: ({ frame, bytes }, before) =>
      frame.seq === before.frame.seq && (switches.duplicateMatch === 'seq' || Buffer.from(bytes).equals(before.bytes)),
    expired: () => Uint8Array.of(NAK),
    restart: () => void Object.assign(session, stateAfterPowerOn()),
    describe: describeWith(read, edition, page),
  })
}
