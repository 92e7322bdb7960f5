/**
 * `fiscal-rig replay`: replays the host's side of a recording against a device, and shows where the responses differ.
 */

import { join } from 'node:path'
import { driverFamilies } from '../../drivers/families.ts'
import { openerOf, parseDevice } from '../../drivers/link/device-address.ts'
import { serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, systemClock } from '../../drivers/model/clock.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { portMessage } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { type Difference, differenceOf } from '../../scenarios/line/difference.ts'
import { type Exchange, exchangesOf, type FrameDecoder } from '../../scenarios/line/frames.ts'
import { type Player, playOn, playSimulated } from '../../scenarios/line/host-side.ts'
import { temporaryFolder } from '../../scenarios/temporary-folder.ts'
import { EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, StartedParts } from '../exit.ts'
import { io } from '../io.ts'
import { targetKind } from '../target-kind.ts'
import { say } from '../terminal-output.ts'
import { readFor } from './decode.ts'

interface ReplayOptions {
  readonly target?: string
  readonly family?: Family
  readonly profile?: string
  readonly baud?: number
  readonly all?: boolean
  readonly json?: boolean
}

interface Result {
  readonly exchanges: number
  readonly same: number
  readonly differences: readonly Difference[]
}

export async function replay(file: string, options: ReplayOptions): Promise<void> {
  const { recording, meaning } = readFor(file, options)
  const recorded = exchangesOf(recording.pieces, meaning)
  // A recording that was cut off may lack the end of the last response.
  const exchanges = recording.isCut ? recorded.slice(0, -1) : recorded
  if (exchanges.length === 0)
    throw new Exit(EXIT_USAGE, `${file} has no complete exchange of family ${meaning.family}: nothing was replayed.`)
  const started = new StartedParts()
  try {
    const play = await connect(meaning, options, exchanges[0]?.at ?? systemClock.now(), started)
    const result = await playAll(exchanges, play, meaning, options.all === true)
    say(options.json ? `${JSON.stringify(result)}\n` : report(result))
    if (result.differences.length > 0) io().status = EXIT_FAILED
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    throw error instanceof Exit
      ? error
      : new Exit(EXIT_ENVIRONMENT, `${options.target ?? 'emulator'} failed: ${portMessage(error)}`)
  } finally {
    await started.end()
  }
}

async function playAll(
  exchanges: readonly Exchange[],
  play: Player,
  meaning: FrameDecoder,
  all: boolean,
): Promise<Result> {
  const differences: Difference[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const difference = differenceOf(exchange, index + 1, await play(exchange), meaning)
    if (difference) differences.push(difference)
  }
  const inMeaning = differences.find(({ meaning: words }) => words !== undefined)
  const first = [...new Set([differences[0], inMeaning])].filter((one) => one !== undefined)
  return {
    exchanges: exchanges.length,
    same: exchanges.length - differences.length,
    differences: all ? differences : first,
  }
}

async function connect(
  meaning: FrameDecoder,
  options: ReplayOptions,
  startedAt: number,
  started: StartedParts,
): Promise<Player> {
  const { family } = meaning
  const { target = 'emulator', profile, baud = driverFamilies.get(family)?.bauds[0] ?? 115_200 } = options
  const own = { family, ...(profile !== undefined && { profile }) }
  const kind = targetKind(target, ['emulator', 'pty', 'device'])
  if (kind === 'emulator') {
    const clock = new SimulatedClock(Math.floor(startedAt))
    const emulator = createEmulator({ ...own, clock })
    started.add(() => emulator.close())
    const opener = serialPort(emulator.path, baud, clock, emulator.binding)
    const playing = await playSimulated({ opener, meaning, clock })
    started.add(() => playing.close())
    return playing.play
  }
  const path = kind === 'pty' ? await ownPty(own, started) : target
  const device = parseDevice(path, driverFamilies.get(family)?.defaultTcpPort ?? Number.NaN)
  const opener = openerOf(device, baud, systemClock)
  const playing = await playOn({ opener, meaning, clock: systemClock })
  started.add(() => playing.close())
  return playing.play
}

async function ownPty(
  own: { readonly family: Family; readonly profile?: string },
  started: StartedParts,
): Promise<string> {
  const folder = temporaryFolder('replay')
  started.add(() => folder.remove())
  const emulator = createEmulator(own)
  started.add(() => emulator.close())
  const { link } = await emulator.openPty(join(folder.path, 'printer'))
  return link
}

function report({ exchanges, same, differences }: Result): string {
  const lines = [`${countText(exchanges, 'exchange')} played, ${same} answered as recorded.`]
  for (const { exchange, command, question, recording, answer, byte, meaning } of differences) {
    const at = (hex: string) => hex.split(' ')[byte] || 'nothing'
    lines.push(
      '',
      `Exchange ${exchange}, ${command}:`,
      `  asked       ${question}`,
      `  recorded    ${recording || 'no answer'}`,
      `  answered    ${answer || 'no answer'}`,
      `  in bytes    byte ${byte}: ${at(recording)} was recorded, ${at(answer)} was answered`,
      `  in meaning  ${meaning ?? 'the same'}`,
    )
  }
  return `${lines.join('\n')}\n`
}
