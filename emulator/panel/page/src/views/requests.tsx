/** Requests of clients to the REST service, including those that never reached the device. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { FrameView, RequestHead, RequestView } from '../../../contract.ts'
import { call } from '../api.ts'
import { useAnswer } from '../parts/call-answer.ts'
import { Choice, Field } from '../parts/form.tsx'
import { Exchanges } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { useMedia } from '../parts/media-query.ts'
import { Scrolling } from '../parts/scrolling.tsx'
import { Facts } from '../parts/small.tsx'
import { outcomeWords, StatusMark, statusWords } from '../parts/status-mark.tsx'
import { type ListControl, VirtualList } from '../parts/virtual-list.tsx'
import { navigate, refine, useAddress } from '../route.ts'
import { deviceRead, startAction, useStore } from '../store.ts'
import { asSentence, titleOf } from '../words.ts'

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

/** All words must occur: in method, path, status or message. */
function matches({ method, path, status, message }: RequestHead, words: readonly string[]): boolean {
  const all = `${method} ${path} ${status ?? ''} ${message ?? ''}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

export function RequestsView() {
  const live = useStore((state) => state.requests)
  const device = useStore(deviceRead)
  const { path, query } = useAddress()
  const { text = '' } = query
  const status = STATUSES.find(([one]) => one === query['status'])?.[0] ?? ''
  const {
    rows: held,
    more,
    release,
  } = useGrowing(live, {
    idOf: ({ id }) => id,
    of: `${device} ${text} ${status}`,
    stored: STORED_REQUESTS_MAX,
    follows: false,
  })
  const visibleRequests = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return held.filter((head) => (status === '' || statusName(head) === status) && matches(head, words))
  }, [held, text, status])
  const chosenId = path[0] === undefined ? undefined : Number(path[0])
  const chosen = visibleRequests.findIndex(({ id }) => id === chosenId)
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
    navigate({ view: 'requests', path: [String(id)], query }, isStep)
  }
  const back = () => {
    if (chosen >= 0) goesTo.current = chosen
    navigate({ view: 'requests', query })
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
          // Other filters make another list, none of whose rows are new.
          key={`${text} ${status}`}
          rows={visibleRequests}
          rowHeight={52}
          label="Requests, newest at the bottom"
          keyOf={({ id }) => id}
          chosen={chosen}
          onChoose={isNarrow ? undefined : (head) => choose(head, false)}
          newest="last"
          more={more}
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
              aria-pressed={head.id === chosenId}
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
          <p class="empty">There is no request {path[0]}.</p>
        </section>
      ) : isPicked ? (
        <Details key={chosenId} id={chosenId} title={title} onBack={back} />
      ) : (
        <section class="card detail-card">
          <p class="empty">{held.length === 0 ? <FirstRequest /> : 'Choose a request.'}</p>
        </section>
      )}
    </div>
  )
}

function summaryOf({ status, message, documents }: RequestHead): string {
  if (status === null) return 'The client hung up before the answer.'
  if (message !== null) return message
  if (documents.length === 0) return 'No document was completed.'
  return documents.length === 1 ? '1 document was printed.' : `${documents.length} documents were printed.`
}

function FirstRequest() {
  return (
    <>
      What programs ask the service for is listed here, also what it refuses. <a href="#/setup">Setup</a> has its
      address and a line of curl.
    </>
  )
}

function Details(props: {
  readonly id: number
  readonly title: { current: HTMLHeadingElement | null }
  readonly onBack: () => void
}) {
  const { id, title, onBack } = props
  // The request is read again when its turn on the device ends after its answer.
  const documentCount = useStore((state) => state.requests.find((head) => head.id === id)?.documents.length ?? 0)
  const connection = useStore((state) => state.connection)
  const answer = useAnswer(
    () =>
      call('GET /emulator/requests/{id}', { params: { id } }).then(
        (request) => ({ request }),
        (problem: unknown) => ({ refusal: problem instanceof Error ? problem.message : String(problem) }),
      ),
    `${id} ${documentCount} ${connection}`,
  )
  const last = useRef<typeof answer>(undefined)
  last.current = answer ?? last.current
  const shownRequest = last.current
  const request = shownRequest && 'request' in shownRequest ? shownRequest.request : undefined
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
      {request ? <Acts request={request} /> : null}
      <Scrolling class="detail-body request-body" label={`Request ${id}`}>
        {request ? <Whole request={request} /> : null}
        {shownRequest && 'refusal' in shownRequest ? <p class="empty">{asSentence(shownRequest.refusal)}</p> : null}
      </Scrolling>
    </section>
  )
}

function Acts({ request: { id, again } }: { readonly request: RequestView }) {
  const hasAddress = useStore((state) => state.service?.address !== null)
  const copy = (as: 'curl' | 'yaml', words: string) =>
    startAction(async () => {
      const params = { id }
      const text = await (as === 'curl'
        ? call('GET /emulator/requests/{id}.curl', { params })
        : call('GET /emulator/requests/{id}.yaml', { params }))
      await navigator.clipboard.writeText(text)
      return words
    })
  const sendAgain = () =>
    startAction(async () => {
      const sent = await call('POST /emulator/requests/{id}/again', { params: { id } })
      navigate({ view: 'requests', path: [String(sent.id)] })
      const how =
        sent.key === null ? '' : ' Its Idempotency-Key is the same: a request that printed is not printed again.'
      return `Sent again: ${statusWords(sent.status, sent.message)}.${how}`
    })
  return (
    <div class="document-tools">
      {again ? (
        <button type="button" class="quiet" onClick={sendAgain}>
          Try again
        </button>
      ) : null}
      {hasAddress ? (
        <button type="button" class="quiet" onClick={() => copy('curl', 'Copied as curl.')}>
          Copy as curl
        </button>
      ) : null}
      <button type="button" class="quiet" onClick={() => copy('yaml', 'Copied as a scenario step.')}>
        Copy as scenario step
      </button>
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
        <p class="empty">{answer === null ? 'The client hung up before it.' : 'It has no body.'}</p>
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

/** Indents JSON. Amounts are unchanged: only blanks outside of texts change. */
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

function Printed({ request: { documents } }: { readonly request: RequestView }) {
  const all = useStore((state) => state.documents)
  if (documents.length === 0) return null
  const heads = documents.flatMap((id) => all.find((head) => head.id === id) ?? [])
  return (
    <p class="printed-by">
      {heads.map((head) => (
        <a key={head.id} href={`#/documents/${head.id}`}>
          {titleOf(head)}
        </a>
      ))}
    </p>
  )
}

const isOf = ({ frames }: RequestView, { id }: FrameView): boolean =>
  frames !== null && id > frames.after && id <= (frames.to ?? Number.POSITIVE_INFINITY)

function OnTheWire({ request }: { readonly request: RequestView }) {
  const frames = useStore((state) => state.frames)
  const own = useMemo(() => frames.filter((frame) => isOf(request, frame)), [frames, request])
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
            ? 'None: the service answered without asking the device.'
            : 'None is stored: it was too long ago, or no command was sent.'}
        </p>
      )}
    </>
  )
}
