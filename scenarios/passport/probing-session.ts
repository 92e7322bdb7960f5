/** The conversation with a device: all probes of a depth, state by state, and the return to the initial state. */
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/passport-probes.ts'
import type { OpenReceiptStatus, PrintBlocker, RepeatedQuery, StatePath } from '../../drivers/wire/questionnaire.ts'
import type { Conversation, ConversationSetup } from './conversation.ts'
import { discoverFrom } from './discovery.ts'
import { closingProbe, planOf, stepProbe, WIDEST, waysOf } from './probe-plan.ts'
import { ConversationEnd, DeviceAway, Prober } from './prober.ts'

const TRIES = 3
const LEAVING_TURNS = 3
const WALKS = 4

/** Never rejects because of the device. The result contains the reason for an early end. */
export async function converse(talk: ConversationSetup): Promise<Conversation> {
  return new Session(talk).run()
}

class Session {
  readonly #talk: ConversationSetup
  readonly #prober: Prober
  readonly #widest: Partial<Record<'nonFiscal' | 'selling', number>> = {}
  readonly #plan: readonly Probe[]
  readonly #ways: readonly StatePath[]
  readonly #total: number
  readonly #allEnds: StatePath['ends']
  readonly #probed = new Set<string>()
  #openReceipt: OpenReceiptStatus = { receipt: 'none', isFiscal: true }
  #closures: number | undefined
  #printBlockers: readonly PrintBlocker[] = []

  constructor(talk: ConversationSetup) {
    const { q, consent } = talk
    this.#talk = talk
    this.#prober = new Prober(talk)
    this.#plan = planOf(q, talk.others, consent).map(({ probe }) => probe)
    this.#ways = waysOf(q, consent.depth)
    this.#total = this.#plan.length + this.#ways.flatMap(({ steps }) => steps).length + (consent.z ? 1 : 0)
    this.#allEnds = q.statePaths.flatMap(({ ends }) => ends)
  }

  async run(): Promise<Conversation> {
    const prober = this.#prober
    let ended: Conversation['ended']
    let whyLost: string | undefined
    try {
      await this.#all()
    } catch (problem) {
      if (!(problem instanceof ConversationEnd)) throw problem
      ended = problem.why
      if (ended === 'lost') whyLost = problem.message
      prober.closes()
      if ((ended === 'interrupted' || ended === 'hindered') && prober.hasChanged)
        await this.#leave(this.#allEnds).catch(ignoreConversationEnd)
    }
    const { exchanges } = prober
    const isUnanswered = exchanges.every(({ responses, requests }) =>
      requests.every(
        (frame, at) => responses[at] === undefined || prober.readResponse(frame, responses[at]) === undefined,
      ),
    )
    const unsentProbes = this.#plan.filter(({ id }) => !this.#probed.has(id)).map(({ id }) => id)
    return {
      ...{
        exchanges,
        initialReceipt: this.#openReceipt,
        printBlockers: this.#printBlockers,
        unsentProbes,
        isUnanswered,
        widest: this.#widest,
      },
      isComplete: ended === undefined,
      ...(ended && { ended }),
      ...(whyLost !== undefined && { whyLost }),
    }
  }

