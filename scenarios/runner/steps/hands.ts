/** Steps that touch the device from outside: paper, cover, power, cables, clock, articles, bytes on a line of our own. */
import { z } from 'zod'
import { hexOf } from '../../../drivers/wire/charset.ts'
import type { CallInput, CallName } from '../../../emulator/panel/contract.ts'
import { handWords } from '../by-hand.ts'
import { type Course, type Problem, problems } from '../course.ts'
import { anything, articleList, duration, expected, members, oneOf, paperState, words } from '../fields.ts'
import { differences } from '../match.ts'
import { milliseconds } from '../time.ts'
import { stepKind } from './step.ts'

type Post = Extract<CallName, `POST ${string}`>
export type BodyOf<Name extends Post> = CallInput<Name> extends { readonly body?: infer Body } ? Body : never

/** By the control interface, else by the person at the terminal; a target that has neither does not play the step. */
export async function hand<Name extends Post>(course: Course, name: Name, body: BodyOf<Name>): Promise<Problem[]> {
  course.request = `${name} ${JSON.stringify(body)}`
  const { panel, person } = course.rig
  const call = panel as ((name: Post, input: { readonly body: unknown }) => Promise<unknown>) | undefined
  if (call) await call(name, { body })
  else await person?.asks(handWords(name, body) ?? course.request)
  return []
}

export const paper = stepKind({
  schema: paperState,
  needs: 'hands',
  play: (state, course) => hand(course, 'POST /emulator/paper', { state }),
})

export const cover = stepKind({
  schema: oneOf(['open', 'closed']),
  needs: 'hands',
  play: (position, course) => hand(course, 'POST /emulator/cover', { open: position === 'open' }),
})

export const power = stepKind({
  schema: oneOf(['on', 'off']),
  needs: 'hands',
  play: (position, course) => {
    course.isUnheard = true
    return hand(course, 'POST /emulator/power', { on: position === 'on' })
  },
})

const plug = oneOf(['in', 'out'])

export const cable = stepKind({
  schema: plug,
  needs: 'cable',
  async play(position, course) {
    const { panel, tap } = course.rig
    if (panel || !tap) return hand(course, 'POST /emulator/cable', { connected: position === 'in' })
    await tap.cable(position)
    return []
  },
})

export const display = stepKind({
  schema: plug,
  needs: 'displayCable',
  play: async (position, { rig }) => {
    if (rig.setDisplay) rig.setDisplay(position === 'in')
    else await rig.person?.asks(position === 'in' ? 'plug the display in' : "pull the display's plug")
    return []
  },
})

export const clock = stepKind({
  schema: z.union(
    [
      members('clock', { set: words('a date and time such as "2026-07-14T12:30:00"') }),
      members('clock', { advance: duration }),
    ],
    expected('{set: "2026-07-14T12:30:00"} or {advance: 24h}'),
  ),
  needs: 'clock',
  // The control interface knows whole seconds.
  play: (change, course) =>
    hand(
      course,
      'POST /emulator/clock',
      'set' in change ? change : { advance: `PT${Math.round(milliseconds(change.advance) / 1000)}S` },
    ),
})

export const articles = stepKind({
  schema: articleList,
  needs: 'articles',
  play: (list, course) => hand(course, 'POST /emulator/articles', list as BodyOf<'POST /emulator/articles'>),
})

export const reset = stepKind({
  schema: members('reset', { keep: oneOf(['fiscalMemory']).optional() }),
  needs: 'fresh',
  play: (how, course) => hand(course, 'POST /emulator/reset', how),
})

const BYTES = expected('bytes such as "01 30 30"')

export const wire = stepKind({
  schema: members('wire', {
    send: z.string(BYTES).regex(/^[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})*$|^\$/, BYTES),
    answer: anything.optional().describe('Bytes as text, or {command, fields, status} of the decoded answer.'),
  }),
  needs: 'wire',
  play: async ({ send, answer }, course) => {
    const { wire: line, panel } = course.rig
    if (!line || !panel) return problems(['no line of our own leads to the device'])
    const before = (await panel('GET /emulator/frames')).at(-1)?.id ?? 0
    course.request = send
    const bytes = Buffer.from(await line.ask(Buffer.from(send.replaceAll(' ', ''), 'hex')))
    const hex = hexOf(bytes)
    course.answer = hex
    if (answer === undefined) return []
    if (typeof answer === 'string')
      return problems(answer.toUpperCase() === hex ? [] : [`expected the bytes ${answer}, there came ${hex}`])
    const frames = await panel('GET /emulator/frames', { query: { after: before } })
    const last = frames.filter(({ direction, command }) => direction === 'toHost' && command !== 'unknown').at(-1)
    return problems(
      last ? differences(answer, last, 'answer') : [`there came no frame, but ${hex === '' ? 'nothing' : hex}`],
    )
  },
})
