import type * as answerA from '../../drivers/family-a/protocol/answer.ts'
import type * as frameA from '../../drivers/family-a/protocol/frame.ts'
import type * as indexA from '../../drivers/family-a/protocol/index.ts'
import type * as statusA from '../../drivers/family-a/protocol/status.ts'
import type * as frameB from '../../drivers/family-b/protocol/frame.ts'
import type * as indexB from '../../drivers/family-b/protocol/index.ts'
import type * as statusB from '../../drivers/family-b/protocol/status.ts'
import type * as frameC from '../../drivers/family-c/protocol/frame.ts'
import type * as indexC from '../../drivers/family-c/protocol/index.ts'
import type { AnswerFixture, AskFixture, FrameFixture } from '../frames/frame-fixtures.suite.ts'
import { fixture } from '../support/fixture.ts'
import { type Judge, judge, type Load, type Protocol } from './judge.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { mutationsA, mutationsRo } from './mutations-a.ts'
import { mutationsB } from './mutations-b.ts'
import { mutationsC, mutationsC6 } from './mutations-c.ts'
import type { Published, PublishedHalf } from './trials.ts'

async function protocolA(
  load: Load,
  edition: 'bg' | 'ro' = 'bg',
): Promise<Protocol<frameA.HostFrame, frameA.DeviceFrame>> {
  const frames = await load<typeof frameA>('family-a/protocol/frame.ts')
  const { catalogueOf } = await load<typeof indexA>('family-a/protocol/index.ts')
  const { readCoded, writeCoded } = await load<typeof answerA>('family-a/protocol/answer.ts')
  const { status } = await load<typeof statusA>('family-a/protocol/status.ts')
  const catalogue = catalogueOf(edition)
  return {
    hostShape: frames.hostShape,
    deviceShape: frames.deviceShape,
    find: (code) => catalogue.find(code, ''),
    readRequest: (frame) => frame,
    writeRequest: (head, data) => frames.encodeHostFrame({ ...head, data }),
    readAnswer({ seq, code, data, status: raw }) {
      const coded = readCoded(data)
      if (!coded) return undefined
      const flags = status.read(raw)
      return {
        ...{ seq, code, flags, result: coded.code, data: coded.rest },
        write: (rest) =>
          frames.encodeDeviceFrame({ seq, code, data: writeCoded(coded.code, rest), status: status.write(flags) }),
      }
    },
  }
}

async function protocolB(load: Load): Promise<Protocol<frameB.RequestFrame, frameB.HostFrame>> {
  const frames = await load<typeof frameB>('family-b/protocol/frame.ts')
  const { catalogueOf } = await load<typeof indexB>('family-b/protocol/index.ts')
  const { readStatus, writeStatus } = await load<typeof statusB>('family-b/protocol/status.ts')
  const catalogue = catalogueOf('b8')
  return {
    hostShape: frames.requestShape,
    deviceShape: frames.answerShape,
    find: (code) => catalogue.find(code, ''),
    readRequest: ({ seq, command, data }) => ({ seq, code: command, data }),
    writeRequest: ({ seq, code }, data) => frames.writeRequest({ seq, command: code, data }),
    readAnswer(frame) {
      if (frame.kind !== 'answer') return undefined
      const { seq, command, status } = frame
      const { flags, error } = readStatus(status)
      return {
        ...{ seq, code: command, flags, result: error },
        data: error === 0 ? frame.data : undefined,
        write: (data) => frames.writeAnswer({ seq, command, data, status: writeStatus({ flags, error }) }),
      }
    },
  }
}