  #note({ id }: Probe): void {
    this.#probed.add(id)
    this.#talk.progress?.(this.#probed.size, this.#total)
  }

  #inState(phase: ReceiptPhase): readonly Probe[] {
    return this.#plan.filter((probe) => probe.state === phase)
  }

  #isForeign(): boolean {
    return this.#openReceipt.receipt !== 'none'
  }

  #isWhere({ receipt }: OpenReceiptStatus): boolean {
    const { state } = this.#prober
    return receipt === (state === 'idle' ? 'none' : state === 'nonFiscal' ? 'nonFiscal' : 'fiscal')
  }

  async #askProbe(probe: Probe): Promise<boolean> {
    this.#note(probe)
    while (true) {
      try {
        return await this.#tryProbe(probe)
      } catch (problem) {
        if (!(problem instanceof DeviceAway)) throw problem
        if (this.#isForeign() || this.#isWhere(await this.#prober.readReceiptStatus())) continue
        this.#probed.delete(probe.id)
        return false
      }
    }
  }

  async #tryProbe(probe: Probe): Promise<boolean> {
    if (probe.reads) {
      await this.#prober.readToEnd(probe, probe.reads)
      return true
    }
    const tries = probe.isHarmless && !probe.isContinued ? TRIES : 1
    if (probe.closure)
      this.#closures ??= discoverFrom(this.#talk.q, {
        exchanges: this.#prober.exchanges,
        widest: this.#widest,
      }).history.closures
    for (let attempt = 0; attempt < tries; attempt++) await this.#prober.sendProbe(probe, attempt, this.#closures)
    return probe.isHarmless || this.#isWhere(await this.#prober.readReceiptStatus())
  }

  async #askAll(probes: readonly Probe[]): Promise<boolean> {
    for (const probe of probes) if (!this.#probed.has(probe.id) && !(await this.#askProbe(probe))) return false
    return true
  }

  async #leave(ends: StatePath['ends']): Promise<void> {
    for (let turn = 0; turn < LEAVING_TURNS; turn++) {
      try {
        if ((await this.#prober.readReceiptStatus()).receipt === 'none') break
        await this.#end(ends)
      } catch (problem) {
        if (!(problem instanceof DeviceAway)) throw problem
      }
    }
    this.#prober.state = 'idle'
  }

  async #end(ends: StatePath['ends']): Promise<void> {
    for (const asks of ends) {
      let isDone = true
      for (const ask of asks) isDone = (await this.#prober.execute(ask)) && isDone
      if (isDone) return
    }
  }

  async #measureWidth(phase: 'nonFiscal' | 'selling'): Promise<void> {
    const ask = this.#talk.q.widest?.[phase]
    if (!ask || this.#widest[phase] !== undefined) return
    let [low, high] = [0, WIDEST]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (await this.#prober.execute(ask(middle))) low = middle
      else high = middle - 1
    }
    this.#widest[phase] = low
  }

  async #walk(way: StatePath): Promise<void> {
    for (let turn = 0; turn < WALKS; turn++) {
      try {
        if (await this.#walkOnce(way)) return
      } catch (problem) {
        if (!(problem instanceof DeviceAway)) throw problem
        await this.#leave(way.ends)
      }
    }
  }

  async #walkOnce(way: StatePath): Promise<boolean> {
    for (const [at, [name, data, then]] of way.steps.entries()) {
      const probe = stepProbe(this.#talk.q, way, at, this.#prober.state)
      const isDone = await this.#prober.execute([name, data], this.#probed.has(probe.id) ? undefined : probe)
      this.#note(probe)
      if (!isDone) break
      if (then === undefined) continue
      this.#prober.state = then
      if (!(await this.#askAll(this.#inState(then)))) {
        await this.#leave(way.ends)
        return false
      }
      if (then === 'nonFiscal' || then === 'selling') await this.#measureWidth(then)
    }
    await this.#leave(way.ends)
    return true
  }

  async #all(): Promise<void> {
    // The first number may be that of another program's last command, and the device then sends its old answer.
    await this.#prober.greet()
    this.#openReceipt = await this.#prober.readReceiptStatus()
    if (this.#talk.mayGoOn && !this.#talk.mayGoOn(this.#openReceipt)) return
    this.#printBlockers = await this.#prober.readPrintBlockers()
    if (this.#isForeign()) this.#prober.state = this.#openReceipt.receipt === 'nonFiscal' ? 'nonFiscal' : 'selling'
    const idle = this.#inState('idle')
    const harmless = idle.filter(({ depth }) => depth === 'read')
    const links = harmless.filter(({ command }) => command === 'link')
    await this.#askAll(harmless.filter((one) => !links.includes(one)))
    // The status of the receipt can reveal that a person has changed the device. The link probes cannot.
    await this.#prober.readReceiptStatus()
    await this.#askAll(links)
    if (this.#isForeign()) return
    const otherProbes = idle.filter(({ depth }) => depth !== 'read')
    while (!(await this.#askAll(otherProbes))) await this.#leave(this.#allEnds)
    for (const way of this.#ways) await this.#walk(way)
    // Documents are read again, because the probes have printed some.
    if (this.#talk.consent.depth !== 'read') for (const reads of this.#talk.q.readings) await this.#readAgain(reads)
    if (this.#talk.consent.z) {
      const closing = closingProbe(this.#talk.q)
      this.#note(closing)
      await this.#prober.execute(this.#talk.q.closing, closing).catch(ignoreDeviceAway)
    }
  }

  async #readAgain(reads: RepeatedQuery): Promise<void> {
    const probe = this.#plan.find((one) => one.reads === reads)
    if (probe) await this.#prober.readToEnd({ ...probe, id: `${probe.id}.printed` }, reads).catch(ignoreDeviceAway)
  }
}

/** The device may have executed the command, so the command is not sent again. */
function ignoreDeviceAway(problem: unknown): void {
  if (!(problem instanceof DeviceAway)) throw problem
}

function ignoreConversationEnd(problem: unknown): void {
  if (!(problem instanceof ConversationEnd)) throw problem
}
