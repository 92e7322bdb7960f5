/**
 * The service of this project as a till: prints a complete receipt for each job, with the job's id as
 * `Idempotency-Key`. The service runs in this process, in simulated time, over the port of the device. Its stored data
 * exist during one case.
 */

import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import { openPrinter, type Waits } from '../../drivers/index.ts'
import type { Binding } from '../../drivers/link/port.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import { readJson } from '../../drivers/model/json.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import type { TillJob } from '../../scenarios/exam/job.ts'
import type { OpenTill, Run, Till, TillEnvironment } from '../../scenarios/exam/till.ts'
import { compose, openStores } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'

export const SERVICE = 'service'

export const serviceTillWith = (waits: Waits): Till => ({
  name: SERVICE,
  way: 'inside',
  open: (place) => new ServiceAtWork(place, waits),
})

export const serviceTill: Till = serviceTillWith({})

const IS_FOREIGN = /receipt \d*, opened by another program, is still open/i
/**
 * Messages about an empty receipt of which the service cannot determine whether its own request or another program has
 * opened it.
 */
const MAY_BE_OWN =
  /\bnothing is sold on it: this request has opened it\b|\bA request to open one, whose answer was lost\b/
const ATTEMPTS_MAX = 3

interface ServiceAnswer {
  readonly status: number
  readonly data: unknown
  readonly message: string
  readonly body: string
}

/** A member is `null` if the device does not report it. */
interface OpenStatus {
  readonly IsOpen: boolean
  readonly Kind: string
  readonly ItemsCount: number | null
  readonly Paid: number | null
}

async function ask(
  { service }: ServiceProcess,
  clock: Clock,
  name: string,
  body?: object,
  key?: string,
): Promise<ServiceAnswer> {
  const endpoint = endpoints.find(({ path }) => path === `/${name}`)
  if (!endpoint) throw new RangeError(`the service has no ${name}`)
  const content = { params: {}, body: body && readJson(JSON.stringify(body)) }
  const reply = await service.handle(endpoint, content, key, { until: clock.now() + REQUEST_MAX_MS })
  const { Data, Message = '' } = JSON.parse(reply.body) as { Data?: unknown; Message?: string }
  return { status: reply.status, data: Data, message: Message, body: reply.body }
}

interface ServiceProcess {
  readonly service: ReturnType<typeof compose>['service']
  readonly died: Promise<'died'>
  die(): void
}

class ServiceAtWork implements OpenTill {
  readonly #place: TillEnvironment
  readonly #waits: Waits
  readonly #journal = new DatabaseSync(':memory:')
  /** All processes of the service use the same generator, so that their sequence numbers differ. */
  readonly #random = seededRandom(1)
  #process: ServiceProcess | undefined

  constructor(place: TillEnvironment, waits: Waits) {
    this.#place = place
    this.#waits = waits
  }

  async run(job: TillJob): Promise<Run> {
    const { clock } = this.#place.time
    const current = this.#process ?? (await this.#begin())
    let cancel: () => void = () => undefined
    const late = new Promise<'late'>((resolve) => {
      cancel = clock.after(this.#place.timeoutMs, () => resolve('late'))
    })
    const outcome = await Promise.race([this.#print(current, job), late, current.died])
    cancel()
    if (outcome === 'died') return { claim: 'crashed', message: 'killed by the exam' }
    if (outcome === 'late') return { claim: 'hung' }
    const { status, message, data, body } = outcome
    const answered = { exit: status, output: body }
    if (status === 200) return { claim: 'printed', receipt: String(data), ...answered }
    return { ...claimOf(message), message, ...answered }
  }

  /**
   * Acts as an operator who follows the message: closes or cancels the open receipt, and prints again. After `Outcome
   * unknown:` the new attempt has a new key, because the old key keeps its answer.
   */
  async #print(current: ServiceProcess, job: TillJob): Promise<ServiceAnswer> {
    let key = job.id
    for (let attempt = 1; ; attempt++) {
      const answered = await ask(current, this.#place.time.clock, 'print-fiscal-receipt', receiptOf(job), key)
      const { message } = answered
      const mayBeOwn = MAY_BE_OWN.test(message)
      if (attempt === ATTEMPTS_MAX || !(mayBeOwn || IS_FOREIGN.test(message))) return answered
      if (!(await this.#endOpen(current, mayBeOwn))) return answered
      if (claimOf(message).claim === 'unknown') key += '/again'
    }
  }

  /**
   * Closes or cancels the open receipt. Returns false if a receipt that may be the till's own is not empty. No other
   * program uses the printer, so that the till may cancel an empty one.
   */
  async #endOpen(current: ServiceProcess, mayBeOwn: boolean): Promise<boolean> {
    const { clock } = this.#place.time
    const { data } = await ask(current, clock, 'status-of-the-fiscal-transaction')
    const { IsOpen, Kind, ItemsCount, Paid } = data as OpenStatus
    const isSlip = Kind === 'NonFiscal'
    if (!IsOpen) return true
    if (mayBeOwn && (ItemsCount || Paid)) return false
    if (isSlip) await ask(current, clock, mayBeOwn ? 'cancel-non-fiscal-receipt' : 'close-non-fiscal-receipt')
    else await ask(current, clock, Paid ? 'close-fiscal-receipt' : 'cancel-fiscal-receipt')
    return true
  }

  kill(): void {
    this.#process?.die()
    this.#process = undefined
  }

  async close(): Promise<void> {
    this.kill()
    this.#journal.close()
  }

  async #begin(): Promise<ServiceProcess> {
    const { emulator, time, baud } = this.#place
    const { clock } = time
    let isDead = false
    const ports = new Set<{ readonly isOpen: boolean; close(): Promise<void> }>()
    let dead: (what: 'died') => void = () => undefined
    const died = new Promise<'died'>((resolve) => {
      dead = resolve
    })
    const binding: Binding = {
      async open(options) {
        if (isDead) throw new Error('dead')
        const port = await emulator.binding.open({ ...options, path: emulator.path })
        ports.add(port)
        return port
      },
    }
    const { family, profile } = emulator
    const config = { family, device: emulator.path, baud, waits: this.#waits, options: { profile: profile.profile } }
    const printer = openPrinter(config, { binding, clock, random: this.#random })
    const settings = settingsOf({}, { family, profile: profile.profile })
    const stores = openStores(clock, {
      journal: this.#journal,
      // A killed process stores nothing more.
      writing: () => {
        if (isDead) throw new Error('dead')
      },
    })
    const { service } = compose({ settings, printer, clock, stores })
    this.#process = {
      service,
      died,
      die() {
        isDead = true
        for (const port of ports) if (port.isOpen) port.close().catch(() => undefined)
        dead('died')
      },
    }
    await service.start()
    return this.#process
  }
}

/**
 * Returns what a message of the service claims (decisions 3): a receipt exists, the outcome is unknown, or the request
 * failed.
 */
function claimOf(message: string): Pick<Run, 'claim' | 'receipt'> {
  const completed = /^Completed as receipt (\d+):/.exec(message)?.[1]
  if (completed !== undefined) return { claim: 'printed', receipt: completed }
  return { claim: message.startsWith('Outcome unknown:') ? 'unknown' : 'failed' }
}

const receiptOf = ({ items, payments }: TillJob) => ({
  ReceiptItems: items.map(({ plu, quantity }) => ({
    Type: 1,
    PluSale: { PluNumber: plu, Quantity: Number(quantity) },
  })),
  Payments: payments.map(({ mode, amount }) => ({ PaymentMode: mode, Amount: Number(amount) })),
})
