import type { NextFunction, Request, Response } from 'express'
import { messageOf } from '../../drivers/model/errors.ts'
import { WrongCall } from './call-input.ts'

/**
 * Maximum size of a body in MiB: a snapshot of a device with a full fiscal memory is large. Compressed bodies are
 * refused, because their size after decompression is unknown.
 */
export const BODY_MAX_MIB = 32

/**
 * Value of the `Prefer` header (RFC 7240) with which a refusal is answered with 200 and the same `{error}`, marked by
 * `Preference-Applied`. The page explains such refusals, so that they must not appear as errors in the browser console
 * (decisions 8).
 */
const REFUSAL = 'refusal=ok'
const prefersOk = ({ headers: { prefer } }: Request): boolean =>
  [prefer].flat().some((value) => value?.split(',').some((one) => one.trim() === REFUSAL))

/**
 * Error handler of express, to be installed last. Answers refusals and caller errors with 4xx, other errors with 500.
 */
export function failed(problem: unknown, request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(problem)
    return
  }
  const isRefusal = problem instanceof WrongCall
  if (isRefusal && prefersOk(request)) {
    response.set('Preference-Applied', REFUSAL).json({ error: problem.message })
    return
  }
  const status = isRefusal ? problem.status : clientStatus(problem)
  response.status(status).json({ error: wordsOf(problem) })
}

const UNREAD: Readonly<Record<number, string>> = {
  413: `the body is larger than ${BODY_MAX_MIB} MiB`,
  415: 'the body must not be compressed',
}

function wordsOf(problem: unknown): string {
  const status = problem instanceof Error && 'status' in problem ? Number(problem.status) : 0
  return UNREAD[status] ?? messageOf(problem)
}

/** express and its body parser mark caller errors with `status`. */
function clientStatus(problem: unknown): number {
  const status = problem instanceof Error && 'status' in problem ? problem.status : undefined
  if (status === 413) return status
  return typeof status === 'number' && status >= 400 && status < 500 ? 400 : 500
}
