import type { NextFunction, Request, Response } from 'express'
import { messageOf } from '../../drivers/model/errors.ts'
import { WrongCall } from './forms.ts'

/** A snapshot of a device with a full fiscal memory is large. What is compressed could be anything, and is not read. */
export const BODY_MAX_MIB = 32

/**
 * Who asks for it by `Prefer` (RFC 7240) gets a refusal as 200 with the same `{error}`, and `Preference-Applied` says
 * that it is one: the page has no error line in the console for what it explains itself (decisions 8).
 */
const REFUSAL = 'refusal=ok'
const prefersOk = ({ headers: { prefer } }: Request): boolean =>
  [prefer].flat().some((value) => value?.split(',').some((one) => one.trim() === REFUSAL))

/** The last handler: what a caller did wrong is 4xx with its sentence. */
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

/** What the body reader refuses it says in its own words. */
const UNREAD: Readonly<Record<number, string>> = {
  413: `the body is larger than ${BODY_MAX_MIB} MiB`,
  415: 'the body must not be compressed',
}

function wordsOf(problem: unknown): string {
  const status = problem instanceof Error && 'status' in problem ? Number(problem.status) : 0
  return UNREAD[status] ?? messageOf(problem)
}

/** express and its body reader say by `status` what is the caller's fault. */
function clientStatus(problem: unknown): number {
  const status = problem instanceof Error && 'status' in problem ? problem.status : undefined
  if (status === 413) return status
  return typeof status === 'number' && status >= 400 && status < 500 ? 400 : 500
}
