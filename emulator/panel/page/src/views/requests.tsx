/** The view of clients' requests to the REST service, including those that never reached the device. */
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentHead, FrameView, RequestHead, RequestView } from '../../../contract.ts'
import { documentLink, idInAddress } from '../address.ts'
import { call } from '../api.ts'
import { asSentence, asTyped, CHOOSE_ONE, nothingThere, titleOf } from '../labels-and-formats.ts'
import { Facts, NarrowHead } from '../parts/basic-components.tsx'
import { startOnce } from '../parts/double-click.ts'
import { Choice, Field } from '../parts/form.tsx'
import { Exchanges } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { useMedia } from '../parts/media-query.ts'
import { NotStored, OfEarlierRun, useIsEarlier, useRun } from '../parts/run-ids.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { outcomeWords, StatusMark, statusWords } from '../parts/status-mark.tsx'
import { type ListControl, VirtualList } from '../parts/virtual-list.tsx'
import { addressNow, navigate, refine, useAddress } from '../route.ts'
import { deviceRead, now, startAction, useStore } from '../store.ts'

const STORED_REQUESTS_MAX = 1000

const STATUSES = [
  ['', 'All'],
  ['ok', '200'],
  ['refused', '4xx'],
  ['failed', '5xx'],
  ['none', 'No answer'],
] as const
type StatusName = (typeof STATUSES)[number][0]

