/**
 * The declaration of an endpoint (specification 4). Validation, API description, handler and generated tests use it.
 */
import type { z } from 'zod'
import type { Capabilities } from '../drivers/model/capabilities.ts'
import type { Json } from '../drivers/model/json.ts'
import type { Customer } from '../drivers/model/receipt.ts'
import type { ServiceStatus } from './activity.ts'
import type { Data, Problem } from './answer-data.ts'
import { object } from './field-objects.ts'
import { infoOf, type JsonSchema, readAs } from './fields.ts'
import type { RunContext } from './operations/run.ts'
import { type UnknownField, unknownFields } from './unknown-fields.ts'

export interface ServiceFacts {
  readonly defaults: {
    readonly operator: number
    readonly password?: string
    readonly pointOfSale: number
    readonly customer?: Customer
  }
  /** `secure` resolves to `undefined` if HTTPS is off. */
  readonly addresses: { secure(): Promise<string | undefined>; local(): string }
  status(): ServiceStatus
}

export interface PrinterWork<B, P> extends RunContext {
  readonly body: B
  readonly params: P
  readonly facts: ServiceFacts
}

export interface Declaration<B, P> {
  readonly method: 'get' | 'post'
  /** Path relative to the base address. Parameters have the form `{name}`. */
  readonly path: string
  readonly section: string
  readonly summary: string
  readonly notes?: string
  readonly body?: z.ZodType<B>
  readonly bodyOptional?: boolean
  readonly params?: {
    readonly schema: Readonly<Record<string, JsonSchema>>
    read(raw: Readonly<Record<string, string>>, reportIssue: (path: string, message: string) => void): P
  }
  readonly query?: Readonly<Record<string, JsonSchema>>
  readonly data: JsonSchema
  /** A body that every device accepts at the right moment, for the API description. */
  readonly example?: object
  /** `service`: the request is answered without the device. */
  readonly reaches: 'device' | 'service'
  /** `session`: requires the platform's session token instead of the API key. */
  readonly guard?: 'session'
  /** True if the endpoint only observes, so that recordings omit it. */
  readonly isUnrecorded?: true
  /** True if the endpoint prints. It then accepts an `Idempotency-Key`. */
  readonly prints?: boolean
  readonly answers?: Readonly<Record<number, string>>
  /** Returns the reason why this family refuses every body; `undefined` if it does not. */
  readonly refuses?: (capabilities: Capabilities) => string | undefined
  readonly check?: (body: B, capabilities: Capabilities) => readonly Problem[]
  readonly warnings?: (body: B, capabilities: Capabilities) => readonly string[]
  readonly run: (work: PrinterWork<B, P>) => Promise<Data>
}

export interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

export type PreparedRequest = {
  readonly unknown?: readonly UnknownField[]
} & (
  | {
      readonly ok: true
      run(on: Omit<PrinterWork<unknown, unknown>, 'body' | 'params'>): Promise<Data>
      warnings?(capabilities: Capabilities): readonly string[]
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }
)

export interface Endpoint extends Omit<Declaration<never, never>, 'run' | 'check' | 'warnings' | 'params' | 'body'> {
  readonly body?: z.ZodType
  readonly params?: { readonly schema: Readonly<Record<string, JsonSchema>> }
  /** Validates the request before anything is sent to the device. */
  prepare(call: Call, capabilities: Capabilities): PreparedRequest
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )
}

const sentence = (path: string, message: string): Problem => ({
  path,
  message: `${path === '' ? 'The body' : path} ${message}.`,
})

/** Accepts any object as an empty body, because unknown fields are ignored. */
const NO_FIELDS = object({})

const reading = <T>(schema: z.ZodType<T>, value: unknown, problems: Problem[]): T | undefined =>
  readAs(schema, value, (message, path = []) => problems.push(sentence(pathText(path), message)))

export function endpoint<B = undefined, P = undefined>(declaration: Declaration<B, P>): Endpoint {
  const { body: schema, params, run, check, warnings, ...rest } = declaration

  function readBody(call: Call, problems: Problem[]): B | undefined {
    const absent = call.body === undefined || call.body === null
    if (absent && (!schema || declaration.bodyOptional)) return undefined
    if (!schema) {
      reading(NO_FIELDS, call.body, problems)
      return undefined
    }
    if (absent) {
      problems.push(sentence('', `is required: ${infoOf(schema).words} as JSON`))
      return undefined
    }
    return reading(schema, call.body, problems)
  }

  function prepare(call: Call, capabilities: Capabilities): PreparedRequest {
    const refusal = declaration.refuses?.(capabilities)
    if (refusal !== undefined) return { ok: false, problems: [{ path: '', message: refusal }] }
    const unknown = schema && call.body !== undefined ? unknownFields(schema, call.body) : []
    const slips = declaration.prints ? unknown.filter(({ isSlip }) => isSlip) : []
    const problems: Problem[] = slips.map(({ path, near }) => ({ path, message: `${path} is not a field: ${near}?` }))
    const values = params?.read(call.params, (path, message) => problems.push(sentence(path, message)))
    const body = readBody(call, problems)
    if (problems.length === 0 && check) problems.push(...check(body as B, capabilities))
    if (problems.length > 0) return { ok: false, unknown, problems }
    return {
      ok: true,
      unknown,
      run: (on) => run({ ...on, body: body as B, params: values as P }),
      ...(warnings && { warnings: (context) => warnings(body as B, context) }),
    }
  }

  return { ...rest, ...(schema && { body: schema }), ...(params && { params: { schema: params.schema } }), prepare }
}
