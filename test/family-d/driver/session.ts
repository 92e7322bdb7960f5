import type { DriverSettings } from '../../../drivers/family.ts'
import type {
  Answer,
  Device,
  DeviceClient,
  ProtocolAdapter,
  StartupFacts,
  Verdict,
} from '../../../drivers/link/protocol-adapter.ts'
import type { LinkRules } from '../../../drivers/link/types.ts'
import { cannotPrint, refusal } from '../../../drivers/model/errors.ts'
import { ERRORS, type ErrorKey, errorOf } from './protocol/errors.ts'
import {
  type AnswerFrame,
  answerShape,
  BUSY,
  DAMAGED,
  NUMBERS,
  parseRequest,
  status,
  writeRequest,
} from './protocol/frame.ts'
import { commandsD, page, type Requests, type Responses } from './protocol/index.ts'

export const linkRules: LinkRules<AnswerFrame> = {
  shape: answerShape,
  writes: 3,
  firstByteMs: 500,
  gapMs: 500,
  totalMs: 60_000,
  busyByte: BUSY,
  refusedByte: DAMAGED,
  afterSilence: 'repeat',
  matches(answer, bytes) {
    const request = parseRequest(bytes)
    return request?.number === answer.number && request.code === answer.code
  },
}

export interface WireD {
  readonly frame: AnswerFrame
  readonly requests: Requests
  readonly responses: Responses
  readonly status: { readonly error: number; readonly flags: ReturnType<typeof status.read> }
  readonly edition: undefined
  readonly refusal: ErrorKey
  readonly facts: StartupFacts
}

export type DeviceD = Device<WireD>

export const protocolAdapter = ({ random }: DriverSettings): ProtocolAdapter<WireD> => ({
  number: { before: () => Math.floor(random() * NUMBERS), next: (before) => (before + 1) % NUMBERS },
  edition: undefined,
  page: () => page,
  command: (name) => commandsD.byName[name],
  write: (number, code, data) => writeRequest({ number, code, data }),
  read: (frame) => ({ data: frame.data, status: { error: frame.error, flags: status.read(frame.status) } }),
  judge,
  text: (decoded) => decoded,
  /** The start-up sends two queries, so that a response stored by the device is not mistaken for a new response. */
  async readStartupFacts(device) {
    await device.askUnlessRefused('any', 'deviceInfo', {})
    return { identity: await identityOf(device) }
  },
})

export async function identityOf(device: DeviceClient<WireD>) {
  const { model, firmware, serialNumber, memoryNumber } = (await device.ask('deviceInfo', {})).values
  return { model, firmware, serialNumber, fiscalMemoryNumber: memoryNumber }
}

function judge({ status: { error } }: Answer<WireD>): Verdict {
  if (error === 0) return undefined
  const key = errorOf(error)
  if (key === 'noPaper' || key === 'coverOpen') return cannotPrint(key)
  return refusal(error, key ?? 'unknownError', key ? ERRORS[key].meaning : 'the sheet does not tell why')
}
