import { z } from 'zod'
import { hexOf } from '../../../drivers/wire/charset.ts'
import type { CallInput, CallName } from '../../../emulator/panel/contract.ts'
import { anything, articleList, duration, expected, members, oneOf, paperState, words } from '../fields.ts'
import type { Given } from '../given.ts'
import { manualActionText } from '../manual-actions.ts'
import { differences } from '../match.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { type Problem, problems } from '../step-results.ts'
import { milliseconds } from '../time.ts'
import { type StepKind, stepKind } from './step.ts'

type Post = Extract<CallName, `POST ${string}`>
type BodyOf<Name extends Post> = CallInput<Name> extends { readonly body?: infer Body } ? Body : never

export async function callControl<Name extends Post>(
  run: ScenarioRun,
  name: Name,
  body: BodyOf<Name>,
): Promise<Problem[]> {
  run.log.request = `${name} ${JSON.stringify(body)}`
  const { panel, person } = run.rig
  const call = panel as ((name: Post, input: { readonly body: unknown }) => Promise<unknown>) | undefined
  if (call) await call(name, { body })
  else await person?.prompt(manualActionText(name, body) ?? run.log.request)
  return []
}

const deviceActionStep = <Name extends Post, Schema extends z.ZodType>(
  name: Name,
  needs: Need,
  schema: Schema,
  bodyOf: (value: z.output<Schema>) => BodyOf<Name>,
): StepKind<Schema> => ({
  schema,
  needs,
  manualAction: (value) => manualActionText(name, bodyOf(value)),
  play: (value, run) => callControl(run, name, bodyOf(value)),
})

export const paper = deviceActionStep(
  'POST /emulator/paper',
  'hands',
  paperState.describe('Loads paper or takes it out.'),
  (state) => ({ state }),
)

export const cover = deviceActionStep(
  'POST /emulator/cover',
  'hands',
  oneOf(['open', 'closed']).describe('Opens or closes the cover.'),
  (position) => ({
    open: position === 'open',
  }),
)

const powerSwitch = deviceActionStep(
  'POST /emulator/power',
  'hands',
  oneOf(['on', 'off']).describe('Switches the device on or off.'),
  (position) => ({
    on: position === 'on',
  }),
)
export const power = stepKind({
  ...powerSwitch,
  play: (position, run, step) => {
    run.log.hasTrafficGap = true
    return powerSwitch.play(position, run, step)
  },
})

const plug = oneOf(['in', 'out'])

const deviceCable = deviceActionStep(
  'POST /emulator/cable',
  'cable',
  plug.describe('Plugs the cable to the device in or pulls it out.'),
  (position) => ({ connected: position === 'in' }),
)
export const cable = stepKind({
  ...deviceCable,
  async play(position, run, step) {
    const { panel, tap } = run.rig
    if (panel || !tap) return deviceCable.play(position, run, step)
    await tap.cable(position)
    return []
  },
})

const displayText = (position: 'in' | 'out'): string =>
  position === 'in' ? 'plug the display in' : "pull the display's plug"

export const display = stepKind({
  schema: plug.describe('Plugs the customer display in or pulls it out.'),
  needs: 'displayCable',
  manualAction: displayText,
  play: async (position, { rig }) => {
    if (rig.setDisplay) rig.setDisplay(position === 'in')
    else await rig.person?.prompt(displayText(position))
    return []
  },
})

// The control API accepts only whole seconds.
export const clock = deviceActionStep(
  'POST /emulator/clock',
  'clock',
  z
    .union(
      [
        members('clock', { set: words('a date and time such as "2026-07-14T12:30:00"') }),
        members('clock', { advance: duration }),
      ],
      expected('{set: "2026-07-14T12:30:00"} or {advance: 24h}'),
    )
    .describe("Sets the device's clock, or moves it on."),
  (change) => ('set' in change ? change : { advance: `PT${Math.round(milliseconds(change.advance) / 1000)}S` }),
)

export const articles = deviceActionStep(
  'POST /emulator/articles',
  'articles',
  articleList.describe('Programs articles.'),
  (list) => list as BodyOf<'POST /emulator/articles'>,
)

interface GivenAction {
  readonly needs: Need
  readonly name: Post
  readonly body: unknown
}

export const actionsOfGiven = ({ clock: set, articles: list, paper: state }: Given): readonly GivenAction[] => [
  ...(set !== undefined ? [{ needs: 'clock', name: 'POST /emulator/clock', body: { set } } as const] : []),
  ...(list ? [{ needs: 'articles', name: 'POST /emulator/articles', body: list } as const] : []),
  ...(state !== undefined ? [{ needs: 'hands', name: 'POST /emulator/paper', body: { state } } as const] : []),
]

export const reset = stepKind({
  schema: members('reset', { keep: oneOf(['fiscalMemory']).optional().describe('State that is kept.') }).describe(
    'Resets the device to a new one.',
  ),
  needs: 'fresh',
  play: (how, run) => callControl(run, 'POST /emulator/reset', how),
})

const BYTES = expected('bytes such as "01 30 30"')

export const wire = stepKind({
  schema: members('wire', {
    send: z
      .string(BYTES)
      .regex(/^[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})*$|^\$/, BYTES)
      .describe('Bytes, in hex.'),
    answer: anything.optional().describe('Bytes as text, or {command, fields, status} of the decoded answer.'),
  }).describe('Sends the given bytes on a line to the device.'),
  needs: 'wire',
  play: async ({ send, answer }, run) => {
    const { wire: line, panel } = run.rig
    if (!line || !panel) return problems(['this target has no line to the device on which this step could send bytes'])
    const before = (await panel('GET /emulator/frames')).at(-1)?.id ?? 0
    run.log.request = send
    const bytes = Buffer.from(await line.ask(Buffer.from(send.replaceAll(' ', ''), 'hex')))
    const hex = hexOf(bytes)
    run.log.answer = hex
    if (answer === undefined) return []
    if (typeof answer === 'string')
      return problems(answer.toUpperCase() === hex ? [] : [`expected the bytes ${answer}, received ${hex}`])
    const frames = await panel('GET /emulator/frames', { query: { after: before } })
    const last = frames.filter(({ direction, command }) => direction === 'toHost' && command !== 'unknown').at(-1)
    return problems(
      last ? differences(answer, last, 'answer') : [`expected a frame, received ${hex === '' ? 'nothing' : hex}`],
    )
  },
})
