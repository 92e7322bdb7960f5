import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Endpoint } from './endpoint.ts'
import type { JsonSchema } from './fields.ts'
import type { Service } from './service.ts'

/** An endpoint that reads its request itself, with its own handlers. */
export interface Route {
  readonly endpoint: Endpoint
  /** The answer is a stream of events that does not end. */
  readonly streams?: true
  /** Schema of the whole answer, if it is not the envelope. */
  readonly plainAnswer?: JsonSchema
  readonly handlers: (service: Service) => readonly (RequestHandler | ErrorRequestHandler)[]
}
