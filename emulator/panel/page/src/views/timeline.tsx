/** Requests, wire, paper, display, manual actions and faults on one axis, and the device after each of them. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { describeTrigger } from '../../../../faults/effects.ts'
import type { TimelineEntryView } from '../../../contract.ts'
import { call } from '../api.ts'
import { Display } from '../display/customer-display.tsx'
import { useAnswer } from '../parts/call-answer.ts'
import { answersTo } from '../parts/exchanges.ts'
import { ExchangeDetails, frameWords } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { Drawing } from '../parts/paper.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { SessionBar } from '../parts/session.tsx'
import { Card, Facts } from '../parts/small.tsx'
import { StatusMark, statusWords } from '../parts/status-mark.tsx'
import { LANE_NAMES, TimeAxis } from '../parts/time-axis.tsx'
import {
  framesById,
  LANES,
  type Lane,
  lanesOf,
  lineNumbers,
  pastAt,
  type TimeRow,
  timeRows,
} from '../parts/timeline-rows.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { navigate, refine, useAddress } from '../route.ts'
import { deviceRead, useStore } from '../store.ts'
import { asSeparateWords, titleOf } from '../words.ts'

const FOLLOW_MS = 250
const TIMELINE_ENTRIES_MAX = 6000

/** Returns the timeline entries, which are read again and again while the view is open. */
function useMoments(): readonly TimelineEntryView[] {
  const [moments, setMoments] = useState<readonly TimelineEntryView[]>([])
  const generation = useStore((state) => state.device?.generation)
  useEffect(() => {
    let isOpen = true
    let lastEntries: readonly TimelineEntryView[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      const last = lastEntries.at(-1)?.id ?? 0
      const fresh = await call('GET /emulator/timeline', { query: { after: last } }).catch(() => [])
      if (!isOpen) return
      if (fresh.length > 0) {
        // A restarted device counts from the start.
        lastEntries = [...lastEntries, ...fresh].slice(-TIMELINE_ENTRIES_MAX)
        setMoments(lastEntries)
      }
      timer = setTimeout(() => void read(), FOLLOW_MS)
    }
    void read()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [generation])
  return moments
}

/** Returns the lanes; without a service there is none for requests. */
function useLanes(chosen: string | undefined): { readonly all: readonly Lane[]; readonly lanes: readonly Lane[] } {
  const hasRequests = useStore((state) => state.service?.hasRequests === true)
  const all = hasRequests ? LANES : LANES.filter((lane) => lane !== 'requests')
  return { all, lanes: chosen === undefined ? all : all.filter((lane) => chosen.split(' ').includes(lane)) }
}

export function TimelineView() {
  const moments = useMoments()
  const storedFrames = useStore((state) => state.frames)
  const frames = useMemo(() => framesById(storedFrames), [storedFrames])
  const { path, query } = useAddress()
  const { all: allLanes, lanes } = useLanes(query['lanes'])
  const follow = query['follow'] ?? ''
  const device = useStore(deviceRead)
  const chosenId = path[0] === undefined ? undefined : Number(path[0])
  const live = useMemo(() => timeRows(moments), [moments])
  const {
    rows: all,
    more,
    release,
  } = useGrowing(live, {
    idOf: ({ first }) => first,
    of: `${device} ${lanes.join()}`,
    stored: TIMELINE_ENTRIES_MAX,
    follows: follow !== '',
  })
  const visibleRows = useMemo(
    () => all.filter((row) => lanesOf(row).some((lane) => lanes.includes(lane)) || lanes.length === allLanes.length),
    [all, lanes.join()],
  )
  const index =
    chosenId === undefined ? visibleRows.length - 1 : visibleRows.findLastIndex(({ first }) => first <= chosenId)
  const row = visibleRows[index]
  const choose = (index: number, isStep = false) => {
    const to = visibleRows[index]
    if (to) navigate({ view: 'timeline', path: [String(to.last)], query }, isStep)
  }
  const words = row ? `${row.at.slice(11, 23)}, ${wordsOf(row, frames)}` : 'nothing has happened yet'
  return (
    <div class="timeline">
      <section class="card time-card" aria-labelledby="time-title">
        <header class="card-head">
          <h2 id="time-title">Timeline</h2>
          <p class="count">{visibleRows.length === 1 ? '1 row' : `${visibleRows.length} rows`}</p>
          <p class="count where" role="status">
            {chosenId === undefined ? 'now' : `at ${row?.at.slice(11, 23) ?? 'an unknown time'}`}
          </p>
          <button
            type="button"
            class="quiet"
            aria-pressed={chosenId === undefined}
            onClick={() => navigate({ view: 'timeline', query })}
          >
            Now
          </button>
          <button
            type="button"
            class="quiet"
            aria-pressed={follow !== ''}
            onClick={() => navigate({ view: 'timeline', query: { ...query, follow: follow === '' ? 'yes' : '' } })}
          >
            Follow
          </button>
        </header>
        <SessionBar />
        <fieldset class="lanes" aria-label="Lanes">
          {allLanes.map((lane) => (
            <label key={lane}>
              <input
                type="checkbox"
                checked={lanes.includes(lane)}
                onChange={(event) => refine({ lanes: toggled(allLanes, lanes, lane, event.currentTarget.checked) })}
              />
              <span class={`lane-${lane}`}>{LANE_NAMES[lane]}</span>
            </label>
          ))}
        </fieldset>
        <TimeAxis rows={visibleRows} lanes={allLanes} chosen={index} words={words} onChoose={choose} />
        <VirtualList
          rows={visibleRows}
          rowHeight={46}
          label="What happened, newest at the bottom"
          keyOf={({ first }) => first}
          chosen={chosenId === undefined ? -1 : index}
          onChoose={(to) => choose(visibleRows.indexOf(to))}
          newest="last"
          more={more}
          onNewest={release}
          follows={follow !== '' && chosenId === undefined}
          onLeft={() => refine({ follow: '' })}
          empty={moments.length === 0 ? 'Nothing has happened yet.' : 'Nothing in these lanes.'}
          draw={(one, tab) => (
            <Row
              tab={tab}
              frames={frames}
              row={one}
              isChosen={one === row && chosenId !== undefined}
              onChoose={() => choose(visibleRows.indexOf(one), true)}
            />
          )}
        />
      </section>
      <AsItWas moments={moments} frames={frames} row={row} isLive={chosenId === undefined} />
    </div>
  )
}

type Frames = ReturnType<typeof framesById>

/** Returns the query value of the selected lanes; empty for all of them. */
function toggled(all: readonly Lane[], lanes: readonly Lane[], lane: Lane, isOn: boolean): string {
  const next = all.filter((one) => (one === lane ? isOn : lanes.includes(one)))
  return next.length === all.length ? '' : next.join(' ') || 'none'
}

function wordsOf(row: TimeRow, frames: Frames): string {
  const ask = frames.get(row.ask ?? row.answers[0] ?? 0)
  return [
    ...(row.request ? [`${requestWords(row.request)}, ${statusWords(row.request.status, row.request.message)}`] : []),
    ...(ask ? [asSeparateWords(ask.command)] : row.ask === undefined ? [] : ['a frame that is no longer stored']),
    ...row.actions,
    ...row.faults.map((fault) => describeTrigger(fault)),
    ...(row.lines.length > 0 ? [lineNumbers(row.lines)] : []),
    ...row.documents.map(({ number }) => `document ${number} is finished`),
    ...(row.display ? ['display'] : []),
  ].join(', ')
}

const requestWords = ({ method, path }: Required<TimeRow>['request']): string => `${method} ${path}`

function Row(props: {
  readonly row: TimeRow
  readonly frames: Frames
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly tab: { readonly tabIndex: 0 | -1 }
}) {
  const { row, frames, isChosen, onChoose, tab } = props
  const ask = frames.get(row.ask ?? 0)
  const answerFrames = row.answers.flatMap((id) => frames.get(id) ?? [])
  const answers = answersTo(ask, answerFrames)
  const isOfWire = row.ask !== undefined || row.answers.length > 0
  return (
    <button type="button" {...tab} class="row time-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="at">{row.at.slice(11, 23)}</span>
      <span class="cause">
        {row.request ? (
          <>
            <StatusMark status={row.request.status} /> <b>{requestWords(row.request)}</b>
          </>
        ) : null}
        {isOfWire ? (
          <>
            <b>{asSeparateWords(ask?.command ?? answers[0]?.command ?? 'frame')}</b> {ask ? frameWords(ask) : ''}
          </>
        ) : null}
        {row.actions.map((action) => (
          <b class="lane-hands" key={action}>
            {' '}
            {action}
          </b>
        ))}
        {row.faults.map((fault, index) => (
          <b class="lane-faults" key={index} title={describeTrigger(fault)}>
            {' '}
            ! {describeTrigger(fault)}
          </b>
        ))}
        {!isOfWire && !row.request && row.actions.length + row.faults.length === 0 ? 'at the device itself' : null}
      </span>
      <span class="outcome">
        {row.request ? <span>{row.request.message ?? `${row.request.ms} ms`}</span> : null}
        {answers.length > 0 ? (
          <span>
            <span aria-hidden="true">← </span>
            {answers.map(frameWords).join('; ') || 'done'}
          </span>
        ) : null}
        {row.display ? <span class="lane-display">{row.display.map((line) => line.trim()).join(' | ')}</span> : null}
      </span>
      <span class="printed">
        {row.lines[0] ? <span>{`${row.lines[0].document}: ${lineNumbers(row.lines)}`}</span> : null}
        {row.documents.map(({ document, number }) => (
          <span key={document}>document {number}</span>
        ))}
      </span>
    </button>
  )
}

// ---------------------------------------------------------------- the device at an earlier time

function AsItWas(props: {
  readonly moments: readonly TimelineEntryView[]
  readonly frames: Frames
  readonly row: TimeRow | undefined
  readonly isLive: boolean
}) {
  const { moments, frames, row, isLive } = props
  const past = useMemo(() => pastAt(moments, row?.last ?? 0), [moments, row?.last])
  const { display, state, paper } = past
  const storedFrames = [row?.ask, ...(row?.answers ?? [])].flatMap((id) => frames.get(id ?? 0) ?? [])
  const ask = storedFrames.find(({ direction }) => direction === 'toDevice')
  const answerFrames = storedFrames.filter((frame) => frame !== ask)
  const answers = answersTo(ask, answerFrames)
  return (
    <Scrolling class="past" label={isLive ? 'Now' : 'At that time'}>
      <Card title={isLive ? 'The device now' : 'The device as it was'}>
        {display ? (
          <Display lines={display} isOff={state?.power === false} />
        ) : (
          <p class="empty">The display of that time is no longer stored.</p>
        )}
        {state ? <Facts rows={factsOf(state)} /> : null}
      </Card>
      {paper ? <PastPaper number={paper.number} lines={paper.lines} /> : null}
      {row?.request ? (
        <Card title="Request" class="moment-card">
          <Facts
            rows={[
              ['Request', requestWords(row.request)],
              ['Status', statusWords(row.request.status, row.request.message)],
              ['Took', `${row.request.ms} ms`],
              ...(row.request.message === null ? [] : ([['Message', row.request.message]] as const)),
            ]}
          />
          <p class="after-facts">
            <a href={`#/requests/${row.request.request}`}>Body, answer and frames</a>
          </p>
        </Card>
      ) : null}
      {row && row.faults.length > 0 ? (
        <Card title={row.faults.length === 1 ? 'Triggered fault' : 'Triggered faults'} class="moment-card">
          <ul class="story-links">
            {row.faults.map((fault) => (
              <li key={fault.id}>
                {describeTrigger(fault)} <a href={`#/faults?story=${fault.id}`}>Details</a>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {storedFrames.length > 0 || (row?.lines.length ?? 0) > 0 ? (
        <Card title="Exchange and lines" class="moment-card">
          <ExchangeDetails exchange={{ id: row?.first ?? 0, ...(ask && { ask }), answers }} lines={row?.lines ?? []} />
        </Card>
      ) : null}
    </Scrolling>
  )
}

function factsOf({ power, paper, cover, cable, receipt }: Extract<TimelineEntryView, { readonly is: 'state' }>) {
  return [
    ['Power', power ? 'on' : 'off'],
    ['Paper', { ok: 'loaded', low: 'nearly out', out: 'out' }[paper]],
    ['Cover', cover ? 'open' : 'closed'],
    ['Cable', cable ? 'plugged in' : 'pulled out'],
    [
      'Open receipt',
      receipt ? `${receipt.number}: ${itemsOf(receipt)}, ${receipt.paid} of ${receipt.total} paid` : 'none',
    ],
  ] as const
}

const itemsOf = ({ items }: { readonly items: number }): string => (items === 1 ? '1 item' : `${items} items`)

/** Returns the drawing of the open receipt; undefined if this receipt is no longer open. */
async function openPaper(number: number, lines: number): Promise<string | undefined> {
  const open = await call('GET /emulator/receipt', { query: { lines } })
  return open?.number === number ? open.svg : undefined
}

/** The first lines of the document with that number, or of the open receipt if it is not finished. */
function PastPaper({ number, lines }: { number: number; lines: number }) {
  const documents = useStore((state) => state.documents)
  const document = useMemo(() => documents.findLast((one) => one.number === number), [documents, number])
  const open = useStore((state) => state.open)
  const isOpen = open?.number === number
  const svg = useAnswer(
    async () =>
      document
        ? call('GET /emulator/documents/{id}.svg', { params: { id: document.id }, query: { lines } })
        : openPaper(number, lines),
    `${document?.id ?? 'open'} ${number} ${lines} ${isOpen}`,
  )
  const title = document ? titleOf(document) : `Receipt ${number}, still open`
  return (
    <Card
      title="Paper"
      class="past-paper"
      action={document ? <a href={`#/documents/${document.id}`}>{title}</a> : <p class="count">{title}</p>}
    >
      <Drawing svg={svg} label={`${title}, ${lines} lines of it`} isPast />
    </Card>
  )
}
