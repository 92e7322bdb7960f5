import type { Response } from 'express'
import type { RequestDeadline } from './printer-queue.ts'

const ON_TURN = 'onTurn'

/** Sets the listener for the turn of this request on the device. */
export const onTurnOf = (response: Response, onTurn: Required<RequestDeadline>['onTurn']): void => {
  response.locals[ON_TURN] = onTurn
}

/** The caller of a request: `gone` is aborted when it goes before its answer is out. */
export function callerOf(response: Response): Required<Pick<RequestDeadline, 'gone' | 'onTurn'>> {
  const gone = new AbortController()
  response.on('close', () => {
    // After every answer it would cost more than the rest of its way.
    if (!response.writableFinished) gone.abort()
  })
  return { gone: gone.signal, onTurn: response.locals[ON_TURN] as RequestDeadline['onTurn'] }
}
