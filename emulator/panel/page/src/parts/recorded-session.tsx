/** The recorded session in the dialogs of actions that end it. */
import { countText } from '../../../../../drivers/model/count-text.ts'
import type { SessionView } from '../../../contract.ts'
import { call, fileAt } from '../api.ts'
import { change, useStore } from '../store.ts'

/** The last steps may not have been read yet. */
export async function readSession(): Promise<SessionView | null> {
  const session = await call('GET /emulator/session')
  change({ session })
  return session
}

export const canBeSaved = (session: SessionView | null | undefined): boolean =>
  session?.isWhole === true && session.steps > 0

export function SessionEnds() {
  const steps = useStore((state) => state.session?.steps ?? 0)
  return steps === 0 ? null : (
    <p>The recorded session ({countText(steps, 'step')}) will end, and can no longer be saved then.</p>
  )
}

export function SaveSession() {
  const session = useStore((state) => state.session)
  return canBeSaved(session) ? (
    <a class="button" href={fileAt('/session.yaml')} download="session.yaml">
      Save the session
    </a>
  ) : null
}
