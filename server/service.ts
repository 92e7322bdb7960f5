/**
 * The service without HTTP: validate, keep order, settle what is open, run, answer. app.ts puts express in front of it.
 */
import { sha256 } from '../drivers/host/digest.ts'
import type { Clock } from '../drivers/model/clock.ts'
import { canonical } from '../drivers/model/json.ts'
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import type { Call, Endpoint, Prepared, ServiceFacts } from './endpoint.ts'
import { failure, invalid, type Reply, success } from './envelope.ts'
import { explaining } from './explaining.ts'
import type { ServiceLog } from './log.ts'
import { KeyedJobs } from './operations/keys.ts'
import type { Answers } from './operations/log/answers.ts'
import { outcomeOf, type RepeatedBy } from './operations/outcome.ts'
import { type Job, perform } from './operations/perform.ts'
import { sentenceOf } from './operations/sentences.ts'
import { UnderWay } from './operations/under-way.ts'
import { Unsettled } from './operations/unsettled.ts'
import { type Patience, PrinterQueue, REQUEST_MAX_MS } from './printer-queue.ts'
import { unknownFieldsHeader } from './unknown-fields.ts'

interface ServiceParts {
  readonly printer: FiscalPrinter
  readonly facts: ServiceFacts
  readonly answers: Answers
  readonly clock: Clock
  readonly log: ServiceLog
}

export interface Service {
  readonly printer: FiscalPrinter
  readonly clock: Clock
  readonly queue: PrinterQueue
  /** Settles what the service before this one left on the device; what cannot be yet, the next request settles first. */
  start(): Promise<void>
  /** Answers one request of one endpoint. Never rejects. */
  handle(endpoint: Endpoint, call: Call, key: string | undefined, patience: Patience): Promise<Reply>
  /** A request with this key is under way, was begun, or was answered within its time. Throws ServiceError, 503. */
  knows(key: string): boolean
}

export function createService(parts: ServiceParts): Service {
  const { facts, answers, clock, log } = parts
  const printer = explaining(parts.printer)
  const queue = new PrinterQueue(clock)
  const unsettled = new Unsettled({ printer, answers, clock, note: (line) => log.warn?.(line) })
  const performNow = (job: Job) =>
    perform(job, { printer, facts, unsettled, failureOf: (error) => failureOf(error, job) })
  const keyedJobs = new KeyedJobs({ answers, clock, queue, unsettled, perform: performNow })

  function failureOf(error: unknown, { repeatedBy, request }: Pick<Job, 'repeatedBy' | 'request'>): Reply {
    const outcome = outcomeOf(error)
    if (outcome.status === 500) log.trouble?.(error, request)
    return failure({ ...outcome, ...(repeatedBy && { repeatedBy }) })
  }

  async function plainRun(job: Job, patience: Patience): Promise<Reply> {
    return queue.run(async () => {
      await unsettled.settleFirst()
      return performNow(job)
    }, patience)
  }

  async function answer(endpoint: Endpoint, call: Call, key: string | undefined, patience: Patience): Promise<Reply> {
    const prepared = endpoint.prepare(call, printer.capabilities)
    const reply = await answerTo(prepared, endpoint, call, key, patience)
    const { unknown = [] } = prepared
    if (unknown.length === 0) return reply
    const header = unknownFieldsHeader(unknown)
    log.warn?.(`${endpoint.path}: unknown fields were ignored: ${header}`)
    return { ...reply, headers: { ...reply.headers, 'X-Unknown-Fields': header } }
  }

  async function answerTo(
    prepared: Prepared,
    endpoint: Endpoint,
    call: Call,
    key: string | undefined,
    patience: Patience,
  ): Promise<Reply> {
    const name = endpoint.path
    const { request } = patience
    if (key === undefined || !endpoint.prints) {
      if (!prepared.ok) return invalid(prepared.problems)
      if (endpoint.reaches === 'service')
        return success(await prepared.run({ printer, facts, progress: new UnderWay() }))
      return plainRun({ prepared, intent: { name, fingerprint: '' }, repeatedBy: undefined, request }, patience)
    }
    const intent = { name, key, fingerprint: fingerprintOf(endpoint, call) }
    if (!prepared.ok) return keyedJobs.run({ intent, refusal: invalid(prepared.problems) }, patience)
    return keyedJobs.run({ prepared, intent, repeatedBy: repeatedBy(endpoint, key), request }, patience)
  }

  return {
    printer,
    clock,
    queue,
    handle: (endpoint, call, key, patience) =>
      answer(endpoint, call, key, patience).catch((error: unknown) =>
        failureOf(error, { repeatedBy: repeatedBy(endpoint, key), request: patience.request }),
      ),
    knows: (key) => keyedJobs.knows(key),
    async start() {
      if (!unsettled.isNeeded) return
      const until = clock.now() + REQUEST_MAX_MS
      await queue
        .run(() => unsettled.settleAll(), { until })
        .catch((error: unknown) => log.warn?.(`Settled before the next request: ${sentenceOf(outcomeOf(error))}`))
    },
  }
}

/** An order has a key of its own, which its caller does not know. */
function repeatedBy({ prints, guard }: Endpoint, key: string | undefined): RepeatedBy | undefined {
  if (key === undefined || !prints) return undefined
  return guard === 'session' ? 'order' : 'key'
}

const fingerprintOf = (endpoint: Endpoint, { params, body }: Call): string =>
  sha256(JSON.stringify([endpoint.method, endpoint.path, params, canonical(body)]))
