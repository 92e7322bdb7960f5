import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import type { DocumentHead, OpenReceiptPaper } from '../../../contract.ts'
import { dateAndTime, titleOf } from '../labels-and-formats.ts'
import { Troubles } from '../parts/device-conditions.tsx'
import { useMedia } from '../parts/media-query.ts'
import { Drawing, drawingOf, keyOf, useDrawing } from '../parts/paper.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { Front } from '../printer/front.tsx'
import { deviceRead, useStore } from '../store.ts'
import { WireView } from './wire.tsx'

const SHOWN_DOCUMENTS = 12
const AT_END_PX = 80
/** Characters per line on a roll of 58 mm. */
const NARROW = 32

export function PaperView() {
  const isWide = useMedia('(min-width: 1600px)')
  return (
    <div class="live-view">
      <Roll />
      {isWide ? <WireView /> : null}
    </div>
  )
}

/**
 * Returns the last documents once they are drawn, so that the roll is never empty under constant traffic. If the user
 * has scrolled up, the documents stay, and `fresh` counts newer ones.
 */
function useRoll(isHeld: boolean): { readonly visibleDocuments: readonly DocumentHead[]; readonly fresh: number } {
  const documents = useStore((state) => state.documents)
  const generation = useStore((state) => state.device?.generation)
  const [roll, setRoll] = useState<{ of: number | undefined; visibleDocuments: readonly DocumentHead[] }>({
    of: generation,
    visibleDocuments: documents.slice(-SHOWN_DOCUMENTS),
  })
  const isDrawing = useRef(false)
  const [drawn, setDrawn] = useState(0)
  const last = documents.at(-1)
  useEffect(() => {
    if (isDrawing.current || (isHeld && roll.of === generation)) return
    if (roll.of === generation && roll.visibleDocuments.at(-1)?.id === last?.id) return
    isDrawing.current = true
    const next = documents.slice(-SHOWN_DOCUMENTS)
    const drawings = next.map((one) => drawingOf(keyOf(generation, one), one.id).catch(() => undefined))
    void Promise.all(drawings).then(() => {
      isDrawing.current = false
      setRoll({ of: generation, visibleDocuments: next })
      setDrawn((count) => count + 1)
    })
  }, [last, generation, isHeld, drawn])
  const lastVisible = roll.visibleDocuments.at(-1)?.id ?? 0
  if (roll.of !== generation) return { visibleDocuments: [], fresh: 0 }
  return { visibleDocuments: roll.visibleDocuments, fresh: documents.filter(({ id }) => id > lastVisible).length }
}

export function Roll() {
  const documents = useStore((state) => state.documents)
  const open = useStore((state) => state.open)
  const device = useStore((state) => state.device)
  const isRead = useStore((state) => deviceRead(state) !== undefined)
  const roll = useRef<HTMLElement>(null)
  const lastTop = useRef(0)
  const atEnd = useRef(true)
  const [isHeld, setHeld] = useState(false)
  const { visibleDocuments, fresh } = useRoll(isHeld)
  const pieces = usePieces(visibleDocuments, fresh)
  const seenDocument = useSeen()
  const isNarrow = useStore((state) => (state.registers?.lineWidth ?? NARROW + 1) <= NARROW)

  const toEnd = () => {
    const { current } = roll
    if (!current) return
    current.scrollTop = current.scrollHeight
    lastTop.current = current.scrollTop
  }
  // Drawings arrive after their documents. A roll at the end stays at the end while it grows.
  useLayoutEffect(() => {
    const { current } = roll
    const inner = current?.firstElementChild
    if (!current || !inner) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) toEnd()
    })
    observer.observe(inner)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  // Pieces that are removed at the top move the others up, which is no scrolling by the user.
  useLayoutEffect(() => {
    if (atEnd.current) toEnd()
    else if (roll.current) lastTop.current = roll.current.scrollTop
  }, [visibleDocuments, open])
  const hold = (held: boolean) => {
    atEnd.current = !held
    setHeld(held)
  }
  const look = () => {
    const { current } = roll
    if (!current) return
    // Paper may arrive while the browser scrolls, so that only scrolling up leaves the end.
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < AT_END_PX
    if (isNear) hold(false)
    else if (current.scrollTop < lastTop.current) hold(true)
    lastTop.current = current.scrollTop
  }
  const follow = () => {
    hold(false)
    toEnd()
    roll.current?.focus({ preventScroll: true })
  }

  return (
    <section class="roll-view" aria-labelledby="roll-title">
      <header class="view-head">
        <h2 id="roll-title">Paper</h2>
        <p>
          {documents.length === 0
            ? 'What the device prints appears here at once.'
            : `${countText(documents.length, 'document')}; the newest is at the bottom.`}
        </p>
      </header>
      <Troubles />
      <Scrolling class="roll" box={roll} onScroll={look} label="Paper, newest at the bottom">
        <div class={isNarrow ? 'roll-inner narrow' : 'roll-inner'}>
          {documents.length - fresh > visibleDocuments.length ? (
            <p class="older">
              <a href="#documents">{documents.length - fresh - visibleDocuments.length} older documents</a>
            </p>
          ) : null}
          {pieces.map((piece, index) => (
            <Piece
              key={`${device?.generation} ${piece.number}`}
              {...piece}
              isAtSlot={index === pieces.length - 1 && (fresh === 0 || piece.open !== undefined)}
              wasThere={piece.number <= seenDocument}
            />
          ))}
          {isRead && documents.length === 0 && pieces.length === 0 ? <FirstSteps /> : null}
          {device?.paper === 'out' ? null : <div class={device?.paper === 'low' ? 'lead low' : 'lead'} />}
        </div>
      </Scrolling>
      {isHeld ? (
        <button type="button" class="fresh primary" onClick={follow}>
          {fresh === 0 ? 'To the end' : countText(fresh, 'new document')}
        </button>
      ) : null}
      <Front />
    </section>
  )
}

