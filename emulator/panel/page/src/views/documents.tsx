import type { Ref } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentHead, RegistersView } from '../../../contract.ts'
import { at, call } from '../api.ts'
import { Choice, Columns, Field } from '../parts/form.tsx'
import { FrameDetails, FrameRow } from '../parts/frames.tsx'
import { useMedia } from '../parts/media.ts'
import { Paper } from '../parts/paper.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { type ListControl, VirtualList } from '../parts/virtual-list.tsx'
import { useStore } from '../store.ts'
import { KINDS, kindOf, stamp, titleOf } from '../words.ts'

/** Every document that was printed: matches by kind and text, shown as paper, text, journal and frames. */

const SEARCH_MS = 150

const chosenIn = (hash: string): number | undefined => {
  const id = /^#documents\/(\d+)$/.exec(hash)?.[1]
  return id === undefined ? undefined : Number(id)
}

export function DocumentsView() {
  const documents = useStore((state) => state.documents)
  const payments = useStore((state) => state.registers?.payments)
  const [kind, setKind] = useState('')
  const [search, setSearch] = useState('')
  const matches = useSearch(search, documents)
  const [chosenId, setChosenId] = useState(() => chosenIn(location.hash))
  useEffect(() => {
    const look = () => setChosenId(chosenIn(location.hash))
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])

  const shown = useMemo(() => {
    const listed = documents.filter((one) => (kind === '' || one.kind === kind) && (!matches || matches.has(one.id)))
    return listed.toReversed()
  }, [documents, kind, matches])
  // What the filter leaves out is not shown beside it either.
  const chosen = chosenId === undefined ? shown[0] : shown.find(({ id }) => id === chosenId)
  const isPicked = chosenId !== undefined && chosen !== undefined
  const isNarrow = useMedia('(max-width: 1000px)')
  const list = useRef<ListControl | undefined>(undefined)
  const title = useRef<HTMLHeadingElement>(null)
  /** On a narrow screen one of list and document is there: the focus goes along. */
  const goesTo = useRef<'title' | DocumentHead | undefined>(undefined)
  useLayoutEffect(() => {
    const to = goesTo.current
    goesTo.current = undefined
    if (to === 'title') title.current?.focus()
    else if (to) list.current?.focus(shown.indexOf(to))
  }, [isPicked])
  const choose = ({ id }: DocumentHead) => {
    if (isNarrow) goesTo.current = 'title'
    history.replaceState(null, '', `#documents/${id}`)
    setChosenId(id)
  }
  const back = () => {
    goesTo.current = chosen
    history.replaceState(null, '', '#documents')
    setChosenId(undefined)
  }

  return (
    <div class={isPicked ? 'split picked' : 'split'}>
      <section class="card list-card" aria-labelledby="documents-title">
        <header class="card-head">
          <h2 id="documents-title">Documents</h2>
          <p class="count" role="status">
            {shown.length === documents.length ? documents.length : `${shown.length} of ${documents.length}`}
          </p>
        </header>
        <div class="filters">
          <Field label="Text on paper" width="grow" type="search" value={search} onText={setSearch} />
          <Choice label="Kind" value={kind} options={[['', 'All'], ...Object.entries(KINDS)]} onText={setKind} />
        </div>
        <VirtualList
          rows={shown}
          rowHeight={52}
          label="Documents, newest first"
          keyOf={({ id }) => id}
          chosen={chosen ? shown.indexOf(chosen) : -1}
          // Where a document takes the place of the list, arrow keys only look.
          onChoose={isNarrow ? undefined : choose}
          control={list}
          empty={documents.length === 0 ? 'Nothing has been printed yet.' : 'No document matches.'}
          draw={(one) => (
            <button
              type="button"
              class="row document-row"
              aria-pressed={one.id === chosen?.id}
              onClick={() => choose(one)}
            >
              <span class={`kind kind-${one.kind}`}>{kindOf(one.kind)}</span>
              <span class="z-number">{one.zNumber === undefined ? '' : `Z ${one.zNumber}`}</span>
              <span class="number">{one.number}</span>
              <span class="at">{stamp(one.at)}</span>
              <span class="paid">{paidBy(one, payments)}</span>
              <span class="num total">{one.total ?? ''}</span>
            </button>
          )}
        />
      </section>
      {chosen ? (
        <Details key={`${chosen.id} ${chosen.at}`} document={chosen} title={title} onBack={back} />
      ) : (
        <NothingChosen isNothing={shown.length === 0} />
      )}
    </div>
  )
}

