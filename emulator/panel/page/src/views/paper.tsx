import { useLayoutEffect, useRef } from 'preact/hooks'
import { useMedia } from '../parts/media.ts'
import { Drawing, Paper } from '../parts/paper.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { Troubles } from '../parts/troubles.tsx'
import { useStore } from '../store.ts'
import { stamp, titleOf } from '../words.ts'
import { WireView } from './wire.tsx'

/** The roll as it leaves the printer: the last documents and the receipt in hand, newest at the bottom. */

const SHOWN = 12
const AT_END_PX = 80

/** On a wide screen the wire runs beside the paper that it makes. */
export function PaperView() {
  const isWide = useMedia('(min-width: 1600px)')
  return (
    <div class="live-view">
      <Roll />
      {isWide ? <WireView /> : null}
    </div>
  )
}

function Roll() {
  const documents = useStore((state) => state.documents)
  const open = useStore((state) => state.open)
  const device = useStore((state) => state.device)
  const roll = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  const shown = documents.slice(-SHOWN)

  // Drawings arrive after their documents: whoever looks at the end stays there while the roll grows.
  useLayoutEffect(() => {
    const { current } = roll
    const inner = current?.firstElementChild
    if (!current || !inner) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) current.scrollTop = current.scrollHeight
    })
    observer.observe(inner)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const look = () => {
    const { current } = roll
    if (!current) return
    // Paper may have come since the browser scrolled: only who scrolls up has left the end.
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < AT_END_PX
    if (isNear || current.scrollTop < lastTop.current) atEnd.current = isNear
    lastTop.current = current.scrollTop
  }

  return (
    <section class="roll-view" aria-labelledby="roll-title">
      <header class="view-head">
        <h2 id="roll-title">Paper</h2>
        <p>
          {documents.length === 0
            ? 'What the device prints appears here at once.'
            : `${documents.length} ${documents.length === 1 ? 'document' : 'documents'}; the newest is at the bottom.`}
        </p>
      </header>
      <Troubles />
      <Scrolling class="roll" box={roll} onScroll={look} label="Paper, newest at the bottom">
        <div class="roll-inner">
          {documents.length > SHOWN ? (
            <p class="older">
              <a href="#documents">{documents.length - SHOWN} older documents</a>
            </p>
          ) : null}
          {shown.map((document) => (
            <div class="roll-piece" key={`${device?.generation} ${document.id}`}>
              <p class="roll-label">
                <a href={`#documents/${document.id}`}>{titleOf(document)}</a> <span>{stamp(document.at)}</span>
              </p>
              <Paper document={document} />
            </div>
          ))}
          {open ? (
            <div class="roll-piece">
              <p class="roll-label">
                <span>Receipt {open.number}, still open</span>
              </p>
              <Drawing svg={open.svg} label={`Receipt ${open.number}, still open`} isOpen />
            </div>
          ) : null}
          {documents.length === 0 && !open ? <FirstSteps /> : null}
        </div>
      </Scrolling>
    </section>
  )
}

function FirstSteps() {
  return (
    <div class="first">
      <h3>Nothing has been printed yet</h3>
      <p>
        Send a receipt to the service, attach a program of your own (<a href="#setup">Setup</a> has the lines), or
        choose <em>Print a sample receipt</em>.
      </p>
    </div>
  )
}
