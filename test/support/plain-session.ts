/**
 * A session over a simulated link that records its actions as words. The test provides the device's responses. Requests
 * are `NUMBER NAME DATA`. A response `!KEY` is a refusal, and `?` postpones the request. `*TEXT` is a line of a stream,
 * or another frame before the last. A text with `$` is the last line of a stream without a final response.
 */
import type { ProtocolAdapter, StartupFacts } from '../../drivers/link/protocol-adapter.ts'
import { createSession } from '../../drivers/link/session.ts'
import type { Link, LinkResponse } from '../../drivers/link/types.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { DeviceError, refusal } from '../../drivers/model/errors.ts'
import { codePage, fromBytes, toBytes } from '../../drivers/wire/charset.ts'
import { declareCommand, question } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { Layout } from '../../drivers/wire/row.ts'

export interface PlainTypes {
  readonly frame: string
  readonly requests: { readonly who: object; readonly say: Text; readonly pay: Text; readonly slow: Text }
  readonly responses: { readonly who: Text; readonly say: Text; readonly pay: Text; readonly slow: Text }
  readonly status: string
  readonly edition: string
  readonly refusal: string
  readonly facts: StartupFacts
}

interface Text {
  readonly text: string
}

/** The codec itself fails with this text. */
export const MISTAKE = 'mistake'

export const say: Text = { text: 'hi' }

/** The error replaces a response: the device did not respond. */
export const SILENCE = new DeviceError({ kind: 'noAnswer' })

const text: Layout<Text> = {
  fields: { text: 'text' },
  write(values) {
    if (values.text.includes('*')) throw new FieldError('text', 'value', 'a star is none of its letters')
    if (values.text.length > 20) throw new RangeError('longer than a frame')
    if (values.text === MISTAKE) throw new TypeError(MISTAKE)
    return ` ${values.text}`
  },
  read(raw) {
    if (raw === MISTAKE) throw new TypeError(MISTAKE)
    if (raw.includes('%')) throw new FieldError('text', 'syntax', 'a percent sign is none of its letters')
    return { text: raw }
  },
}

const declare = declareCommand({ fields: {}, write: () => '', read: () => ({}) })
const COMMANDS = {
  who: declare('who', 1, 'test', question, { response: text }),
  say: declare('say', 2, 'test', question, { request: text, response: text }),
  pay: declare(
    'pay',
    3,
    'test',
    { changes: 'day', prints: true, allowedIn: 'untilPaid' },
    {
      runsAs: 'payment',
      fiscal: true,
      request: text,
      response: text,
    },
  ),
  slow: declare('slow', 4, 'test', question, { limitMs: 90_000, request: text, response: text }),
}
const NAMES = ['who', 'say', 'pay', 'slow'] as const

export const plainSpeech: ProtocolAdapter<PlainTypes> = {
  number: { before: () => 0, next: (before) => before + 1 },
  edition: 'usual',
  page: () => codePage('cp1251'),
  command: (name) => COMMANDS[name],
  write: (number, code, data) => toBytes(`${number} ${NAMES[code - 1]}${data}`),
  read: (frame) => ({ data: frame === '' ? undefined : frame.replace(/^\*/, ''), status: 'fine' }),
  judge: ({ data }) =>
    data === '?' ? 'again' : data?.startsWith('!') ? refusal(7, data.slice(1), 'it does not want to') : undefined,
  text: (decoded) => decoded.trimEnd(),
  isLast: (frame) => !frame.startsWith('*') || frame.includes('$'),
  lineAcknowledgement: toBytes('+'),
  lines: (frame) => (frame.startsWith('*') ? [frame.slice(1)] : undefined),
  readStartupFacts: async (device) => ({ identity: await identityOf((await device.ask('who', {})).values) }),
}

export function identityOf({ text }: Text): StartupFacts['identity'] {
  const [serialNumber = '', fiscalMemoryNumber = ''] = text.split('/')
  return { model: 'plain', firmware: '1', serialNumber, fiscalMemoryNumber }
}

type ScriptedReply = readonly string[] | DeviceError | TypeError

type Changes = { readonly [Key in keyof ProtocolAdapter<PlainTypes>]?: ProtocolAdapter<PlainTypes>[Key] | undefined }

/**
 * Returns the session and its log. `changes` replaces members of `plainSpeech`, and `undefined` removes an optional
 * member.
 */
export function plainSession(changes: Changes = {}) {
  const done: string[] = []
  const opened: (() => void)[] = []
  const state = { isOpen: false, isRepeated: false, who: 'S1/M1' }
  /** Responses of the device to commands other than `who`, one entry each. The default is `ok`. */
  const answers: ScriptedReply[] = []
  const options: object[] = []
  const open = async (): Promise<void> => {
    if (state.isOpen) return
    state.isOpen = true
    done.push('open')
    for (const call of opened) call()
  }
  const link: Link<string> = {
    clock: new SimulatedClock(0),
    get hold() {
      return done.filter((one) => one === 'open').length
    },
    get isOpen() {
      return state.isOpen
    },
    open,
    async close() {
      if (state.isOpen) done.push('close')
      state.isOpen = false
    },
    isUnanswered: false,
    onWaiting: () => undefined,
    unanswered: () => undefined,
    note: () => undefined,
    doubtIfShared: () => undefined,
    silence: () => ({ kind: 'noAnswer' }),
    connectionLost: (why) => ({ kind: 'portLost', path: 'plain', why }),
    retransmissions: 0,
    onOpened: (call) => void opened.push(call),
    async ask(request, { until, ...others }): Promise<LinkResponse<string>> {
      await open()
      const requestText = fromBytes(request)
      done.push(requestText)
      options.push(others)
      const reply: ScriptedReply = requestText.endsWith(' who') ? [state.who] : (answers.shift() ?? ['ok'])
      const retransmitted = state.isRepeated
      state.isRepeated = false
      if (reply instanceof Error) throw reply
      const frames: string[] = []
      for (const frame of reply) {
        frames.push(frame)
        if (until?.(frame) ?? true) break
        // Other work can run between two frames.
        await new Promise(setImmediate)
      }
      return { frames, retransmitted }
    },
    ping: async () => undefined,
    async write(bytes) {
      done.push(fromBytes(bytes))
    },
  }
  const session = createSession<PlainTypes>(link, { ...plainSpeech, ...changes } as ProtocolAdapter<PlainTypes>)
  return { session, link, done, answers, options, state }
}
