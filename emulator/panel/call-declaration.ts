import type { z } from 'zod'

export type Method = 'get' | 'post' | 'put' | 'delete'
type ContentType = 'text/plain' | 'image/svg+xml' | 'image/png'

export interface Call {
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /**
   * True for documents without amounts that the device checks itself. They are parsed as plain JSON, without exact
   * decimals.
   */
  readonly plain?: true
  readonly answer: z.ZodType | ContentType
  /** Reasons of refusals, besides an invalid body, query or path. */
  readonly errors?: Readonly<Partial<Record<400 | 404, string>>>
}
