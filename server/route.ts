import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Endpoint } from './endpoint.ts'
import type { JsonSchema } from './fields.ts'
import type { Service } from './service.ts'

export interface Route {
  readonly endpoint: Endpoint
  /** True if the answer is an endless stream of events. */
  readonly streams?: true
  readonly plainAnswer?: JsonSchema
  readonly handlers: (service: Service) => readonly (RequestHandler | ErrorRequestHandler)[]
}
