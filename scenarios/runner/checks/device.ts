/** Checks of what the device shows and knows: counters, open receipt, hands, display, frames. */
import { z } from 'zod'
import { problems } from '../course.ts'
import { amount, anything, count, expected, members, oneOf, orVariable, paperState, whole0, words } from '../fields.ts'
import { differences, lineTest, shown } from '../match.ts'
import { checkKind } from './check.ts'

export const counters = checkKind({
  schema: members('the counters', {
    fiscalReceipts: whole0.optional(),
    nonFiscal: whole0.optional(),
    lastReceiptNumber: whole0.optional(),
    lastZ: whole0.optional(),
  }),
  needs: 'state',
  judge: async (expected, panel) => problems(differences(expected, (await panel('GET /emulator')).counters, '')),
})

export const receipt = checkKind({
  schema: z.union(
    [
      z.null(),
      members('the open receipt', {
        kind: oneOf(['fiscal', 'invoice', 'nonFiscal']).optional(),
        items: whole0.optional(),
        total: amount.optional(),
        paid: amount.optional(),
      }),
    ],
    expected('null, or {kind, items, total, paid} of the open receipt'),
  ),
  needs: 'state',
  judge: async (expected, panel) => {
    const { receipt: open } = await panel('GET /emulator')
    return problems(differences(expected, open, 'the open receipt', { amounts: true }))
  },
})

export const device = checkKind({
  schema: members('the state of the device', {
    power: z.boolean(expected('true or false')).optional(),
    paper: paperState.optional(),
    cover: z.boolean(expected('true (open) or false')).optional(),
    cable: z.boolean(expected('true or false')).optional(),
  }),
  needs: 'state',
  judge: async (expected, panel) => problems(differences(expected, await panel('GET /emulator'), '')),
})

export const display = checkKind({
  schema: z.array(z.string(expected('a line of text')), expected('the lines of the display: [upper, lower]')),
  needs: 'display',
  judge: async (expected, panel) => {
    const { display: lines } = await panel('GET /emulator')
    return problems(
      expected.flatMap((text, index) => {
        const line = (lines[index] ?? '').trimEnd()
        const isThere = /^\/.+\/i?$/s.test(text) ? lineTest(text)(line) : text.trimEnd() === line
        return isThere ? [] : [`line ${index + 1}: expected ${shown(text)}, it is ${shown(line)}`]
      }),
    )
  },
})

export const frames = checkKind({
  schema: members('a check of the frames', {
    count: z
      .record(z.string(), orVariable(count, 'a number of frames'), expected('numbers by command, such as {sale: 1}'))
      .optional()
      .describe('Frames from the host, by the name of their command.'),
    has: z
      .array(
        members('a frame', {
          direction: oneOf(['toDevice', 'toHost']).optional(),
          command: words('the name of a command').optional(),
          fields: anything.optional(),
          status: z.array(z.string()).optional(),
        }),
      )
      .optional(),
  }),
  needs: 'frames',
  judge: async ({ count: counts = {}, has = [] }, panel, { beginning }) => {
    const passed = await panel('GET /emulator/frames', { query: { after: beginning.frame } })
    const requests = passed.filter(({ direction }) => direction === 'toDevice')
    const wrong = Object.entries(counts).flatMap(([command, expected]) => {
      const sent = requests.filter((frame) => frame.command === command).length
      return sent === expected ? [] : [`expected ${expected} of ${command}, there were ${sent}`]
    })
    const missing = has.filter((expected) => !passed.some((frame) => differences(expected, frame, '').length === 0))
    return problems([...wrong, ...missing.map((expected) => `there was no frame ${shown(expected)}`)])
  },
})
