/** The service without HTTP: validates, queues, reconciles, executes and answers. app.ts adds express. */
import { sha256 } from '../drivers/host/digest.ts'
import type { Clock } from '../drivers/model/clock.ts'
import { canonical } from '../drivers/model/json.ts'
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import { Activity, type JobDeadline } from './activity.ts'
import type { Call, Endpoint, PreparedRequest, ServiceFacts } from './endpoint.ts'
import { failure, invalid, type Reply, success } from './envelope.ts'
import { explainRefusals } from './explain-refusals.ts'
import type { ServiceLog } from './log.ts'
import { KeyedJobs } from './operations/keys.ts'
import type { Answers } from './operations/log/answers.ts'
import { outcomeOf, type RepeatedBy, ServiceError } from './operations/outcome.ts'
import { type Job, perform } from './operations/perform.ts'
import { sentenceOf } from './operations/sentences.ts'
import { UnderWay } from './operations/under-way.ts'
import { UnsettledRequests } from './operations/unsettled-requests.ts'
import { PrinterQueue, REQUEST_MAX_MS, type RequestDeadline } from './printer-queue.ts'
import { unknownFieldsHeader } from './unknown-fields.ts'

interface ServiceParts {
  readonly printer: FiscalPrinter
  readonly facts: Omit<ServiceFacts, 'status'>
  readonly answers: Answers
  readonly clock: Clock
  readonly log: ServiceLog
}

export interface Service {
  readonly printer: FiscalPrinter
  readonly clock: Clock
  readonly queue: PrinterQueue
  readonly activity: Activity
  /** Reconciles operations of the previous process with the device. If that fails, the next request does it. */
  start(): Promise<void>
  /** Never rejects. */
  handle(endpoint: Endpoint, call: Call, key: string | undefined, deadline: RequestDeadline): Promise<Reply>
  /**
   * Returns whether a request with this key is in progress or has a stored answer. Throws ServiceError (503) if the
   * answers cannot be read.
   */
  knows(key: string): boolean
}

export function createService(parts: ServiceParts): Service {
  const { answers, clock, log } = parts
  const printer = explainRefusals(parts.printer)
  const queue = new PrinterQueue(clock)
  const activity = new Activity(printer, clock, () => queue.waiting)
  const facts: ServiceFacts = { ...parts.facts, status: () => activity.status }
  printer.onWaiting((problem) => {
    activity.waitsFor(problem)
    queue.rejectCaller(new ServiceError({ status: 424, effect: 'waiting', reasons: [problem] }))
  })
  const unsettled = new UnsettledRequests({ printer, answers, clock, note: (line) => log.warn?.(line) })
  const performNow = (job: Job) =>
    perform(job, { printer, facts, unsettled, failureOf: (error) => failureOf(error, job) })
  const runInTurn = (job: () => Promise<Reply>, deadline: JobDeadline): Promise<Reply> =>
    queue.run(() => activity.during(deadline.job, job), deadline)
  const keyedJobs = new KeyedJobs({ answers, clock, runInTurn, unsettled, perform: performNow })

  function failureOf(error: unknown, { repeatedBy, request }: Pick<Job, 'repeatedBy' | 'request'>): Reply {
    const outcome = outcomeOf(error)
    if (outcome.status === 500) log.trouble?.(error, request)
    return failure({ ...outcome, ...(repeatedBy && { repeatedBy }) })
  }

  async function plainRun(job: Job, deadline: JobDeadline): Promise<Reply> {
    return runInTurn(async () => {
      await unsettled.reconcilePending()
      return performNow(job)
    }, deadline)
  }

  async function answer(
    endpoint: Endpoint,
    call: Call,
    key: string | undefined,
    deadline: RequestDeadline,
  ): Promise<Reply> {
    const prepared = endpoint.prepare(call, printer.capabilities)
    const reply = await answerTo(prepared, endpoint, call, key, deadline)
    const { unknown = [] } = prepared
    const warnings = reply.status === 200 ? warningsOf(endpoint, prepared, { printer, activity }) : []
    if (unknown.length === 0 && warnings.length === 0) return reply
    const header = unknownFieldsHeader(unknown)
    if (unknown.length > 0) log.warn?.(`${endpoint.path}: unknown fields: ${header}`)
    const headers = {
      ...reply.headers,
      ...(unknown.length > 0 && { 'X-Unknown-Fields': header }),
      ...(warnings.length > 0 && { 'X-Warnings': warnings.join('; ') }),
    }
    return { ...reply, headers }
  }

  async function answerTo(
    prepared: PreparedRequest,
    endpoint: Endpoint,
    call: Call,
    key: string | undefined,
    deadline: RequestDeadline,
  ): Promise<Reply> {
    const name = endpoint.path
    const { request } = deadline
    const requestContext = { ...deadline, job: { endpoint: name, prints: endpoint.prints === true, request } }
    if (key === undefined || !endpoint.prints) {
      if (!prepared.ok) return invalid(prepared.problems)
      if (endpoint.reaches === 'service')
        return success(await prepared.run({ printer, facts, progress: new UnderWay() }))
      return plainRun({ prepared, intent: { name, fingerprint: '' }, repeatedBy: undefined, request }, requestContext)
    }
    const intent = { name, key, fingerprint: fingerprintOf(endpoint, call) }
    if (!prepared.ok) return keyedJobs.run({ intent, refusal: invalid(prepared.problems) }, requestContext)
    return keyedJobs.run({ prepared, intent, repeatedBy: repeatedBy(endpoint, key), request }, requestContext)
  }

  return {
    printer,
    clock,
    queue,
    activity,
    handle: (endpoint, call, key, deadline) =>
      answer(endpoint, call, key, deadline).catch((error: unknown) =>
        failureOf(error, { repeatedBy: repeatedBy(endpoint, key), request: deadline.request }),
      ),
    knows: (key) => keyedJobs.knows(key),
    async start() {
      if (!unsettled.isNeeded) return
      const until = clock.now() + REQUEST_MAX_MS
      await queue
        .run(() => unsettled.settleAll(), { until })
        .catch((error: unknown) => log.warn?.(`At the start: ${sentenceOf(outcomeOf(error))}`))
    },
  }
}

function warningsOf(
  { prints }: Endpoint,
  prepared: PreparedRequest,
  { printer, activity }: Pick<Service, 'printer' | 'activity'>,
): readonly string[] {
  const own = shortened(prepared.ok ? (prepared.warnings?.(printer.capabilities) ?? []) : [])
  const { paperWarning } = activity
  return prints && paperWarning !== undefined ? [...own, paperWarning] : own
}

/** Maximum length of the header. Proxies refuse answers whose headers exceed 4 KiB. */
const WARNINGS_MAX = 2000

function shortened(warnings: readonly string[]): readonly string[] {
  let length = 0
  for (const [shown, warning] of warnings.entries()) {
    length += warning.length
    if (length > WARNINGS_MAX) return [...warnings.slice(0, shown), `and ${warnings.length - shown} more`]
  }
  return warnings
}

/** Returns how the caller can retry. The key of an order is not known to the caller. */
function repeatedBy({ prints, guard }: Endpoint, key: string | undefined): RepeatedBy | undefined {
  if (key === undefined || !prints) return undefined
  return guard === 'session' ? 'order' : 'key'
}

const fingerprintOf = (endpoint: Endpoint, { params, body }: Call): string =>
  sha256(JSON.stringify([endpoint.method, endpoint.path, params, canonical(body)]))
