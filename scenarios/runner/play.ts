/** One scenario, once: on one family, with one row of its table. */
import type { Family } from '../../drivers/model/receipt.ts'
import { type Beginning, beginningOf, checkAll, documentsOf, type Problem } from './checks.ts'
import { familyFacts } from './family-facts.ts'
import type { LoadedScenario } from './load.ts'
import { shown } from './match.ts'
import type { Check, Given } from './schema.ts'
import { StepFailed, Stepper } from './steps.ts'
import { type Rig, type Target, Unreachable } from './target/target.ts'
import { fill } from './values.ts'
import type { DocumentView, FrameView, RuleView, StateView } from './views.ts'

export interface Play {
  readonly loaded: LoadedScenario
  readonly family: Family
  readonly profile: string | undefined
  readonly row: Readonly<Record<string, unknown>>
  /** With family and row: unique within a run. */
  readonly name: string
}

export interface Failure {
  readonly file: string
  readonly line: number
  /** The step as it stands in the file; undefined: the check at the end. */
  readonly step: string | undefined
  readonly problems: readonly Problem[]
  /** What was asked and answered last. */
  readonly asked?: string
  readonly answered?: string
  readonly trace: readonly string[]
  readonly state: readonly string[]
  readonly repeat: string
}

export interface Result {
  readonly play: Play
  readonly status: 'passed' | 'failed' | 'notRun'
  /** `clock (a real device's clock cannot be moved)` */
  readonly reason?: string
  readonly durationMs: number
  readonly failure?: Failure
  readonly paper: readonly DocumentView[]
  /** What a lasting device was left with. */
  readonly left?: string
}

export interface PlayOptions {
  readonly target: Target
  readonly seed: number
  readonly update: boolean
  readonly updated: (path: string) => void
  /** The options of the command that repeats it. */
  readonly repeatOptions: string
}

/** Throws Unreachable when the target is not there at all. */
export async function playOne(play: Play, options: PlayOptions): Promise<Result> {
  const began = performance.now()
  const { loaded, family, profile } = play
  const scope = scopeOf(play)
  const given = fill(loaded.scenario.given ?? {}, scope) as Given
  const setup = { family, profile, given, folder: loaded.folder, seed: options.seed }
  const rig = await options.target.open(setup)
  const ended = (rest: Omit<Result, 'play' | 'durationMs'>): Result => ({
    play,
    durationMs: performance.now() - began,
    ...rest,
  })
  const player = new Player(play, options, rig, given, scope)
  try {
    const played = await player.play()
    const { left, failure = played } = options.target.device === 'lasting' ? await player.leave(played) : {}
    const paper = await player.paper()
    return ended({
      status: failure ? 'failed' : 'passed',
      ...(failure && { failure }),
      paper,
      ...(left !== undefined && { left }),
    })
  } finally {
    await rig.close()
  }
}

function scopeOf({ loaded, family, profile, row }: Play): Map<string, unknown> {
  const scope = new Map<string, unknown>(Object.entries(familyFacts(family, profile)))
  for (const [name, value] of Object.entries(row)) scope.set(name, fill(value, scope))
  for (const [name, value] of Object.entries(loaded.scenario.let ?? {})) scope.set(name, fill(value, scope))
  return scope
}

const FRAMES_BEFORE = 4
const FRAMES_SHOWN = 24
const FIELDS_SHOWN = 160

class Player {
  readonly #play: Play
  readonly #options: PlayOptions
  readonly #rig: Rig
  readonly #given: Given
  readonly #scope: Map<string, unknown>
  readonly #stepper: Stepper
  #beginning: Beginning = { document: 0, journal: 0, frame: 0 }

  constructor(play: Play, options: PlayOptions, rig: Rig, given: Given, scope: Map<string, unknown>) {
    this.#play = play
    this.#options = options
    this.#rig = rig
    this.#given = given
    this.#scope = scope
    const isLenient = play.loaded.scenario.check?.faults === 'any'
    this.#stepper = new Stepper(rig, scope, (check) => this.#check(check), isLenient)
  }

