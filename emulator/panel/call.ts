import type { z } from 'zod'

/** The form in which a call of the control interface is declared. */

export type Method = 'get' | 'post' | 'put' | 'delete'
type ContentType = 'text/plain' | 'image/svg+xml' | 'image/png'

export interface Call {
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON. */
  readonly body?: z.ZodType
  /** A document without amounts, which the device checks itself: plain JSON, and not read number by number. */
  readonly plain?: true
  /** JSON, or the type of what is answered instead. */
  readonly answer: z.ZodType | ContentType
  /** When it is refused, besides a body, query or path of a wrong form. */
  readonly errors?: Readonly<Partial<Record<400 | 404, string>>>
}
