/**
 * Answers that nobody has read. A serial port that is closed forgets them; a pty that is held open keeps them for the
 * next client, who would take them for its own. So they are thrown away when the client that they were for is gone.
 */
import { readdirSync, readlinkSync, readSync } from 'node:fs'

/** A line at rest for so long is looked at: a client that is there has read its answer by then. */
const REST_MS = 300

/**
 * The descriptor is one of our own on the same terminal, which does not block. It is no client, and neither is the
 * process `carrier` that passes the bytes; what else has the terminal open is one, in this process too.
 */
export function createUnread(
  terminal: string,
  descriptor: number,
  carrier: number | undefined,
  log: (line: string) => void,
) {
  const carriers = String(carrier)
  const own = `/proc/${process.pid}/fd/${descriptor}`
  /** A place in /proc that leads to the terminal as long as its process holds it. */
  let holder: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts what passes, so that a slow search knows that its finding is old. */
  let passed = 0

  function sent(): void {
    passed++
    clearTimeout(timer)
    timer = setTimeout(() => void look(), REST_MS)
    timer.unref()
  }

  /** A question of another client than the one that was there: what that one has left is not for this one. */
  function received(): void {
    passed++
    if (holder === undefined || leadsHere(holder)) return
    holder = undefined
    throwAway()
  }

  function close(): void {
    clearTimeout(timer)
  }

  async function look(): Promise<void> {
    if (holder !== undefined && leadsHere(holder)) return
    const before = passed
    holder = await find()
    if (holder !== undefined || passed !== before) return
    // What did not fit into the terminal comes after it.
    if (throwAway() > 0) sent()
  }

  /** Undefined where nobody but us has the terminal, and where the system does not tell. */
  async function find(): Promise<string | undefined> {
    for (const name of entries('/proc')) {
      if (!/^\d+$/.test(name) || name === carriers) continue
      const places = entries(`/proc/${name}/fd`).map((held) => `/proc/${name}/fd/${held}`)
      const place = places.find((place) => place !== own && leadsHere(place))
      if (place !== undefined) return place
      // Hundreds of processes: the line is served in between.
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

  function throwAway(): number {
    const buffer = Buffer.alloc(4096)
    let bytes = 0
    try {
      for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) bytes += read
    } catch {
      // Nothing more is there.
    }
    if (bytes > 0) log(`${bytes} bytes of an answer are thrown away: the client has gone without reading them`)
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
