import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Endpoint } from './endpoint.ts'
import type { JsonSchema } from './fields.ts'
import type { Service } from './service.ts'

/** An endpoint with handlers that read the request themselves. */
export interface Route {
  readonly endpoint: Endpoint
  /** True if the answer is an endless stream of events. */
  readonly streams?: true
  /** Schema of the whole answer, if the answer has no envelope. */
  readonly plainAnswer?: JsonSchema
  readonly handlers: (service: Service) => readonly (RequestHandler | ErrorRequestHandler)[]
}
