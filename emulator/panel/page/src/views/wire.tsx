import { useMemo, useRef } from 'preact/hooks'
import { FRAME_HISTORY_SIZE } from '../../../../frame-history.ts'
import type { FrameView } from '../../../contract.ts'
import { idInAddress } from '../address.ts'
import { call } from '../api.ts'
import { asSeparateWords, asTyped, CHOOSE_ONE, nothingThere } from '../labels-and-formats.ts'
import { useAnswer } from '../parts/call-answer.ts'
import { StoryLinks, useFaultTriggers } from '../parts/fault-triggers.tsx'
import { Choice, Field } from '../parts/form.tsx'
import { answeredCommands, matchesFrame } from '../parts/frame-filter.ts'
import { FrameDetails, FrameRow, PrintedLines } from '../parts/frames.tsx'
import { useGrowing } from '../parts/held-rows.ts'
import { NotStored, OfEarlierRun, useIsEarlier, useRun } from '../parts/run-ids.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { refine, useAddress } from '../route.ts'
import { deviceRead, useStore } from '../store.ts'

const SIDES = [
  ['', 'Both'],
  ['toDevice', 'To the device'],
  ['toHost', 'To the host'],
] as const

/**
 * Returns the id of the frame if it is a request, otherwise that of the request that it answers; 0 if that is no longer
 * stored.
 */
const requestOf = (frames: readonly FrameView[], { id: own }: FrameView): number =>
  frames.findLast(({ id, direction, hex }) => id <= own && direction === 'toDevice' && hex.length > 2)?.id ?? 0

function OnPaper({ of }: { of: number }) {
  const moments = useAnswer(() => call('GET /emulator/timeline', { query: { frame: of } }), of)
  return <PrintedLines lines={(moments ?? []).flatMap((one) => (one.is === 'line' ? [one] : []))} isLinked />
}

interface OpenFrame {
  readonly key: string
  readonly frame: FrameView
  readonly request: number
}

/** Returns the open frame, even if the list no longer contains it. A different `key` means another frame. */
function useOpenFrame(key: string, chosen: FrameView | undefined, frames: readonly FrameView[]): OpenFrame | undefined {
  const open = useRef<OpenFrame>(undefined)
  if (chosen && open.current?.key !== key) open.current = { key, frame: chosen, request: requestOf(frames, chosen) }
  return open.current?.key === key ? open.current : undefined
}

function OpenFrameDetails({ open, isEarlier, isStored }: { open: OpenFrame; isEarlier: boolean; isStored: boolean }) {
  const { frame, request } = open
  return (
    <Scrolling class="wire-details" label={`Frame ${frame.id}, ${asSeparateWords(frame.command)}`}>
      {isStored ? null : (
        <NotStored
          words={
            isEarlier
              ? 'This frame is of the run before the emulator was restarted. It is no longer stored, and is shown as it was read.'
              : 'This frame is no longer stored, and is shown as it was read.'
          }
        />
      )}
      <OfEarlierRun.Provider value={isEarlier}>
        <div class={isStored ? '' : 'dimmed'}>
          <h3>
            {asSeparateWords(frame.command)}{' '}
            <span>{frame.direction === 'toDevice' ? 'from the host' : 'from the device'}</span>
          </h3>
          <StoryLinks frames={[frame.id]} />
          <FrameDetails frame={frame} />
          <OnPaper of={request} />
        </div>
      </OfEarlierRun.Provider>
    </Scrolling>
  )
}

function whyNoFrame(asked: string | undefined, isEarlier: boolean, frames: readonly FrameView[]): string {
  if (isEarlier)
    return `Frame ${asTyped(asked)} is of an earlier run of the emulator, and is no longer stored. ${CHOOSE_ONE}`
  const [oldest] = frames
  return oldest && (idInAddress(asked) ?? oldest.id) < oldest.id
    ? `Frame ${asked} is no longer stored. ${CHOOSE_ONE}`
    : nothingThere('frame', asked)
}

export function WireView() {
  const live = useStore((state) => state.frames)
  const device = useStore(deviceRead)
  const { query } = useAddress()
  const { text = '', frame, follow = '' } = query
  const side = SIDES.find(([one]) => one === query['side'])?.[0] ?? ''
  const chosenId = idInAddress(frame)
  const choose = (id: number | undefined) =>
    refine(id === undefined ? { frame: '', run: '' } : { frame: String(id), run: run ?? '' })
  const {
    rows: frames,
    newer,
    release,
  } = useGrowing(live, {
    idOf: ({ id }) => id,
    of: `${device} ${text} ${side}`,
    stored: FRAME_HISTORY_SIZE,
    follows: follow !== '',
  })
  const triggers = useFaultTriggers()
  const isSearched = text.trim() !== ''
  const answered = useMemo(() => answeredCommands(isSearched ? [...frames, ...newer] : []), [frames, newer, isSearched])
  const isVisible = useMemo(() => {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return (frame: FrameView) =>
      (side === '' || frame.direction === side) &&
      matchesFrame(frame, words, { answered: answered.get(frame.id), triggers: triggers.get(frame.id) })
  }, [text, side, triggers, answered])
  const visibleFrames = useMemo(() => frames.filter(isVisible), [frames, isVisible])
  const isEarlier = useIsEarlier(chosenId !== undefined)
  const run = useRun()
  const chosen = isEarlier ? undefined : visibleFrames.find(({ id }) => id === chosenId)
  const open = useOpenFrame(`${query['run'] ?? run} ${chosenId}`, chosen, frames)
  const isStored = !isEarlier && [...frames, ...newer].some(({ id }) => id === chosenId)
  const isOpen = chosenId !== undefined && device !== undefined && (chosen !== undefined || !isStored)
  return (
    <section class="card wire-card" aria-labelledby="wire-title">
      <header class="card-head">
        <h2 id="wire-title">Wire</h2>
        <p class="count" role="status">
          {visibleFrames.length === frames.length
            ? `${frames.length} frames`
            : `${visibleFrames.length} of ${frames.length} frames`}
        </p>
        <p class="order">newest last</p>
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
      <div class={isOpen ? 'wire-body with-details' : 'wire-body'}>
        <VirtualList
          key={`${device} ${text} ${side}`}
          rows={visibleFrames}
          rowHeight={34}
          label="Frames, newest at the bottom"
          keyOf={({ id }) => id}
          chosen={chosen ? visibleFrames.indexOf(chosen) : -1}
          onChoose={({ id }) => choose(id)}
          newest="last"
          more={newer.filter(isVisible).length}
          stored={FRAME_HISTORY_SIZE}
          onNewest={release}
          follows={follow !== ''}
          onLeft={() => refine({ follow: '' })}
          empty={frames.length === 0 ? 'Nothing has gone over the wire yet.' : 'No frame matches.'}
          draw={(frame, tab) => (
            <FrameRow
              frame={frame}
              tab={tab}
              triggers={triggers.get(frame.id)}
              isChosen={frame === chosen}
              onChoose={() => choose(frame === chosen ? undefined : frame.id)}
            />
          )}
        />
        {isOpen && open ? (
          <OpenFrameDetails key={open.key} open={open} isEarlier={isEarlier} isStored={isStored} />
        ) : isOpen ? (
          <Scrolling class="wire-details" label={`Frame ${asTyped(frame)}`}>
            <NotStored words={whyNoFrame(frame, isEarlier, frames)} />
          </Scrolling>
        ) : null}
      </div>
    </section>
  )
}