/** The published frames are those of edition c4. */
async function protocolC(
  load: Load,
  edition: 'c4' | 'c6' = 'c4',
): Promise<Protocol<frameC.HostFrame, frameC.DeviceFrame>> {
  const { hostShape, deviceShape, writeAck, writeFrame } = await load<typeof frameC>('family-c/protocol/frame.ts')
  const { catalogueOf } = await load<typeof indexC>('family-c/protocol/index.ts')
  const catalogue = catalogueOf(edition)
  return {
    hostShape,
    deviceShape,
    find: (code, data) => catalogue.find(code, data),
    readRequest: (frame) =>
      frame.kind === 'command' ? { seq: frame.number, code: frame.code, data: frame.data } : undefined,
    writeRequest: ({ seq, code }, data) => writeFrame(seq, code, data),
    readAnswer(frame) {
      if (frame.kind === 'widths') return undefined
      const seq = frame.number
      if (frame.kind === 'message') {
        const { code, data } = frame
        return { seq, code, data, write: (written) => writeFrame(seq, code, written) }
      }
      const { device, command } = frame
      const result = device * 16 + command
      return { seq, code: 0, name: 'ack', result, data: undefined, write: () => writeAck(seq, device, command) }
    },
  }
}

/** `npm test` tries one in ten mutations. */
export const OF = 10

export interface Family {
  readonly letter: string
  readonly mutations: readonly Mutation[]
  frames(): readonly Published[]
  judge(load: Load): Promise<Judge>
}

const published = (letter: string) => () => fixture<Published[]>(`sabotage/family-${letter}.json`)

type FrameOfEdition = FrameFixture & { readonly profile?: string }

const capturedFrames = (letter: string): readonly FrameOfEdition[] =>
  fixture<readonly FrameOfEdition[]>(`frames/collected-${letter}.json`).filter(
    ({ provenance, differs, ask, answer }) =>
      provenance.answer === 'captured' &&
      differs === undefined &&
      ask.data === undefined &&
      answer?.values !== undefined &&
      answer.single === undefined &&
      Object.keys(answer.values).length > 0,
  )

const framesOf = (letter: string, edition: string) => (): Published[] =>
  [...fixture<readonly FrameOfEdition[]>(`frames/family-${letter}.json`), ...capturedFrames(letter)]
    // A superseded frame is read, but no longer written.
    .filter(({ profile, superseded }) => profile === edition && superseded === undefined)
    .map(({ id, seq, ask, answer }) => ({
      name: id,
      request: {
        bytes: ask.bytes,
        seq: Number.parseInt(seq, 16),
        code: ask.code,
        command: ask.command ?? '',
        values: ask.values,
      },
      ...(answer && { answer: answerHalf(ask, answer, Number.parseInt(seq, 16)) }),
    }))

function answerHalf(ask: AskFixture, { bytes, code, values, flags }: AnswerFixture, seq: number): PublishedHalf {
  const { command = '' } = ask
  // Family C acknowledges with a frame that belongs to no command.
  if (values === undefined) return { bytes, seq, code: 0, command: 'ack', values: null, result: code ?? 0 }
  const result = { ...(flags && { flags: flags.toSorted() }), ...(code !== undefined && { result: code }) }
  return { bytes, seq, code: ask.code, command, values, ...result }
}

export const families: Readonly<Record<string, Family>> = {
  a: {
    letter: 'a',
    mutations: mutationsOf(mutationsA),
    frames: published('a'),
    judge: (load) => judge(load, protocolA),
  },
  'a-ro': {
    letter: 'a',
    mutations: mutationsOf(mutationsRo),
    frames: framesOf('a', 'ro'),
    judge: (load) => judge(load, (own) => protocolA(own, 'ro')),
  },
  b: {
    letter: 'b',
    mutations: mutationsOf(mutationsB),
    frames: published('b'),
    judge: (load) => judge(load, protocolB),
  },
  c: {
    letter: 'c',
    mutations: mutationsOf(mutationsC),
    frames: published('c'),
    judge: (load) => judge(load, protocolC),
  },
  'c-c6': {
    letter: 'c',
    mutations: mutationsOf(mutationsC6),
    frames: framesOf('c', 'c6'),
    judge: (load) => judge(load, (own) => protocolC(own, 'c6')),
  },
}
