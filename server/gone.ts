import type { Response } from 'express'

/** Aborted when the caller goes before its answer is out. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => {
    // After every answer it would cost more than the rest of its way.
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}
