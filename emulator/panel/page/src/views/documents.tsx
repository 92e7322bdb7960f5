import type { Ref } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentHead, RegistersView } from '../../../contract.ts'
import { documentLink, idInAddress, timeInAddress } from '../address.ts'
import { call, fileAt } from '../api.ts'
import { asTyped, CHOOSE_ONE, dateAndTime, KINDS, kindOf, nothingThere, titleOf } from '../labels-and-formats.ts'
import { NarrowHead } from '../parts/basic-components.tsx'
import { DocumentActs } from '../parts/document-actions.tsx'
import { COPIES, Copied, CopyButtons, type CopyForm, isCopy } from '../parts/document-exports.tsx'
import { Choice, Field } from '../parts/form.tsx'
import { useWaiting } from '../parts/held-rows.ts'
import { useMedia } from '../parts/media-query.ts'
import { Drawing, useDrawing } from '../parts/paper.tsx'
import { NotStored, OfEarlierRun, useUntilGone } from '../parts/run-ids.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { type ListControl, VirtualList } from '../parts/virtual-list.tsx'
import { addressNow, navigate, refine, useAddress, useTimeInAddress } from '../route.ts'
import { deviceRead, say, useStore } from '../store.ts'
import { Compare } from './compare.tsx'
import { AsFrames, AsJournal, AsText } from './document-forms.tsx'

const SEARCH_MS = 150

export function DocumentsView() {
  const documents = useStore((state) => state.documents)
  const payments = useStore((state) => state.registers?.payments)
  const { path, query } = useAddress()
  const { text: search = '' } = query
  const kind = Object.keys(KINDS).find((one) => one === query['kind']) ?? ''
  const device = useStore(deviceRead)
  const chosenId = idInAddress(path[0])
  const {
    rows: held,
    newer,
    release,
  } = useWaiting(documents, {
    idOf: ({ id }) => id,
    of: `${device} ${kind} ${search}`,
    shows: documents.find((one) => isDocument(one, chosenId, query['at']))?.id,
  })
  const matches = useSearch(search, documents)
  const isVisible = useMemo(
    () => (one: DocumentHead) => (kind === '' || one.kind === kind) && (!matches || matches.has(one.id)),
    [kind, matches],
  )
  const visibleDocuments = useMemo(() => held.filter(isVisible).toReversed(), [held, isVisible])
  const { chosen, isGone } = useOpenDocument(visibleDocuments, chosenId, query['at'])
  const isPicked = path[0] !== undefined
  const isComparing = documents.some(({ id }) => id === idInAddress(query['with']))
  const isNarrow = useMedia('(max-width: 1000px)')
  const list = useRef<ListControl | undefined>(undefined)
  const title = useRef<HTMLHeadingElement>(null)
  /** Target of the focus after a narrow screen has changed between list and document. */
  const goesTo = useRef<'title' | DocumentHead | undefined>(undefined)
  useLayoutEffect(() => {
    const to = goesTo.current
    goesTo.current = undefined
    if (to === 'title') title.current?.focus()
    else if (to && visibleDocuments.includes(to)) list.current?.focus(visibleDocuments.indexOf(to))
  }, [isPicked])
  const { with: _with, at: _at, ...filters } = query
  /** A click adds an entry to the history of the browser; arrow keys add none. */
  const choose = (one: DocumentHead, isStep = true) => {
    if (isNarrow) goesTo.current = 'title'
    navigate({ view: 'documents', path: [String(one.id)], query: { ...filters, at: timeInAddress(one) } }, isStep)
  }
  const back = () => {
    goesTo.current = chosen
    navigate({ view: 'documents', query: filters })
  }

  return (
    <div class={`split${isPicked ? ' picked' : ''}${isPicked && isComparing ? ' comparing' : ''}`}>
      <section class="card list-card" aria-labelledby="documents-title">
        <header class="card-head">
          <h2 id="documents-title">Documents</h2>
          <p class="count" role="status">
            {visibleDocuments.length === held.length
              ? documents.length
              : `${visibleDocuments.length} of ${documents.length}`}
          </p>
          <p class="order">newest first</p>
        </header>
        <div class="filters">
          <Field label="Text on paper" width="grow" type="search" value={search} onText={(text) => refine({ text })} />
          <Choice
            label="Kind"
            value={kind}
            options={[['', 'All'], ...Object.entries(KINDS)]}
            onText={(kind) => refine({ kind })}
          />
        </div>
        <VirtualList
          rows={visibleDocuments}
          rowHeight={52}
          label="Documents, newest first"
          keyOf={({ id }) => id}
          chosen={chosen ? visibleDocuments.indexOf(chosen) : -1}
          // Arrow keys do not open a document that would replace the list.
          onChoose={isNarrow ? undefined : (one) => choose(one, false)}
          newest="first"
          more={newer.filter(isVisible).length}
          onNewest={release}
          control={list}
          empty={documents.length === 0 ? 'Nothing has been printed yet.' : 'No document matches.'}
          draw={(one, tab) => (
            <button
              type="button"
              {...tab}
              class="row document-row"
              aria-pressed={one === chosen}
              onClick={() => choose(one)}
            >
              <span class={`kind kind-${one.kind}`}>{kindOf(one.kind)}</span>
              <span class="z-number">{one.zNumber === undefined ? '' : `Z ${one.zNumber}`}</span>
              <span class="number">{one.number}</span>
              <span class="at">{dateAndTime(one.at)}</span>
              <span class="paid">{paidBy(one, payments)}</span>
              <span class="num total">{one.total ?? ''}</span>
            </button>
          )}
        />
      </section>
      {chosen ? (
        <Details key={documentLink(chosen)} document={chosen} isGone={isGone} title={title} onBack={back} />
      ) : (
        <NothingChosen
          words={wordsOfNothing(path[0], chosenId, query['at'], documents, visibleDocuments)}
          onBack={isPicked ? back : undefined}
        />
      )}
    </div>
  )
}

