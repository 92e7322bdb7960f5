import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/probe.ts'
import type { Reading, Standing, Way } from '../../drivers/wire/questionnaire.ts'
import type { Conversation, Talk } from './conversation.ts'
import { closingProbe, planOf, stepProbe, waysOf } from './plan.ts'
import { Ended, Voice } from './voice.ts'

/** The conversation with a device: all probes of a depth, state by state, and back to where it stood. */

/** How often what changes nothing is asked. */
const TRIES = 3
const WIDEST = 64

/** Rejects only for mistakes of ours: what a device does ends the conversation and stands in it. */
export async function converse(talk: Talk): Promise<Conversation> {
  const { q, consent } = talk
  const voice = new Voice(talk)
  const widest: Partial<Record<'nonFiscal' | 'selling', number>> = {}
  const plan = planOf(q, talk.others, consent).map(({ probe }) => probe)
  const asked = new Set<string>()
  let standing: Standing = { receipt: 'none', isFiscal: true }

  const isWhere = ({ receipt }: Standing): boolean =>
    receipt === (voice.state === 'idle' ? 'none' : voice.state === 'nonFiscal' ? 'nonFiscal' : 'fiscal')

  /** False: the device is in another state behind it. */
  async function askProbe(probe: Probe): Promise<boolean> {
    asked.add(probe.id)
    talk.progress?.(asked.size, plan.length)
    if (probe.reads) {
      await voice.readsToItsEnd(probe, probe.reads)
      return true
    }
    const tries = probe.isHarmless && voice.state === 'idle' ? TRIES : 1
    for (let attempt = 0; attempt < tries; attempt++) await voice.asks(probe, attempt)
    return probe.isHarmless || isWhere(await voice.stand())
  }

  async function askAll(probes: readonly Probe[]): Promise<boolean> {
    for (const probe of probes) if (!asked.has(probe.id) && !(await askProbe(probe))) return false
    return true
  }

  /** Closes or cancels what stands open. */
  async function leave(ends: Way['ends']): Promise<void> {
    for (let turn = 0; turn < 2 && (await voice.stand()).receipt !== 'none'; turn++) {
      for (const asks of ends) {
        let isDone = true
        for (const ask of asks) isDone = (await voice.does(ask)) && isDone
        if (isDone) break
      }
    }
    voice.state = 'idle'
  }

  const inState = (of: ReceiptPhase): readonly Probe[] => plan.filter((probe) => probe.state === of)
  const allEnds = q.ways.flatMap(({ ends }) => ends)

  async function measureWidth(of: 'nonFiscal' | 'selling'): Promise<void> {
    const ask = q.widest?.[of]
    if (!ask || widest[of] !== undefined) return
    let [low, high] = [0, WIDEST]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (await voice.does(ask(middle))) low = middle
      else high = middle - 1
    }
    widest[of] = low
  }

  /** Asks again and again while a probe of a state leads out of it. */
  async function walk(way: Way): Promise<void> {
    for (let turn = 0; turn < 4; turn++) if (await walkOnce(way, turn)) return
  }

  async function walkOnce(way: Way, turn: number): Promise<boolean> {
    for (const [at, [name, data, then]] of way.steps.entries()) {
      const probe = stepProbe(q, way, at, voice.state)
      if (!(await voice.does([name, data], turn === 0 ? probe : undefined))) break
      if (turn === 0) asked.add(probe.id)
      if (then === undefined) continue
      voice.state = then
      if (!(await askAll(inState(then)))) {
        await leave(way.ends)
        return false
      }
      if (then === 'nonFiscal' || then === 'selling') await measureWidth(then)
    }
    await leave(way.ends)
    return true
  }

  async function all(): Promise<void> {
    // The first number may be that of the last command of somebody else: then an old answer comes.
    await voice.greet()
    standing = await voice.stand()
    if (talk.mayGoOn && !talk.mayGoOn(standing)) return
    const isForeign = standing.receipt !== 'none'
    const idle = inState('idle')
    const harmless = idle.filter(({ depth }) => depth === 'look')
    const links = harmless.filter(({ command }) => command === 'link')
    await askAll([...harmless.filter((one) => !links.includes(one)), ...links])
    if (isForeign) return
    const others = idle.filter(({ depth }) => depth !== 'look')
    while (!(await askAll(others))) await leave(allEnds)
    for (const way of waysOf(q, consent.depth)) await walk(way)
    // What can only be asked once something was printed is asked again.
    if (consent.depth !== 'look') for (const reads of q.readings) await readAgain(reads)
    if (consent.z) {
      const closing = closingProbe(q)
      asked.add(closing.id)
      await voice.does(q.closing, closing)
    }
  }

  async function readAgain(reads: Reading): Promise<void> {
    const probe = plan.find((one) => one.reads === reads)
    if (probe) await voice.readsToItsEnd({ ...probe, id: `${probe.id}.printed` }, reads)
  }

  let ended: Conversation['ended']
  try {
    await all()
  } catch (problem) {
    if (!(problem instanceof Ended)) throw problem
    ended = problem.why
    voice.closes()
    if (ended === 'interrupted' && voice.state !== 'idle') await leave(allEnds).catch(() => undefined)
  }
  const { exchanges } = voice
  const isSilent = exchanges.every(({ heard, requests }) =>
    requests.every((frame, at) => heard[at] === undefined || voice.saidBy(frame, heard[at]) === undefined),
  )
  const leftOut = plan.filter(({ id }) => !asked.has(id)).map(({ id }) => id)
  return { exchanges, standing, leftOut, isComplete: ended === undefined, isSilent, ...(ended && { ended }), widest }
}
