/**
 * The request log (decisions 9): one line per request, written when its answer is sent or its caller has disconnected.
 */
import type { Request, Response } from 'express'
import { randomUUID } from '../drivers/host/digest.ts'
import { REPLAYED_HEADER } from './envelope.ts'
import type { ServiceLog } from './log.ts'

const REQUEST_ID = 'X-Request-Id'
const OWN_ID = /^[\w.:-]{1,64}$/
const ID_LENGTH = 16

/**
 * Sets the id of the request in its answer, and so in the log: the id from the caller if it is valid, otherwise a new
 * one.
 */
export function nameRequest(request: Request, response: Response): void {
  const own = request.get(REQUEST_ID)
  response.set(REQUEST_ID, own !== undefined && OWN_ID.test(own) ? own : newName())
}

const newName = (): string => randomUUID().replaceAll('-', '').slice(-ID_LENGTH)

export const nameOfRequest = (response: Response): string => String(response.get(REQUEST_ID))

const PRINTED_LOCAL = 'printed'

/** Requests that print are logged even without the option for all requests. */
export const notePrinted = (response: Response): void => {
  response.locals[PRINTED_LOCAL] = true
}

/** Logs neither headers nor bodies, because they contain secrets. */
export function watch(request: Request, response: Response, report: Required<ServiceLog>['request']): void {
  const began = performance.now()
  let isAnswered = false
  response.on('finish', () => {
    isAnswered = true
  })
  response.on('close', () => {
    const ms = Math.round(performance.now() - began)
    const replayed = response.get(REPLAYED_HEADER) !== undefined
    report({
      id: nameOfRequest(response),
      method: request.method,
      path: request.path,
      status: isAnswered ? response.statusCode : null,
      ms,
      printed: response.locals[PRINTED_LOCAL] === true && !replayed,
      ...(replayed && { replayed }),
    })
  })
}
