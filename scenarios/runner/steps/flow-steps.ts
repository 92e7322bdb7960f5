import { z } from 'zod'
import { countText } from '../../../drivers/model/count-text.ts'
import { type Check, checkAll, checkSchema } from '../checks/index.ts'
import { duration, expected, members, name, oneOf, orVariable, wholeNumber, words } from '../fields.ts'
import { differences } from '../match.ts'
import { fill } from '../scenario-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { type Problem, problems } from '../step-results.ts'
import { milliseconds } from '../time.ts'
import type { Expectation } from './modifiers.ts'
import { playSteps } from './play-steps.ts'
import { callOf, judgeHttp } from './requests.ts'
import { type Step, stepKind } from './step.ts'

type StepList = z.ZodType<readonly Step[]>

const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 50

type WaitStep = { readonly until: Check; readonly atMost?: string | undefined }

export const wait = stepKind({
  schema: z
    .union(
      [
        duration,
        members('wait', {
          until: checkSchema.describe('Until this is true.'),
          atMost: duration.optional().describe('Time limit (default: 10s).'),
        }),
      ],
      expected('a duration such as 2s, or {until: CHECK, atMost: 10s}'),
    )
    .describe('Waits for a time, or until something is true.'),
  needs: undefined,
  checks: (value) => (typeof value === 'object' ? value.until : undefined),
  play: async (value, run) => {
    if (typeof value === 'object') return waitUntil(value, run)
    const { rig, budget } = run
    if (rig.time.isReal && !budget.allows(milliseconds(value)))
      return problems([`cannot wait ${value}: less time than that remains for this scenario; raise --time-limit`])
    await rig.time.sleep(milliseconds(value))
    return []
  },
})

async function waitUntil({ until, atMost }: WaitStep, run: ScenarioRun): Promise<readonly Problem[]> {
  const { time } = run.rig
  const end = time.clock.now() + (atMost === undefined ? WAIT_MS : milliseconds(atMost))
  for (;;) {
    const wrong = await checkAll(until, run)
    if (wrong.length === 0) return []
    const overdue = run.budget.overdue()
    if (overdue !== undefined) return [...problems([overdue]), ...wrong]
    if (time.clock.now() >= end) return [...problems([`the condition was not met within ${atMost ?? '10s'}`]), ...wrong]
    await time.sleep(LOOK_AGAIN_MS)
  }
}

export const repeat = (steps: StepList) =>
  stepKind({
    schema: members('repeat', {
      times: orVariable(wholeNumber(1, 10_000), 'a number of times').describe('How often.'),
      as: name.optional().describe('Name for the number of the round, from 1.'),
      steps: steps.describe('What is repeated.'),
    }).describe('Plays steps several times.'),
    needs: undefined,
    inner: 'steps',
    play: async ({ times, as }, run, { children }) => {
      const count = Number(fill(times, run.scope))
      for (let n = 1; n <= count; n++) {
        if (as !== undefined) run.scope.set(as, n)
        await playSteps(children, run)
      }
      return []
    },
  })

const TOGETHER_MAX = 500

export const sendTogether = (steps: StepList) =>
  stepKind({
    schema: members('together', {
      times: orVariable(wholeNumber(1, TOGETHER_MAX), 'a number of times')
        .optional()
        .describe('How many times each of them is sent; default: once.'),
      steps: steps.describe('Requests.'),
    }).describe('Sends requests at the same time.'),
    needs: undefined,
    acceptedModifiers: ['expect'],
    inner: 'requests',
    play: async ({ times = 1 }, run, { raw, children }) => {
      const { rig, scope } = run
      const count = Number(fill(times, scope))
      if (!(count <= TOGETHER_MAX)) return problems([`expected at most ${TOGETHER_MAX} times, not ${count}`])
      const requests = children.flatMap((child) => Array.from({ length: count }, () => child))
      const calls = await Promise.all(requests.map((step) => callOf(step, run)))
      run.log.request = `${countText(calls.length, 'request')} at once, the first: ${calls[0]?.method.toUpperCase()} ${calls[0]?.path}`
      const answers = await rig.time.until(Promise.all(calls.map((call) => rig.call(call).answer)))
      const counts: Record<string, number> = {}
      for (const http of answers) {
        const status = http ? String(http.status) : 'none'
        counts[status] = (counts[status] ?? 0) + 1
      }
      run.log.answer = Object.entries(counts)
        .map(([status, number]) => `${number} x ${status}`)
        .join(', ')
      const expect = fill(raw['expect'], scope) as Exclude<Expectation, string> | undefined
      if (expect?.statuses) return problems(differences(expect.statuses, counts, 'statuses'))
      return requests.flatMap((step, index) => judgeHttp(step, run, answers[index]))
    },
  })

export const include = stepKind({
  schema: words('a file with steps').describe('Plays the steps of a file, relative to this one.'),
  needs: undefined,
  acceptedModifiers: ['with'],
  inner: 'file',
  play: async (_file, run, { raw, children }) => {
    for (const [key, value] of Object.entries(raw['with'] ?? {})) run.scope.set(key, fill(value, run.scope))
    await playSteps(children, run)
    return []
  },
})

/** Arguments are defined only inside. Values that inner steps keep remain afterwards. */
export const use = stepKind({
  schema: words('the name of shared steps').describe(
    'Plays the steps of this name under shared, with arguments in with.',
  ),
  needs: undefined,
  acceptedModifiers: ['with'],
  inner: 'shared',
  play: async (_name, run, { raw, argumentValues: given = {}, children }) => {
    const { scope } = run
    const before = Object.keys(given).map((name) => [name, scope.has(name), scope.get(name)] as const)
    // Outer values are filled in before arguments replace them.
    const named = fill(raw['with'] ?? {}, scope) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(named)) scope.set(name, value)
    for (const [name, value] of Object.entries(given))
      if (!Object.hasOwn(named, name)) scope.set(name, fill(value, scope))
    try {
      await playSteps(children, run)
    } finally {
      for (const [name, was, value] of before) {
        if (was) scope.set(name, value)
        else scope.delete(name)
      }
    }
    return []
  },
})

export const check = stepKind({
  schema: checkSchema.describe('What must be true now.'),
  needs: undefined,
  checks: (value) => value,
  play: checkAll,
})

export const restart = stepKind({
  schema: oneOf(['service']).describe('Restarts the service on the same device.'),
  needs: 'restart',
  play: async (_service, { rig }) => {
    await rig.restart?.()
    return []
  },
})
