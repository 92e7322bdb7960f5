/**
 * A wire protocol for tests that is readable as text. The host sends `[1say hi*NN]`, and the device answers
 * `(1said hi*NN)`. NN is the sum of the characters between the bracket and the star, modulo 100. The single bytes are
 * `~` (damaged), `.` (busy) and `,` (later).
 */
import type { ExchangeRules, LinkRules } from '../../drivers/link/types.ts'
import { fromBytes, toBytes } from '../../drivers/wire/charset.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { PowerCut } from '../../emulator/fiscal/types/events.ts'
import type { Answer, Wire } from '../../emulator/wire.ts'

export interface PlainFrame {
  readonly number: string
  readonly text: string
}

const sum = (text: string): string =>
  String([...text].reduce((total, letter) => total + letter.charCodeAt(0), 0) % 100).padStart(2, '0')

export const plainAsk = (number: string, text: string): Uint8Array =>
  toBytes(`[${number}${text}*${sum(number + text)}]`)
export const plainAnswer = (number: string, text: string): Uint8Array =>
  toBytes(`(${number}${text}*${sum(number + text)})`)

function plainShape(start: string, end: string): FrameShape<PlainFrame> {
  const first = start.charCodeAt(0)
  const last = end.charCodeAt(0)
  return {
    maxLength: 80,
    classify: (byte) => (byte === first ? 'frame' : '~.,+'.includes(String.fromCharCode(byte)) ? 'single' : 'skip'),
    measure(bytes, from, to) {
      for (let at = from + 1; at < to; at++) {
        if (bytes[at] === first) return { restart: at }
        if (bytes[at] === last) return at + 1 - from
      }
      return 'more'
    },
    parse(frame) {
      const match = /^.(.)(.*)\*(\d\d).$/s.exec(fromBytes(frame))
      if (!match || sum(`${match[1]}${match[2]}`) !== match[3]) return undefined
      return { number: match[1] as string, text: match[2] as string }
    },
  }
}

export const PLAIN_RULES: ExchangeRules = {
  writes: 3,
  firstByteMs: 500,
  gapMs: 200,
  totalMs: 5000,
  busyByte: '.'.charCodeAt(0),
  refusedByte: '~'.charCodeAt(0),
  laterByte: { byte: ','.charCodeAt(0), pauseMs: 100 },
  afterSilence: 'repeat',
}

export const plainRules = (rules: Partial<LinkRules<PlainFrame>> = {}): LinkRules<PlainFrame> => ({
  shape: plainShape('(', ')'),
  ...PLAIN_RULES,
  ...rules,
  matches: (answer, request) => answer.number === fromBytes(request).slice(1, 2),
})

/**
 * The device echoes and counts what it receives. The device can be slow, stream, wait for paper, and lose its power.
 */
export function plainWire(): Wire<PlainFrame> & { readonly said: string[]; restarts: number } {
  let stored: { number: string; frame: Uint8Array } | undefined
  const said: string[] = []
  const carryOut = ({ number, text }: PlainFrame): Answer => {
    const [word = '', rest = ''] = text.split(/ (.*)/s)
    if (word === 'cut') throw new PowerCut()
    said.push(text)
    const frame = plainAnswer(number, word === 'say' ? `said ${rest}` : `done ${text}`)
    stored = { number, frame }
    if (word === 'print') return { frames: [frame], waitsForPaper: true }
    if (word === 'slow') return { frames: [frame], printedLines: Number(rest) }
    if (word === 'list') {
      const lines = Array.from({ length: Number(rest) }, (_, line) => plainAnswer(number, `line ${line + 1}`))
      return { frames: [frame], stream: { lines, acknowledges: (byte) => byte === '+'.charCodeAt(0) } }
    }
    return { frames: [frame] }
  }
  return {
    said,
    restarts: 0,
    shape: plainShape('[', ']'),
    timing: { busy: { byte: '.'.charCodeAt(0), everyMs: 60 }, gapMs: 500 },
    commands: [{ name: 'say', code: 1, source: 'test', changes: 'nothing' }],
    meet(event) {
      if (event.kind === 'damaged') return { kind: 'reply', bytes: toBytes('~') }
      if (event.kind === 'single') return { kind: 'ignore' }
      const { frame } = event
      if (stored?.number === frame.number) return { kind: 'reply', bytes: stored.frame }
      return {
        kind: 'run',
        command: frame.text.split(' ')[0] as string,
        run: () => carryOut(frame),
        refuse: () => ({ frames: [plainAnswer(frame.number, 'not now')] }),
      }
    },
    meetWhileBusy: (event) => (event.kind === 'frame' ? toBytes(',') : undefined),
    expired: () => toBytes('~'),
    restart() {
      stored = undefined
      this.restarts++
    },
    describe: (direction, bytes) => ({
      command: fromBytes(bytes).slice(2).split(/[ *]/)[0] ?? '',
      fields: { direction, text: fromBytes(bytes) },
      status: [],
    }),
  }
}

export const plain = (bytes: Uint8Array): string => fromBytes(bytes)