function statusName({ status }: RequestHead): StatusName {
  if (status === null) return 'none'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

function matches({ method, path, status, message }: RequestHead, words: readonly string[]): boolean {
  const all = `${method} ${path} ${status ?? ''} ${message ?? ''}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

function useList() {
  const live = useStore((state) => state.requests)
  const device = useStore(deviceRead)
  const { query } = useAddress()
  const { text = '' } = query
  const status = STATUSES.find(([one]) => one === query['status'])?.[0] ?? ''
  const {
    rows: held,
    newer,
    release,
  } = useGrowing(live, {
    idOf: ({ id }) => id,
    of: `${device} ${text} ${status}`,
    stored: STORED_REQUESTS_MAX,
    follows: false,
  })
  const isVisible = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return (head: RequestHead) => (status === '' || statusName(head) === status) && matches(head, words)
  }, [text, status])
  const visibleRequests = useMemo(() => held.filter(isVisible), [held, isVisible])
  return { text, status, held, visibleRequests, more: newer.filter(isVisible).length, release }
}

export function RequestsView() {
  const { path, query } = useAddress()
  const { text, status, held, visibleRequests, more, release } = useList()
  const chosenId = idInAddress(path[0])
  const isEarlier = useIsEarlier(chosenId !== undefined)
  const run = useRun()
  const chosen = isEarlier ? -1 : visibleRequests.findIndex(({ id }) => id === chosenId)
  const isNarrow = useMedia('(max-width: 1000px)')
  const list = useRef<ListControl | undefined>(undefined)
  const title = useRef<HTMLHeadingElement>(null)
  const goesTo = useRef<'title' | number | undefined>(undefined)
  const isPicked = chosenId !== undefined
  useLayoutEffect(() => {
    const to = goesTo.current
    goesTo.current = undefined
    if (to === 'title') title.current?.focus()
    else if (to !== undefined) list.current?.focus(to)
  }, [isPicked])
  const choose = ({ id }: RequestHead, isStep = true) => {
    if (isNarrow) goesTo.current = 'title'
    navigate({ view: 'requests', path: [String(id)], query: { ...query, run: run ?? '' } }, isStep)
  }
  const back = () => {
    if (chosen >= 0) goesTo.current = chosen
    navigate({ view: 'requests', query: { ...query, run: '' } })
  }
  return (
    <div class={`split requests${isPicked ? ' picked' : ''}`}>
      <section class="card list-card" aria-labelledby="requests-title">
        <header class="card-head">
          <h2 id="requests-title">Requests</h2>
          <p class="count" role="status">
            {visibleRequests.length === held.length
              ? visibleRequests.length
              : `${visibleRequests.length} of ${held.length}`}
          </p>
          <p class="order">newest last</p>
        </header>
        <div class="filters">
          <Field
            label="Path, message or status"
            width="grow"
            type="search"
            value={text}
            onText={(words) => refine({ text: words })}
          />
          <Choice label="Status" value={status} options={STATUSES} onText={(one) => refine({ status: one })} />
        </div>
        <VirtualList
          // Another filter makes another list, without new rows.
          key={`${text} ${status}`}
          rows={visibleRequests}
          rowHeight={52}
          label="Requests, newest at the bottom"
          keyOf={({ id }) => id}
          chosen={chosen}
          onChoose={isNarrow ? undefined : (head) => choose(head, false)}
          newest="last"
          more={more}
          stored={STORED_REQUESTS_MAX}
          onNewest={release}
          control={list}
          empty={
            held.length === 0 ? 'The service has not received a request since it was started.' : 'No request matches.'
          }
          draw={(head, tab) => (
            <button
              type="button"
              {...tab}
              class="row request-row"
              aria-pressed={head.id === chosenId && !isEarlier}
              onClick={() => choose(head)}
            >
              <StatusMark status={head.status} />
              <span class="asked">
                <b>{head.method}</b> {head.path}
              </span>
              <span class="at">{head.at.slice(11, 19)}</span>
              <span class="length">{head.ms} ms</span>
              <span class="summary">{summaryOf(head)}</span>
            </button>
          )}
        />
      </section>
      {Number.isNaN(chosenId) ? (
        <section class="card detail-card">
          <NarrowHead all="All requests" title={`Request ${asTyped(path[0])}`} onBack={back} />
          <p class="empty">{nothingThere('request', path[0])}</p>
        </section>
      ) : isPicked ? (
        <Details
          key={`${query['run'] ?? run} ${chosenId}`}
          id={chosenId}
          isEarlier={isEarlier}
          title={title}
          onBack={back}
        />
      ) : (
        <section class="card detail-card">
          <p class="empty">{held.length === 0 ? <FirstRequest /> : 'Choose a request.'}</p>
        </section>
      )}
    </div>
  )
}

const OF_REPLACED = 'Its documents are no longer stored: the device was reset or restored since.'

/** Shown for an answer that an earlier request with the same key got first, possibly before the device was reset. */
const REPLAY = 'Nothing was printed: the service repeated its answer to an earlier request.'

function summaryOf({ status, message, documents, isOfReplaced, isReplay }: RequestHead): string {
  if (status === null) return 'The client disconnected before the answer.'
  if (isReplay) return message === null ? REPLAY : `${REPLAY} ${message}`
  if (message !== null) return message
  if (isOfReplaced) return OF_REPLACED
  if (documents.length === 0) return 'No document was completed.'
  return documents.length === 1 ? '1 document was printed.' : `${documents.length} documents were printed.`
}

function FirstRequest() {
  return (
    <>
      Requests to the service appear here, including those that it rejects. <a href="#/setup">Setup</a> shows the
      address of the service and a curl command.
    </>
  )
}

/** A request that was read stays, even if it is no longer stored. */
type ReadRequest = { readonly request: RequestView; readonly isStored: boolean } | { readonly refusal: string }

function useRequest(id: number, isEarlier: boolean): ReadRequest | undefined {
  const [read, setRead] = useState<ReadRequest>()
  // The request is read again if its turn on the device ends after its response.
  const documentCount = useStore((state) => state.requests.find((head) => head.id === id)?.documents.length ?? 0)
  const generation = useStore((state) => state.device?.generation)
  const isLive = useStore((state) => state.connection === 'live')
  useEffect(() => {
    if (isEarlier || !isLive) return undefined
    let isCurrent = true
    const run = now().device?.run
    call('GET /emulator/requests/{id}', { params: { id } }).then(
      (request) => isCurrent && now().device?.run === run && setRead({ request, isStored: true }),
      (problem: unknown) => {
        const refusal = problem instanceof Error ? problem.message : String(problem)
        if (isCurrent) setRead((last) => (last && 'request' in last ? { ...last, isStored: false } : { refusal }))
      },
    )
    return () => {
      isCurrent = false
    }
  }, [id, documentCount, generation, isLive, isEarlier])
  return read
}

function whyNotStored(id: number, read: ReadRequest | undefined, isEarlier: boolean, isLive: boolean) {
  const isRead = read !== undefined && 'request' in read
  if (isEarlier)
    return isRead
      ? 'This request is of the run before the emulator was restarted. It is no longer stored, and is shown as it was read.'
      : `Request ${id} is of an earlier run of the emulator, and is no longer stored. ${CHOOSE_ONE}`
  return isLive && isRead && !read.isStored
    ? 'This request is no longer stored. It is shown as it was last read.'
    : undefined
}

function Details(props: {
  readonly id: number
  readonly isEarlier: boolean
  readonly title: { current: HTMLHeadingElement | null }
  readonly onBack: () => void
}) {
  const { id, isEarlier, title, onBack } = props
  const read = useRequest(id, isEarlier)
  const isLive = useStore((state) => state.connection === 'live')
  const request = read && 'request' in read ? read.request : undefined
  const isListed = useStore((state) => state.requests.some((head) => head.id === id))
  const why = whyNotStored(id, read, isEarlier, isLive)
  return (
    <section class="card detail-card" aria-labelledby="request-title">
      <header class="card-head">
        <button type="button" class="quiet only-narrow" onClick={onBack}>
          All requests
        </button>
        <h2 id="request-title" ref={title} tabIndex={-1}>
          {request ? `${request.method} ${request.path}` : `Request ${id}`}
        </h2>
        {request ? (
          <p class="outcome-of">
            <StatusMark status={request.status} /> {outcomeWords(request.status, request.message)}, after {request.ms}{' '}
            ms
          </p>
        ) : null}
      </header>
      {request && why === undefined ? <Acts request={request} /> : null}
      {why === undefined ? null : <NotStored words={why} />}
      <Scrolling
        class={`detail-body request-body${why === undefined ? '' : ' dimmed'}`}
        label={`Content of request ${id}`}
      >
        <OfEarlierRun.Provider value={isEarlier}>{request ? <Whole request={request} /> : null}</OfEarlierRun.Provider>
        {read && 'refusal' in read && why === undefined ? (
          <p class="empty">{isListed ? asSentence(read.refusal) : `${asSentence(read.refusal)} ${CHOOSE_ONE}`}</p>
        ) : null}
      </Scrolling>
    </section>
  )
}

/** Returns what Try again prints, if the service cannot recognize the request; otherwise an empty text. */
function whatAgainPrints({ key, documents, status }: RequestView): string {
  if (key !== null) return ''
  const why = 'because this request has no Idempotency-Key'
  if (documents.length > 0) return `Try again prints a second time, ${why}.`
  return status === null || status === 424 || status >= 500 ? `Try again may print a second time, ${why}.` : ''
}

function Acts({ request }: { readonly request: RequestView }) {
  const { id, again } = request
  const warning = again ? whatAgainPrints(request) : ''
  const hasAddress = useStore((state) => state.service?.address !== null)
  // Without a connection, a request of another run may already have this id.
  const disabled = useStore((state) => state.connection !== 'live')
  const copy = (as: 'curl' | 'yaml', words: string) =>
    startAction(async () => {
      const params = { id }
      const text = await (as === 'curl'
        ? call('GET /emulator/requests/{id}.curl', { params })
        : call('GET /emulator/requests/{id}.yaml', { params }))
      const why = /^\s*# omitted: .*; (.*)\n$/.exec(text)?.[1]
      if (why !== undefined) throw new Error(`Nothing was copied, because no step repeats this request: ${why}.`)
      await navigator.clipboard.writeText(text)
      return words
    })
  const sendAgain = () =>
    // The name lacks the id, because the answer opens the new request, whose button is then under the pointer.
    startOnce('try again', async () => {
      const sent = await call('POST /emulator/requests/{id}/again', { params: { id } })
      const { view, query } = addressNow()
      const { run = '' } = now().device ?? {}
      if (view === 'requests') navigate({ view, path: [String(sent.id)], query: { ...query, run } })
      const how =
        sent.key === null ? '' : ' Its Idempotency-Key is the same: a request that printed is not printed again.'
      return `Sent again: ${statusWords(sent.status, sent.message)}.${how}`
    })
  return (
    <div class="document-tools">
      {again ? (
        <button type="button" class="quiet" disabled={disabled} onClick={sendAgain}>
          Try again
        </button>
      ) : null}
      {hasAddress ? (
        <button type="button" class="quiet" disabled={disabled} onClick={() => copy('curl', 'Copied as curl.')}>
          Copy as curl
        </button>
      ) : null}
      <button
        type="button"
        class="quiet"
        disabled={disabled}
        onClick={() => copy('yaml', 'Copied as a scenario step.')}
      >
        Copy as scenario step
      </button>
      {warning === '' ? null : <p class="soft">{warning}</p>}
    </div>
  )
}

function Whole({ request }: { readonly request: RequestView }) {
  const { at, message, key, name, type, body, answer, again } = request
  return (
    <>
      {message === null ? null : <p class={request.status === 200 ? 'said' : 'said refused'}>{message}</p>}
      <Facts
        rows={[
          ['Came at (clock of this computer)', at.slice(0, 23).replace('T', ' ')],
          ...(key === null ? [] : ([['Idempotency-Key', key]] as const)),
          ...(type === null ? [] : ([['Content-Type', type]] as const)),
          ['X-Request-Id', name],
        ]}
      />
      <Printed request={request} />
      <h3>Body</h3>
      {body === null ? (
        <p class="empty">
          {again && request.status === 200
            ? 'It had none.'
            : 'None is stored: it had none, or was refused before it was read.'}
        </p>
      ) : (
        <pre class="json">{isJson(body) ? indented(body) : body}</pre>
      )}
      <h3>Answer</h3>
      {answer === null || answer === '' ? (
        <p class="empty">
          {answer === null ? 'The client disconnected before the answer.' : 'The answer has no body.'}
        </p>
      ) : (
        <pre class="json">{isJson(answer) ? indented(answer) : answer}</pre>
      )}
      <OnTheWire request={request} />
    </>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON is indented as text, so that numbers keep their digits. */
function indented(text: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const pieces = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  const rebuilt = pieces.map((piece, index) => {
    if (piece === '{' || piece === '[') {
      if (/^[}\]]$/.test(pieces[index + 1] ?? '')) return piece
      depth++
      return piece + line()
    }
    if (piece === '}' || piece === ']') {
      if (/^[{[]$/.test(pieces[index - 1] ?? '')) return piece
      depth = Math.max(0, depth - 1)
      return line() + piece
    }
    return piece === ',' ? piece + line() : piece === ':' ? ': ' : piece
  })
  return /^\s*[{[]/.test(text) ? rebuilt.join('') : text
}

function Printed({ request: { documents, isOfReplaced, isReplay } }: { readonly request: RequestView }) {
  const all = useStore((state) => state.documents)
  const isEarlier = useContext(OfEarlierRun)
  const heads = useRef<readonly DocumentHead[]>([])
  const before = heads.current
  const known = isEarlier ? before : [...before, ...all]
  heads.current = documents.flatMap((id) => known.find((head) => head.id === id) ?? [])
  if (isReplay) return <p class="printed-by">{REPLAY}</p>
  if (isOfReplaced) return <p class="printed-by">{OF_REPLACED}</p>
  if (documents.length === 0) return null
  return (
    <p class="printed-by">
      {heads.current.map((head) => (
        <a key={head.id} href={documentLink(head)}>
          {titleOf(head)}
        </a>
      ))}
    </p>
  )
}

const isOf = ({ frames }: RequestView, { id }: FrameView): boolean =>
  frames !== null && id > frames.after && id <= (frames.to ?? Number.POSITIVE_INFINITY)

const ownOf = (request: RequestView) => (frame: FrameView) => (isOf(request, frame) ? [[frame.id, frame] as const] : [])

function OnTheWire({ request }: { readonly request: RequestView }) {
  const frames = useStore((state) => state.frames)
  const isEarlier = useContext(OfEarlierRun)
  /** Frames that were shown remain, even if the device no longer stores them. */
  const held = useRef<ReadonlyMap<number, FrameView>>(new Map())
  const own = useMemo(() => {
    if (!isEarlier) held.current = new Map([...held.current.values(), ...frames].flatMap(ownOf(request)))
    return [...held.current.values()]
  }, [frames, request, isEarlier])
  const isRefused = request.frames === null
  return (
    <>
      <h3>
        Frames <span class="count">{own.length === 0 ? '' : own.length}</span>
      </h3>
      {own.length > 0 ? (
        <Exchanges frames={own} />
      ) : (
        <p class="empty">
          {isRefused
            ? 'None: the service answered without a query to the device.'
            : 'None is stored: no command was sent, or the frames are no longer stored.'}
        </p>
      )}
    </>
  )
}
