/** Single bytes before a command (sheet 2.5, 2.6), which show whether a device is connected and accepts commands. */
import { ECHO } from '../link/failure.ts'
import type { Link } from '../link/types.ts'
import { cannotPrint, DeviceError } from '../model/errors.ts'
import type { DeviceFrame } from './protocol/frame.ts'
import { PING_ALIVE, PING_ECHO, PING_STATE, type PingState, readPing } from './protocol/unframed.ts'

export const PING_MS = 500
export const READY_MS = 60_000
const POLL_MS = 40
/**
 * Time after which a busy device without paper is reported, in ms. A device that runs out of paper during a command
 * remains busy until paper is loaded.
 */
const PAPER_PATIENCE_MS = 2_000
const SILENT_PINGS = 3

/**
 * Sends 03h before 04h. A device answers only 04h; if 03h returns first, the line is a loop (sheet 2.5). Throws
 * DeviceError in that case.
 */
export async function assertNoLoop(link: Link<DeviceFrame>): Promise<void> {
  const isPingAnswer = (byte: number): boolean => byte === PING_ECHO || byte === PING_ALIVE
  if ((await link.ping(Uint8Array.of(PING_ECHO, PING_ALIVE), isPingAnswer, PING_MS)) === PING_ECHO)
    throw new DeviceError(ECHO)
}

/**
 * Waits until the device is ready for a command. With `patient`, it also waits while paper is missing, because the
 * outcome of an earlier command must be determined.
 */
export async function waitUntilReady(link: Link<DeviceFrame>, patient = false): Promise<PingState | undefined> {
  const { clock } = link
  const since = clock.now()
  for (let silent = 0; silent < SILENT_PINGS; ) {
    const byte = await link.ping(Uint8Array.of(PING_STATE), isState, PING_MS)
    if (byte === undefined) {
      // Old firmware answers only 04h, and shows that it is busy by RETRY.
      const alive = await link.ping(Uint8Array.of(PING_ALIVE), (answer) => answer === PING_ALIVE, PING_MS)
      if (alive !== undefined) return undefined
      silent++
      continue
    }
    silent = 0
    const state = readPing(byte)
    if (state === undefined || !state.busy) return state
    const waited = clock.now() - since
    if (state.noPaper && !patient && waited >= PAPER_PATIENCE_MS) throw new DeviceError(cannotPrint('noPaper'))
    if (waited >= READY_MS) throw new DeviceError(state.noPaper ? cannotPrint('noPaper') : { kind: 'noAnswer' })
    await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve))
  }
  link.unanswered()
  throw new DeviceError(link.silence())
}

const isState = (byte: number): boolean =>
  readPing(byte) !== undefined || byte === 0x50 || byte === 0x60 || byte === 0x70
