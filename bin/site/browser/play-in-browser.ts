import { FAMILIES } from '../../../drivers/index.ts'
import { SimulatedClock } from '../../../drivers/model/clock.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import { loadScenarios } from '../../../scenarios/runner/load.ts'
import { choosePlays, runPlays } from '../../../scenarios/runner/run.ts'
import { emulatedTarget } from '../../../scenarios/runner/target/emulated.ts'
import type { Rig, Target } from '../../../scenarios/runner/target/target.ts'
import express, { type App } from './replacements/express.ts'
import { put } from './replacements/fs.ts'
import type { Handler } from './replacements/http-messages.ts'
import type { RunningDevice } from './tab.ts'

export interface PlayResult {
  readonly name: string
  /** If `failed` or `notRun`, `reasons` is not empty. */
  readonly status: 'passed' | 'failed' | 'notRun'
  readonly reasons: readonly string[]
  readonly running: RunningDevice
}

const FILE = '/scenario.yaml'
const TICK_MS = 50

/** Rejects with the mistakes of the text, one per line. */
export async function play(text: string): Promise<PlayResult> {
  put(FILE, text)
  const loaded = loadScenarios([FILE])
  const [first] = choosePlays(loaded, { families: FAMILIES, only: undefined, tags: [], seed: 1, shard: undefined })
  if (!first) throw new Error('the link contains no scenario that can be run')
  const { target, rig } = keepOpen(emulatedTarget('emulator', FAMILIES))
  const { results } = await runPlays([first], {
    target,
    parallel: 1,
    bail: false,
    ended: () => undefined,
    update: false,
    updated: () => undefined,
    repeatOptions: () => [],
  })
  const [result] = results
  const currentRig = rig()
  if (!result || !currentRig) throw new Error(result?.reason ?? 'the scenario was not played')
  const reasons = [...(result.reason === undefined ? [] : [result.reason]), ...problemsOf(result.failure)]
  return { name: first.loaded.scenario.name, status: result.status, reasons, running: runningOver(currentRig) }
}

const problemsOf = (failure: { readonly problems: readonly { readonly what: string }[] } | undefined): string[] =>
  (failure?.problems ?? []).map(({ what }) => what)

function keepOpen(target: Target): { readonly target: Target; rig(): Rig | undefined } {
  let currentRig: Rig | undefined
  return {
    target: {
      ...target,
      async open(setup) {
        currentRig = await target.open(setup)
        return { ...currentRig, close: async () => undefined }
      },
    },
    rig: () => currentRig,
  }
}

/** The simulated time of the scenario continues with real time. */
function runningOver(rig: Rig): RunningDevice {
  const { clock } = rig.time
  const timer = setInterval(() => {
    if (clock instanceof SimulatedClock) clock.advance(TICK_MS)
  }, TICK_MS)
  return {
    panel: rig.panelApp as unknown as App,
    service: serviceOf(rig),
    async close() {
      clearInterval(timer)
      await rig.close()
    },
  }
}

function serviceOf(rig: Rig): App {
  const app = express()
  const pass: Handler = async (request, response) => {
    const { method, originalUrl: path, headers } = request
    const body = request.body === undefined ? {} : { body: String(request.body) }
    try {
      const answer = await rig.call({ method, path, headers, ...body }).answer
      if (answer) response.status(answer.status).set(answer.headers).send(answer.text)
    } catch (problem) {
      response.status(500).json({ error: messageOf(problem) })
    }
  }
  app.use(express.text({ limit: 1024 * 1024 }))
  app.use(pass)
  return app
}
