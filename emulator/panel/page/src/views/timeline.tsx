/**
 * The view of the timeline: requests, wire, paper, display, manual actions and faults on one axis, and the device after
 * each entry.
 */

import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import { describeTrigger } from '../../../../faults/effects.ts'
import type { FrameView, TimelineEntryView } from '../../../contract.ts'
import { documentLink, faultLink, idInAddress } from '../address.ts'
import { call } from '../api.ts'
import { Display } from '../display/customer-display.tsx'
import { asSeparateWords, CHOOSE_ONE, nothingThere, titleOf } from '../labels-and-formats.ts'
import { Card, Facts } from '../parts/basic-components.tsx'
import { useAnswer } from '../parts/call-answer.ts'
import { answersTo } from '../parts/exchanges.ts'
import { ExchangeDetails, frameWords } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { useMedia } from '../parts/media-query.ts'
import { Drawing } from '../parts/paper.tsx'
import { NotStored, OfEarlierRun, useIsEarlier, useRun, useUntilGone } from '../parts/run-ids.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { SessionBar } from '../parts/session-bar.tsx'
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
import { deviceRead, now, useStore } from '../store.ts'

const FOLLOW_MS = 250
const NARROW = '(max-width: 1000px)'
const TIMELINE_ENTRIES_MAX = 6000

const NO_MOMENTS: readonly TimelineEntryView[] = []

interface ReadMoments {
  readonly moments: readonly TimelineEntryView[]
  /** False until the entries that the device stores have been read. */
  readonly areRead: boolean
}

const NOTHING_READ: ReadMoments = { moments: NO_MOMENTS, areRead: false }

