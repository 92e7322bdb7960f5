import { useContext, useRef, useState } from 'preact/hooks'
import type { FrameView, TimelineEntryView } from '../../../contract.ts'
import { asSeparateWords, formatValue } from '../labels-and-formats.ts'
import { deviceRead, useStore } from '../store.ts'
import { CopyLine } from './basic-components.tsx'
import { type Exchange, exchangesOf } from './exchanges.ts'
import { StoryLinks, TriggeredFaults, useFaultTriggers } from './fault-triggers.tsx'
import { useMedia } from './media-query.ts'
import { useRoving } from './roving-focus.ts'
import { OfEarlierRun } from './run-ids.tsx'
import { lineNumbers } from './timeline-rows.ts'

const isFromHost = ({ direction }: FrameView): boolean => direction === 'toDevice'

const summary = ({ fields }: FrameView): string =>
  Object.entries(fields)
    .map(([name, value]) => `${asSeparateWords(name)} ${formatValue(value)}`)
    .join('  ·  ')

export function FrameRow(props: {
  readonly frame: FrameView
  readonly triggers: readonly string[] | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly tab: { readonly tabIndex: 0 | -1 }
}) {
  const { frame, triggers: struck, isChosen, onChoose, tab } = props
  return (
    <button
      type="button"
      {...tab}
      class={`row frame-row ${frame.direction}`}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      <span class="at">{frame.at.slice(11, 23)}</span>
      <span class="direction">
        <span aria-hidden="true">{isFromHost(frame) ? '→' : '←'}</span> {isFromHost(frame) ? 'to device' : 'to host'}
      </span>
      <span class="command">{asSeparateWords(frame.command)}</span>
      <span class="summary">
        <TriggeredFaults words={struck} />
        {summary(frame) || (frame.hex.length <= 8 ? frame.hex : '')}
      </span>
      <span class="length">{Math.ceil(frame.hex.length / 3)} B</span>
    </button>
  )
}

/**
 * A request and its responses as one row. `printed` names the printed lines; `triggers` describes the faults that
 * changed the frames.
 */
function ExchangeRow(props: {
  readonly exchange: Exchange
  readonly printed: string
  readonly triggers: readonly string[]
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly tab: { readonly tabIndex: 0 | -1 }
}) {
  const { exchange, printed, triggers: struck, isChosen, onChoose, tab } = props
  const { ask, answers } = exchange
  const first = ask ?? answers[0]
  return (
    <button type="button" {...tab} class="row exchange-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="at">{first?.at.slice(11, 23)}</span>
      <span class="command">{asSeparateWords((ask ?? first)?.command ?? 'unknown')}</span>
      <span class="summary">{ask ? frameWords(ask) : ''}</span>
      <span class="answer">
        <TriggeredFaults words={struck} />
        <span aria-hidden="true">← </span>
        <span class="hidden">answered: </span>
        {answers.length === 0 ? 'no answer' : answers.map(frameWords).join('; ') || 'done'}
      </span>
      <span class="printed">{printed}</span>
    </button>
  )
}

export function Exchanges(props: {
  readonly frames: readonly FrameView[]
  readonly lines?: ReadonlyMap<number, readonly PrintedLine[]>
}) {
  const { frames, lines } = props
  const [chosen, setChosen] = useState<number>()
  const triggers = useFaultTriggers()
  const { list, tab, onKeyDown, onFocusIn } = useRoving()
  return (
    <ul class="frames" ref={list} onKeyDown={onKeyDown} onFocusIn={onFocusIn}>
      {exchangesOf(frames).map((exchange, index) => (
        <li key={exchange.id}>
          <ExchangeRow
            exchange={exchange}
            tab={tab(index)}
            printed={lineNumbers(lines?.get(exchange.id) ?? [])}
            triggers={[exchange.ask, ...exchange.answers].flatMap((frame) => triggers.get(frame?.id ?? 0) ?? [])}
            isChosen={exchange.id === chosen}
            onChoose={() => setChosen(exchange.id === chosen ? undefined : exchange.id)}
          />
          {exchange.id === chosen ? (
            <ExchangeDetails exchange={exchange} lines={lines?.get(exchange.id) ?? []} isLinked />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

type PrintedLine = Extract<TimelineEntryView, { readonly is: 'line' }>

/** The printed lines of a command, with a link to the timeline entry if `isLinked`. */
export function PrintedLines({ lines, isLinked }: { lines: readonly PrintedLine[]; isLinked: boolean }) {
  const [first] = lines
  const isEarlier = useContext(OfEarlierRun)
  // A reset removes the lines and their timeline entry; the frame is still stored.
  const device = useStore(deviceRead)
  const read = useRef({ first: first?.id, device })
  if (read.current.first !== first?.id) read.current = { first: first?.id, device }
  const hasEntry = isLinked && !isEarlier && read.current.device === device
  if (!first) return null
  return (
    <div class="printed-lines">
      <h3>
        On paper{' '}
        <span>
          {hasEntry ? (
            <a href={`#/timeline/${lines.at(-1)?.id}`}>document {first.document}, at that time</a>
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
      <StoryLinks frames={[ask, ...answers].flatMap((frame) => frame?.id ?? [])} />
      <PrintedLines lines={lines} isLinked={isLinked} />
      {[...(ask ? [ask] : []), ...answers].map((frame) => (
        <section key={frame.id} aria-label={`Frame ${frame.id}`}>
          <h3>
            {isFromHost(frame) ? 'From the host' : 'From the device'} <span>{frame.at.slice(11, 23)}</span>
          </h3>
          <FrameDetails frame={frame} isNextToDetails />
        </section>
      ))}
    </div>
  )
}

/** A line has half as many bytes with `isNextToDetails`. */
export function FrameDetails({
  frame,
  isNextToDetails: isBeside = false,
}: {
  frame: FrameView
  isNextToDetails?: boolean
}) {
  const fields = Object.entries(frame.fields)
  const isNarrow = useMedia('(max-width: 1180px)')
  return (
    <div class="frame-details">
      {fields.length + frame.status.length > 0 ? (
        <dl class="facts">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{asSeparateWords(name)}</dt>
              <dd class="mono">{formatValue(value)}</dd>
            </div>
          ))}
          {frame.status.length > 0 ? (
            <div>
              <dt>status</dt>
              <dd>
                {frame.status.map((flag) => (
                  <span class="flag" key={flag}>
                    {asSeparateWords(flag)}
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
