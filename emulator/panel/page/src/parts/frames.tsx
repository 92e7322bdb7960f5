import type { FrameView, MomentView } from '../../../contract.ts'
import { shownValue, spaced } from '../words.ts'
import type { Exchange } from './exchanges.ts'
import { useMedia } from './media.ts'
import { CopyLine } from './small.tsx'
import { Struck } from './strikes.tsx'

/** Frames of the wire: a row of the console, and everything about one of them. */

const isFromHost = ({ direction }: FrameView): boolean => direction === 'toDevice'

const summary = ({ fields }: FrameView): string =>
  Object.entries(fields)
    .map(([name, value]) => `${spaced(name)} ${shownValue(value)}`)
    .join('  ·  ')

/** `struck`: the faults that struck it, in words. */
export function FrameRow(props: {
  readonly frame: FrameView
  readonly struck: readonly string[] | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { frame, struck, isChosen, onChoose } = props
  return (
    <button type="button" class={`row frame-row ${frame.direction}`} aria-pressed={isChosen} onClick={onChoose}>
      <span class="at">{frame.at.slice(11, 23)}</span>
      <span class="direction">
        <span aria-hidden="true">{isFromHost(frame) ? '→' : '←'}</span> {isFromHost(frame) ? 'to device' : 'to host'}
      </span>
      <span class="command">{spaced(frame.command)}</span>
      <span class="summary">
        <Struck words={struck} />
        {summary(frame) || (frame.hex.length <= 8 ? frame.hex : '')}
      </span>
      <span class="length">{Math.ceil(frame.hex.length / 3)} B</span>
    </button>
  )
}

/** Request and answer as one row; `printed`: which lines of the paper came of it; `struck`: the faults that struck them. */
export function ExchangeRow(props: {
  readonly exchange: Exchange
  readonly printed: string
  readonly struck: readonly string[]
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { exchange, printed, struck, isChosen, onChoose } = props
  const { ask, answers } = exchange
  const first = ask ?? answers[0]
  return (
    <button type="button" class="row exchange-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="at">{first?.at.slice(11, 23)}</span>
      <span class="command">{spaced((ask ?? first)?.command ?? 'unknown')}</span>
      <span class="summary">{ask ? frameWords(ask) : ''}</span>
      <span class="answer">
        <Struck words={struck} />
        <span aria-hidden="true">← </span>
        <span class="hidden">answered: </span>
        {answers.length === 0 ? 'no answer' : answers.map(frameWords).join('; ') || 'done'}
      </span>
      <span class="printed">{printed}</span>
    </button>
  )
}

type PrintedLine = Extract<MomentView, { readonly is: 'line' }>

/** What a command has printed; `isLinked`: with the way to that moment. */
export function PrintedLines({ lines, isLinked }: { lines: readonly PrintedLine[]; isLinked: boolean }) {
  const [first] = lines
  if (!first) return null
  return (
    <div class="printed-lines">
      <h3>
        On paper{' '}
        <span>
          {isLinked ? (
            <a href={`#/timeline/${lines.at(-1)?.id}`}>document {first.document}, at that moment</a>
          ) : (
            `document ${first.document}`
          )}
        </span>
      </h3>
      <pre>{lines.map(({ line, text }) => `${String(line).padStart(3)}  ${text}`).join('\n')}</pre>
    </div>
  )
}

export const frameWords = (frame: FrameView): string => summary(frame)

export function ExchangeDetails(props: {
  readonly exchange: Exchange
  readonly lines: readonly PrintedLine[]
  readonly isLinked?: boolean
}) {
  const { exchange, lines, isLinked = false } = props
  const { ask, answers } = exchange
  return (
    <div class="exchange-details">
      <PrintedLines lines={lines} isLinked={isLinked} />
      {[...(ask ? [ask] : []), ...answers].map((frame) => (
        <section key={frame.id} aria-label={`Frame ${frame.id}`}>
          <h3>
            {isFromHost(frame) ? 'From the host' : 'From the device'} <span>{frame.at.slice(11, 23)}</span>
          </h3>
          <FrameDetails frame={frame} isBeside />
        </section>
      ))}
    </div>
  )
}

/** `isBeside`: there is room for half of a line of bytes only. */
export function FrameDetails({ frame, isBeside = false }: { frame: FrameView; isBeside?: boolean }) {
  const fields = Object.entries(frame.fields)
  const isNarrow = useMedia('(max-width: 1180px)')
  return (
    <div class="frame-details">
      {fields.length + frame.status.length > 0 ? (
        <dl class="facts">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{spaced(name)}</dt>
              <dd class="mono">{shownValue(value)}</dd>
            </div>
          ))}
          {frame.status.length > 0 ? (
            <div>
              <dt>status</dt>
              <dd>
                {frame.status.map((flag) => (
                  <span class="flag" key={flag}>
                    {spaced(flag)}
                  </span>
                ))}
              </dd>
            </div>
          ) : null}
        </dl>
      ) : null}
      <pre class="dump">{dump(frame.hex, isNarrow || isBeside ? 8 : 16)}</pre>
      <CopyLine text={frame.hex} label={`bytes of frame ${frame.id}`} />
    </div>
  )
}

/** Place, bytes, and the letters of what is ASCII. */
function dump(hex: string, bytesALine: number): string {
  const bytes = hex.split(' ').filter((byte) => byte !== '')
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += bytesALine) {
    const part = bytes.slice(at, at + bytesALine)
    const letters = part.map((byte) => {
      const code = Number.parseInt(byte, 16)
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '.'
    })
    const place = at.toString(16).toUpperCase().padStart(3, '0')
    lines.push(`${place}  ${part.join(' ').padEnd(bytesALine * 3)} ${letters.join('')}`)
  }
  return lines.join('\n')
}
