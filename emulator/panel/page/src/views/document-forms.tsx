import { useMemo } from 'preact/hooks'
import { FRAME_HISTORY_SIZE } from '../../../../frame-history.ts'
import type { DocumentHead, TimelineEntryView } from '../../../contract.ts'
import { call } from '../api.ts'
import { useAnswer } from '../parts/call-answer.ts'
import { Columns } from '../parts/form.tsx'
import { Exchanges } from '../parts/frames.tsx'
import { linesByFrame } from '../parts/timeline-rows.ts'

export function AsText({ id }: { id: number }) {
  const document = useAnswer(() => call('GET /emulator/documents/{id}', { params: { id } }), id)
  return document ? <pre class="plain">{document.text.join('\n')}</pre> : null
}

export function AsJournal({ number }: { number: number }) {
  const lines = useAnswer(() => call('GET /emulator/journal', { query: { document: number } }), number)
  if (!lines) return null
  if (lines.length === 0) return <p class="empty">This document is not stored in the journal.</p>
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

function whyNoFrames(moments: readonly TimelineEntryView[]): string {
  const isOfDevice = moments.length > 0 && moments.every(({ frame }) => frame === undefined)
  return isOfDevice
    ? 'No frames: the document was made at the device itself, without a program on the line.'
    : `No frames: they are no longer stored. The device stores the last ${FRAME_HISTORY_SIZE.toLocaleString('en')} frames.`
}

export function AsFrames({ document: { id, number } }: { document: DocumentHead }) {
  const frames = useAnswer(() => call('GET /emulator/frames', { query: { document: id } }), id)
  const moments = useAnswer(() => call('GET /emulator/timeline', { query: { document: number } }), number)
  const lines = useMemo(() => linesByFrame(moments ?? []), [moments])
  if (!frames || (frames.length === 0 && !moments)) return null
  if (frames.length === 0) return <p class="empty">{whyNoFrames(moments ?? [])}</p>
  return <Exchanges frames={frames} lines={lines} />
}
