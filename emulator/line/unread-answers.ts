/**
 * Answers that nobody has read. A serial port that is closed forgets them; a pty that is held open keeps them for the
 * next client, who would take them for its own. So they are thrown away when the client that they were for is gone.
 */
import { readdirSync, readlinkSync, readSync } from 'node:fs'

/** A line at rest for so long is looked at: a client that is there has read its answer by then. */
const REST_MS = 300

export class Unread {
  readonly #terminal: string
  readonly #descriptor: number
  /** Processes that have the terminal open and are no clients. */
  readonly #ours: ReadonlySet<string>
  readonly #log: (line: string) => void
  /** A place in /proc that leads to the terminal as long as its process holds it. */
  #holder: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Counts what passes, so that a slow search knows that its finding is old. */
  #passed = 0

  /** The descriptor is one of our own on the same terminal, which does not block. */
  constructor(
    terminal: string,
    descriptor: number,
    ours: readonly (number | undefined)[],
    log: (line: string) => void,
  ) {
    this.#ours = new Set(ours.map(String))
    this.#log = log
    this.#terminal = terminal
    this.#descriptor = descriptor
  }

  sent(): void {
    this.#passed++
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), REST_MS)
    this.#timer.unref()
  }

  /** A question of another client than the one that was there: what that one has left is not for this one. */
  received(): void {
    this.#passed++
    if (this.#holder === undefined || this.#leadsHere(this.#holder)) return
    this.#holder = undefined
    this.#throwAway()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#holder !== undefined && this.#leadsHere(this.#holder)) return
    const passed = this.#passed
    this.#holder = await this.#find()
    if (this.#holder !== undefined || this.#passed !== passed) return
    // What did not fit into the terminal comes after it.
    if (this.#throwAway() > 0) this.sent()
  }

  /** Undefined where nobody but us has the terminal, and where the system does not tell. */
  async #find(): Promise<string | undefined> {
    for (const name of entries('/proc')) {
      if (!/^\d+$/.test(name) || this.#ours.has(name)) continue
      const folder = `/proc/${name}/fd`
      const descriptor = entries(folder).find((descriptor) => this.#leadsHere(`${folder}/${descriptor}`))
      if (descriptor !== undefined) return `${folder}/${descriptor}`
      // Hundreds of processes: the line is served in between.
      await new Promise((next) => setImmediate(next))
    }
    return undefined
  }

  #leadsHere(place: string): boolean {
    try {
      return readlinkSync(place) === this.#terminal
    } catch {
      return false
    }
  }

  #throwAway(): number {
    const buffer = Buffer.alloc(4096)
    let bytes = 0
    try {
      for (let read = readSync(this.#descriptor, buffer); read > 0; read = readSync(this.#descriptor, buffer))
        bytes += read
    } catch {
      // Nothing more is there.
    }
    if (bytes > 0) this.#log(`${bytes} bytes of an answer are thrown away: the client has gone without reading them`)
    return bytes
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
