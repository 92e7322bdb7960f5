import type { Response } from 'express'
import type { RequestDeadline } from './printer-queue.ts'

const ON_TURN = 'onTurn'

export const onTurnOf = (response: Response, onTurn: Required<RequestDeadline>['onTurn']): void => {
  response.locals[ON_TURN] = onTurn
}

/** `gone` is aborted if the caller disconnects before the answer is sent. */
export function callerOf(response: Response): Required<Pick<RequestDeadline, 'gone' | 'onTurn'>> {
  const disconnected = new AbortController()
  response.on('close', () => {
    // An abort after every answer would take more time than the rest of the request.
    if (!response.writableFinished) disconnected.abort()
  })
  return { gone: disconnected.signal, onTurn: response.locals[ON_TURN] as RequestDeadline['onTurn'] }
}
