/** The request log (decisions 9): one line per request, when its answer is out or its caller gone. */
import type { Request, Response } from 'express'
import { randomUUID } from '../drivers/host/digest.ts'
import type { ServiceLog } from './log.ts'

const REQUEST_ID = 'X-Request-Id'
/** A caller's own name for its request: what can stand in a line of a log. */
const OWN_ID = /^[\w.:-]{1,64}$/
const ID_LENGTH = 16

/** Gives the request a name that its answer and the log carry: the caller's own, or one that no other request has. */
export function nameRequest(request: Request, response: Response): void {
  const own = request.get(REQUEST_ID)
  response.set(REQUEST_ID, own !== undefined && OWN_ID.test(own) ? own : newName())
}

const newName = (): string => randomUUID().replaceAll('-', '').slice(-ID_LENGTH)

export const nameOfRequest = (response: Response): string => String(response.get(REQUEST_ID))

const PRINTED = 'printed'

/** This request has put something on paper: the log tells of it without being asked for requests. */
export const notePrinted = (response: Response): void => {
  response.locals[PRINTED] = true
}

/** Nothing of headers or bodies: they hold secrets. */
export function watch(request: Request, response: Response, tell: Required<ServiceLog>['request']): void {
  const began = performance.now()
  let isAnswered = false
  response.on('finish', () => {
    isAnswered = true
  })
  response.on('close', () => {
    const ms = Math.round(performance.now() - began)
    tell({
      id: nameOfRequest(response),
      method: request.method,
      path: request.path,
      status: isAnswered ? response.statusCode : null,
      ms,
      printed: response.locals[PRINTED] === true,
    })
  })
}
