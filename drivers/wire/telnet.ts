/**
 * Telnet as RFC 2217 uses it for a remote serial port. Data doubles FFh; everything else begins with a single FFh (RFC
 * 854). No fiscal wire protocol begins with FFh, so the first byte of a connection distinguishes telnet from a raw
 * line.
 */

export const IAC = 0xff
const SB = 0xfa
const SE = 0xf0

const VERBS = { will: 0xfb, wont: 0xfc, do: 0xfd, dont: 0xfe } as const
export type Verb = keyof typeof VERBS

export const OPTIONS = { binary: 0, echo: 1, suppressGoAhead: 3, comPort: 44 } as const

/** Codes of the client in a subnegotiation of `comPort`. The server answers with the code plus 100 (RFC 2217 3). */
export const COM_PORT = {
  signature: 0,
  baudRate: 1,
  dataSize: 2,
  parity: 3,
  stopSize: 4,
  control: 5,
  lineState: 6,
  modemState: 7,
  suspend: 8,
  resume: 9,
  lineStateMask: 10,
  modemStateMask: 11,
  purge: 12,
} as const
export const SERVER = 100

export type TelnetEvent =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'option'; readonly verb: Verb; readonly option: number }
  | { readonly kind: 'subnegotiation'; readonly option: number; readonly bytes: Uint8Array }

/**
 * Returns whether a connection that begins with these bytes uses telnet (FFh and a verb); `undefined` if more bytes are
 * needed.
 */
export function beginsAsTelnet(bytes: Uint8Array): boolean | undefined {
  if (bytes[0] === undefined) return undefined
  if (bytes[0] !== IAC) return false
  return bytes[1] === undefined ? undefined : isVerb(bytes[1])
}

const isVerb = (byte: number): boolean => byte >= VERBS.will && byte <= VERBS.dont
const verbOf = (byte: number): Verb => (Object.keys(VERBS) as Verb[]).find((verb) => VERBS[verb] === byte) ?? 'wont'

const SUBNEGOTIATION_MAX = 256

export class TelnetReader {
  #state: 'data' | 'iac' | 'option' | 'sub' | 'subIac' = 'data'
  #verb: Verb = 'wont'
  #sub: number[] = []

  push(bytes: Uint8Array): readonly TelnetEvent[] {
    const events: TelnetEvent[] = []
    let data: number[] = []
    const flush = () => {
      if (data.length > 0) events.push({ kind: 'data', bytes: Uint8Array.from(data) })
      data = []
    }
    for (const byte of bytes) {
      const event = this.#take(byte, data)
      if (event === undefined) continue
      flush()
      events.push(event)
    }
    flush()
    return events
  }

  #take(byte: number, data: number[]): TelnetEvent | undefined {
    switch (this.#state) {
      case 'data':
        if (byte === IAC) this.#state = 'iac'
        else data.push(byte)
        return undefined
      case 'iac':
        if (byte === IAC) data.push(byte)
        if (isVerb(byte)) this.#verb = verbOf(byte)
        if (byte === SB) this.#sub = []
        this.#state = isVerb(byte) ? 'option' : byte === SB ? 'sub' : 'data'
        return undefined
      case 'option':
        this.#state = 'data'
        return { kind: 'option', verb: this.#verb, option: byte }
      case 'sub':
        if (byte === IAC) this.#state = 'subIac'
        else this.#keep(byte)
        return undefined
      case 'subIac':
        return this.#endSub(byte)
    }
  }

  #endSub(byte: number): TelnetEvent | undefined {
    this.#state = byte === SE ? 'data' : 'sub'
    if (byte !== SE) {
      this.#keep(byte)
      return undefined
    }
    const [option, ...rest] = this.#sub
    return option === undefined ? undefined : { kind: 'subnegotiation', option, bytes: Uint8Array.from(rest) }
  }

  #keep(byte: number): void {
    if (this.#sub.length < SUBNEGOTIATION_MAX) this.#sub.push(byte)
  }
}

export function telnetData(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(IAC)) return bytes
  return Uint8Array.from([...bytes].flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte])))
}

export const telnetOption = (verb: Verb, option: number): Uint8Array => Uint8Array.of(IAC, VERBS[verb], option)

export const comPortBytes = (command: number, value: Uint8Array): Uint8Array =>
  Uint8Array.of(IAC, SB, OPTIONS.comPort, ...telnetData(Uint8Array.of(command, ...value)), IAC, SE)

export function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

export const numberOf = (bytes: Uint8Array): number | undefined =>
  bytes.length === 4 ? new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) : undefined

const AGREED_OPTIONS: readonly number[] = [OPTIONS.binary, OPTIONS.suppressGoAhead, OPTIONS.comPort]

/**
 * The options of one end. An end answers only changes, because two ends that confirm confirmations would never stop
 * (RFC 854).
 */
export class TelnetOptions {
  readonly #write: (bytes: Uint8Array) => void
  readonly #offered = new Set<string>()
  readonly #on = new Set<string>()

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write
  }

  offer(verb: 'will' | 'do', option: number): void {
    this.#offered.add(keyOf(verb === 'will' ? 'we' : 'they', option))
    this.#write(telnetOption(verb, option))
  }

  onNegotiation(verb: Verb, option: number): void {
    const side = verb === 'do' || verb === 'dont' ? 'we' : 'they'
    const key = keyOf(side, option)
    const wasOffered = this.#offered.delete(key)
    const [yes, no] = side === 'we' ? (['will', 'wont'] as const) : (['do', 'dont'] as const)
    if (verb === 'dont' || verb === 'wont') {
      if (this.#on.delete(key)) this.#write(telnetOption(no, option))
    } else if (!this.#on.has(key)) {
      const isAgreed = AGREED_OPTIONS.includes(option)
      if (isAgreed) this.#on.add(key)
      if (!isAgreed || !wasOffered) this.#write(telnetOption(isAgreed ? yes : no, option))
    }
  }
}

const keyOf = (side: 'we' | 'they', option: number): string => `${side} ${option}`
