import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DocumentHead } from '../../../contract.ts'
import { call } from '../api.ts'
import { type PaperFeed, useFeed } from '../printer/feed.ts'
import { useStore } from '../store.ts'

const DRAWINGS_MAX = 60
/** Drawings of completely printed documents, which no longer change. */
const drawings = new Map<string, string>()

const waitingIn = (svg: string): number => Number(/ data-waiting="(\d+)"/.exec(svg)?.[1] ?? 0)

export const keyOf = (generation: number | undefined, { id, at }: DocumentHead): string => `${generation} ${id} ${at}`

export async function drawingOf(key: string, id: number): Promise<string> {
  const drawing = drawings.get(key)
  if (drawing !== undefined) return drawing
  const svg = await call('GET /emulator/documents/{id}.svg', { params: { id } })
  if (waitingIn(svg) === 0) drawings.set(key, svg)
  for (const old of drawings.keys()) {
    if (drawings.size <= DRAWINGS_MAX) break
    drawings.delete(old)
  }
  return svg
}

/** Returns the drawing of a document; `undefined` until it is loaded. */
export function useDrawing(document: DocumentHead | undefined): string | undefined {
  const generation = useStore((state) => state.device?.generation)
  // The printer prints waiting lines when paper, cover or power change.
  const deviceState = useStore(({ device }) => `${device?.paper} ${device?.cover} ${device?.power}`)
  const key = document && keyOf(generation, document)
  const [drawing, setDrawing] = useState(() => (key === undefined ? undefined : drawings.get(key)))
  useEffect(() => {
    if (!document || key === undefined) return undefined
    let isCurrent = true
    drawingOf(key, document.id).then(
      (svg) => isCurrent && setDrawing(svg),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [key, deviceState])
  return drawing
}

/**
 * `feeding` is the state of the feed animation. From the position at which `isLow` is set, the roll has a coloured
 * edge.
 */
export function Drawing(props: {
  readonly svg: string | undefined
  readonly label: string
  readonly isOpen?: boolean
  readonly feeding?: PaperFeed
  readonly isLow?: boolean
  /** True for an earlier state of the document, in which lines that were printed later do not count as waiting. */
  readonly isPast?: boolean
}) {
  const { svg, label, isOpen = false, feeding, isLow = false, isPast = false } = props
  const sheet = useRef<HTMLDivElement>(null)
  const { isOut, outPx } = useFeed(sheet, svg, feeding)
  const waiting = svg === undefined || isPast ? 0 : waitingIn(svg)
  const isTorn = svg !== undefined && !isPast && isOut && !isOpen && waiting === 0
  const lowFrom = useLowEdge(isLow, outPx)
  const state = [isOpen && 'open', waiting > 0 && 'unfinished', isTorn && 'torn'].filter(Boolean).join(' ')
  return (
    <figure class={`paper ${state}`} aria-label={label}>
      {svg === undefined ? (
        <div class="paper-wait" />
      ) : (
        <div class="sheet" ref={sheet}>
          <div aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />
          {lowFrom === undefined ? null : <div class="low-edge" style={{ top: `${lowFrom}px` }} />}
        </div>
      )}
      {waiting > 0 && isOut ? (
        <p class="waiting">Not finished: {waiting === 1 ? '1 line waits' : `${waiting} lines wait`} in the printer.</p>
      ) : null}
      <Words svg={svg} sheet={sheet} />
    </figure>
  )
}

function useLowEdge(isLow: boolean, outPx: () => number): number | undefined {
  const [from, setFrom] = useState<number>()
  useLayoutEffect(() => {
    if (isLow) setFrom((before) => before ?? outPx())
  }, [isLow])
  return from
}

/** The lines of the drawing as text, for screen readers. */
function Words({ svg, sheet }: { svg: string | undefined; sheet: { readonly current: HTMLElement | null } }) {
  const words = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    const lines = [...(sheet.current?.querySelectorAll('svg[data-line] > text') ?? [])].map((line) => {
      const pieces = [...line.querySelectorAll('tspan')].map(({ textContent }) => textContent)
      return pieces.length === 0 ? line.textContent : pieces.join('  ')
    })
    if (words.current) words.current.textContent = lines.join('\n')
  }, [svg])
  return <pre class="hidden" ref={words} />
}
