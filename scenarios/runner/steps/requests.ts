import { z } from 'zod'
import { endpoints } from '../../../server/endpoints/index.ts'
import { expected, orVariable, words } from '../fields.ts'
import type { HttpAnswer, HttpCall } from '../inject.ts'
import { differences } from '../match.ts'
import { fill, partOf } from '../scenario-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { type Problem, problems } from '../step-results.ts'
import { milliseconds } from '../time.ts'
import { type Expectation, REQUEST_MODIFIERS, requestBody } from './modifiers.ts'
import type { LoadedStep, RequestLine, StepKind } from './step.ts'

const SHOWN_MAX = 2000

const written = [
  ...endpoints.map(({ method, path }) => `${method} ${path}`),
  'post /Receipt',
  'get /get-platform-order/{orderId}',
  'post /print-platform-order/{orderId}',
  'get /openapi.json',
]
export const PLAIN_REQUESTS: readonly string[] = written.filter((key) => !key.includes('{'))
const parameterised = written.filter((key) => key.includes('{')).map((key) => key.replace(/\{\w+\}/g, '[^/ ]+'))
export const REQUEST_PATTERN = new RegExp(`^(?:${parameterised.join('|')})(?:\\?\\S*)?$`)

export const isRequestKey = (key: string): boolean => PLAIN_REQUESTS.includes(key) || REQUEST_PATTERN.test(key)

const requestKind = <Schema extends z.ZodType>(
  kind: Pick<StepKind<Schema>, 'schema' | 'acceptedModifiers'> & Required<Pick<StepKind<Schema>, 'request'>>,
): StepKind<Schema> => ({
  acceptedModifiers: REQUEST_MODIFIERS,
  needs: undefined,
  ...kind,
  play: (_value, run, step) => ask(step, run),
})

export const literalRequest = requestKind({
  schema: requestBody,
  request: (verb, value) => {
    const [method = '', ...path] = verb.split(' ')
    return { method, path: path.join(' '), body: value }
  },
})

const methodStep = (what: string) =>
  requestKind({
    schema: words(what).describe('A request by its path; its body is in `body`.'),
    acceptedModifiers: [...REQUEST_MODIFIERS, 'body'],
    request: (verb, value, body) => ({ method: verb, path: String(value), body }),
  })

export const get = methodStep('a path such as /get-local-api-address')
export const post = methodStep('a path such as /report-x')
export const otherMethod = methodStep('a path')

export const legacy = requestKind({
  schema: orVariable(
    z.array(z.string(expected('a line of text')), expected('a list of command lines')),
    'a list of command lines',
  ).describe('Lines of legacy format 1 or 2 for POST /Receipt.'),
  request: (_verb, value) => ({ method: 'post', path: '/Receipt', body: value }),
})

interface RequestResult {
  readonly http: HttpAnswer | undefined
  /** Members of the envelope, and `headers`. */
  readonly members: Values
}

type Values = Readonly<Record<string, unknown>>

async function ask(step: LoadedStep, run: ScenarioRun): Promise<readonly Problem[]> {
  const { raw } = step
  const call = await callOf(step, run)
  const { time } = run.rig
  run.log.request = `${call.method.toUpperCase()} ${call.path}${call.body === undefined ? '' : ` ${call.body.slice(0, SHOWN_MAX)}`}`
  const pending = run.rig.call(call)
  const giveUpAfter = raw['giveUpAfter'] as string | undefined
  const cancel = giveUpAfter === undefined ? undefined : time.clock.after(milliseconds(giveUpAfter), pending.hangUp)
  const http = await time.until(pending.answer)
  cancel?.()
  run.log.answer = http ? `${http.status} ${http.text.slice(0, SHOWN_MAX)}` : 'no answer: the client gave up'
  const answered = { http, members: membersOf(http) }
  const wrong = judge(step, run, answered)
  return wrong.length > 0 ? wrong : keep(step, run, answered)
}