/** `Cash`, `Card, cash`. */
const paidBy = ({ paymentModes = [] }: DocumentHead, payments: RegistersView['payments'] = []): string =>
  paymentModes
    .map((mode) => payments.find(({ paymentMode }) => paymentMode === mode)?.name ?? `Mode ${mode}`)
    .join(', ')

const NothingChosen = ({ isNothing }: { isNothing: boolean }) => (
  <section class="card detail-card">
    <p class="empty">{isNothing ? 'There is no document to show.' : 'Choose a document.'}</p>
  </section>
)

/** The ids of documents with this text; undefined without a search. */
function useSearch(search: string, documents: readonly DocumentHead[]): ReadonlySet<number> | undefined {
  const [matches, setMatches] = useState<ReadonlySet<number>>()
  const text = search.trim()
  useEffect(() => {
    if (text === '') {
      setMatches(undefined)
      return undefined
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      call('GET /emulator/documents', { query: { content: 'none', search: text } }).then(
        (heads) => isCurrent && setMatches(new Set(heads.map(({ id }) => id))),
        () => undefined,
      )
    }, SEARCH_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, documents])
  return matches
}

const FORMS = ['Paper', 'Text', 'Journal', 'Frames'] as const
type Form = (typeof FORMS)[number]

function Details(props: { document: DocumentHead; title: Ref<HTMLHeadingElement>; onBack: () => void }) {
  const { document, title, onBack } = props
  const [form, setForm] = useState<Form>('Paper')
  const file = `${at}/documents/${document.id}`
  const name = `${document.kind}-${document.number}`
  return (
    <section class="card detail-card" aria-labelledby="document-title">
      <header class="card-head">
        <button type="button" class="quiet only-narrow" onClick={onBack}>
          All documents
        </button>
        <h2 id="document-title" ref={title} tabIndex={-1}>
          {titleOf(document)}
        </h2>
        <p class="downloads">
          <span>Download</span>
          {(['png', 'svg', 'txt'] as const).map((ending) => (
            <a key={ending} href={`${file}.${ending}`} download={`${name}.${ending}`}>
              {ending.toUpperCase()}
            </a>
          ))}
        </p>
      </header>
      <fieldset class="tabs" aria-label="Shown as">
        {FORMS.map((one) => (
          <button key={one} type="button" aria-pressed={one === form} onClick={() => setForm(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <Scrolling class="detail-body" label={`${titleOf(document)}, ${form}`}>
        {form === 'Paper' ? <Paper document={document} /> : null}
        {form === 'Text' ? <AsText id={document.id} /> : null}
        {form === 'Journal' ? <AsJournal number={document.number} /> : null}
        {form === 'Frames' ? <AsFrames id={document.id} /> : null}
      </Scrolling>
    </section>
  )
}

/** What a call answers; undefined while it is on its way. */
function useAnswer<T>(ask: () => Promise<T>, of: number): T | undefined {
  const [answer, setAnswer] = useState<T>()
  useEffect(() => {
    let isCurrent = true
    ask().then(
      (value) => isCurrent && setAnswer(() => value),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [of])
  return answer
}

function AsText({ id }: { id: number }) {
  const document = useAnswer(() => call('GET /emulator/documents/{id}', { params: { id } }), id)
  return document ? <pre class="plain">{document.text.join('\n')}</pre> : null
}

function AsJournal({ number }: { number: number }) {
  const lines = useAnswer(() => call('GET /emulator/journal', { query: { document: number } }), number)
  if (!lines) return null
  if (lines.length === 0) return <p class="empty">This document is not kept in the journal.</p>
  return (
    <table class="journal">
      <Columns names={['Line', 'As printed', 'Chain']} />
      <tbody>
        {lines.map(({ id, line, chain }) => (
          <tr key={id}>
            <td class="num">{id}</td>
            <td>
              <pre>{line}</pre>
            </td>
            <td class="chain" title={chain}>
              {chain.slice(0, 8)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AsFrames({ id }: { id: number }) {
  const frames = useAnswer(() => call('GET /emulator/frames', { query: { document: id } }), id)
  const [chosen, setChosen] = useState<number>()
  if (!frames) return null
  if (frames.length === 0) {
    return <p class="empty">No frames: it was made at the device itself, or its frames are no longer kept.</p>
  }
  return (
    <ul class="frames">
      {frames.map((frame) => (
        <li key={frame.id}>
          <FrameRow
            frame={frame}
            isChosen={frame.id === chosen}
            onChoose={() => setChosen(frame.id === chosen ? undefined : frame.id)}
          />
          {frame.id === chosen ? <FrameDetails frame={frame} /> : null}
        </li>
      ))}
    </ul>
  )
}
