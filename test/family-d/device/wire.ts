import { commonChecks, composeWire, questionOf } from '../../../emulator/composed-wire.ts'
import type { FiscalDevice } from '../../../emulator/fiscal/api.ts'
import { type FrameDescription, frameDescription, type SwitchOptions, type Wire } from '../../../emulator/wire.ts'
import { ERRORS, type ErrorKey } from '../driver/protocol/errors.ts'
import {
  BUSY,
  DAMAGED,
  parseAnswer,
  parseRequest,
  type RequestFrame,
  requestShape,
  type StatusName,
  status,
  writeAnswer,
} from '../driver/protocol/frame.ts'
import { commandsD, page } from '../driver/protocol/index.ts'
import { type Context, handlers } from './handlers.ts'
import { REASONS } from './refusals.ts'
import { refusedIn } from './states.ts'
import { switchesOf } from './switches.ts'

const BUSY_MS = 60
const FIRST_BUSY_MS = 40
const GAP_MS = 500

const read = (frame: RequestFrame) =>
  questionOf(frame, commandsD.find(frame.code, frame.data), (request) => request.read(frame.data, page))

function statusOf({ mechanism, receipt }: FiscalDevice): string {
  const flags: Readonly<Record<StatusName, boolean>> = {
    paperOut: mechanism.paper === 'out',
    coverOpen: mechanism.coverOpen,
    nonFiscalOpen: receipt?.kind === 'nonFiscal',
    fiscalOpen: receipt?.kind === 'fiscal',
  }
  return status.write(new Set((Object.keys(flags) as StatusName[]).filter((name) => flags[name])))
}

export function createWire(device: FiscalDevice, options: SwitchOptions = {}): Wire<RequestFrame> {
  const switches = switchesOf(options)
  const { receipt, paper, need } = commonChecks(device, REASONS, refusedIn)
  const notUnderstood = () => (switches.damaged === 'told' ? Uint8Array.of(DAMAGED) : undefined)
  return composeWire<RequestFrame, Context, ErrorKey, unknown>(
    { device, edition: undefined, switches, session: undefined },
    {
      shape: requestShape,
      timing: { busy: { byte: BUSY, everyMs: BUSY_MS, firstMs: FIRST_BUSY_MS }, gapMs: GAP_MS },
      catalogue: commandsD.all,
      read,
      orderOfChecks: [
        ({ command }) => (command ? undefined : 'unknownCommand'),
        ({ problem }) => (problem?.problem === 'syntax' ? 'badData' : undefined),
        receipt,
        paper,
        need('clock'),
        need('journal'),
        need('fiscalMemory'),
        need('day'),
        ({ problem }) => problem && 'badValue',
      ],
      handlers,
      write({ frame: { number, code }, command }, reply) {
        const data = reply.ok && command ? command.response.write(reply.values ?? {}, page) : ''
        const error = reply.ok ? 0 : ERRORS[reply.reason].code
        return [writeAnswer({ number, code, error, status: statusOf(device), data })]
      },
      notNow: 'notNow',
      beside: ({ kind }, isBusy) => (kind === 'damaged' && !isBusy ? notUnderstood() : undefined),
      isRepeat: ({ bytes }, before) => Buffer.from(bytes).equals(before.bytes),
      expired: notUnderstood,
      // The device stores only its last response.
      restart: () => undefined,
      describe,
    },
  )
}

function describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription {
  if (direction === 'toDevice') {
    const frame = parseRequest(bytes)
    if (!frame) return frameDescription('damaged')
    const { command, facts, values = { data: frame.data } } = read(frame)
    return frameDescription(facts.runsAs, values, command?.request.fields)
  }
  if (bytes.length === 1) return frameDescription(bytes[0] === BUSY ? 'busy' : 'damaged')
  const frame = parseAnswer(bytes)
  const command = frame && commandsD.find(frame.code, frame.data)
  if (!frame || !command) return frameDescription('damaged')
  const { name, response } = command
  const fields = frame.error === 0 ? response.read(frame.data, page) : { error: frame.error }
  return { ...frameDescription(name, fields, response.fields), status: [...status.read(frame.status)] }
}
