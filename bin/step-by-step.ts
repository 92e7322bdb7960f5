/** `run --debug`: waits for Enter before each step, with the control panel of the device open. */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { closeAtOnce, listenLocally } from '../drivers/host/local-server.ts'
import { escapeControl, escapeControlInLines } from '../drivers/model/escape-control.ts'
import type { ScenarioRun } from '../scenarios/runner/scenario-run.ts'
import type { StepLogEntry } from '../scenarios/runner/step-results.ts'
import { ScenarioStopped } from '../scenarios/runner/steps/play-steps.ts'
import type { Rig } from '../scenarios/runner/target/target.ts'
import type { Stream } from './run-reports.ts'

interface StepByStep {
  readonly beforeStep: (step: StepLogEntry, run: ScenarioRun) => Promise<void>
  close(): Promise<void>
}

const HELP = 'Enter: run this step; c: continue to the end of this scenario; q: stop'

export function stepByStep(input: NodeJS.ReadableStream, output: Stream): StepByStep {
  const writeLine = (text: string) => void output.write(`${escapeControlInLines(text)}\n`)
  const lines = linesOf(input)
  const page = pageOnPort()
  let at: Rig | undefined
  let goesOn = false
  return {
    async beforeStep({ file, line, title, note }, run) {
      if (at !== run.rig) {
        at = run.rig
        goesOn = false
        writeLine(`\n${await whereToLook(run.rig, page)}\n${HELP}`)
      }
      if (goesOn) return
      if (run.log.answer !== undefined) writeLine(`    ${escapeControl(run.log.answer)}`)
      output.write(`${escapeControl(`${file}:${line}  ${title}${note === undefined ? '' : ` (${note})`}`)} > `)
      const input = await lines.next()
      if (input === undefined) throw new ScenarioStopped('--debug: no answer at the terminal')
      if (/^q/i.test(input)) throw new ScenarioStopped('stopped by q at the prompt of --debug')
      goesOn = /^c/i.test(input)
    },
    close: async () => {
      lines.close()
      await page.close()
    },
  }
}

async function whereToLook({ panelApp, panelAddress }: Rig, page: PageOnPort): Promise<string> {
  if (panelAddress !== undefined) return `the device: ${panelAddress}`
  if (!panelApp) return 'the device has no control API, so it has no control panel'
  return `the device: ${await page.show(panelApp)}`
}

interface PageOnPort {
  show(app: NonNullable<Rig['panelApp']>): Promise<string>
  close(): Promise<void>
}

function pageOnPort(): PageOnPort {
  let app: Rig['panelApp']
  const server = createServer((request, response) => void app?.(request, response))
  let address: Promise<string> | undefined
  const listen = async (): Promise<string> => {
    await (await import('./commands/build-panel-page.ts')).ensurePageIfPossible()
    return `http://127.0.0.1:${await listenLocally(server, 0)}`
  }
  return {
    show(next) {
      app = next
      address ??= listen()
      return address
    },
    close: async () => {
      if (!address) return
      await address
      await closeAtOnce(server)
    },
  }
}

/** Resolves to the next line, or to `undefined` at the end of the input. */
function linesOf(input: NodeJS.ReadableStream): { next(): Promise<string | undefined>; close(): void } {
  const reader = createInterface({ input })
  const lines = reader[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { value, done } = await lines.next()
      return done ? undefined : String(value)
    },
    close: () => reader.close(),
  }
}
