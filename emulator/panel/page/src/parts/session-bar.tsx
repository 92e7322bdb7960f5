import { useEffect, useRef } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import type { SessionView } from '../../../contract.ts'
import { call, fileAt } from '../api.ts'
import { dateAndTime } from '../labels-and-formats.ts'
import { change, startAction, useStore } from '../store.ts'
import { canBeSaved, readSession, SaveSession, SessionEnds } from './recorded-session.tsx'

/** During an exam, no other client may start a session. */
export function SessionBar() {
  const isExamined = useStore((state) => state.exam !== null)
  return isExamined ? null : <RecordedSession />
}

function RecordedSession() {
  const session = useStore((state) => state.session)
  const generation = useStore((state) => state.device?.generation)
  // Every action changes the state of the device or causes frames.
  const lastFrame = useStore((state) => state.frames.at(-1)?.id)
  const device = useStore((state) => state.device)
  const ended = useStore((state) => state.endedSession)
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      call('GET /emulator/session').then(
        (view) => {
          if (isCurrent) change({ session: view })
        },
        () => undefined,
      )
    }, FOLLOW_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [generation, lastFrame, device])
  const dialog = useRef<HTMLDialogElement>(null)
  const begin = async () => {
    change({ session: await call('POST /emulator/session'), endedSession: null })
    return 'A new session has started.'
  }
  const askOrBegin = async () => {
    if (!canBeSaved(await readSession())) return begin()
    dialog.current?.showModal()
    return undefined
  }
  const confirm = () => {
    dialog.current?.close()
    startAction(begin)
  }
  return (
    <section class="session" aria-label="This session as a scenario">
      {ended === null ? null : <p role="status">{ended}</p>}
      <p>{session === undefined ? '' : wordsOf(session)}</p>
      {session?.isWhole ? (
        <a class="button" href={fileAt('/session.yaml')} download="session.yaml">
          Save as a scenario
        </a>
      ) : null}
      <button type="button" class="quiet" onClick={() => startAction(askOrBegin)}>
        Start a new session
      </button>
      <dialog ref={dialog} aria-labelledby="session-title">
        <h2 id="session-title">Start a new session?</h2>
        <SessionEnds />
        <div class="buttons">
          {/* The first button gets the focus when the dialog opens. */}
          <button type="button" onClick={() => dialog.current?.close()}>
            Continue this session
          </button>
          <SaveSession />
          <button type="button" class="danger" onClick={confirm}>
            Start a new session
          </button>
        </div>
      </dialog>
    </section>
  )
}

const FOLLOW_MS = 250

function wordsOf(session: SessionView | null): string {
  if (!session) return 'Start a session to record what is done from now on, and save it as a scenario.'
  const { since, steps, omitted, isWhole } = session
  if (!isWhole) return `The session since ${dateAndTime(since)} has become too long to be saved.`
  const left =
    omitted === 0 ? '' : ` No step repeats ${countText(omitted, 'more request')}: the scenario says which and why.`
  return `Session since ${dateAndTime(since)}: ${countText(steps, 'step')}.${left}`
}
