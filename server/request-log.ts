/** The request log (decisions 9): one line per request, when its answer is out or its caller gone. */
import type { Request, Response } from 'express'
import type { ServiceLog } from './log.ts'

const PRINTED = 'printed'

/** This request has put something on paper: the log tells of it without being asked for requests. */
export const notePrinted = (response: Response): void => {
  response.locals[PRINTED] = true
}

/** Nothing of headers or bodies: they hold secrets. */
export function watch(request: Request, response: Response, tell: Required<ServiceLog>['request']): void {
  const began = performance.now()
  response.on('close', () => {
    const ms = Math.round(performance.now() - began)
    tell({
      method: request.method,
      path: request.path,
      status: response.writableFinished ? response.statusCode : null,
      ms,
      printed: response.locals[PRINTED] === true,
    })
  })
}
