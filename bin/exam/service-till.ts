/**
 * This product's own service as a till: a complete receipt for each job, with the job's id as `Idempotency-Key`. It lives
 * in this process and in simulated time, over the port of the device; what it keeps on disk lives as long as the case.
 */

import { openPrinter } from '../../drivers/index.ts'
import type { Binding } from '../../drivers/link/port.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import { readJson } from '../../drivers/model/json.ts'
import { DatabaseSync } from '../../drivers/model/sqlite.ts'
import { dice } from '../../emulator/faults/dice.ts'
import type { TillJob } from '../../scenarios/exam/job.ts'
import type { Place, Run, Till, TillAtWork } from '../../scenarios/exam/till.ts'
import { compose, openStores } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'

export const SERVICE = 'service'

export const serviceTill: Till = { name: SERVICE, way: 'inside', open: (place) => new ServiceAtWork(place) }

const IS_OPEN =
  /\bA (?:non-fiscal )?receipt of another program is open\b|, or another program has opened it: finish or cancel it/
/** Nobody knows whose it is but the operator: no other program prints on this device. */
const PERHAPS_OURS = /^Outcome unknown: .*, or another program has opened it since/

interface Answered {
  readonly status: number
  readonly data: unknown
  readonly message: string
  readonly body: string
}

/** As the HTTP side of the service would hand it on. */
async function ask({ service }: Life, clock: Clock, name: string, body?: object, key?: string): Promise<Answered> {
  const endpoint = endpoints.find(({ path }) => path === `/${name}`)
  if (!endpoint) throw new RangeError(`the service has no ${name}`)
  const content = { params: {}, body: body && readJson(JSON.stringify(body)) }
  const reply = await service.handle(endpoint, content, key, { until: clock.now() + REQUEST_MAX_MS })
  const { Data, Message = '' } = JSON.parse(reply.body) as { Data?: unknown; Message?: string }
  return { status: reply.status, data: Data, message: Message, body: reply.body }
}

/** One process of the service. */
interface Life {
  readonly service: ReturnType<typeof compose>['service']
  readonly died: Promise<'died'>
  die(): void
}

class ServiceAtWork implements TillAtWork {
  readonly #place: Place
  readonly #journal = new DatabaseSync(':memory:')
  /** It goes on from life to life: no two begin with the same number of a frame. */
  readonly #random = dice(1)
  #life: Life | undefined
  /** Of a sale whose first key was given up. */
  readonly #keys = new Map<string, string>()

  constructor(place: Place) {
    this.#place = place
  }

  async run(job: TillJob): Promise<Run> {
    const { clock } = this.#place.time
    const life = this.#life ?? (await this.#begin())
    let cancel: () => void = () => undefined
    const late = new Promise<'late'>((resolve) => {
      cancel = clock.after(this.#place.timeoutMs, () => resolve('late'))
    })
    const outcome = await Promise.race([this.#print(life, job), late, life.died])
    cancel()
    if (outcome === 'died') return { claim: 'crashed', message: 'killed by the exam' }
    if (outcome === 'late') return { claim: 'hung' }
    const { status, message, data, body } = outcome
    const answered = { exit: status, output: body }
    if (status === 200) return { claim: 'printed', receipt: String(data), ...answered }
    return { ...claimOf(message), message, ...answered }
  }

  /**
   * As an operator does it: what stands open in the way is ended as the refusal says, and the key pressed again. Where only
   * a person can tell what became of the sale, he looks, and sells anew what was not sold.
   */
  async #print(life: Life, job: TillJob): Promise<Answered> {
    const { clock } = this.#place.time
    const print = () => ask(life, clock, 'print-fiscal-receipt', receiptOf(job), this.#keys.get(job.id) ?? job.id)
    const answered = await print()
    if (PERHAPS_OURS.test(answered.message)) this.#keys.set(job.id, `${job.id} anew`)
    else if (!IS_OPEN.test(answered.message)) return answered
    const { data } = await ask(life, clock, 'status-of-the-fiscal-transaction')
    const { Kind, Paid } = data as { Kind: string; Paid: number | null }
    if (Kind === 'NonFiscal') await ask(life, clock, 'close-non-fiscal-receipt')
    else if (Paid) await ask(life, clock, 'close-fiscal-receipt')
    else await ask(life, clock, 'cancel-fiscal-receipt')
    return print()
  }

  kill(): void {
    this.#life?.die()
    this.#life = undefined
  }

  async close(): Promise<void> {
    this.kill()
    this.#journal.close()
  }

  /** A new life over what the last one has left on disk. */
  async #begin(): Promise<Life> {
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
    const config = { family, device: emulator.path, baud, options: { profile: profile.profile } }
    const printer = openPrinter(config, { binding, clock, random: this.#random })
    const settings = settingsOf({}, { family, profile: profile.profile })
    const stores = openStores(clock, {
      journal: this.#journal,
      // A process that is dead writes nothing any more.
      writing: () => {
        if (isDead) throw new Error('dead')
      },
    })
    const { service } = compose({ settings, printer, clock, stores })
    this.#life = {
      service,
      died,
      die() {
        isDead = true
        for (const port of ports) if (port.isOpen) port.close().catch(() => undefined)
        dead('died')
      },
    }
    await service.start()
    return this.#life
  }
}

/** How the messages of the service begin when a receipt exists, and when it does not know (decisions 3). */
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