const paidBy = ({ paymentModes = [] }: DocumentHead, payments: RegistersView['payments'] = []): string =>
  paymentModes
    .map((mode) => payments.find(({ paymentMode }) => paymentMode === mode)?.name ?? `Mode ${mode}`)
    .join(', ')

function NothingChosen({ words, onBack }: { words: string; onBack: (() => void) | undefined }) {
  const { path } = useAddress()
  const isRead = useStore((state) => deviceRead(state) !== undefined)
  return (
    <section class="card detail-card">
      {onBack && <NarrowHead all="All documents" title={`Document ${asTyped(path[0])}`} onBack={onBack} />}
      <p class="empty">{isRead ? words : ''}</p>
    </section>
  )
}

/** The printing time `at` excludes a document of another device. Without it, the id alone decides. */
const isDocument = (one: DocumentHead, id: number | undefined, at: string | undefined): boolean =>
  one.id === id && (at === undefined || timeInAddress(one) === at)

/**
 * Returns the open document: that of the address, or the first one, which stays open when newer ones arrive. A document
 * that the filter hides is not shown. `isGone` is true if the device no longer has the document.
 */
function useOpenDocument(visible: readonly DocumentHead[], id: number | undefined, at: string | undefined) {
  const documents = useStore((state) => state.documents)
  const opened = useRef<DocumentHead | undefined>(undefined)
  const before = opened.current
  const isSame = (one: DocumentHead) => before !== undefined && isDocument(one, before.id, timeInAddress(before))
  const isGone = before !== undefined && !documents.some(isSame) && (id === undefined || isDocument(before, id, at))
  const found = id === undefined ? (visible.find(isSame) ?? visible[0]) : visible.find((one) => isDocument(one, id, at))
  const chosen = isGone ? before : found
  opened.current = chosen
  useTimeInAddress('documents', id, at, chosen)
  return { chosen, isGone }
}

function wordsOfNothing(
  asked: string | undefined,
  id: number | undefined,
  at: string | undefined,
  all: readonly DocumentHead[],
  visible: readonly DocumentHead[],
): string {
  if (asked !== undefined) {
    if (all.some((one) => isDocument(one, id, at))) return `The filter hides document ${asked}.`
    return at === undefined
      ? nothingThere('document', asked)
      : `Document ${asTyped(asked)} was printed before the device was replaced, and is no longer stored. ${CHOOSE_ONE}`
  }
  return visible.length === 0 ? 'There is no document to show.' : 'Choose a document.'
}

