import { codePage } from '../../wire/charset.ts'
import type { AnyCommand } from '../../wire/command.ts'
import type { PrintBlocker, Request, ResponseParts } from '../../wire/questionnaire.ts'
import { EDITION, type EditionName } from './edition.ts'
import { DEVICE_NIBBLES, isFailure, type Nibbles, nibbleCode } from './errors.ts'
import { type DeviceFrame, deviceShape, endsStream, writeAck, writeFrame } from './frame.ts'
import { catalogueOf } from './index.ts'
import { status } from './status.ts'

const { byName } = catalogueOf('c4')

/**
 * Returns whether the device answers with a stream: an ACK, then messages up to one that consists of `@` (sheet 4.15).
 * The codes are the same in every edition.
 */
const streams = ({ code, data }: Request): boolean =>
  Object.values<AnyCommand>(byName).some(
    (one) => one.code === code && (one.claims?.(data) ?? true) && one.streams?.(data),
  )

const read = (bytes: Uint8Array): DeviceFrame | undefined => deviceShape.parse(bytes)

export function isLast(bytes: Uint8Array, request: Request): boolean {
  const frame = read(bytes)
  return !streams(request) || frame === undefined || endsStream(frame)
}

export function readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined {
  const last = read(frames.at(-1) ?? new Uint8Array(0))
  const parts = { flags: [], lines: frames.length - 1 }
  switch (last?.kind) {
    case 'ack':
      return isFailure(last) ? { ...parts, data: '', refusal: nibbleCode(last) } : { ...parts, data: '' }
    case 'message': {
      if (last.code !== request.code) return undefined
      const flags = request.code === byName.status.code ? [...status.read(last.data)] : []
      return { ...parts, data: streams(request) ? '' : last.data, flags }
    }
    case 'widths':
    case undefined:
      return undefined
  }
}

export function nibblesIn(refusal: string): Nibbles {
  const [device = 0, command = 0] = refusal.split('/').map((half) => Number.parseInt(half, 16) - 0x30)
  return { device, command }
}

export function answerFrame({ refusal, data, flags }: ResponseParts, request: Request): Uint8Array {
  const { number, code } = request
  if (refusal !== undefined) {
    const { device, command } = nibblesIn(refusal)
    return writeAck(number, device, command)
  }
  const width = data.length
  if (code === byName.status.code)
    return writeFrame(number, code, status.write(new Set(flags as readonly never[])).slice(0, width))
  return data === '' ? writeAck(number, 0, 0) : writeFrame(number, code, data)
}

/**
 * Returns the conditions that prevent printing. Only command 66h distinguishes paper and cover; command 20h and
 * refusals have one code for both.
 */
export function printBlockers(
  parts: ResponseParts,
  { code }: Request,
  name: EditionName,
): readonly PrintBlocker[] | undefined {
  const { refusal, data, flags } = parts
  if (refusal !== undefined) {
    const isHindered = DEVICE_NIBBLES[nibblesIn(refusal).device]?.key === 'noPaper'
    return isHindered ? ['paperOut'] : undefined
  }
  const { printerStatus, status: general } = catalogueOf(name).byName
  if (code === general.code) return flags.includes('noPaper') ? ['paperOut'] : []
  if (code !== printerStatus.code) return undefined
  try {
    const bits = printerStatus.response.read(data, codePage(EDITION[name].codePage)).flags
    return [
      ...(bits.has('paperEnd') ? (['paperOut'] as const) : []),
      ...(bits.has('coverOpen') ? (['coverOpen'] as const) : []),
    ]
  } catch {
    return undefined
  }
}
