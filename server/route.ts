import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Endpoint } from './endpoint.ts'
import type { JsonSchema } from './fields.ts'
import type { Service } from './service.ts'

/** An endpoint that reads its request by itself: declared like any other, handled by functions of its own. */
export interface Route {
  readonly endpoint: Endpoint
  /** Its answer is a stream of events that does not end. */
  readonly streams?: true
  /** The whole answer, where it is not the envelope. */
  readonly plainAnswer?: JsonSchema
  readonly handlers: (service: Service) => readonly (RequestHandler | ErrorRequestHandler)[]
}