interface OnRoll {
  /** Document number; an open receipt has the number of its later document. */
  readonly number: number
  readonly document?: DocumentHead
  readonly open?: OpenReceiptPaper
}

/** A receipt that was just closed remains as it is until its document is drawn. */
function usePieces(visibleDocuments: readonly DocumentHead[], fresh: number): readonly OnRoll[] {
  const open = useStore((state) => state.open)
  const generation = useStore((state) => state.device?.generation)
  const last = useRef<{ of: number | undefined; open: OpenReceiptPaper } | undefined>(undefined)
  if (open) last.current = { of: generation, open }
  const hanging = open ?? (last.current?.of === generation ? last.current?.open : undefined)
  const documents = visibleDocuments.map((document) => ({ number: document.number, document }))
  const newest = visibleDocuments.at(-1)?.number ?? 0
  const isClosing = !open && fresh === 1
  return hanging && hanging.number > newest && ((open && fresh === 0) || isClosing)
    ? [...documents, { number: hanging.number, open: hanging }]
    : documents
}

/** Returns the number of the last document when the page was opened; 0 after the device was replaced. */
function useSeen(): number {
  const generation = useStore(deviceRead)
  const documents = useStore((state) => state.documents)
  const open = useStore((state) => state.open)
  const seenDocument = useRef<{ of: number | undefined; number: number } | undefined>(undefined)
  if (generation !== undefined && seenDocument.current?.of !== generation) {
    const isFirst = seenDocument.current === undefined
    seenDocument.current = { of: generation, number: isFirst ? (open?.number ?? documents.at(-1)?.number ?? 0) : 0 }
  }
  return seenDocument.current?.number ?? Number.POSITIVE_INFINITY
}

function Piece(props: OnRoll & { readonly isAtSlot: boolean; readonly wasThere: boolean }) {
  const { document, open, number, isAtSlot, wasThere } = props
  const lineMs = useStore((state) => state.device?.lineMs ?? null)
  const isLow = useStore((state) => state.device?.paper === 'low')
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const drawn = useDrawing(document)
  const before = useRef<string | undefined>(undefined)
  const svg = drawn ?? open?.svg ?? before.current
  before.current = svg
  const title = document ? titleOf(document) : `Receipt ${number}, still open`
  return (
    <div class="roll-piece">
      <p class="roll-label">
        {document ? <a href={`#documents/${document.id}`}>{title}</a> : <span>{title}</span>}
        {document ? <span>{dateAndTime(document.at)}</span> : null}
      </p>
      <Drawing
        svg={svg}
        label={title}
        isOpen={!document}
        isLow={isLow && isAtSlot}
        feeding={{ isAtSlot, wasThere, lineMs, isWithoutAnimation: isStill }}
      />
    </div>
  )
}

function FirstSteps() {
  const isExam = useStore((state) => state.exam !== null)
  const hasService = useStore((state) => state.service?.hasRequests === true)
  if (isExam)
    return (
      <div class="first">
        <h3>Nothing has been printed yet</h3>
        <p>The paper of the current case of the exam is shown here.</p>
      </div>
    )
  return (
    <div class="first">
      <h3>Nothing has been printed yet</h3>
      <p>
        {hasService ? 'Send a receipt to the service, attach' : 'Attach'} a program of your own (
        <a href="#setup">Setup</a> has the lines), or choose <em>Print a sample receipt</em>.
      </p>
    </div>
  )
}
