import { type HostFrame, NACK, RETRY } from '../../drivers/family-c/protocol/frame.ts'
import {
  type GsRequest, PING_ALIVE, PING_READY, PING_READY_NO_PAPER, PING_STATE, writePing, writeWidths,
} from '../../drivers/family-c/protocol/unframed.ts' // biome-ignore format: one list
import { toBytes } from '../../drivers/wire/charset.ts'
import type { Deframed } from '../../drivers/wire/deframer.ts'
import type { Context } from './context.ts'

/**
 * Returns the answer to bytes that are not executed as commands: pings, GS requests, and frames that arrive while a
 * command runs.
 */
export function answerWithoutFrame(
  context: Context,
  event: Deframed<HostFrame>,
  isBusy: boolean,
): Uint8Array | undefined {
  if (context.session.silent && (isBusy || !isWakeUp(event))) return undefined
  switch (event.kind) {
    case 'damaged':
      return Uint8Array.of(NACK)
    case 'single':
      return ping(context, event.byte, isBusy)
    case 'frame': {
      const { frame } = event
      if (!isBusy) return frame.kind === 'gs' ? gs(context, frame.request) : undefined
      // Sheet 2.2: while a command runs, another command is neither executed nor queued. GS commands are ignored.
      return frame.kind === 'command' || frame.kind === 'logo' ? Uint8Array.of(RETRY) : undefined
    }
  }
}

const isWakeUp = (event: Deframed<HostFrame>): boolean =>
  event.kind === 'frame' && event.frame.kind === 'gs' && event.frame.request.kind === 'select'

function ping({ device, switches }: Context, byte: number, isBusy: boolean): Uint8Array | undefined {
  const { mechanism, display } = device
  const noPaper = mechanism.paper === 'out' || mechanism.coverOpen
  switch (byte) {
    case PING_ALIVE:
      return isBusy && switches.busyPing === 'silent' ? undefined : Uint8Array.of(PING_ALIVE)
    case PING_READY:
      // A busy device does not answer this ping.
      return isBusy ? undefined : Uint8Array.of(noPaper ? PING_READY_NO_PAPER : PING_READY)
    case PING_STATE:
      return Uint8Array.of(writePing({ busy: isBusy, noPaper, overheated: false, noDisplay: !display.attached }))
    default:
      return undefined
  }
}

function gs({ device: { profile }, edition, session }: Context, request: GsRequest): Uint8Array | undefined {
  switch (request.kind) {
    case 'widths':
      return writeWidths({
        line: profile.lineWidth,
        articles: profile.articles.capacity,
        departments: profile.departments,
        operators: profile.operators,
        taxClasses: edition.taxClasses,
        headerLines: edition.headerLines,
        payments: edition.payments,
        logos: 10,
        sales: 120,
        customers: 1000,
      })
    case 'table': {
      const country = edition.name === 'cr' ? 'RO' : 'BG'
      const page = edition.codePage.slice(-4)
      return toBytes(`M${country};${page};2;0;1;${profile.lineWidth};${profile.displayWidth}\n`)
    }
    case 'firmware':
      return toBytes(`F01${profile.firmware.padEnd(38, ' ').slice(0, 38)}`)
    case 'select': {
      if (Number(request.device) !== session.persistentCells.parameters.pos) return undefined
      session.silent = request.silent
      return toBytes('ACK')
    }
    case 'speed':
      session.baud = request.baud
      return undefined
  }
}
