import { z } from 'zod'
import type { FrameView } from '../../../emulator/panel/contract.ts'
import { compareReported, increaseSince, type Sums } from '../device-sums.ts'
import {
  amount,
  anything,
  count,
  countOrVariable,
  expected,
  members,
  oneOf,
  orVariable,
  paperState,
  words,
} from '../fields.ts'
import { differences, formatCount, formatValue, lineTest } from '../match.ts'
import { partOf } from '../scenario-names.ts'
import { countersOf } from '../scenario-run.ts'
import { type Problem, problems } from '../step-results.ts'
import { checkKind } from './check.ts'

export const counters = checkKind({
  schema: members('the counters', {
    fiscalReceipts: countOrVariable.optional().describe('Fiscal receipts.'),
    nonFiscal: countOrVariable.optional().describe('Non-fiscal receipts.'),
    lastReceiptNumber: countOrVariable.optional().describe('Number of the last receipt.'),
    lastZ: countOrVariable.optional().describe('Number of the last Z report.'),
  }).describe("The device's counters."),
  needs: 'state',
  judge: async (expected, panel, { log: { before } }) => {
    const there = increaseSince((await panel('GET /emulator')).counters, before.counters) as Sums
    return problems(differences(expected, there, ''))
  },
  ask: async (expected, reader, { log: { before } }) => {
    const { wrong, unreported } = compareReported(
      expected,
      increaseSince(countersOf(await reader.numbers()), before.counters) as Sums,
    )
    const lines = unreported.map((name) => `counter ${name}: ${formatValue(partOf(expected, name))} more than before`)
    return { problems: problems(wrong), manualChecks: lines.length === 0 ? [] : [{ at: 'sums', lines }] }
  },
})

export const receipt = checkKind({
  schema: z
    .union(
      [
        z.null(),
        members('the open receipt', {
          kind: oneOf(['fiscal', 'invoice', 'nonFiscal']).optional().describe('Kind of the receipt.'),
          items: countOrVariable.optional().describe('Number of items.'),
          total: amount.optional().describe('Total of the receipt.'),
          paid: amount.optional().describe('Amount that was paid.'),
        }),
      ],
      expected('null, or {kind, items, total, paid} of the open receipt'),
    )
    .describe('The open receipt; null: no receipt is open.'),
  needs: 'state',
  judge: async (expected, panel) => {
    const { receipt: open } = await panel('GET /emulator')
    return problems(differences(expected, open, 'the open receipt', { amounts: true }))
  },
  ask: async (expected, reader) => {
    const open = await reader.openReceipt()
    if (expected === null || open === null)
      return { problems: problems(differences(expected, open, 'the open receipt', { amounts: true })) }
    const { wrong, unreported } = compareReported(expected, open)
    const lines = unreported.map((name) => `open receipt, ${name}: ${formatValue(partOf(expected, name))}`)
    return { problems: problems(wrong), manualChecks: lines.length === 0 ? [] : [{ at: 'device', lines }] }
  },
})

export const device = checkKind({
  schema: members('the state of the device', {
    power: z.boolean(expected('true or false')).optional().describe('Whether the device is switched on.'),
    paper: paperState.optional().describe('State of the paper.'),
    cover: z.boolean(expected('true (open) or false')).optional().describe('Whether the cover is open.'),
    cable: z.boolean(expected('true or false')).optional().describe('Whether the cable is plugged in.'),
  }).describe('The state of the device.'),
  needs: 'state',
  judge: async (expected, panel) => problems(differences(expected, await panel('GET /emulator'), '')),
  /** A device that answers has power and a cable. The other expectations become manual checks. */
  ask: async ({ power, cable, ...seen }, reader) => {
    const answers = await reader.openReceipt().then(
      () => true,
      () => false,
    )
    const wrong = differences({ power, cable }, { power: power && answers, cable: cable && answers }, '')
    const lines = Object.entries(seen).map(([name, value]) => `${name} ${DEVICE_WORDS[String(value)] ?? String(value)}`)
    return { problems: problems(wrong), manualChecks: lines.length === 0 ? [] : [{ at: 'device', lines }] }
  },
})

export const display = checkKind({
  schema: z
    .array(z.string(expected('a line of text')), expected('the lines of the display: [upper, lower]'))
    .describe('Lines of the customer display; blanks at their ends are ignored.'),
  needs: 'display',
  ask: async (expected) => ({ manualChecks: [{ at: 'display', lines: expected.map((line) => formatValue(line)) }] }),
  judge: async (expected, panel) => {
    const { display: lines } = await panel('GET /emulator')
    return problems(
      expected.flatMap((text, index) => {
        const line = (lines[index] ?? '').trimEnd()
        const isThere = /^\/.+\/i?$/s.test(text) ? lineTest(text)(line) : text.trimEnd() === line
        return isThere ? [] : [`line ${index + 1}: expected ${formatValue(text)}, it is ${formatValue(line)}`]
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
          direction: oneOf(['toDevice', 'toHost']).optional().describe('Direction of the frame.'),
          command: words('the name of a command').optional().describe('Name of the command.'),
          fields: anything.optional().describe('Fields of the frame by name; other fields are not compared.'),
          status: z.array(z.string()).optional().describe('The status flags that are set.'),
        }),
      )
      .optional()
      .describe('Frames that must have been sent.'),
  }).describe('The frames on the wire.'),
  needs: 'frames',
  judge: async (expected, panel, { log: { beginning } }) =>
    judgeFrames(expected, await panel('GET /emulator/frames', { query: { after: beginning.frame } })),
  ask: async (expected, reader, { log: { beginning } }) => {
    const passed = reader.frames()
    if (passed) return { problems: judgeFrames(expected, passed.slice(beginning.frameCount)) }
    return {
      manualChecks: [
        { at: 'device', lines: [`frames on its line, which this run does not record: ${formatValue(expected)}`] },
      ],
    }
  },
})

const DEVICE_WORDS: Readonly<Record<string, string>> = { true: 'open', false: 'closed' }

interface ExpectedFrames {
  readonly count?: Readonly<Record<string, unknown>> | undefined
  readonly has?: readonly object[] | undefined
}

function judgeFrames({ count: counts = {}, has = [] }: ExpectedFrames, passed: readonly FrameView[]): Problem[] {
  const requests = passed.filter(({ direction }) => direction === 'toDevice')
  const wrong = Object.entries(counts).flatMap(([command, expected]) => {
    const sent = requests.filter((frame) => frame.command === command).length
    return sent === expected ? [] : [`expected ${formatCount(expected, 'frame')} of ${command}, there were ${sent}`]
  })
  const missing = has.filter((expected) => !passed.some((frame) => differences(expected, frame, '').length === 0))
  return problems([...wrong, ...missing.map((expected) => `there was no frame ${formatValue(expected)}`)])
}
