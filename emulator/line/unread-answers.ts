/**
 * Unread answers on a pty. A serial port forgets them when it is closed, but a pty that is held open keeps them for the
 * next client, which would misinterpret them. They are discarded when the client for which they were sent is gone.
 */

import { readdirSync, readlinkSync, readSync } from 'node:fs'
import { countText } from '../../drivers/model/count-text.ts'

/** Idle time in ms after which a line is checked. A connected client has read its answer by then. */
const REST_MS = 300

/**
 * Creates the functions that discard unread answers. Every open descriptor of the terminal counts as a client, except
 * `descriptor` (non-blocking, of this process) and those of the process `carrier`, which passes the bytes.
 */
export function createUnread(
  terminal: string,
  descriptor: number,
  carrier: number | undefined,
  log: (line: string) => void,
) {
  const carriers = String(carrier)
  const own = `/proc/${process.pid}/fd/${descriptor}`
  /** A path in /proc that refers to the terminal as long as the client has it open. */
  let holder: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Number of transfers, by which a slow search detects that its result is outdated. */
  let passed = 0

  function sent(): void {
    passed++
    clearTimeout(timer)
    timer = setTimeout(() => void check(), REST_MS)
    timer.unref()
  }

  /** Must be called for a request. If the previous client is gone, its unread answers are discarded. */
  function received(): void {
    passed++
    if (holder === undefined || leadsHere(holder)) return
    holder = undefined
    discard()
  }

  function close(): void {
    clearTimeout(timer)
  }

  async function check(): Promise<void> {
    if (holder !== undefined && leadsHere(holder)) return
    const before = passed
    holder = await find()
    if (holder !== undefined || passed !== before) return
    // Bytes that did not fit into the terminal may follow.
    if (discard() > 0) sent()
  }

  /**
   * Returns the path in /proc of a client's descriptor; `undefined` if there is none, or if the system does not report
   * it.
   */
  async function find(): Promise<string | undefined> {
    for (const name of entries('/proc')) {
      if (!/^\d+$/.test(name) || name === carriers) continue
      const places = entries(`/proc/${name}/fd`).map((held) => `/proc/${name}/fd/${held}`)
      const place = places.find((place) => place !== own && leadsHere(place))
      if (place !== undefined) return place
      // There may be hundreds of processes: other events are handled in between.
      await new Promise((next) => setImmediate(next))
    }
    return undefined
  }

  function leadsHere(place: string): boolean {
    try {
      return readlinkSync(place) === terminal
    } catch {
      return false
    }
  }

  function discard(): number {
    const buffer = Buffer.alloc(4096)
    let bytes = 0
    try {
      for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) bytes += read
    } catch {
      // There are no more bytes.
    }
    if (bytes > 0)
      log(`discarded ${countText(bytes, 'byte')} of an answer: the client disconnected without reading them`)
    return bytes
  }

  return { sent, received, close }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
