import { useEffect, useState } from 'preact/hooks'
import type { DocumentHead } from '../../../contract.ts'
import { call } from '../api.ts'
import { useStore } from '../store.ts'
import { titleOf } from '../words.ts'

/** Paper as the device prints it: the drawing comes from the emulator, at the width of its roll. */

const KEPT = 60
/** Of documents that have left the printer whole: they do not change any more. */
const drawings = new Map<string, string>()

/** Lines that are still inside the printer. */
const waitingIn = (svg: string): number => Number(/ data-waiting="(\d+)"/.exec(svg)?.[1] ?? 0)

export const keyOf = (generation: number | undefined, { id, at }: DocumentHead): string => `${generation} ${id} ${at}`

export async function drawingOf(key: string, id: number): Promise<string> {
  const drawing = drawings.get(key)
  if (drawing !== undefined) return drawing
  const svg = await call('GET /emulator/documents/{id}.svg', { params: { id } })
  if (waitingIn(svg) === 0) drawings.set(key, svg)
  for (const old of drawings.keys()) {
    if (drawings.size <= KEPT) break
    drawings.delete(old)
  }
  return svg
}

export function Paper({ document }: { readonly document: DocumentHead }) {
  const generation = useStore((state) => state.device?.generation)
  // What waits inside the printer comes out when paper, cover or power change.
  const hands = useStore(({ device }) => `${device?.paper} ${device?.cover} ${device?.power}`)
  const key = keyOf(generation, document)
  const [drawing, setDrawing] = useState(() => drawings.get(key))
  useEffect(() => {
    let isCurrent = true
    drawingOf(key, document.id).then(
      (svg) => isCurrent && setDrawing(svg),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [key, hands])
  return <Drawing svg={drawing} label={titleOf(document)} />
}

export function Drawing({ svg, label, isOpen = false }: { svg: string | undefined; label: string; isOpen?: boolean }) {
  const waiting = svg === undefined ? 0 : waitingIn(svg)
  const state = `${isOpen ? ' open' : ''}${waiting > 0 ? ' unfinished' : ''}`
  return (
    <figure class={`paper${state}`}>
      {svg === undefined ? <div class="paper-wait" /> : <div dangerouslySetInnerHTML={{ __html: svg }} />}
      {waiting > 0 ? (
        <p class="waiting">Not finished: {waiting === 1 ? '1 line waits' : `${waiting} lines wait`} in the printer.</p>
      ) : null}
      <figcaption class="hidden">{label}</figcaption>
    </figure>
  )
}
