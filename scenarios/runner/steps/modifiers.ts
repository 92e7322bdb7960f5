import { z } from 'zod'
import { REFUSED_TOKENS } from '../../mock-platform/session-token.ts'
import {
  anything,
  countOrVariable,
  duration,
  expected,
  families,
  members,
  name,
  oneOf,
  orMatcher,
  wholeNumber,
  words,
} from '../fields.ts'

const status = orMatcher(wholeNumber(100, 599), 'a status such as 200')

const expectation = z.union(
  [
    z.literal('no answer'),
    members('expect', {
      StatusCode: status.optional(),
      Data: anything.optional(),
      Message: anything.optional(),
      Errors: anything.optional(),
      ReceiptStatus: anything.optional(),
      ReceiptNumber: anything.optional(),
      ErrorCode: anything.optional(),
      ErrorInfo: anything.optional(),
      status: status.optional().describe('HTTP status, where it differs from StatusCode.'),
      headers: z.record(z.string(), anything, expected('headers by name')).optional(),
      statuses: z
        .record(z.string().regex(/^\d{3}$/), countOrVariable, expected('numbers by status, such as {200: 3}'))
        .optional()
        .describe('Of together: how many answers of each status.'),
    }),
  ],
  expected('"no answer" or an object such as {StatusCode: 200}'),
)
export type Expectation = z.output<typeof expectation>

export const requestBody = anything.describe('The body of the request; nothing: no body.')

export const MODIFIERS = {
  body: requestBody,
  raw: z.string(expected('the body as text')).describe('A body that is sent unchanged, in place of JSON.'),
  headers: z.record(z.string(), z.string(), expected('headers by name')).describe('Headers of the request.'),
  key: words('an Idempotency-Key').describe('The Idempotency-Key of the request.'),
  session: z
    .union(
      [
        z.literal(true),
        members('session', {
          wrong: oneOf(Object.keys(REFUSED_TOKENS) as [string, ...string[]]).optional(),
          jti: words('a token id').optional(),
          user: words('a user').optional(),
          shop: words('a shop').optional(),
        }),
      ],
      expected('true, or {wrong: expired}'),
    )
    .describe('Sends a session token of the mock platform.'),
  giveUpAfter: duration.describe('The client hangs up.'),
  expect: expectation.describe('What the answer must be; members that are not named may be anything. Without it: 200.'),
  keep: z
    .union(
      [name, z.record(name, words('its path, such as Data.Total'))],
      expected('a name (keeps Data), or {name: Data.Total}'),
    )
    .describe('Keeps a part of the answer under a name, for `$NAME` in later steps.'),
  with: z.record(name, anything, expected('names with values')).describe('Of include and use: values for their names.'),
  families: families.describe('Only on these families.'),
  note: z.string().describe('For readers.'),
} as const
export type Modifier = keyof typeof MODIFIERS

export const STEP_MODIFIERS: readonly Modifier[] = ['families', 'note']
export const REQUEST_MODIFIERS: readonly Modifier[] = [
  'raw',
  'headers',
  'key',
  'session',
  'giveUpAfter',
  'expect',
  'keep',
]