  async play(): Promise<Failure | undefined> {
    const { loaded } = this.#play
    const whole = { file: loaded.file, line: loaded.line }
    const problems = await this.#begin()
    if (problems.length > 0) return this.#failure({ ...whole, step: undefined, problems })
    try {
      await this.#stepper.playAll(loaded.steps)
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error
      const { step, problems: found } = error
      return this.#failure({
        file: step.file,
        line: step.line,
        step: step.text,
        problems: [...found, ...this.#troubles()],
      })
    }
    const { check } = loaded.scenario
    const found = await this.#end(check && (fill(check, this.#scope) as Check))
    if (found.length === 0) return undefined
    return this.#failure({
      file: loaded.file,
      line: check ? loaded.checkLine : loaded.line,
      step: undefined,
      problems: found,
    })
  }

  paper(): Promise<readonly DocumentView[]> {
    const { panel } = this.#rig
    return panel ? documentsOf(panel, this.#beginning) : Promise.resolve([])
  }

  /** Puts the device into the state that the scenario begins with. */
  async #begin(): Promise<Problem[]> {
    const { panel } = this.#rig
    const { articles, clock, paper, snapshot, receipts } = this.#given
    try {
      if (this.#options.target.device === 'lasting') await this.#stepper.mustBeClosed()
      if (panel) {
        if (snapshot !== undefined)
          await panel('PUT', '/emulator/snapshot', this.#stepper.readJson(this.#play.loaded.folder, snapshot))
        if (clock !== undefined) await panel('POST', '/emulator/clock', { set: clock })
        if (articles) await panel('POST', '/emulator/articles', articles)
        if (paper !== undefined) await panel('POST', '/emulator/paper', { state: paper })
      }
      if (receipts !== undefined) await this.#stepper.printBefore(receipts as number | readonly unknown[])
      if (panel) this.#beginning = await beginningOf(panel)
      return []
    } catch (error) {
      if (error instanceof Unreachable) throw error
      return [{ what: `given: ${error instanceof Error ? error.message : String(error)}` }]
    }
  }

  async #end(check: Check | undefined): Promise<Problem[]> {
    const unused = check?.faults === 'any' ? [] : await this.#unusedFaults()
    return [...unused, ...this.#troubles(), ...(check ? await this.#check(check) : [])]
  }

  /** What nobody foresaw, with its stack. */
  #troubles(): Problem[] {
    return this.#rig.troubles.filter((line) => /\n\s+at /.test(line)).map((what) => ({ what }))
  }

  async #unusedFaults(): Promise<Problem[]> {
    if (!this.#stepper.hasFaults || !this.#rig.panel) return []
    const rules = (await this.#rig.panel('GET', '/emulator/faults')) as readonly RuleView[]
    return rules
      .filter(({ hits }) => hits === 0)
      .map(({ id: _id, hits: _hits, ...rule }) => ({ what: `the fault never struck: ${shown(rule)}` }))
  }

  #check(check: Check): Promise<Problem[]> {
    const { target: _target, update, updated } = this.#options
    return checkAll(check, {
      rig: this.#rig,
      beginning: this.#beginning,
      given: this.#given,
      paper: this.#play.loaded.paper,
      family: this.#play.family,
      update,
      updated,
      isUnheard: this.#stepper.isUnheard,
    })
  }

  /** A lasting device ends with no open receipt; what was printed on it is said. */
  async leave(played: Failure | undefined): Promise<{ readonly left?: string; readonly failure?: Failure }> {
    try {
      const left = await this.#stepper.leave()
      return left === undefined ? {} : { left }
    } catch (error) {
      if (error instanceof Unreachable) throw error
      if (played) return {}
      const { file, line } = this.#play.loaded
      const what = `at the end: ${error instanceof Error ? error.message : String(error)}`
      return { failure: await this.#failure({ file, line, step: undefined, problems: [{ what }] }) }
    }
  }

  async #failure(found: Pick<Failure, 'file' | 'line' | 'step' | 'problems'>): Promise<Failure> {
    const { loaded, name } = this.#play
    const { asked, answered } = this.#stepper
    return {
      ...found,
      ...(asked !== undefined && { asked }),
      ...(answered !== undefined && { answered }),
      trace: await this.#trace(),
      state: await this.#state(),
      repeat: `npx fiscal-rig run ${quoted(loaded.file)} --only ${quoted(name)} ${this.#options.repeatOptions}`,
    }
  }

  /** Decoded frames around the step that failed. */
  async #trace(): Promise<string[]> {
    if (!this.#rig.panel) return []
    const frames = (await this.#rig.panel('GET', '/emulator/frames')) as readonly FrameView[]
    const heard = this.#rig.heard?.() ?? frames.length
    const mark = Math.max(0, this.#stepper.heardBefore - (heard - frames.length))
    const from = Math.max(0, Math.min(mark - FRAMES_BEFORE, frames.length))
    const shownFrames = frames.slice(Math.max(from, frames.length - FRAMES_SHOWN))
    return shownFrames.map(({ direction, command, fields, status, hex }) => {
      const arrow = direction === 'toDevice' ? '>' : '<'
      const data =
        Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : command === 'unknown' ? ` ${hex}` : ''
      const flags = status.length > 0 ? ` [${status.join(' ')}]` : ''
      return `${arrow} ${command}${visible(data.slice(0, FIELDS_SHOWN))}${flags}`
    })
  }

  async #state(): Promise<string[]> {
    if (!this.#rig.panel) return []
    const state = (await this.#rig.panel('GET', '/emulator')) as StateView
    return [
      `${state.power ? 'on' : 'off'}, paper ${state.paper}, cover ${state.cover ? 'open' : 'closed'}, cable ${state.cable ? 'in' : 'out'}, clock ${state.clock}`,
      `open receipt: ${state.receipt ? JSON.stringify(state.receipt) : 'none'}; day total ${state.day.total}; ${JSON.stringify(state.counters)}`,
    ]
  }
}

/** Status bytes and the like, which no terminal shows. */
const visible = (text: string): string =>
  text.replace(/[\u007f-\u009f]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
