/** The frames of both directions, decoded, as they pass. */
import { useMemo } from 'preact/hooks'
import { FRAME_HISTORY_SIZE } from '../../../../frame-history.ts'
import type { FrameView } from '../../../contract.ts'
import { call } from '../api.ts'
import { useAnswer } from '../parts/call-answer.ts'
import { StoryLinks, useFaultTriggers } from '../parts/fault-triggers.tsx'
import { Choice, Field } from '../parts/form.tsx'
import { FrameDetails, FrameRow, PrintedLines } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { Scrolling } from '../parts/scrolling.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { refine, useAddress } from '../route.ts'
import { deviceRead, useStore } from '../store.ts'
import { asSeparateWords, formatValue } from '../words.ts'

const SIDES = [
  ['', 'Both'],
  ['toDevice', 'To the device'],
  ['toHost', 'To the host'],
] as const

/** Returns true if all words occur: in the command, its fields, the flags, the triggered faults, or the bytes. */
function fits(frame: FrameView, words: readonly string[], triggers: readonly string[] = []): boolean {
  if (words.length === 0) return true
  const fields = Object.entries(frame.fields).map(
    ([name, value]) => `${name} ${asSeparateWords(name)} ${formatValue(value)}`,
  )
  const all = [frame.command, asSeparateWords(frame.command), ...fields, ...frame.status, ...triggers, frame.hex]
    .join(' ')
    .toLowerCase()
  return words.every((word) => all.includes(word))
}

/** The printed lines of a frame, or of the request that it answers. */
function OnPaper({ frames, of }: { frames: readonly FrameView[]; of: FrameView }) {
  const ask = frames.findLast(({ id, direction, hex }) => id <= of.id && direction === 'toDevice' && hex.length > 2)
  const question = ask?.id ?? 0
  const moments = useAnswer(() => call('GET /emulator/timeline', { query: { frame: question } }), question)
  return <PrintedLines lines={(moments ?? []).flatMap((one) => (one.is === 'line' ? [one] : []))} isLinked />
}

export function WireView() {
  const live = useStore((state) => state.frames)
  const device = useStore(deviceRead)
  const { query } = useAddress()
  const { text = '', frame, follow = '' } = query
  const side = SIDES.find(([one]) => one === query['side'])?.[0] ?? ''
  const chosenId = frame === undefined ? undefined : Number(frame)
  const choose = (id: number | undefined) => refine({ frame: id === undefined ? '' : String(id) })
  const {
    rows: frames,
    more,
    release,
  } = useGrowing(live, {
    idOf: ({ id }) => id,
    of: `${device} ${text} ${side}`,
    stored: FRAME_HISTORY_SIZE,
    follows: follow !== '',
  })
  const triggers = useFaultTriggers()
  const visibleFrames = useMemo(() => {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return frames.filter(
      (frame) => (side === '' || frame.direction === side) && fits(frame, words, triggers.get(frame.id)),
    )
  }, [frames, text, side, triggers])
  const chosen = visibleFrames.find(({ id }) => id === chosenId)
  return (
    <section class="card wire-card" aria-labelledby="wire-title">
      <header class="card-head">
        <h2 id="wire-title">Wire</h2>
        <p class="count" role="status">
          {visibleFrames.length === frames.length
            ? `${frames.length} frames`
            : `${visibleFrames.length} of ${frames.length} frames`}
        </p>
        <button
          type="button"
          class="quiet"
          aria-pressed={follow !== ''}
          onClick={() => refine({ follow: follow === '' ? 'yes' : '' })}
        >
          Follow
        </button>
      </header>
      <div class="filters">
        <Field
          label="Filter by command, field, flag or bytes"
          width="grow"
          type="search"
          value={text}
          onText={(words) => refine({ text: words })}
        />
        <Choice label="Direction" value={side} options={SIDES} onText={(one) => refine({ side: one })} />
      </div>
      <div class={chosen ? 'wire-body with-details' : 'wire-body'}>
        <VirtualList
          key={`${text} ${side}`}
          rows={visibleFrames}
          rowHeight={34}
          label="Frames, newest at the bottom"
          keyOf={({ id }) => id}
          chosen={chosen ? visibleFrames.indexOf(chosen) : -1}
          onChoose={({ id }) => choose(id)}
          newest="last"
          more={more}
          onNewest={release}
          follows={follow !== ''}
          onLeft={() => refine({ follow: '' })}
          empty={frames.length === 0 ? 'Nothing has gone over the wire yet.' : 'No frame matches.'}
          draw={(frame, tab) => (
            <FrameRow
              frame={frame}
              tab={tab}
              triggers={triggers.get(frame.id)}
              isChosen={frame.id === chosenId}
              onChoose={() => choose(frame.id === chosenId ? undefined : frame.id)}
            />
          )}
        />
        {chosen ? (
          <Scrolling class="wire-details" label={`Frame ${chosen.id}, ${asSeparateWords(chosen.command)}`}>
            <h3>
              {asSeparateWords(chosen.command)}{' '}
              <span>{chosen.direction === 'toDevice' ? 'from the host' : 'from the device'}</span>
            </h3>
            <StoryLinks frames={[chosen.id]} />
            <FrameDetails frame={chosen} />
            <OnPaper frames={frames} of={chosen} />
          </Scrolling>
        ) : null}
      </div>
    </section>
  )
}
