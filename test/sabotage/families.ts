/** The protocols of the families, loaded from a folder, in the one shape that the judge reads. */
import type * as answerA from '../../drivers/family-a/protocol/answer.ts'
import type * as frameA from '../../drivers/family-a/protocol/frame.ts'
import type * as indexA from '../../drivers/family-a/protocol/index.ts'
import type * as statusA from '../../drivers/family-a/protocol/status.ts'
import type * as frameB from '../../drivers/family-b/protocol/frame.ts'
import type * as indexB from '../../drivers/family-b/protocol/index.ts'
import type * as statusB from '../../drivers/family-b/protocol/status.ts'
import type * as frameC from '../../drivers/family-c/protocol/frame.ts'
import type * as indexC from '../../drivers/family-c/protocol/index.ts'
import { type Judge, judge, type Load, type Protocol } from './judge.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { mutationsA } from './mutations-a.ts'
import { mutationsB } from './mutations-b.ts'
import { mutationsC } from './mutations-c.ts'

async function protocolA(load: Load): Promise<Protocol<frameA.HostFrame, frameA.DeviceFrame>> {
  const frames = await load<typeof frameA>('family-a/protocol/frame.ts')
  const { catalogueOf } = await load<typeof indexA>('family-a/protocol/index.ts')
  const { readCoded, writeCoded } = await load<typeof answerA>('family-a/protocol/answer.ts')
  const { status } = await load<typeof statusA>('family-a/protocol/status.ts')
  const catalogue = catalogueOf('bg')
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
        // A refusal has no data, whatever the command would have answered.
        data: error === 0 ? frame.data : undefined,
        write: (data) => frames.writeAnswer({ seq, command, data, status: writeStatus({ flags, error }) }),
      }
    },
  }
}

/** In the edition whose frames are published. */
async function protocolC(load: Load): Promise<Protocol<frameC.HostFrame, frameC.DeviceFrame>> {
  const { hostShape, deviceShape, writeAck, writeFrame } = await load<typeof frameC>('family-c/protocol/frame.ts')
  const { catalogueOf } = await load<typeof indexC>('family-c/protocol/index.ts')
  const catalogue = catalogueOf('c4')
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

export interface Family {
  readonly mutations: readonly Mutation[]
  judge(load: Load): Promise<Judge>
}

export const families: Readonly<Record<string, Family>> = {
  a: { mutations: mutationsOf(mutationsA), judge: (load) => judge(load, protocolA) },
  b: { mutations: mutationsOf(mutationsB), judge: (load) => judge(load, protocolB) },
  c: { mutations: mutationsOf(mutationsC), judge: (load) => judge(load, protocolC) },
}