export async function callOf({ verb, kind, raw }: LoadedStep, run: ScenarioRun): Promise<HttpCall> {
  const filled = (value: unknown) => fill(value, run.scope)
  const line = kind.request?.(String(filled(verb)), filled(raw[verb]), filled(raw['body'])) as RequestLine
  const text = typeof raw['raw'] === 'string' ? raw['raw'] : textOf(line.body)
  const headers: Record<string, string> = {}
  if (text !== undefined) headers['Content-Type'] = 'application/json'
  if (run.locale !== undefined) headers['Accept-Language'] = run.locale
  if (raw['key'] !== undefined) {
    const key = String(filled(raw['key']))
    headers['Idempotency-Key'] = run.rig.ownKey?.(key) ?? key
  }
  if (raw['session'] !== undefined) headers['Authorization'] = `Bearer ${await tokenOf(filled(raw['session']), run)}`
  Object.assign(headers, filled(raw['headers'] ?? {}))
  return { method: line.method, path: `/api${line.path}`, headers, ...(text !== undefined && { body: text }) }
}

const textOf = (body: unknown): string | undefined =>
  body === undefined || body === null ? undefined : JSON.stringify(body)

async function tokenOf(session: unknown, { rig }: ScenarioRun): Promise<string> {
  const query = session === true ? {} : (session as Readonly<Record<string, string>>)
  return (await rig.platform?.token(query)) ?? ''
}

export async function postTo({ rig }: ScenarioRun, path: string, body?: unknown): Promise<Values> {
  const text = textOf(body)
  const headers = { 'Content-Type': 'application/json' }
  const { answer } = rig.call({
    method: 'post',
    path: `/api${path}`,
    ...(text !== undefined && { headers, body: text }),
  })
  return membersOf(await rig.time.until(answer))
}

function membersOf(http: HttpAnswer | undefined): Values {
  if (!http) return {}
  let json: unknown
  try {
    json = http.text === '' ? {} : JSON.parse(http.text)
  } catch {
    json = { text: http.text }
  }
  return { ...(typeof json === 'object' && json !== null ? json : { text: json }), headers: http.headers }
}

const isLegacy = ({ verb }: LoadedStep): boolean => verb === 'legacy' || verb === 'post /Receipt'

export const judgeHttp = (step: LoadedStep, run: ScenarioRun, http: HttpAnswer | undefined): Problem[] =>
  judge(step, run, { http, members: membersOf(http) })

/**
 * If there is no expectation, the request must succeed. Members that the expectation does not name are not compared.
 */
function judge(step: LoadedStep, { scope }: ScenarioRun, { http, members }: RequestResult): Problem[] {
  const expect = fill(step.raw['expect'], scope) as Expectation | undefined
  if (expect === 'no answer')
    return http ? problems([`expected no answer, it is ${http.status} ${http.text.slice(0, SHOWN_MAX)}`]) : []
  if (!http) return problems(['expected an answer, but the client gave up before it arrived'])
  const { status, headers = {}, statuses: _statuses, ...envelope } = expect ?? {}
  const expected: Values = { ...successUnless(envelope, isLegacy(step)), ...envelope }
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const wrong = [
    ...differences(expected, members, ''),
    ...differences(named, http.headers, 'header'),
    ...differences(
      status ?? (isLegacy(step) ? 200 : expected['StatusCode']) ?? http.status,
      http.status,
      'HTTP status',
    ),
  ]
  const message = members['Message'] ?? members['ErrorInfo']
  const isSaid = wrong.length > 0 && envelope.Message === undefined && typeof message === 'string' && message !== ''
  return problems(isSaid ? [...wrong, `the service says: ${message}`] : wrong)
}

function successUnless(envelope: Values, legacyForm: boolean): Values {
  const isOpen = (...names: readonly string[]) => names.every((name) => envelope[name] === undefined)
  if (legacyForm) return isOpen('ErrorCode', 'ReceiptStatus') ? { ReceiptStatus: 'true' } : {}
  return isOpen('StatusCode', 'Message') ? { StatusCode: 200 } : {}
}

/** Reports a missing part of the answer here, not where its value is used. */
function keep(step: LoadedStep, { scope }: ScenarioRun, { members }: RequestResult): readonly Problem[] {
  const names = step.raw['keep'] ?? {}
  const paths =
    typeof names === 'string' ? { [names]: isLegacy(step) ? '' : 'Data' } : (names as Record<string, string>)
  return Object.entries(paths).flatMap(([name, path]) => {
    const value = partOf(members, path)
    if (value === undefined) return [{ what: `the answer has no ${path} to keep as ${name}` }]
    scope.set(name, value)
    return []
  })
}
