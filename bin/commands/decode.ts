/** `fiscal-rig decode`: prints a recording as decoded frames, or as a fixture or a scenario. */

import { FAMILIES } from '../../drivers/families.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { type Family, oneOfFamilies } from '../../drivers/model/families.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { readableFields } from '../../emulator/line/readable-fields.ts'
import { asFixture, asScenario } from '../../scenarios/line/export.ts'
import {
  type FrameDecoder,
  meaningOf,
  type ReadFrame,
  readFrames,
  withCompleteDirections,
} from '../../scenarios/line/frames.ts'
import { type Recording, RecordingError, readRecording } from '../../scenarios/line/recording.ts'
import { EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { say, writeLine } from '../terminal-output.ts'

interface DecodeOptions {
  readonly family?: Family
  readonly profile?: string
  readonly as?: 'fixture' | 'scenario'
  readonly output?: string
  readonly json?: boolean
}

export async function decode(file: string, options: DecodeOptions): Promise<void> {
  const { recording, meaning } = readFor(file, options)
  const text = textOf(recording, meaning, options)
  if (options.output === undefined) say(text)
  else writeOutput(options.output, text, 'data')
}

function textOf(recording: Recording, meaning: FrameDecoder, { as, profile, json }: DecodeOptions): string {
  if (as === 'fixture') return asFixture(recording, meaning)
  if (as === 'scenario') return asScenario(recording, meaning, profile)
  const frames = readFrames(recording.pieces, meaning).map((frame) => ({
    ...frame,
    fields: readableFields(frame.fields, frame.fieldMeanings),
  }))
  if (json)
    return frames
      .map(({ bytes, fieldMeanings: _meanings, ...frame }) => `${JSON.stringify({ ...frame, hex: hexOf(bytes) })}\n`)
      .join('')
  return frames.map((frame, index) => `${lineOf(frame, frames[index - 1])}\n`).join('')
}

/**
 * Reads a recording, and returns it with the decoder of its family. Throws Exit if the file is unreadable or the family
 * unknown.
 */
export function readFor(file: string, options: Pick<DecodeOptions, 'family' | 'profile'>) {
  const recording = recordingOf(file)
  const meaning = decoderFor(recording, options, file)
  const directed = withCompleteDirections(recording, meaning)
  if (directed !== recording)
    writeLine(`${file}: reading ">" as the direction of the device's responses, because the device's frames are there`)
  return { recording: directed, meaning }
}

function recordingOf(file: string): Recording {
  try {
    const recording = readRecording(file)
    const { skippedLines = 0 } = recording
    if (skippedLines > 0) writeLine(`${file}: skipped ${countText(skippedLines, 'line')} without bytes`)
    if (recording.isCut) writeLine(`${file}: skipped the last line, which is incomplete`)
    return recording
  } catch (error) {
    if (error instanceof RecordingError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

function decoderFor(
  { heading }: Recording,
  { family = heading?.family, profile }: Pick<DecodeOptions, 'family' | 'profile'>,
  file: string,
): FrameDecoder {
  if (heading?.family !== undefined && family !== heading.family)
    throw new Exit(EXIT_USAGE, `${file} was recorded on family ${heading.family}, not ${family}: omit --family`)
  if (family === undefined)
    throw new Exit(EXIT_USAGE, `${file} does not name its family: add --family ${oneOfFamilies(FAMILIES)}.`)
  try {
    return meaningOf(family, profile)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

const ARROWS = { toDevice: '>', toHost: '<' } as const

/**
 * Example: `12:30:00.123 +4.20 ms > sale {"name":"Bread"} 01 30 ...`. The pause is the time since the previous frame.
 */
function lineOf(frame: ReadFrame, before: ReadFrame | undefined): string {
  const { at, direction, command, fields, status, bytes } = frame
  const time = new Date(at).toISOString().slice(11, 23)
  const pause = before ? `+${(at - before.at).toFixed(2)}` : '0.00'
  const values = Object.keys(fields).length > 0 ? `  ${JSON.stringify(fields)}` : ''
  const flags = status.length > 0 ? `  [${status.join(' ')}]` : ''
  return `${time} ${pause.padStart(10)} ms  ${ARROWS[direction]} ${command}${values}${flags}\n${' '.repeat(30)}${hexOf(bytes)}`
}
