/**
 * Plays steps in a simulated world. Judges them by the criteria of `check`, and by the paper of a run without faults.
 */
import type { Family } from '../../drivers/model/families.ts'
import type { PaperDocument } from '../../emulator/fiscal/api.ts'
import { claimedOutcome } from '../../scenarios/simulation/claimed-outcome.ts'
import { type Call, isUntouched, type Reply } from '../../scenarios/simulation/client.ts'
import { Run, RunFailed } from '../../scenarios/simulation/run.ts'
import { isRequest, type RequestStep, type Step } from '../../scenarios/simulation/steps.ts'
import { Violation } from '../../scenarios/simulation/violation.ts'
import { World } from '../../scenarios/simulation/world.ts'
import type { WorldOptions } from '../../scenarios/simulation/world-options.ts'

export type Device = string

/** A complete request, for content that the steps of `check` cannot express. Only its paper is judged. */
export interface CallStep extends Call {
  readonly do: 'call'
}
export type Ask = RequestStep | CallStep
type Crash = Extract<Step, { do: 'crash' }>
export type PlayedStep = Step | CallStep | (Omit<Crash, 'during'> & { readonly during: Ask })

export interface Setting extends Pick<WorldOptions, 'breakDevice'> {
  readonly device: Device
  readonly onSqlite?: boolean
  readonly powerBackMs?: number
  readonly powerOnNoise?: string
}

export interface Played {
  readonly replies: readonly Reply[]
  /** Lines of all documents of the current device, without lines that differ between runs. */
  readonly paper: readonly string[]
  readonly fiscalReceipts: number
  /** True if the device executed a sale twice and the driver voided one of the two rows. */
  readonly hasCorrection: boolean
  readonly hits: number
  readonly places: Places
}

export interface Places {
  readonly frame: number
  readonly command: number
  readonly answer: number
  readonly bytesToDevice: readonly number[]
  readonly bytesToHost: readonly number[]
}

export const partsOf = (device: Device): { readonly family: Family; readonly profile?: string } => {
  const [family = '', profile] = device.split(' ')
  return { family, ...(profile !== undefined && { profile }) }
}

/** Matches a time of day, its graphic code, and the check code of all lines. */
const VARIES = /\d\d:\d\d:\d\d|^ *\|\| .*\*.*\|\|$|^ *[0-9A-F]{5}(-[0-9A-F]{5}){3}$/
const NUMBER = /\d{6,7}(?=\D*$)/

/**
 * The comparison ignores a receipt that was cancelled, and a copy, which may be missing after a legacy job's own
 * receipt.
 */
const isDisregarded = ({ kind, text }: PaperDocument): boolean =>
  kind === 'cancelled' || kind === 'copy' || (kind === 'nonFiscal' && text.some((line) => /\bVOID\b/.test(line)))

class Player {
  readonly world: World
  readonly run: Run
  readonly replies: Reply[] = []
  hasCalls = false

  constructor({ device, ...options }: Setting) {
    this.world = new World({ ...partsOf(device), seed: 1, slow: false, ...options })
    this.run = new Run(this.world)
  }

  async play(step: PlayedStep): Promise<void> {
    if (step.do === 'call') return this.#ask(step)
    if (step.do === 'crash') {
      this.world.dieAtWrite(step.write)
      await this.#ask(step.during)
      this.world.spare()
      return this.world.restart()
    }
    if (isRequest(step as Step)) return this.#ask(step as RequestStep)
    return this.run.perform(step as Step)
  }

  async #ask(step: Ask): Promise<void> {
    if (step.do === 'call') this.hasCalls = true
    const reply =
      step.do === 'call' ? await this.world.request(step.path, step.body, step.key) : await this.run.request(step)
    if (reply) this.replies.push(reply)
  }

  paper(): Pick<Played, 'paper' | 'fiscalReceipts' | 'hasCorrection'> {
    const { device, profile } = this.world.emulator
    const documents = device.documents()
    const paper = documents
      .filter((one) => !isDisregarded(one))
      .flatMap(({ text }) => text)
      .filter((line) => line.trim() !== profile.paper.words.powerLoss && !VARIES.test(line))
      .map((line) => line.replace(NUMBER, 'N'))
    const fiscalReceipts = documents.filter(({ kind }) => kind === 'fiscal' || kind === 'invoice').length
    const { correction } = profile.paper.words
    return { paper, fiscalReceipts, hasCorrection: paper.some((line) => line.trim() === correction) }
  }

  async end(mayStayOpen: boolean): Promise<void> {
    if (!this.hasCalls) return this.run.liveness()
    const { world } = this
    await world.heal()
    const { status, message, data } = await world.request('/status-of-the-fiscal-transaction')
    if (status !== 200) throw new Violation(`with all faults off, the status was answered ${status}: ${message}`)
    const isUnknown = this.replies.some((reply) => claimedOutcome(reply).is === 'unknown')
    if (!mayStayOpen && (data as { IsOpen: boolean }).IsOpen && !(isUnknown && isUntouched(data)))
      throw new Violation('a receipt of a request that has ended is still open')
    this.run.judge.books()
    if (world.troubles.length > 0) throw new Violation(`an unforeseen error: ${world.troubles[0]}`)
  }
}

export interface PlayOptions {
  readonly countFrom?: number
  readonly countTo?: number
  /** True if the operation is one request of a receipt. The receipt may then still be open at the end. */
  readonly mayStayOpen?: boolean
  /** Judges responses and paper before the faults end. Throws `Violation`. */
  readonly judge?: (played: Played) => void
}

/** Throws `RunFailed` with the line traffic before the violation. */
export async function play(
  setting: Setting,
  steps: readonly PlayedStep[],
  { countFrom = 0, countTo = steps.length, mayStayOpen = false, judge }: PlayOptions = {},
): Promise<Played> {
  const player = new Player(setting)
  const { world } = player
  let [isCounting, hits] = [false, 0]
  const bytesToDevice: number[] = []
  const bytesToHost: number[] = []
  world.onEvent = (event) => {
    if (event.type === 'fault') hits++
    if (!isCounting || event.type !== 'frame') return
    const { direction, bytes } = event.entry
    if (direction === 'toDevice') bytesToDevice.push(bytes.length)
    else bytesToHost.push(bytes.length)
  }
  try {
    for (const [index, step] of steps.entries()) {
      isCounting = index >= countFrom && index < countTo
      await player.play(step)
    }
    isCounting = false
    const command = bytesToDevice.filter((length) => length > 1).length
    const counts = { frame: bytesToDevice.length, command, answer: bytesToHost.length }
    const played = {
      replies: player.replies,
      hits,
      ...player.paper(),
      places: { ...counts, bytesToDevice, bytesToHost },
    }
    judge?.(played)
    await player.end(mayStayOpen)
    return played
  } catch (problem) {
    throw new RunFailed(problem, world.trace())
  } finally {
    await world.close()
  }
}