/** The timeline entries are read repeatedly while the view is open. */
function useMoments(): ReadMoments {
  const generation = useStore((state) => state.device?.generation)
  const [read, setRead] = useState({ of: generation, ...NOTHING_READ })
  useEffect(() => {
    if (generation === undefined) return undefined
    let isOpen = true
    let { moments, areRead } = NOTHING_READ
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async () => {
      const after = moments.at(-1)?.id ?? 0
      // Without a connection, the next entries may be of another run.
      const isLive = now().connection === 'live'
      const fresh = isLive
        ? await call('GET /emulator/timeline', { query: { after } }).catch(() => undefined)
        : undefined
      if (!isOpen || now().device?.generation !== generation) return
      if (fresh && (fresh.length > 0 || !areRead)) {
        moments = withinMost([...moments, ...fresh])
        areRead = true
        setRead({ of: generation, moments, areRead })
      }
      timer = setTimeout(() => void follow(), FOLLOW_MS)
    }
    void follow()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [generation])
  return read.of === generation ? read : NOTHING_READ
}

/** Drops the oldest entries, so that the remaining ones start with an exchange. */
function withinMost(moments: readonly TimelineEntryView[]): readonly TimelineEntryView[] {
  const most = moments.slice(-TIMELINE_ENTRIES_MAX)
  if (most.length === moments.length) return moments
  const start = most.findIndex((moment) => moment.is === 'frame' && moment.direction === 'toDevice')
  return most.slice(Math.max(0, start))
}

type Frames = ReturnType<typeof framesById>

const framesIn = ({ ask, answers }: TimeRow): readonly number[] => [...(ask === undefined ? [] : [ask]), ...answers]

/**
 * Returns the frames of the rows by id, including those that the device no longer stores. `live` are the rows that may
 * be added.
 */
function useFramesOf(rows: readonly TimeRow[], live: readonly TimeRow[]): Frames {
  const stored = useStore((state) => state.frames)
  const generation = useStore((state) => state.device?.generation)
  const held = useRef<{ of: number | undefined; frames: Frames }>({ of: generation, frames: new Map() })
  return useMemo(() => {
    const before = held.current.of === generation ? [...held.current.frames.values()] : []
    const firstIn = (list: readonly TimeRow[]) => list.flatMap(framesIn)[0] ?? Number.POSITIVE_INFINITY
    const [first, firstLive] = [firstIn(rows), firstIn(live)]
    const last = rows.findLast((row) => framesIn(row).length > 0)
    const until = last ? Math.max(...framesIn(last)) : 0
    const kept = before.filter(({ id }) => id >= firstLive || (id >= first && id <= until))
    held.current = { of: generation, frames: framesById([...kept, ...stored]) }
    return held.current.frames
  }, [rows, live, stored, generation])
}

interface Past {
  readonly of: string
  readonly row: TimeRow
  readonly device: ReturnType<typeof pastAt>
  readonly frames: readonly FrameView[]
}

/**
 * Returns the selected row with the device after it, even if the device no longer stores them. `of` is the run and id
 * of the row; `row` is `undefined` if the list does not contain it.
 */
function usePast(
  of: string,
  row: TimeRow | undefined,
  moments: readonly TimelineEntryView[],
  frames: Frames,
): Past | undefined {
  const last = useRef<Past>(undefined)
  if (row) {
    const before = last.current?.of === of && last.current.row.first === row.first ? last.current : undefined
    const { display, state, paper } = pastAt(moments, row.last)
    const device = {
      display: display ?? before?.device.display,
      state: state ?? before?.device.state,
      paper: paper ?? before?.device.paper,
    }
    last.current = { of, row, device, frames: framesIn(row).flatMap((id) => frames.get(id) ?? []) }
  }
  return last.current?.of === of ? last.current : undefined
}

/** Without a service, there is no lane for requests. */
function useLanes(chosen: string | undefined): { readonly all: readonly Lane[]; readonly lanes: readonly Lane[] } {
  const hasRequests = useStore((state) => state.service?.hasRequests === true)
  const all = hasRequests ? LANES : LANES.filter((lane) => lane !== 'requests')
  return { all, lanes: chosen === undefined ? all : all.filter((lane) => chosen.split(' ').includes(lane)) }
}

function useRows({ moments, areRead }: ReadMoments, lanes: readonly Lane[], allLanes: readonly Lane[]) {
  const { path, query } = useAddress()
  const follow = query['follow'] ?? ''
  const device = useStore(deviceRead)
  const chosenId = idInAddress(path[0])
  const live = useMemo(() => timeRows(moments), [moments])
  const {
    rows: all,
    newer,
    release,
  } = useGrowing(live, {
    idOf: ({ first }) => first,
    of: `${device} ${lanes.join()}`,
    stored: TIMELINE_ENTRIES_MAX,
    follows: follow !== '',
  })
  const frames = useFramesOf(all, live)
  const isVisible = (row: TimeRow) =>
    lanesOf(row).some((lane) => lanes.includes(lane)) || lanes.length === allLanes.length
  const visibleRows = useMemo(() => all.filter(isVisible), [all, lanes.join()])
  const isEarlier = useIsEarlier(chosenId !== undefined)
  const run = useRun()
  const isLive = chosenId === undefined
  const isReached = !isLive && chosenId <= (moments.at(-1)?.id ?? 0)
  const index = isLive
    ? visibleRows.length - 1
    : isReached && !isEarlier
      ? visibleRows.findLastIndex(({ first }) => first <= chosenId)
      : -1
  const rowRun = query['run'] ?? run ?? ''
  const past = usePast(`${rowRun} ${chosenId}`, isLive ? undefined : visibleRows[index], moments, frames)
  const row = isLive ? (newer.findLast(isVisible) ?? visibleRows[index]) : past?.row
  const isMissing = isEarlier || (index < 0 && !isLive && areRead)
  const more = newer.filter(isVisible).length
  const own = row ? framesIn(row).flatMap((id) => frames.get(id) ?? []) : []
  const pane = {
    device: isLive ? pastAt(moments, Number.POSITIVE_INFINITY) : past?.device,
    frames: isLive ? own : (past?.frames ?? []),
    row,
    run: rowRun,
    isLive,
    why: isMissing ? whyMissing(path[0], { isShown: past !== undefined, isEarlier, isReached }) : undefined,
  }
  return { visibleRows, index, row, frames, isLive, more, release, pane }
}

export function TimelineView() {
  const read = useMoments()
  const { moments } = read
  const { query } = useAddress()
  const run = useRun()
  const { all: allLanes, lanes } = useLanes(query['lanes'])
  const follow = query['follow'] ?? ''
  const device = useStore(deviceRead)
  const { visibleRows, index, row, frames, isLive, more, release, pane } = useRows(read, lanes, allLanes)
  const choose = (index: number, isStep = false) => {
    const to = visibleRows[index]
    if (to) navigate({ view: 'timeline', path: [String(to.last)], query: { ...query, run: run ?? '' } }, isStep)
  }
  // On a narrow screen, what the entry was is below the whole list.
  const missing = useMedia(NARROW) && pane.device === undefined ? pane.why : undefined
  const words = row ? `${row.at.slice(11, 23)}, ${wordsOf(row, frames)}` : 'nothing has happened yet'
  return (
    <div class="timeline">
      <section class="card time-card" aria-labelledby="time-title">
        <header class="card-head">
          <h2 id="time-title">Timeline</h2>
          <p class="count">{countText(visibleRows.length, 'row')}</p>
          <p class="order">newest last</p>
          <p class="count where" role="status">
            {isLive ? 'now' : row ? `at ${row.at.slice(11, 23)}` : 'at no entry'}
          </p>
          <button
            type="button"
            class="quiet"
            aria-pressed={isLive}
            onClick={() => navigate({ view: 'timeline', query: { ...query, run: '' } })}
          >
            Now
          </button>
          <button
            type="button"
            class="quiet"
            aria-pressed={follow !== ''}
            onClick={() =>
              navigate({ view: 'timeline', query: { ...query, run: '', follow: follow === '' ? 'yes' : '' } })
            }
          >
            Follow
          </button>
        </header>
        {missing === undefined ? null : <NotStored words={missing} />}
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
          key={device}
          rows={visibleRows}
          rowHeight={46}
          label="What happened, newest at the bottom"
          keyOf={({ first }) => first}
          chosen={isLive ? -1 : index}
          onChoose={(to) => choose(visibleRows.indexOf(to))}
          newest="last"
          more={more}
          stored={TIMELINE_ENTRIES_MAX}
          onNewest={release}
          follows={follow !== '' && isLive}
          onLeft={() => refine({ follow: '' })}
          empty={moments.length === 0 ? 'Nothing has happened yet.' : 'Nothing in these lanes.'}
          draw={(one, tab) => (
            <Row
              tab={tab}
              frames={frames}
              row={one}
              isChosen={!isLive && one === visibleRows[index]}
              onChoose={() => choose(visibleRows.indexOf(one), true)}
            />
          )}
        />
      </section>
      {missing === undefined ? <AsItWas {...pane} /> : null}
    </div>
  )
}

interface MissingEntry {
  readonly isShown: boolean
  readonly isEarlier: boolean
  /** True if the newest entry is not older than this one. */
  readonly isReached: boolean
}

function whyMissing(asked: string | undefined, { isShown, isEarlier, isReached }: MissingEntry): string {
  if (!isShown) {
    if (isEarlier) return `This entry is of an earlier run of the emulator, and is no longer stored. ${CHOOSE_ONE}`
    return isReached ? `This entry is no longer stored. ${CHOOSE_ONE}` : nothingThere('timeline entry', asked)
  }
  return isEarlier
    ? 'This entry is of the run before the emulator was restarted. It is no longer stored, and is shown as it was read.'
    : 'This entry is no longer stored, and is shown as it was read.'
}

/** Returns the value of the selected lanes in the address; empty for all lanes. */
function toggled(all: readonly Lane[], lanes: readonly Lane[], lane: Lane, isOn: boolean): string {
  const next = all.filter((one) => (one === lane ? isOn : lanes.includes(one)))
  return next.length === all.length ? '' : next.join(' ') || 'none'
}

const LOST_FRAME = 'a frame that is no longer stored'

function wordsOf(row: TimeRow, frames: Frames): string {
  const ask = frames.get(row.ask ?? row.answers[0] ?? 0)
  return [
    ...(row.request ? [`${requestWords(row.request)}, ${statusWords(row.request.status, row.request.message)}`] : []),
    ...(ask ? [asSeparateWords(ask.command)] : row.isOfFrame ? [LOST_FRAME] : []),
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
  const frame = ask ?? answers[0]
  return (
    <button type="button" {...tab} class="row time-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="at">{row.at.slice(11, 23)}</span>
      <span class="cause">
        {row.request ? (
          <>
            <StatusMark status={row.request.status} /> <b>{requestWords(row.request)}</b>
          </>
        ) : null}
        {row.isOfFrame ? (
          <>
            {frame ? <b>{asSeparateWords(frame.command)}</b> : LOST_FRAME} {ask ? frameWords(ask) : ''}
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
        {!row.isOfFrame && !row.request && row.actions.length + row.faults.length === 0 ? 'at the device itself' : null}
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

function AsItWas(props: {
  /** `undefined` if no entry is stored. */
  readonly device: Past['device'] | undefined
  readonly frames: readonly FrameView[]
  readonly row: TimeRow | undefined
  readonly run: string
  readonly isLive: boolean
  readonly why: string | undefined
}) {
  const { device, frames, row, run, isLive, why } = props
  const { display, state, paper } = device ?? {}
  const ask = frames.find(({ direction }) => direction === 'toDevice')
  const answers = answersTo(
    ask,
    frames.filter((frame) => frame !== ask),
  )
  return (
    <OfEarlierRun.Provider value={why !== undefined}>
      <Scrolling class={why === undefined ? 'past' : 'past dimmed'} label={isLive ? 'Now' : 'At that time'}>
        {why === undefined ? null : <NotStored words={why} />}
        {why !== undefined && device === undefined ? null : (
          <Card title={isLive ? 'The device now' : 'The device as it was'}>
            {display ? (
              <Display lines={display} isOff={state?.power === false} />
            ) : (
              <p class="empty">The display of that time is no longer stored.</p>
            )}
            {state ? <Facts rows={factsOf(state)} /> : null}
          </Card>
        )}
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
              <a href={`#/requests/${row.request.request}?run=${run}`}>Body, answer and frames</a>
            </p>
          </Card>
        ) : null}
        {row && row.faults.length > 0 ? (
          <Card title={row.faults.length === 1 ? 'Triggered fault' : 'Triggered faults'} class="moment-card">
            <ul class="story-links">
              {row.faults.map((fault) => (
                <li key={fault.id}>
                  {describeTrigger(fault)} {why === undefined ? <a href={faultLink(fault, run)}>Details</a> : null}
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
        {frames.length > 0 || (row?.lines.length ?? 0) > 0 ? (
          <Card title="Exchange and lines" class="moment-card">
            <ExchangeDetails
              exchange={{ id: row?.first ?? 0, ...(ask && { ask }), answers }}
              lines={row?.lines ?? []}
            />
          </Card>
        ) : null}
      </Scrolling>
    </OfEarlierRun.Provider>
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

const itemsOf = ({ items }: { readonly items: number }): string => countText(items, 'item')

/** Returns `undefined` if this receipt is no longer open. */
async function openPaper(number: number, lines: number): Promise<string | undefined> {
  const open = await call('GET /emulator/receipt', { query: { lines } })
  return open?.number === number ? open.svg : undefined
}

function PastPaper({ number, lines }: { number: number; lines: number }) {
  const isGone = useContext(OfEarlierRun)
  const documents = useStore((state) => state.documents)
  const found = useMemo(() => documents.findLast((one) => one.number === number), [documents, number])
  const open = useStore((state) => state.open)
  const isStillOpen = open?.number === number
  // A document that is neither stored nor open remains as it was: the device was reset.
  const last = useRef(found)
  if (!isGone && (found || isStillOpen || last.current?.number !== number)) last.current = found
  const document = last.current
  const isKept = isGone || (found === undefined && document !== undefined)
  const isOpen = useUntilGone(isKept, isStillOpen)
  const device = useUntilGone(isKept, useStore(deviceRead))
  const svg = useAnswer(
    async () =>
      document
        ? call('GET /emulator/documents/{id}.svg', { params: { id: document.id }, query: { lines } })
        : openPaper(number, lines),
    `${device} ${document?.id ?? 'open'} ${number} ${lines} ${isOpen}`,
  )
  const title = document ? titleOf(document) : `Receipt ${number}, still open`
  return (
    <Card
      title="Paper"
      class="past-paper"
      action={document && !isKept ? <a href={documentLink(document)}>{title}</a> : <span class="count">{title}</span>}
    >
      <Drawing svg={svg} label={`${title}, ${lines} lines of it`} isPast />
    </Card>
  )
}
