import { z } from 'zod'
import { expected, members } from '../fields.ts'
import { articles, cable, clock, cover, display, paper, power, reset, wire } from './device-actions.ts'
import { clearFaults, fault, platformFault } from './faults.ts'
import { check, include, repeat, restart, sendTogether, use, wait } from './flow-steps.ts'
import { MODIFIERS } from './modifiers.ts'
import { platformOrder } from './platform-order.ts'
import {
  get,
  isRequestKey,
  legacy,
  literalRequest,
  otherMethod,
  PLAIN_REQUESTS,
  post,
  REQUEST_PATTERN,
} from './requests.ts'
import type { Step, StepKind } from './step.ts'

export const stepList = z.array(
  z.lazy((): z.ZodType<Step> => stepSchema),
  expected('a list of steps'),
)

const STEP_KINDS: Readonly<Record<string, StepKind>> = {
  get,
  post,
  put: otherMethod,
  delete: otherMethod,
  patch: otherMethod,
  legacy,

  paper,
  cover,
  power,
  cable,
  display,
  clock,
  articles,
  reset,
  fault,
  clearFaults,
  platformFault,
  platformOrder,
  wire,
  restart,

  wait,
  repeat: repeat(stepList),
  together: sendTogether(stepList),
  check,
  include,
  use,
}

export const kindOf = (key: string): StepKind | undefined =>
  isRequestKey(key) ? literalRequest : Object.hasOwn(STEP_KINDS, key) ? STEP_KINDS[key] : undefined

const optional = (schemas: readonly (readonly [string, z.ZodType])[]) =>
  Object.fromEntries(schemas.map(([key, schema]) => [key, z.optional(schema)]))

const stepSchema: z.ZodType<Step> = members('a step', {
  ...optional(PLAIN_REQUESTS.map((key) => [key, literalRequest.schema])),
  ...optional(Object.entries(STEP_KINDS).map(([key, { schema }]) => [key, schema])),
  ...optional(Object.entries(MODIFIERS)),
}).meta({
  description: 'One action: a request, a manual action on the device, a fault, a check.',
  patternProperties: { [REQUEST_PATTERN.source]: {} },
}) as unknown as z.ZodType<Step>
