import { effectInWords } from '../../../../faults/effects.ts'
import { POINTS } from '../../../../faults/points.ts'
import type { FrameView, MomentView } from '../../../contract.ts'
import { spaced } from '../words.ts'
import { framesById, lineNumbers, type TimeRow, timeRows } from './moments.ts'

/** The story of a rule that struck: what came just before, the blow, and what host and device made of it. */

export interface Chapter {
  readonly id: number
  readonly at: string
  readonly sentences: readonly string[]
  readonly isStrike: boolean
}

const BEFORE = 2
const AFTER = 6

/** `fromEnd`: so many other strikes came later. Empty: it is no longer kept. */
export function storyOf(
  moments: readonly MomentView[],
  frames: readonly FrameView[],
  fromEnd: number,
): readonly Chapter[] {
  const strike = moments.filter(({ is }) => is === 'fault').at(-1 - fromEnd)
  if (strike?.is !== 'fault') return []
  const rows = timeRows(moments)
  const struck = rows.findLastIndex(({ first, last }) => first <= strike.id && strike.id <= last)
  const byId = framesById(frames)
  const blow = `Rule ${strike.rule ?? ''} strikes: ${effectInWords(strike.what)} ${POINTS[strike.point].words}.`
  let before: FrameView | undefined
  const chapters = rows.slice(Math.max(0, struck - BEFORE), struck + AFTER + 1).map((row) => {
    const isStrike = row === rows[struck]
    const ask = byId.get(row.ask ?? 0)
    const isAgain = ask !== undefined && ask.hex === before?.hex
    if (ask) before = ask
    return {
      id: row.last,
      at: row.at,
      isStrike,
      sentences: tell(row, { byId, ask, isAgain, ...(isStrike && { blow }) }),
    }
  })
  return chapters.filter(({ sentences }) => sentences.length > 0)
}

function tell(
  row: TimeRow,
  of: {
    readonly byId: ReadonlyMap<number, FrameView>
    readonly ask: FrameView | undefined
    readonly isAgain: boolean
    readonly blow?: string
  },
): readonly string[] {
  const { byId, ask, isAgain, blow } = of
  const answers = row.answers.flatMap((id) => byId.get(id) ?? []).filter(({ hex }) => hex.length > 2)
  const isOfWire = row.ask !== undefined
  const printed =
    row.lines.length === 0 ? [] : [`Printed: ${lineNumbers(row.lines)} of document ${row.lines[0]?.document}.`]
  return [
    ...(ask ? [`The host ${isAgain ? 'asks the same again' : 'asks'}: ${spaced(ask.command)}.`] : []),
    ...(blow === undefined ? [] : [blow]),
    ...row.hands.map((hand) => `By hand: ${hand}.`),
    ...printed,
    ...row.documents.map(({ number }) => `Document ${number} is finished.`),
    ...(answers.length > 0
      ? [`The device answers${problemsIn(answers)}.`]
      : isOfWire
        ? ['No answer reaches the host.']
        : []),
  ]
}

/** An error code is what a till has to understand. */
function problemsIn(answers: readonly FrameView[]): string {
  const code = answers.at(-1)?.fields['error']
  return code === undefined || code === 0 || code === null ? '' : ` with ${JSON.stringify(code)}`
}