/** Returns the ids of all documents with this text, including waiting ones; `undefined` without a search. */
function useSearch(search: string, documents: readonly DocumentHead[]): ReadonlySet<number> | undefined {
  const [matches, setMatches] = useState<ReadonlySet<number>>()
  const text = search.trim()
  const latest = useRef(text)
  latest.current = text
  const due = useRef<{ readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | undefined>(undefined)
  useEffect(() => {
    // The pending search also finds documents that arrive until then. Under constant traffic, a restarted timer would
    // never end.
    if (due.current?.text === text) return
    clearTimeout(due.current?.timer)
    due.current = undefined
    if (text === '') {
      setMatches(undefined)
      return
    }
    const run = () => {
      due.current = undefined
      call('GET /emulator/documents', { query: { content: 'none', search: text } }).then(
        (heads) => latest.current === text && setMatches(new Set(heads.map(({ id }) => id))),
        () => undefined,
      )
    }
    due.current = { text, timer: setTimeout(run, SEARCH_MS) }
  }, [text, documents])
  useEffect(() => () => clearTimeout(due.current?.timer), [])
  return matches
}

const FORMS = { paper: 'Paper', text: 'Text', journal: 'Journal', frames: 'Frames' } as const
type Form = keyof typeof FORMS
const isForm = (form: string): form is Form => form in FORMS

interface DetailsProps {
  readonly document: DocumentHead
  readonly isGone: boolean
  readonly title: Ref<HTMLHeadingElement>
  readonly onBack: () => void
}

function Details({ document, isGone, title, onBack }: DetailsProps) {
  const { query } = useAddress()
  const { form: formName = '' } = query
  const form = useUntilGone(isGone, isForm(formName) || isCopy(formName) ? formName : 'paper')
  const other = useUntilGone(isGone, useOther(query['with'], document))
  const isOtherMissing = !other && idInAddress(query['with']) !== undefined && query['with'] !== String(document.id)
  const show = (one: Form | CopyForm) => {
    if (other) say(`No longer side by side with ${titleOf(other)}.`)
    refineDocument(document, { form: one === 'paper' ? '' : one, with: '' })
  }
  const formLabel = other ? 'side by side' : isForm(form) ? FORMS[form] : COPIES[form].label
  return (
    <section class="card detail-card" aria-labelledby="document-title">
      <header class="card-head">
        <button type="button" class="quiet only-narrow" onClick={onBack}>
          All documents
        </button>
        <h2 id="document-title" ref={title} tabIndex={-1}>
          {titleOf(document)}
        </h2>
        {isGone ? null : <Downloads document={document} />}
      </header>
      {isGone ? (
        <NotStored words="The device no longer has this document, because it was replaced or restarted. It is shown as it was read." />
      ) : (
        <div class="document-tools">
          <CopyButtons id={document.id} form={other ? '' : form} onShow={show} />
          <DocumentActs document={document} />
          <Beside document={document} other={other} />
        </div>
      )}
      {isOtherMissing && !isGone ? (
        <NotStored
          words={`There is no document ${asTyped(query['with'])} to compare. Choose one in Side by side with.`}
        />
      ) : null}
      <fieldset class="tabs" aria-label="Shown as" disabled={isGone}>
        {(Object.keys(FORMS) as Form[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === form && !other} onClick={() => show(one)}>
            {FORMS[one]}
          </button>
        ))}
        {other ? (
          <button
            type="button"
            aria-pressed="true"
            onClick={() => refineDocument(document, { with: String(other.id) })}
          >
            Side by side
          </button>
        ) : null}
      </fieldset>
      <Scrolling class={`detail-body${isGone ? ' dimmed' : ''}`} label={`${titleOf(document)}, ${formLabel}`}>
        <OfEarlierRun.Provider value={isGone}>
          {other ? <Compare left={document} right={other} /> : <DocumentDetails document={document} form={form} />}
        </OfEarlierRun.Provider>
      </Scrolling>
    </section>
  )
}

function Downloads({ document }: { document: DocumentHead }) {
  const file = fileAt(`/documents/${document.id}`)
  const name = `${document.kind}-${document.number}`
  return (
    <p class="downloads">
      <span>Download</span>
      {(['png', 'svg', 'txt'] as const).map((ending) => (
        <a key={ending} href={`${file}.${ending}`} download={`${name}.${ending}`}>
          {ending.toUpperCase()}
        </a>
      ))}
      <a href={`${file}.yaml`} download={`${name}.yaml`}>
        YAML
      </a>
      <button type="button" class="quiet" onClick={() => print()}>
        Print
      </button>
    </p>
  )
}

/** A document that is gone is not read again, because another document has its id now. */
function DocumentPaper({ document }: { document: DocumentHead }) {
  const isGone = useContext(OfEarlierRun)
  const svg = useUntilGone(isGone, useDrawing(isGone ? undefined : document))
  return <Drawing svg={svg} label={titleOf(document)} isPast={isGone} />
}

function DocumentDetails({ document, form }: { document: DocumentHead; form: Form | CopyForm }) {
  switch (form) {
    case 'paper':
      return <DocumentPaper document={document} />
    case 'text':
      return <AsText id={document.id} />
    case 'journal':
      return <AsJournal number={document.number} />
    case 'frames':
      return <AsFrames document={document} />
    default:
      return <Copied id={document.id} form={form} />
  }
}

function useOther(id: string | undefined, { id: own }: DocumentHead): DocumentHead | undefined {
  const documents = useStore((state) => state.documents)
  const other = idInAddress(id)
  return other === own ? undefined : documents.find((one) => one.id === other)
}

/** Changes how a document is shown. The address then names the document, even the first one, which was not chosen. */
function refineDocument(document: DocumentHead, query: Readonly<Record<string, string>>): void {
  const { query: now } = addressNow()
  const at = timeInAddress(document)
  navigate({ view: 'documents', path: [String(document.id)], query: { ...now, at, ...query } }, false)
}

const BESIDE_MAX = 100

function Beside({ document, other }: { document: DocumentHead; other: DocumentHead | undefined }) {
  const documents = useStore((state) => state.documents)
  const otherDocuments = documents
    .slice(-BESIDE_MAX)
    .filter(({ id }) => id !== document.id && id !== other?.id)
    .toReversed()
  const options = [...(other ? [other] : []), ...otherDocuments].map(
    (one) => [String(one.id), `${titleOf(one)}${one.total === undefined ? '' : `, ${one.total}`}`] as const,
  )
  return (
    <Choice
      label="Side by side with"
      value={other ? String(other.id) : ''}
      options={[['', 'nothing'], ...options]}
      onText={(id) => refineDocument(document, { with: id })}
    />
  )
}
